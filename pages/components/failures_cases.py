"""The reviews that a measure fails, by a chosen rule."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import pandas as pd
import streamlit as st

from crscore_core.errors import InputError
from crscore_core.text import counted, listed
from crscore_eval.formatting import capitalize_first, format_figure
from crscore_eval.ranking.people import deciding_measure
from crscore_eval.statistics.bootstrap import MIN_CHANGES
from crscore_eval.statistics.correlation import correlate
from crscore_eval.table import (
    PEOPLE,
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
    widest_possible,
)
from pages.components.measure_choice import choose_measure
from pages.components.require_labels import require_labels
from pages.components.tau_slider import run_tau_slider
from pages.components.text import describe_error, escape_markdown
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
    widest_possible: from the function of that name.
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
    widest_possible: tuple[float, float]
    failures: pd.DataFrame

    @property
    def points(self) -> Numbers:
        """The gaps in percentile points, rounded once, so that every place shows the same."""
        return (100 * self.gaps).round(1)


def choose_cases(run: Run) -> Cases | None:
    """Show the controls; show the reason and return None if nothing can be compared."""
    reviews = run.reviews
    tau = run_tau_slider(run)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        measure = choose_measure(run) or ""
        choices = {_RATINGS: _RATINGS} if has_ratings(reviews) else {}
        labels = [name for name in label_columns(reviews) if name != measure]
        choices |= {name: measure_named(reviews, name).title for name in labels}
        judged = _judged_values(run, measure, choices, tau)
        covered = {name: reviews["change"][of.notna()].nunique() for name, of in judged.items()}
        first = _first_choice(covered, deciding_measure(run))
        chosen = choose_option("Compared with", choices, "failures_people", first, width=220)
        rule = choose_option("Failures", _RULES, "rule", "gaps", help=_RULE_HELP, width=200)
    try:
        people = _values(run, measure, chosen)
    except InputError as error:
        st.info(describe_error(error))
        return None
    scores = measure_values(reviews, measure, tau)
    if scores[people.notna()].isna().all():
        st.info("No review has both a value of this measure and a rating or label.")
        return None
    enough = [name for name, n in covered.items() if n >= MIN_CHANGES]
    if enough and chosen not in enough:
        n, others = counted(covered[chosen], "change"), listed([choices[name] for name in enough])
        few = f"With {choices[chosen]}: only {n}; {MIN_CHANGES} are needed here"
        st.info(escape_markdown(f"{few}. These have enough: {others}."))
        return None
    if not require_labels(run, judged.values()):
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
        widest_possible=widest_possible(scores, people),
        failures=failing_reviews(scores, people, rule),
    )


def _values(run: Run, measure: str, chosen: str) -> Numbers:
    return ratings_or_label(run.reviews, measure, None if chosen == _RATINGS else chosen)


def _judged_values(
    run: Run, measure: str, choices: Iterable[str], tau: float
) -> dict[str, Numbers]:
    """Return each rating and label, of the reviews that have a value of the measure."""
    scores = measure_values(run.reviews, measure, tau)
    judged = {}
    for name in choices:
        try:
            judged[name] = _values(run, measure, name).where(scores.notna())
        except InputError:  # nobody gave this label to a review
            judged[name] = scores.where(scores.isna())
    return judged


def _first_choice(covered: Mapping[str, int], decides: str) -> str:
    """Return the rating or label that decides Rankings, or one that covers enough changes."""
    decides = _RATINGS if decides == PEOPLE else decides
    names = sorted(covered, key=lambda name: name != decides)
    enough = (name for name in names if covered[name] >= MIN_CHANGES)
    return next(enough, max(names, key=covered.__getitem__, default=""))


def describe_cases(cases: Cases) -> tuple[str, str]:
    """Say how often the measure fails: a heading, then the figures."""
    has_gap = cases.gaps.notna()
    n_under, n_over = ((cases.failures["failure"] == kind).sum() for kind in (UNDER, OVER))
    rho = correlate(cases.scores[has_gap], cases.people[has_gap])["spearman"].value
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
    rho_in_words = format_figure(rho, missing="undefined")
    correlation = f"Spearman's rho over all reviews: {rho_in_words}."
    figures = "" if cases.failures.empty else figures
    return heading, figures + _narrow_gaps(cases) + correlation


def _narrow_gaps(cases: Cases) -> str:
    """Say in which directions ties leave no room for a failure, as with a label of yes and no."""
    if cases.rule != "gaps":
        return ""
    limits = dict(zip(("lower", "higher"), cases.widest_possible, strict=True))
    narrow = [f"{100 * gap:.1f} {side}" for side, gap in limits.items() if gap < WIDE]
    if not narrow:
        return ""
    return (
        f"Too many values are tied for a gap of {100 * WIDE:g} points in each direction: the "
        f"measure can rank a review at most {' and '.join(narrow)}. "
    )


def _in_comparison(cases: Cases) -> str:
    """Return what the measure is compared with, as the end of a comparison."""
    return "people do" if cases.is_by_people else f"the {cases.people_title} does"


def describe_gap(cases: Cases, row: int) -> str:
    """Say how the measure and people rank a review; empty if either did not."""
    gap = cases.gaps[row]
    if pd.isna(gap):
        return ""
    kind = capitalize_first(cases.failures["failure"].get(row, "neither under- nor overestimated"))
    points = f"{abs(cases.points[row]):.1f} percentile points {'lower' if gap < 0 else 'higher'}"
    best = max(cases.run.reviews["sentence_maxima"][row], default=0.0)
    return (
        f"{kind}: {cases.measure_title} ranks it {points} than {_in_comparison(cases)}. Its best "
        f"match has a similarity of {best:.3f}; tau is {cases.tau:.4g}."
    )
