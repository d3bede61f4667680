"""Traits of reviews that the metric fails, as figures and in words (section 5.4, appendix E.1)."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from crscore_core.corpus.reviews import ComparedReview, Reviews, has_inline_code
from crscore_core.validity.failures import Failures
from crscore_eval.statistics import (
    ClusterBootstrap,
    Correlation,
    Estimate,
    clustered_mean,
    correlate,
)

FEW = 10
"""With fewer cases a mean says little."""

_TRAITS = {
    "pseudo_references": ("are compared with {} pseudo-references", "fewer", "more", ".1f"),
    "words": ("have {} words", "fewer", "more", ".1f"),
    "sentences": ("have {} sentences", "fewer", "more", ".1f"),
    "inline_code": ("quote code {}", "less often", "more often", ".0%"),
}
"""Words for each trait, for less and for more of it, and the format of its figures."""


@dataclass(frozen=True, slots=True)
class ReviewTraits:
    """Number of some reviews, and their means.

    `share` is their share of all judged reviews, `inline_code` the share of them that quotes
    code, both from 0 to 1. `pseudo_references` counts those that each review is compared with,
    `words` what blanks separate, and `sentences` those that the metric sees.
    """

    cases: int
    share: Estimate
    pseudo_references: Estimate
    inline_code: Estimate
    words: Estimate
    sentences: Estimate


@dataclass(frozen=True, slots=True)
class FailureStudy:
    """Traits of failures, of all reviews, and of `rest`: the reviews that are no failures.

    Failures are told apart from the rest, as they are among all themselves; the paper has figures
    of all. Intervals resample changes.

    `without` is the correlation of the score with people's ratings, or with a label, over all
    reviews but the ground truth and the failures, `within` that of the failures alone; None where
    there are none.
    Within, it is negative by construction: low scores were chosen for high ratings, and the
    other way round.
    """

    underestimated: ReviewTraits
    overestimated: ReviewTraits
    all: ReviewTraits
    rest: ReviewTraits
    without: Correlation | None
    within: Correlation | None


def study_failures(
    comparison: Reviews, failures: Failures, bootstrap: ClusterBootstrap
) -> FailureStudy:
    """Compare failures, found in `comparison`, with all its reviews and with the others.

    Raises:
        InputError: the bootstrap is of fewer changes than the comparison.
    """
    rest = np.setdiff1d(failures.judged, failures.both)
    scores, change = failures.compared.scores, comparison.change
    people = failures.compared.people

    def traits(chosen: NDArray[np.intp]) -> ReviewTraits:
        return _traits(comparison, chosen, failures.judged, bootstrap)

    def correlation(chosen: NDArray[np.intp]) -> Correlation | None:
        return correlate(scores[chosen], people[chosen], change[chosen], bootstrap)

    return FailureStudy(
        traits(failures.underestimated),
        traits(failures.overestimated),
        traits(failures.judged),
        traits(rest),
        correlation(rest),
        correlation(failures.both),
    )


def failures_in_words(study: FailureStudy) -> tuple[str, ...]:
    """A sentence for each trait in which failures differ from the rest, and on correlations.

    Traits differ where their intervals do not overlap, which is stricter than a test of the
    difference.
    """
    return (
        *_about("Underestimated", study.underestimated, study.rest),
        *_about("Overestimated", study.overestimated, study.rest),
        *_correlations(study),
    )


def _traits(
    comparison: Reviews,
    chosen: NDArray[np.intp],
    judged: NDArray[np.intp],
    bootstrap: ClusterBootstrap,
) -> ReviewTraits:
    reviews = [comparison[index] for index in chosen]

    def mean(trait: Callable[[ComparedReview], int]) -> Estimate:
        values = [trait(review) for review in reviews]
        return clustered_mean(values, comparison.change[chosen], bootstrap)

    return ReviewTraits(
        len(reviews),
        clustered_mean(np.isin(judged, chosen), comparison.change[judged], bootstrap),
        mean(lambda review: len(review.references)),
        mean(lambda review: has_inline_code(review.text)),
        mean(lambda review: len(review.text.split())),
        mean(lambda review: len(review.sentences)),
    )


def _about(name: str, traits: ReviewTraits, rest: ReviewTraits) -> Iterator[str]:
    if not traits.cases:
        yield f"No review is {name.lower()} under this rule."
        return
    differing = []
    for trait, (form, less, more, digits) in _TRAITS.items():
        own, usual = getattr(traits, trait), getattr(rest, trait)
        if own.interval is None or usual.interval is None:
            continue
        is_less = own.interval.high < usual.interval.low
        if is_less or own.interval.low > usual.interval.high:
            figures = f"{_figure(own, digits)}; the rest: {_figure(usual, digits)}"
            differing.append(f"{form.format(less if is_less else more)} ({figures})")
    reviews = "review" if traits.cases == 1 else "reviews"
    if differing:
        yield f"{name} {reviews} {_listed(differing)}."
    else:
        yield (
            f"In nothing that is looked at do {name.lower()} {reviews} clearly differ from the "
            "rest: the intervals overlap."
        )
    if traits.cases < FEW:
        yield f"There {'is' if traits.cases == 1 else 'are'} only {traits.cases} {name.lower()}."


def _correlations(study: FailureStudy) -> Iterator[str]:
    if study.without and study.without.spearman.value is not None:
        yield (
            "Without these cases Spearman's rho of the score with people is "
            f"{_figure(study.without.spearman, '.3f')} over {study.without.n:,} reviews."
        )
    if study.within and study.within.spearman.value is not None:
        yield (
            f"Among them alone it is {_figure(study.within.spearman, '.3f')}, which says no more "
            "than how they were chosen: low scores rated well and high scores rated badly."
        )


def _figure(estimate: Estimate, digits: str) -> str:
    value, interval = f"{estimate.value:{digits}}", estimate.interval
    if interval is None:
        return value
    low, high = f"{interval.low:{digits}}", f"{interval.high:{digits}}"
    return f"{value}, {interval.level:.0%} interval {low} to {high}"


def _listed(parts: list[str]) -> str:
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)
