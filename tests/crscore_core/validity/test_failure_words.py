"""What sets failures apart, in sentences: only what the intervals show."""

import dataclasses

from crscore_core.statistics import Estimate, Interval
from crscore_core.validity.correlations import Correlation
from crscore_core.validity.failure_traits import FailureStudy, ReviewTraits
from crscore_core.validity.failure_words import failures_in_words


def between(value: float, low: float, high: float) -> Estimate:
    return Estimate(value, Interval(low, high, 0.95))


USUAL = ReviewTraits(
    1000,
    between(1, 1, 1),
    between(4, 3.8, 4.2),
    between(0.3, 0.25, 0.35),
    between(30, 28, 32),
    between(2, 1.9, 2.1),
)
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
    assert words[2].startswith("Without these cases Spearman's rho of score and ratings is 0.500")
    assert words[2].endswith("over 960 reviews.")
    assert len(words) == 3


def test_no_failure_and_few_failures_are_said() -> None:
    few = dataclasses.replace(USUAL, cases=3)
    words = failures_in_words(FailureStudy(NONE, few, ALL, USUAL, None, CORRELATION))
    assert words[0] == "No review is underestimated under this rule."
    assert words[2] == "There are only 3 overestimated."
    assert "how they were chosen" in words[3]


def test_without_intervals_nothing_is_said_to_differ() -> None:
    bare = dataclasses.replace(FEW_REFERENCES, pseudo_references=Estimate(2, None))
    bare = dataclasses.replace(bare, inline_code=Estimate(0.5, None))
    words = failures_in_words(FailureStudy(bare, NONE, ALL, USUAL, None, None))
    assert "In nothing that is looked at" in words[0]
