"""The reviews that a measure fails, by a chosen rule, and their common traits."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd
import streamlit as st

from crscore_core.errors import InputError
from crscore_eval.table import Run, has_ratings, label_columns, measure_named, measure_values
from crscore_eval.validity import bootstrap_of, column_title, row_title
from crscore_eval.validity.failures import failure_traits, failures, people_next_to, rank_gaps
from pages.components.controls import choose_measure, tau_slider
from pages.components.tables import show_figures
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


def show_common(cases: Cases) -> None:
    """Show the means of traits of the failures, with intervals."""
    reviews = cases.run.reviews
    traits = failure_traits(
        reviews, cases.scores, cases.people, cases.failures, bootstrap_of(reviews)
    )
    rows = [
        {
            "": row_title(row),
            "figure": column_title(column),
            "mean": estimate.value,
            **dict(zip(("low", "high"), estimate.interval or (None, None), strict=True)),
        }
        for row, column, estimate in traits
    ]
    show_figures(pd.DataFrame(rows))
    st.caption(
        "Means over reviews; 95% intervals resample changes. The rest are all reviews that are "
        "neither under- nor overestimated."
    )
