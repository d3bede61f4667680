"""What sets failures apart: by hand, and on the study beside the paper's figures."""

import dataclasses

import numpy as np
import pytest

from crscore_core.corpus.comparison import CorpusComparison
from crscore_core.corpus.model import GROUND_TRUTH
from crscore_core.corpus.review_table import has_inline_code
from crscore_core.statistics import ClusterBootstrap, Estimate
from crscore_core.validity.failure_traits import study_failures
from crscore_core.validity.failures import find_failures
from tests.crscore_core.datasets.study.made_comparison import Made, made_comparison, scoring


@pytest.mark.parametrize(
    ("review", "expected"),
    [
        ("Use `len` here.", True),
        ("```python\nx = 1\n```", True),
        ("Like this:\n  ~~~\n  x = 1\n  ~~~", True),
        ("``a`b``", True),
        ("", False),
        ("Why do we need these imports?", False),
        ("A lone ` is a typing error.", False),
        ("One ` here.\nAnother ` there.", False),
        ("Empty `` quotes.", False),
        ("About ~~~ ten.", False),
    ],
)
def test_inline_code_is_what_markdown_quotes(review: str, expected: bool) -> None:
    assert has_inline_code(review) is expected


HIT, MISS = [0.9], [0.1]
REVIEWS = made_comparison(
    Made(0, (5, 5, 5), [MISS, MISS, MISS], text="Why so?"),  # Rel 0: underestimated
    Made(1, (5, 5, 5), [MISS], text="Why is this here at all?"),  # Rel 0: underestimated
    Made(0, (1, 1, 1), [[0.9, 0.9], [0.9, 0.9]], text="Use `a` not\n`b`"),  # 1: overestimated
    Made(2, (3, 3, 3), [HIT, MISS], text="One two three."),  # Con 1, Comp 1/2: 2/3
    Made(2, (2, 2, 2), [HIT, MISS, MISS], text="One `two`."),  # Con 1, Comp 1/3: 1/2
    Made(2, (1, 1, 1), [[0.9]], GROUND_TRUTH, text="`Ground truth`"),
)
# In order 0 0 1/2 2/3 1: Q1 is .8 of the way from the first 0 to the second one, and Q4 .2 of the
# way from 2/3 to 1.


def test_traits_equal_the_hand_calculation() -> None:
    failures = find_failures(REVIEWS, 0.5)
    found = study_failures(REVIEWS, failures, ClusterBootstrap(3))

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
    failures = find_failures(comparison, 0.5)
    found = study_failures(comparison, failures, ClusterBootstrap(6))
    assert found.underestimated.cases == found.overestimated.cases == 0
    assert found.underestimated.words == Estimate(None, None)
    assert found.underestimated.share.value == 0
    assert found.within is None
    assert found.without
    assert found.without.n == 5


def test_on_the_study_failures_are_like_the_paper_s(study_comparison: CorpusComparison) -> None:
    bootstrap = ClusterBootstrap(len(study_comparison.changes))
    found = study_failures(study_comparison, find_failures(study_comparison, 0.469), bootstrap)
    assert found.without
    assert found.within
    for value, paper in (
        (found.without.kendall.value, 0.5462),
        (found.without.spearman.value, 0.6431),
        (found.within.kendall.value, -0.5403),
        (found.within.spearman.value, -0.6131),
        (found.all.inline_code.value, 0.28),
        (found.overestimated.inline_code.value, 0.45),
    ):
        assert value == pytest.approx(paper, abs=0.03)
    # Fewer pseudo-references and less code where it underestimates, more code where it over-.
    assert found.underestimated.pseudo_references.interval
    assert found.all.pseudo_references.interval
    few, usual = found.underestimated.pseudo_references, found.all.pseudo_references
    assert few.interval.high < usual.interval.low  # type: ignore[union-attr]
    for traits in (found.underestimated, found.overestimated, found.all):
        for field in dataclasses.fields(traits)[1:]:
            estimate = getattr(traits, field.name)
            assert estimate.value is not None
            assert np.isfinite(estimate.value)
            if estimate.interval:
                assert estimate.interval.low <= estimate.value <= estimate.interval.high
