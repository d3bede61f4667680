"""The reviews that a measure fails, by a chosen rule, and their common traits."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd
import streamlit as st

from crscore_core.errors import InputError
from crscore_core.text import capital, counted
from crscore_eval.metrics.traits import TRAITS_NOTE, compare_traits, review_traits
from crscore_eval.statistics import rank_correlation
from crscore_eval.table import Run, has_ratings, label_columns, measure_named, measure_values
from crscore_eval.validity.failures import OVER, UNDER, failures, people_next_to, rank_gaps
from pages.components.controls import choose_measure, tau_slider
from pages.components.data import current_state
from pages.components.markup import text_table
from pages.components.text import escape_markdown, keep_options

if TYPE_CHECKING:
    Numbers = pd.Series[float]

_RULES = {"gaps": "Widest gaps", "paper": "The paper's rule"}
_RATINGS = "people's ratings"
_NUMBERS = (1, 5, 20, 50, 100, 500)
_USUAL = 20
_RULE_HELP = (
    "Widest gaps: reviews whose rank by the measure is furthest from their rank by people. The "
    "paper's rule: reviews in the lowest fifth of the measure that people rate 5, and in the "
    "highest fifth that they rate 1. At most a tenth of the reviews fail each way."
)
_WIDE = 0.5
"""Gap between two percentile ranks that is called wide."""


@dataclass(frozen=True, eq=False)
class Cases:
    """Reviews of a run at one tau, a measure of them, and its failures.

    `scores`, `people` and `gaps` have the index of `run.reviews`; `failures` is from
    `validity.failures`.
    """

    run: Run
    tau: float
    title: str
    people_title: str
    scores: "Numbers"
    people: "Numbers"
    gaps: "Numbers"
    failures: pd.DataFrame


def choose_cases(run: Run) -> Cases | None:
    """Show tau and the controls; show the reason and return None if nothing can be compared."""
    reviews = run.reviews
    tau = tau_slider(run.settings["encoder"], run.settings["claims"])
    with st.container(horizontal=True, vertical_alignment="bottom"):
        measure = choose_measure(run) or ""
        choices: dict[str, str | None] = {_RATINGS: None} if has_ratings(reviews) else {}
        choices |= {name: name for name in label_columns(reviews) if name != measure}
        keep_options("failures_people", choices)
        people_choice = st.selectbox(
            "Compared with", list(choices), key="failures_people", bind="query-params", width=220
        )
        rule = st.selectbox(
            "Failures",
            list(_RULES),
            format_func=_RULES.__getitem__,
            key="failures_rule",
            help=_RULE_HELP,
            width=200,
        )
        number = _USUAL
        if rule == "gaps":
            number = st.selectbox(
                "In each direction",
                _NUMBERS,
                index=_NUMBERS.index(_USUAL),
                key="failures_number",
                bind="query-params",
                width=150,
            )
    try:
        people = people_next_to(reviews, measure, choices.get(people_choice or ""))
    except InputError as error:
        st.info(escape_markdown(str(error)))
        return None
    scores = measure_values(reviews, measure, tau)
    if not (scores.notna() & people.notna()).any():
        st.info("No review has both a value of the measure and a rating or label.")
        return None
    found = failures(scores, people, str(rule), number)
    title = measure_named(reviews, measure).title
    people_title = "people's rating" if people_choice == _RATINGS else str(people.name)
    return Cases(run, tau, title, people_title, scores, people, rank_gaps(scores, people), found)


def describe(cases: Cases) -> tuple[str, str]:
    """Say how often the measure and people disagree widely: a heading, then the figures."""
    gaps, judged = cases.gaps, cases.gaps.notna()
    low, high = int((gaps <= -_WIDE).sum()), int((gaps >= _WIDE).sum())
    counts = cases.failures["failure"].value_counts()
    rho = rank_correlation(cases.scores[judged], cases.people[judged]).spearman.value
    heading = (
        f"{capital(cases.title)} and {cases.people_title} disagree widely on {low + high:,} of "
        f"{counted(int(judged.sum()), 'review')}"
    )
    return heading, (
        f"{low:,} of them rank at least {100 * _WIDE:g} percentage points lower by {cases.title} "
        f"than by people, {high:,} as much higher. The most underestimated "
        f"({counts.get(UNDER, 0):,}) and the most overestimated ({counts.get(OVER, 0):,}) are "
        f"marked. Spearman's rho: {'undefined' if rho is None else f'{rho:.3f}'}."
    )


def gap_words(cases: Cases, row: int) -> str:
    """Say how the measure and people rank a review; empty if either did not."""
    gap = cases.gaps[row]
    kind = capital(cases.failures["failure"].get(row, "neither under- nor overestimated"))
    words = f"{abs(100 * gap):.0f} percentage points {'lower' if gap < 0 else 'higher'}"
    return f"{kind}: {cases.title} ranks it {words} than people do." if pd.notna(gap) else ""


@st.cache_data(max_entries=8, show_spinner="Reading the reviews")
def _traits(state: str, _run: Run) -> "Mapping[str, Numbers]":  # noqa: ARG001 - a key
    return review_traits(_run)


def show_common(cases: Cases) -> None:
    """Say in which traits failures differ from the other reviews, and show the figures."""
    kinds = cases.failures["failure"].reindex(cases.gaps.index)
    groups = {f"{kind} reviews": kinds == kind for kind in (UNDER, OVER)}
    others = cases.gaps.notna() & kinds.isna()
    sentences, figures = compare_traits(
        cases.run, _traits(current_state(), cases.run), groups, others
    )
    st.markdown("\n\n".join(sentences))
    with st.expander("Figures"):
        text_table(figures, wide=(), caption=TRAITS_NOTE)
