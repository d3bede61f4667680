"""Whether the metric rises with people's ratings: by hand, and on the study."""

import dataclasses

import pytest

from crscore_core.corpus.comparison import CorpusComparison
from crscore_core.corpus.model import DIMENSIONS, GROUND_TRUTH, Ratings
from crscore_core.errors import StatisticsError
from crscore_core.statistics import ClusterBootstrap, Estimate
from crscore_core.validity.monotonicity import rated_levels
from tests.crscore_core.datasets.study.made_comparison import Made, made_comparison, scoring


def test_means_equal_the_hand_calculation() -> None:
    comparison = made_comparison(
        # Con 1/2 (of two sentences one is similar), Comp 1 (of one), Rel 2/3
        Made(0, (3, 5, 4), [[0.9, 0.1]]),
        # Con 1, Comp 1/2, Rel 2/3
        Made(1, (5, 3, 4), [[0.9], [0.1]]),
        Made(1, (3, 1, 1), [[0.1]]),  # 0 throughout
        Made(1, (1, 1, 1), [[]]),  # no sentence: 0
        Made(0, (1, 1, 1), [[0.9]], system=GROUND_TRUTH),  # does not count
    )
    conciseness, comprehensiveness, relevance = rated_levels(comparison, 0.5, ClusterBootstrap(2))
    assert conciseness.dimension == "conciseness"
    assert [(one.level, one.reviews, one.mean.value) for one in conciseness.levels] == [
        (1, 1, 0), (2, 0, None), (3, 2, 1 / 4), (4, 0, None), (5, 1, 1),
    ]  # fmt: skip
    assert [one.mean.value for one in comprehensiveness.levels] == [0, None, 1 / 2, None, 1]
    assert [one.mean.value for one in relevance.levels] == [
        0, None, None, pytest.approx(2 / 3), None,
    ]  # fmt: skip
    assert conciseness.is_monotone
    assert conciseness.levels[1].mean == Estimate(None, None)


@pytest.mark.parametrize(
    ("shares", "is_monotone"),
    [
        ([0, 0.2, 0.5, 0.6, 1], True),
        ([0, 0.2, 0.5, 0.4, 1], False),
        ([0, 0, 0.5, 0.6, 1], False),  # as good as the level before is not better
    ],
)
def test_a_fall_or_a_flat_step_is_not_monotone(shares: list[float], is_monotone: bool) -> None:
    comparison = made_comparison(
        *(scoring(change, share, change + 1) for change, share in enumerate(shares))
    )
    for found in rated_levels(comparison, 0.5, ClusterBootstrap(5)):
        assert found.is_monotone is is_monotone
        assert [one.mean.value for one in found.levels] == pytest.approx(shares)


@pytest.mark.parametrize("ratings", [(3, 3), ()])
def test_with_one_level_or_none_nothing_rises(ratings: tuple[int, ...]) -> None:
    comparison = made_comparison(
        scoring(0, 0.5, 5, GROUND_TRUTH), *(scoring(0, 0.5, rating) for rating in ratings)
    )
    for found in rated_levels(comparison, 0.5, ClusterBootstrap(1)):
        assert found.is_monotone is None


def test_a_rating_between_two_levels_counts_for_the_nearer_and_a_half_for_the_higher() -> None:
    ratings = (1, 1.4, 1.5, 2.5, 3.5, 4.5)
    made = made_comparison(*(scoring(0, 0.5, 1) for _ in ratings))
    given = tuple(
        dataclasses.replace(one, ratings=Ratings(rating, rating, rating))
        for one, rating in zip(made.reviews, ratings, strict=True)
    )
    for found in rated_levels(dataclasses.replace(made, reviews=given), 0.5, ClusterBootstrap(1)):
        assert [one.reviews for one in found.levels] == [2, 1, 1, 1, 1]


def test_a_bootstrap_of_fewer_changes_is_refused() -> None:
    with pytest.raises(StatisticsError, match="clusters"):
        rated_levels(made_comparison(scoring(3, 0.5, 1)), 0.5, ClusterBootstrap(2))


@pytest.mark.parametrize("tau", [0.327, 0.469])
def test_on_the_study_scores_rise_with_ratings(
    study_comparison: CorpusComparison, tau: float
) -> None:
    bootstrap = ClusterBootstrap(len(study_comparison.changes))
    found = {one.dimension: one for one in rated_levels(study_comparison, tau, bootstrap)}
    judged = int(study_comparison.is_judged.sum())
    for name in DIMENSIONS:
        assert sum(level.reviews for level in found[name].levels) == judged
        for level in found[name].levels:
            assert level.mean.value is not None
            assert level.mean.interval is not None
            assert level.mean.interval.low < level.mean.value < level.mean.interval.high
    assert found["comprehensiveness"].is_monotone
    assert found["relevance"].is_monotone
