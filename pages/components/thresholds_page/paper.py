"""What the paper prints of tau."""

import streamlit as st

from crscore_core.validity.paper import paper_source
from crscore_core.validity.thresholds import PAPER_ENCODER, paper_thresholds
from pages.components.figure_words import number
from pages.components.markup import text_table

__all__ = ["show_paper"]


def show_paper() -> None:
    """Show Tables 4 and 18 beside each other."""
    text_table(
        [
            {
                "tau": f"{number(one.tau, 4)} {one.role}".strip(),
                "precision": number(one.precision, 4),
                "recall": number(one.recall, 4),
                "F1": number(one.f1, 4),
                "Spearman": number(one.spearman, 4),
                "Kendall": number(one.kendall, 4),
            }
            for one in paper_thresholds()
        ],
        wide=(),
        caption=f"The paper's {paper_source('matching')} and {paper_source('thresholds')}",
    )
    st.caption(
        f"Correlations are of Rel, all with the paper's own encoder, {PAPER_ENCODER}. Taus of "
        "different encoders cannot be compared: each has its own range of similarities. What can "
        "be compared is what is reached at tau_gt and at tau_best."
    )
