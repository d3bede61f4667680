"""The ranks that the paper prints, beside those at hand."""

import streamlit as st

from crscore_core.datasets.study.model import SYSTEMS
from crscore_core.validity.paper import paper_ranks, paper_source
from crscore_core.validity.rankings import Rankings
from pages.components.markup import text_table

__all__ = ["show_paper_ranks"]

_HERE = {"human relevance": "human_relevance", "Rel": "relevance"}


def show_paper_ranks(found: Rankings) -> None:
    """Show Table 15: systems by people, Rel and chrF++, and the ranks of the first two here."""
    printed = {by: paper_ranks(by) for by in ("human relevance", "Rel", "chrF++")}
    here = {
        by: {one.system: one.rank for one in found.by[metric].ranking.systems}
        for by, metric in _HERE.items()
        if metric in found.by
    }
    text_table(
        [
            {
                "system": SYSTEMS[system],
                **{
                    f"{by}, {where}": f"{ranks[by][system]:g}" if system in ranks[by] else ""
                    for by in printed
                    for where, ranks in (("paper", printed), ("here", here))
                    if by in ranks
                },
            }
            for system in printed["human relevance"]
        ],
        wide=(),
        caption=f"Ranks in the paper's {paper_source('rankings')} and here",
    )
    st.caption(
        "The paper ranks with its own encoder at its tau_best, on all the ratings that it had; "
        "here are those that were published, with this encoder at this tau."
    )
