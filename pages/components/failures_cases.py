"""The reviews that a measure fails, by a chosen rule, and their common traits."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd
import streamlit as st

from crscore_core.errors import InputError
from crscore_core.text import capital, counted
from crscore_eval.metrics.traits import compare_traits, review_traits
from crscore_eval.statistics import rank_correlation
from crscore_eval.table import Run, has_ratings, label_columns, measure_named, measure_values
from crscore_eval.validity.failures import OVER, UNDER, WIDE, failures, rank_gaps, ratings_or_label
from pages.components.controls import choose_measure, tau_slider
from pages.components.data import current_state
from pages.components.text import escape_markdown, keep_options

if TYPE_CHECKING:
    Numbers = pd.Series[float]

_RULES = {"gaps": "Wide gaps", "paper": "The paper's rule"}
_RATINGS = "people's ratings"
_GAPS = f"their ranks by both are at least {100 * WIDE:g} percentage points apart"
_RULE_HELP = (
    f"Wide gaps: {_GAPS}. The paper's rule: reviews in the lowest fifth of the measure that people "
    "rate 5, and in the highest fifth that they rate 1. At most a tenth of the reviews fail each "
    "way."
)


@dataclass(frozen=True, eq=False)
class Cases:
    """Reviews of a run at one tau, a measure of them, and its failures.

    `scores`, `people` and `gaps` have the index of `run.reviews`; `failures` is from
    `validity.failures`, and `rule` says in words when a review fails.
    """

    run: Run
    tau: float
    rule: str
    title: str
    people_title: str
    scores: "Numbers"
    people: "Numbers"
    gaps: "Numbers"
    failures: pd.DataFrame


def choose_cases(run: Run) -> Cases | None:
    """Show tau and the controls; show the reason and return None if nothing can be compared."""
    reviews = run.reviews
    tau = tau_slider(run.settings["encoder"], run.settings["claims"], run.settings["tau"])
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
    try:
        people = ratings_or_label(reviews, measure, choices.get(people_choice or ""))
    except InputError as error:
        st.info(escape_markdown(str(error)))
        return None
    scores = measure_values(reviews, measure, tau)
    if not (scores.notna() & people.notna()).any():
        st.info("No review has both a value of the measure and a rating or label.")
        return None
    found = failures(scores, people, str(rule))
    title = measure_named(reviews, measure).title
    people_title = "people's rating" if people_choice == _RATINGS else str(people.name)
    words = _GAPS if rule == "gaps" else "those that the paper's rule finds"
    gaps = rank_gaps(scores, people)
    return Cases(run, tau, words, title, people_title, scores, people, gaps, found)


def describe(cases: Cases) -> tuple[str, str]:
    """Say how often the measure fails: a heading, then the figures."""
    judged = cases.gaps.notna()
    low, high = ((cases.failures["failure"] == kind).sum() for kind in (UNDER, OVER))
    rho = rank_correlation(cases.scores[judged], cases.people[judged]).spearman.value
    heading = (
        f"{capital(cases.title)} and {cases.people_title} disagree widely on {low + high:,} of "
        f"{counted(int(judged.sum()), 'review')}"
    )
    return heading, (
        f"{capital(cases.title)} underestimates {low:,} and overestimates {high:,}: {cases.rule}. "
        f"Spearman's rho over all: {'undefined' if rho is None else f'{rho:.3f}'}."
    )


def gap_words(cases: Cases, row: int) -> str:
    """Say how the measure and people rank a review; empty if either did not."""
    gap = cases.gaps[row]
    kind = capital(cases.failures["failure"].get(row, "neither under- nor overestimated"))
    words = f"{abs(100 * gap):.0f} percentage points {'lower' if gap < 0 else 'higher'}"
    best = max(cases.run.reviews["sentence_maxima"][row], default=0.0)
    nearest = f"Its best match has a similarity of {best:.3f}; tau is {cases.tau:.3f}."
    said = f"{kind}: {cases.title} ranks it {words} than people do. {nearest}"
    return said if pd.notna(gap) else ""


@st.cache_data(max_entries=8, show_spinner="Reading the reviews")
def _traits(state: str, _run: Run) -> "Mapping[str, Numbers]":  # noqa: ARG001 - a key
    return review_traits(_run)


def common_traits(cases: Cases) -> tuple[list[str], list[dict[str, str]]]:
    """Say in which traits failures differ from the other reviews; return the figures as well."""
    kinds = cases.failures["failure"].reindex(cases.gaps.index)
    groups = {f"{kind} reviews": kinds == kind for kind in (UNDER, OVER)}
    others = cases.gaps.notna() & kinds.isna()
    return compare_traits(cases.run, _traits(current_state(), cases.run), groups, others)
