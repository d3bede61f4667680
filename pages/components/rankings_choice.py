"""Choices of the page Rankings: metrics, language, the order to compare with, and a system."""

from collections.abc import Mapping, Sequence

import pandas as pd
import streamlit as st
from crscore_core.predicted.ratings import PROBABILITY_CAUTION

from crscore_core.corpus.metrics import METRICS
from crscore_core.validity.rankings import (
    PEOPLE,
    RankingRequest,
    Rankings,
    rankings_at_hand,
)
from pages.components.charts import chosen_points
from pages.components.names import SHORT_NAMES, keep_options
from pages.components.source.model import Source

METRIC_NAMES: Mapping[str, str] = {
    **{name: metric.title for name, metric in METRICS.items()},
    **{name: f"people: {name.removeprefix('human_')}" for name in PEOPLE},
    **SHORT_NAMES,
}
"""Columns that rank, as people read them and as the URL has them."""

_MEANINGS = (
    "**Predicted relevance** is what people would say of a review, as a small model expects that "
    "was fitted to the human study; **probably relevant**, **informative** and **well expressed** "
    f"are probabilities. {PROBABILITY_CAUTION} **People** rated from 1 to 5, shown from 0 to 1. "
    "How much of the change reviews talk about: **Con** is the share of a review's sentences that "
    "say something of the change, **Comp** the share of pseudo-references that it covers, **Rel** "
    "their harmonic mean. "
    "**Similarity without threshold** is the harmonic mean of the mean best similarities of "
    "sentences and pseudo-references: it has no tau."
)
_SYSTEM, _LANGUAGE, _METRICS = "rankings_system", "rankings_language", "rankings_metrics"
_PEOPLE = "rankings_people"
_WIDTH = 300
_ALL_LANGUAGES, _NO_LANGUAGE = "all", "not known"
_USUAL = ("predicted_relevance", "human_relevance", "relevance")


def choose_language(source: Source) -> str | None:
    """Choose the language whose reviews count, in the URL; None for all."""
    languages = {
        language or _NO_LANGUAGE: language
        for language in dict.fromkeys(change.language for change in source.comparison.changes)
    }
    keep_options(_LANGUAGE, [_ALL_LANGUAGES, *languages])
    language = st.selectbox(
        "Language",
        [_ALL_LANGUAGES, *languages],
        key=_LANGUAGE,
        bind="query-params",
        help="Only reviews of changes in this language count, in the verdict too.",
        width=_WIDTH,
    )
    return languages.get(language or _ALL_LANGUAGES)


def choose_request(source: Source, rows: pd.DataFrame, language: str | None) -> RankingRequest:
    """Choose metrics and the order they are compared with, in the URL.

    `rows` are all reviews at any tau, which does not decide which of them are rated or scored.
    """
    at_hand = rankings_at_hand(source.comparison, rows)
    by_people = [name for name in PEOPLE if name in at_hand]
    usual = [name for name in at_hand if name in {*_USUAL, *by_people[:1]}]
    keep_options(_METRICS, at_hand)
    keep_options(_PEOPLE, by_people)
    metrics = st.multiselect(
        "Rank by",
        at_hand,
        default=usual,
        format_func=METRIC_NAMES.__getitem__,
        key=_METRICS,
        bind="query-params",
        help=_MEANINGS,
    )
    people = next(iter(by_people), None)
    if len(by_people) > 1:
        people = st.selectbox(
            "Compare with",
            by_people,
            format_func=METRIC_NAMES.__getitem__,
            key=_PEOPLE,
            bind="query-params",
            help="The order by people that each other order is correlated with.",
            width=_WIDTH,
        )
    return RankingRequest(tuple(metrics or usual), people, language)


def say_why_not_ranked(rankings: Rankings, request: RankingRequest) -> None:
    """Say why no system is ranked, or by which of the metrics asked for none is."""
    where = "" if request.language is None else " in this language"
    missing = [METRIC_NAMES[name] for name in request.metrics if name not in rankings.by]
    if rankings.by:
        if missing:
            st.info(f"Not ranked by {', '.join(missing)}: no review has a value{where}.")
    elif rankings.systems:
        st.info(f"No review has a value of {', '.join(missing)}{where}.")
    elif request.language is not None:
        st.info(
            "In this language all reviews are empty, or came with the data. Choose another, or all."
        )
    else:
        st.info(
            "All reviews are reference reviews, the ground truth that came with the data, which "
            "has no rank, or empty: there is no system to rank."
        )


def choose_system(systems: Sequence[str], names: Mapping[str, str]) -> str | None:
    """Choose one system, here or in the chart; None if none is chosen."""
    _take_from_chart()
    keep_options(_SYSTEM, systems)
    return st.selectbox(
        "Reviews of",
        list(systems),
        index=None,
        format_func=lambda system: names.get(system, system),
        placeholder="Choose a system, here or in the chart",
        key=_SYSTEM,
        bind="query-params",
        on_change=_forget_point,
    )


def chosen_in_chart() -> str:
    """Return the key of the chart; another one once a choice is made elsewhere."""
    return f"rankings_chart_{st.session_state.get('rankings_turn', 0)}"


def _take_from_chart() -> None:
    """Take the point that a person chose since the last run."""
    chosen = next(iter(chosen_points(chosen_in_chart())), None)
    if isinstance(chosen, list):
        chosen = next(iter(chosen), None)
    if isinstance(chosen, str) and chosen != st.session_state.get("rankings_last_point"):
        st.session_state[_SYSTEM] = chosen
    st.session_state["rankings_last_point"] = chosen


def _forget_point() -> None:
    st.session_state["rankings_turn"] = st.session_state.get("rankings_turn", 0) + 1
