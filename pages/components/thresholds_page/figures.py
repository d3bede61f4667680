"""The figures at one tau as a table."""

from collections.abc import Iterator

import streamlit as st

from crscore_core.statistics import Estimate
from crscore_core.validity.thresholds_at import figures_at
from crscore_core.validity.thresholds_sweep import is_swept
from pages.components.figure_words import between, number
from pages.components.markup import text_table
from pages.components.names import SHORT_NAMES
from pages.components.source.model import Source

__all__ = ["show_figures"]


def show_figures(source: Source, tau: float) -> None:
    """Show what holds at this tau, with intervals."""
    text_table(
        [
            {"at this tau": name, "value": number(one.value), "95 %": between(one.interval)}
            for name, one in _figures(source, tau)
        ],
        wide=("95 %",),
        caption=f"At tau {tau:.3f}; intervals resample changes",
    )
    words = "Correlations are Spearman's. Where all scores are the same there is none."
    if not is_swept(source.comparison.rated_maxima).all():
        words += " The reviews of the ground truth are left out, as in the paper."
    st.caption(words)


def _figures(source: Source, tau: float) -> Iterator[tuple[str, Estimate]]:
    found = figures_at(source.table, tau, source.bootstrap)
    for name, one in found.spearman.items():
        yield f"{SHORT_NAMES[name]} with people's {name}, review by review", one
    if "relevance" in found.spearman:
        yield "order of systems by Rel with people's", found.system_spearman
    for row in () if source.study is None else source.study.matching([tau]):
        yield "precision of matching", row.precision
        yield "recall of matching", row.recall
        yield "F1 of matching", row.f1
    yield "share of reviews with Rel 0", found.share_zero
    yield "share of reviews with Rel 1", found.share_one
    for name, one in found.means.items():
        yield f"mean {SHORT_NAMES[name]}", one
