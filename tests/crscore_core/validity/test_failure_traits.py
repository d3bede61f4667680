"""Traits of failures by hand, and sentences that say only what the intervals show."""

import dataclasses

import pytest

from crscore_core.corpus.model import GROUND_TRUTH
from crscore_core.corpus.reviews import has_inline_code
from crscore_core.validity.failure_traits import (
    FailureStudy,
    ReviewTraits,
    failures_in_words,
    study_failures,
)
from crscore_core.validity.failures import JudgedScore, paper_failures
from crscore_eval.statistics import ClusterBootstrap, Correlation, Estimate, Interval
from tests.crscore_core.datasets.study.made_comparison import Made, made_comparison, scoring


def test_inline_code_is_what_markdown_quotes() -> None:
    for review in (
        "Use `len` here.", "```python\nx = 1\n```", "Like:\n  ~~~\n  x = 1\n  ~~~", "``a`b``",
    ):  # fmt: skip
        assert has_inline_code(review), review
    for review in (
        "", "Why do we need these imports?", "A lone ` is a typing error.", "Empty `` quotes.",
        "One ` here.\nAnother ` there.", "About ~~~ ten.",
    ):  # fmt: skip
        assert not has_inline_code(review), review


HIT, MISS = [0.9], [0.1]
REVIEWS = made_comparison(
    Made(0, (5, 5, 5), [MISS, MISS, MISS], text="Why so?"),  # Rel 0: underestimated
    Made(1, (5, 5, 5), [MISS], text="Why is this here at all?"),  # Rel 0: underestimated
    Made(2, (1, 1, 1), [[0.9, 0.9], [0.9, 0.9]], text="Use `a` not\n`b`"),  # 1: overestimated
    Made(3, (3, 3, 3), [HIT, MISS], text="One two three."),  # Con 1, Comp 1/2: 2/3
    Made(4, (2, 2, 2), [HIT, MISS, MISS], text="One `two`."),  # Con 1, Comp 1/3: 1/2
    Made(5, (1, 1, 1), [[0.9]], GROUND_TRUTH, text="`Ground truth`"),
)
# In order 0 0 1/2 2/3 1: Q1 is .8 of the way from the first 0 to the second one, and Q4 .2 of the
# way from 2/3 to 1.


def test_traits_equal_the_hand_calculation() -> None:
    failures = paper_failures(REVIEWS, JudgedScore.of(REVIEWS, "relevance", 0.5))
    found = study_failures(REVIEWS, failures, ClusterBootstrap(6))

    def values(name: str) -> list[float | None]:
        return [
            getattr(traits, name).value
            for traits in (found.underestimated, found.overestimated, found.all, found.rest)
        ]

    assert [found.underestimated.cases, found.overestimated.cases] == [2, 1]
    assert [found.all.cases, found.rest.cases] == [5, 2]
    assert values("share") == [2 / 5, 1 / 5, 1, 2 / 5]
    assert values("pseudo_references") == [4 / 2, 2, 11 / 5, 5 / 2]
    assert values("inline_code") == [0, 1, 2 / 5, 1 / 2]
    assert values("words") == [8 / 2, 4, 17 / 5, 5 / 2]
    assert values("sentences") == [1, 2, 6 / 5, 1]
    # Within: scores 0 0 1, ratings 5 5 1. Without: 2/3 and 1/2 are rated 3 and 2.
    assert found.within
    assert found.within.kendall.value == pytest.approx(-1)
    assert found.without
    assert found.without.n == 2
    assert found.without.spearman.value == pytest.approx(1)


def test_without_failures_there_is_nothing_to_compare() -> None:
    comparison = made_comparison(*(scoring(at, at / 5, at) for at in range(1, 6)))
    failures = paper_failures(comparison, JudgedScore.of(comparison, "relevance", 0.5))
    found = study_failures(comparison, failures, ClusterBootstrap(6))
    assert found.underestimated.cases == found.overestimated.cases == 0
    assert found.underestimated.words == Estimate(None, None)
    assert found.underestimated.share.value == 0
    assert found.within is None
    assert found.without
    assert found.without.n == 5


def between(value: float, low: float, high: float) -> Estimate:
    return Estimate(value, Interval(low, high, 0.95))


USUAL = ReviewTraits(
    1000, between(1, 1, 1), between(4, 3.8, 4.2), between(0.3, 0.25, 0.35), between(30, 28, 32),
    between(2, 1.9, 2.1),
)  # fmt: skip
FEW_REFERENCES = dataclasses.replace(
    USUAL, cases=40, pseudo_references=between(2, 1.5, 2.5), inline_code=between(0.5, 0.4, 0.6)
)
ALL = dataclasses.replace(USUAL, cases=1040, words=between(99, 98, 99))  # not compared with
NONE = ReviewTraits(0, *[Estimate(None, None)] * 5)
CORRELATION = Correlation(between(0.5, 0.4, 0.6), between(0.4, 0.3, 0.5), 0.0, 0.0, 960)


def test_traits_that_differ_are_said_with_both_intervals() -> None:
    words = failures_in_words(FailureStudy(FEW_REFERENCES, USUAL, ALL, USUAL, CORRELATION, None))
    assert words[0] == (
        "Underestimated reviews are compared with fewer pseudo-references (2.0, 95% interval 1.5 "
        "to 2.5; the rest: 4.0, 95% interval 3.8 to 4.2) and quote code more often (50%, 95% "
        "interval 40% to 60%; the rest: 30%, 95% interval 25% to 35%)."
    )
    assert "do overestimated reviews clearly differ" in words[1]
    assert words[2].startswith(
        "Without these cases Spearman's rho of the score with people is 0.500"
    )
    assert words[2].endswith("over 960 reviews.")
    assert len(words) == 3


def test_no_failure_few_failures_and_no_difference_are_said() -> None:
    few = dataclasses.replace(USUAL, cases=3)
    words = failures_in_words(FailureStudy(NONE, few, ALL, USUAL, None, CORRELATION))
    assert words[0] == "No review is underestimated under this rule."
    assert words[2] == "There are only 3 overestimated."
    assert "how they were chosen" in words[3]
    bare = dataclasses.replace(
        FEW_REFERENCES, pseudo_references=Estimate(2, None), inline_code=Estimate(0.5, None)
    )
    words = failures_in_words(FailureStudy(bare, NONE, ALL, USUAL, None, None))
    assert "In nothing that is looked at" in words[0]
