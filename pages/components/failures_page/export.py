"""The listed reviews as files."""

import json

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from crscore_core.corpus.review_case import made_with, reviews_csv, reviews_document
from pages.components.failures_page.rows import Cases

__all__ = ["offer_export"]


def offer_export(cases: Cases, positions: NDArray[np.intp]) -> None:
    """Buttons that download the reviews at these positions, in this order; made when pressed."""
    comparison = cases.source.comparison
    made = made_with(comparison, cases.tau)
    if cases.chosen is not None:
        rule = cases.chosen.rule
        made |= {
            "compared_score": cases.chosen.score,
            "bins": rule.bins,
            "rated_at_least": rule.rated_at_least,
            "rated_at_most": rule.rated_at_most,
        }

    def table() -> str:
        return reviews_csv(cases.rows.iloc[positions], made)

    def document() -> str:
        rows = cases.rows.iloc[positions]
        found = reviews_document(rows, comparison, cases.tau, made)
        return json.dumps(found, ensure_ascii=False, indent=1)

    with st.container(horizontal=True):
        for kind, make, mime in (
            ("CSV", table, "text/csv"),
            ("JSON", document, "application/json"),
        ):
            st.download_button(
                f"Download {kind}",
                make,
                f"crscore-cases.{kind.lower()}",
                mime,
                key=f"failures_{kind.lower()}",
                icon=":material/download:",
                on_click="ignore",
                disabled=not positions.size,
                help=f"All {positions.size:,} reviews of the list, in its order.",
            )
