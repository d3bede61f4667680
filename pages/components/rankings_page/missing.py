"""Why there is no ranking, or none by something that was asked for."""

from collections.abc import Sequence

import streamlit as st

from crscore_core.validity.rankings import RankingRequest, Rankings
from pages.components.rankings_page.names import METRIC_NAMES

__all__ = ["nothing_ranked", "say_not_ranked"]


def nothing_ranked(found: Rankings, request: RankingRequest) -> str:
    """Why no system is ranked at all."""
    if found.systems:
        return f"No review has a value of {_names(request.metrics)}{_where(request)}."
    if request.language is not None:
        return "No system has a review in this language. Choose another, or all."
    return (
        "All reviews are reference reviews, the ground truth that came with the data, which has "
        "no rank: there is no system to rank."
    )


def say_not_ranked(found: Rankings, request: RankingRequest) -> None:
    """What was asked for and has no value to rank by."""
    missing = [name for name in request.metrics if name not in found.by]
    if missing:
        st.info(f"Not ranked by {_names(missing)}: no review has a value{_where(request)}.")


def _names(metrics: Sequence[str]) -> str:
    return ", ".join(METRIC_NAMES[name] for name in metrics)


def _where(request: RankingRequest) -> str:
    return "" if request.language is None else " in this language"
