"""What the page Rankings is asked for."""

from collections.abc import Collection, Sequence

import pandas as pd
import streamlit as st

from crscore_core.validity.rankings import PEOPLE, SCORES, RankingRequest, rankings_at_hand
from pages.components.charts import chosen_points
from pages.components.rankings_page.names import MEANINGS, METRIC_NAMES
from pages.components.source.model import Source

__all__ = ["choose_request", "choose_system", "chosen_in_chart", "chosen_in_table", "turn"]

_SYSTEM, _LANGUAGE, _METRICS = "rankings_system", "rankings_language", "rankings_metrics"
_PEOPLE = "rankings_people"
_ALL_LANGUAGES, _NO_LANGUAGE = "all", "not known"
_USUAL = ("human_relevance", "relevance", "calibrated_relevance")


def choose_request(source: Source, rows: pd.DataFrame) -> RankingRequest:
    """Choose metrics, whose order they are compared with, and the language; all in the URL.

    `rows` are all reviews at any tau: which of them have a rating or a score does not hang on it.
    """
    at_hand = rankings_at_hand(source.comparison, rows)
    by_people = [name for name in PEOPLE if name in at_hand]
    languages = {
        language or _NO_LANGUAGE: language
        for language in dict.fromkeys(change.language for change in source.comparison.changes)
    }
    usual = [name for name in _USUAL if name in at_hand]
    if by_people and by_people[0] not in usual:
        usual.insert(0, by_people[0])
    _forget_other(_METRICS, at_hand)
    _forget_other(_LANGUAGE, [_ALL_LANGUAGES, *languages])
    _forget_other(_PEOPLE, by_people)
    metrics = st.multiselect(
        "Rank by",
        at_hand,
        default=usual,
        format_func=METRIC_NAMES.__getitem__,
        key=_METRICS,
        bind="query-params",
        help=MEANINGS,
    )
    with st.container(horizontal=True):
        language = st.selectbox(
            "Language",
            [_ALL_LANGUAGES, *languages],
            key=_LANGUAGE,
            bind="query-params",
            help="Only reviews of changes in this language count.",
        )
        people = (
            st.selectbox(
                "Compare with",
                by_people,
                format_func=METRIC_NAMES.__getitem__,
                key=_PEOPLE,
                bind="query-params",
                help="The order by people that each other order is correlated with.",
            )
            if len(by_people) > 1
            else next(iter(by_people), None)
        )
    chosen = tuple(metrics) or tuple(name for name in (*PEOPLE, *SCORES) if name in usual)
    return RankingRequest(chosen, people, languages.get(language or _ALL_LANGUAGES))


def choose_system(systems: Sequence[str], names: dict[str, str]) -> str | None:
    """Choose one system; what was chosen in the chart or the table is chosen here."""
    _take_from_chart()
    _forget_other(_SYSTEM, systems)
    return st.selectbox(
        "Reviews of",
        list(systems),
        index=None,
        format_func=lambda system: names.get(system, system),
        placeholder="Choose a system, here, in the chart or in the table",
        key=_SYSTEM,
        bind="query-params",
        on_change=_turn_both,
    )


def turn(part: str) -> int:
    """How often the choice in the chart or the table was replaced by one made elsewhere.

    It stands in their keys, so that what is chosen there is what is chosen.
    """
    turns: int = st.session_state.get(f"rankings_turn_{part}", 0)
    return turns


def chosen_in_table(key: str, systems: Sequence[str]) -> None:
    """Take the row that a person chose, when it is chosen."""
    rows = st.session_state[key].get("selection", {}).get("rows", [])
    if rows and rows[0] < len(systems):
        st.session_state[_SYSTEM] = systems[rows[0]]
        _turn("chart")


def chosen_in_chart() -> str:
    """The key of the chart."""
    return f"rankings_chart_{turn('chart')}"


def _forget_other(key: str, options: Collection[str]) -> None:
    """Go back to the default where what is chosen is no option, as of another source."""
    chosen = st.session_state.get(key)
    one_or_more = chosen if isinstance(chosen, list) else [] if chosen is None else [chosen]
    if any(one not in options for one in one_or_more):
        del st.session_state[key]


def _take_from_chart() -> None:
    """Take the point that a person chose since the last run."""
    chosen = next(iter(chosen_points(chosen_in_chart())), None)
    if isinstance(chosen, list):
        chosen = next(iter(chosen), None)
    if isinstance(chosen, str) and chosen != st.session_state.get("rankings_last_point"):
        st.session_state[_SYSTEM] = chosen
        _turn("table")
    st.session_state["rankings_last_point"] = chosen


def _turn(part: str) -> None:
    st.session_state[f"rankings_turn_{part}"] = turn(part) + 1


def _turn_both() -> None:
    _turn("chart")
    _turn("table")
