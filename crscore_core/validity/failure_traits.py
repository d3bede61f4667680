"""Traits of reviews that the metric fails, as figures and in words (section 5.4, appendix E.1)."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from crscore_core.corpus.comparison import ComparedReview, CorpusComparison
from crscore_core.corpus.model import DIMENSIONS
from crscore_core.corpus.review_table import has_inline_code
from crscore_core.statistics import ClusterBootstrap, Estimate, clustered_mean
from crscore_core.validity.failures import Failures
from crscore_core.validity.review_level import Correlation, correlate

__all__ = ["FEW", "FailureStudy", "ReviewTraits", "failures_in_words", "study_failures"]

FEW = 10
"""With fewer cases a mean says little."""

_TRAITS = {
    "pseudo_references": "are compared with {word} pseudo-references ({numbers})",
    "words": "have {word} words ({numbers})",
    "sentences": "have {word} sentences ({numbers})",
}


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

    `without` is the correlation of the score with people's ratings over all reviews but the
    ground truth and the failures, `within` that of the failures alone; None where there are none.
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
    comparison: CorpusComparison, failures: Failures, bootstrap: ClusterBootstrap
) -> FailureStudy:
    """Compare failures, found in `comparison`, with all its reviews and with the others.

    Raises:
        StatisticsError: the bootstrap is of fewer changes than the comparison.
    """
    both = np.union1d(failures.underestimated, failures.overestimated)
    rest = np.setdiff1d(failures.judged, both)
    scores, change = failures.compared.scores, comparison.change
    people = comparison.ratings[:, DIMENSIONS.index(failures.compared.dimension)]

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
        correlation(both),
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
    comparison: CorpusComparison,
    chosen: NDArray[np.intp],
    judged: NDArray[np.intp],
    bootstrap: ClusterBootstrap,
) -> ReviewTraits:
    reviews = [comparison.reviews[index] for index in chosen]

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
    differing = [
        *(
            form.format(word=word, numbers=f"{_number(own)}; the rest: {_number(usual)}")
            for trait, form in _TRAITS.items()
            for own, usual in [(getattr(traits, trait), getattr(rest, trait))]
            if (word := _apart(own, usual, "fewer", "more"))
        ),
        *(
            f"quote code {word} ({_percent(traits.inline_code)}; the rest: "
            f"{_percent(rest.inline_code)})"
            for word in [_apart(traits.inline_code, rest.inline_code, "less often", "more often")]
            if word
        ),
    ]
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


def _correlations(found: FailureStudy) -> Iterator[str]:
    without = found.without.spearman if found.without else None
    if without and without.value is not None:
        yield (
            f"Without these cases Spearman's rho of score and ratings is {_number(without, 3)} "
            f"over {found.without.n if found.without else 0:,} reviews."
        )
    within = found.within.spearman if found.within else None
    if within and within.value is not None:
        yield (
            f"Among them alone it is {_number(within, 3)}, which says no more than how they were "
            "chosen: low scores rated well and high scores rated badly."
        )


def _apart(one: Estimate, other: Estimate, less: str, more: str) -> str:
    """The word that is true; empty where intervals overlap or one is not known."""
    if one.interval is None or other.interval is None:
        return ""
    if one.interval.high < other.interval.low:
        return less
    return more if one.interval.low > other.interval.high else ""


def _number(estimate: Estimate, digits: int = 1) -> str:
    if estimate.interval is None:
        return f"{estimate.value:.{digits}f}"
    return (
        f"{estimate.value:.{digits}f}, {estimate.interval.level:.0%} interval "
        f"{estimate.interval.low:.{digits}f} to {estimate.interval.high:.{digits}f}"
    )


def _percent(estimate: Estimate) -> str:
    if estimate.interval is None:
        return f"{estimate.value:.0%}"
    return (
        f"{estimate.value:.0%}, {estimate.interval.level:.0%} interval "
        f"{estimate.interval.low:.0%} to {estimate.interval.high:.0%}"
    )


def _listed(parts: list[str]) -> str:
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)
