"""The reviews that a measure fails, by a chosen rule."""

from dataclasses import dataclass

import pandas as pd
import streamlit as st

from crscore_core.errors import InputError
from crscore_core.text import counted
from crscore_eval.formatting import capitalize_first
from crscore_eval.ranking import deciding_measure
from crscore_eval.statistics import rank_correlation
from crscore_eval.table import (
    Run,
    has_ratings,
    label_columns,
    measure_named,
    measure_values,
)
from crscore_eval.validity.agreement import Numbers
from crscore_eval.validity.failures import (
    OVER,
    UNDER,
    WIDE,
    failing_reviews,
    rank_gaps,
    ratings_or_label,
)
from pages.components.measure_choice import choose_measure
from pages.components.require_labels import require_labels
from pages.components.tau_slider import run_tau_slider
from pages.components.text import describe_error
from pages.components.url import choose_option

_RATINGS = "people's ratings"
_APART = f"at least {100 * WIDE:g} percentile points"
_RULES = {"gaps": f"Ranks {100 * WIDE:g} points apart", "paper": "The paper's rule"}
_RULE_HELP = (
    f"By default, the measure and people rank a review {_APART} apart. The paper's rule: people "
    "rate a review 5 and it is in the lowest fifth by the measure, or they rate it 1 and it is in "
    "the highest fifth."
)


@dataclass(frozen=True, eq=False)
class Cases:
    """Reviews of a run that a measure fails at one tau.

    rule: a key of `_RULES`, which decides when a review fails.
    scores: values of the measure.
    is_by_people: True for ratings, False for a label.
    people: ratings or labels.
    gaps: differences of the ranks by both; all three have the index of `run.reviews`.
    failures: table from `failing_reviews`.
    """

    run: Run
    tau: float
    rule: str
    measure_title: str
    people_title: str
    is_by_people: bool
    scores: Numbers
    people: Numbers
    gaps: Numbers
    failures: pd.DataFrame


def choose_cases(run: Run) -> Cases | None:
    """Show the controls; show the reason and return None if nothing can be compared."""
    reviews = run.reviews
    tau = run_tau_slider(run)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        measure = choose_measure(run) or ""
        choices = {_RATINGS: _RATINGS} if has_ratings(reviews) else {}
        labels = [name for name in label_columns(reviews) if name != measure]
        choices |= {name: measure_named(reviews, name).title for name in labels}
        decides = deciding_measure(run)
        first = decides if decides in choices else next(iter(choices), "")
        chosen = choose_option("Compared with", choices, "failures_people", first, width=220)
        rule = choose_option("Failures", _RULES, "rule", "gaps", help=_RULE_HELP, width=200)
    try:
        people = ratings_or_label(reviews, measure, None if chosen == _RATINGS else chosen)
    except InputError as error:
        st.info(describe_error(error))
        return None
    scores = measure_values(reviews, measure, tau)
    if scores[people.notna()].isna().all():
        st.info("No review has both a value of this measure and a rating or label.")
        return None
    if not require_labels(run, [people.where(scores.notna())]):
        return None
    return Cases(
        run,
        tau,
        rule=rule,
        measure_title=measure_named(reviews, measure).title,
        people_title="people's rating" if chosen == _RATINGS else choices[chosen],
        is_by_people=chosen == _RATINGS,
        scores=scores,
        people=people,
        gaps=rank_gaps(scores, people),
        failures=failing_reviews(scores, people, rule),
    )


def describe_cases(cases: Cases) -> tuple[str, str]:
    """Say how often the measure fails: a heading, then the figures."""
    has_gap = cases.gaps.notna()
    n_under, n_over = ((cases.failures["failure"] == kind).sum() for kind in (UNDER, OVER))
    rho = rank_correlation(cases.scores[has_gap], cases.people[has_gap]).spearman.value
    measure = capitalize_first(cases.measure_title)
    n_failing = f"{n_under + n_over:,}" if n_under + n_over else "none"
    heading = (
        f"{measure} and {cases.people_title} disagree widely on {n_failing} of the "
        f"{counted(int(has_gap.sum()), 'review')}"
    )
    figures = f"{measure} underestimates {n_under:,} and overestimates {n_over:,} by this rule. "
    if cases.rule == "gaps":
        figures = (
            f"{measure} ranks {counted(n_under, 'review')} {_APART} lower than "
            f"{_in_comparison(cases)}, and {n_over:,} higher. "
        )
    rho_in_words = "undefined" if rho is None else f"{rho:.3f}"
    correlation = f"Spearman's rho over all reviews: {rho_in_words}."
    return heading, correlation if cases.failures.empty else figures + correlation


def _in_comparison(cases: Cases) -> str:
    """Return what the measure is compared with, as the end of a comparison."""
    return "people do" if cases.is_by_people else f"the {cases.people_title} does"


def describe_gap(cases: Cases, row: int) -> str:
    """Say how the measure and people rank a review; empty if either did not."""
    gap = cases.gaps[row]
    if pd.isna(gap):
        return ""
    kind = capitalize_first(cases.failures["failure"].get(row, "neither under- nor overestimated"))
    points = f"{abs(100 * gap):.0f} percentile points {'lower' if gap < 0 else 'higher'}"
    best = max(cases.run.reviews["sentence_maxima"][row], default=0.0)
    return (
        f"{kind}: {cases.measure_title} ranks it {points} than {_in_comparison(cases)}. Its best "
        f"match has a similarity of {best:.3f}; tau is {cases.tau:.4g}."
    )
