"""Agreement of the metric with people, review by review and level by level."""

import numpy as np
import pytest

from crscore_core.corpus.comparison import CorpusComparison
from crscore_core.corpus.model import DIMENSIONS, GROUND_TRUTH, Ratings
from crscore_core.errors import StatisticsError
from crscore_core.statistics import ClusterBootstrap, Estimate, correlate, rank_correlation
from crscore_core.validity.corpus_validity import CorpusValidity, RatedLevels, ValidityAtTau
from tests.crscore_core.datasets.study.made_comparison import Made, made_comparison, rated, scoring


def levels(comparison: CorpusComparison, bootstrap: ClusterBootstrap) -> tuple[RatedLevels, ...]:
    return CorpusValidity(comparison, bootstrap).at(0.5).levels


@pytest.fixture(scope="module")
def at(study_comparison: CorpusComparison) -> ValidityAtTau:
    bootstrap = ClusterBootstrap(len(study_comparison.changes), 60)
    return CorpusValidity(study_comparison, bootstrap).at(0.4)


def test_the_ground_truth_does_not_count(
    study_comparison: CorpusComparison, at: ValidityAtTau
) -> None:
    truth = study_comparison.system == GROUND_TRUTH
    assert truth.any()
    for row, name in enumerate(DIMENSIONS):
        rated_ones = ~np.isnan(study_comparison.ratings[:, row]) & ~truth
        alone = rank_correlation(
            at.scores[row, rated_ones], study_comparison.ratings[rated_ones, row]
        )
        correlation = at.correlations[name]
        assert correlation
        assert correlation.n == alone.n == rated_ones.sum()
        assert correlation.spearman.value == alone.spearman
        assert correlation.kendall.value == alone.kendall
        assert correlation.spearman.interval
        assert alone.spearman is not None
        assert (
            correlation.spearman.interval.low < alone.spearman < correlation.spearman.interval.high
        )


def test_languages_part_the_reviews(study_comparison: CorpusComparison, at: ValidityAtTau) -> None:
    numbers = [found.n for found in at.by_language.values() if found]
    assert sum(numbers) == study_comparison.is_judged.sum()
    python = study_comparison.is_judged & (study_comparison.language == "python")
    people, change = study_comparison.ratings[python, 2], study_comparison.change[python]
    bootstrap = ClusterBootstrap(len(study_comparison.changes), 60)
    assert at.by_language["python"] == correlate(at.scores[2, python], people, change, bootstrap)


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
    conciseness, comprehensiveness, relevance = levels(comparison, ClusterBootstrap(2))
    assert conciseness.dimension == "conciseness"
    assert [(one.level, one.reviews, one.mean.value) for one in conciseness.levels] == [
        (1, 1, 0), (2, 0, None), (3, 2, 1 / 4), (4, 0, None), (5, 1, 1),
    ]  # fmt: skip
    assert [one.mean.value for one in comprehensiveness.levels] == [0, None, 1 / 2, None, 1]
    assert [one.mean.value for one in relevance.levels] == [
        0, None, None, pytest.approx(2 / 3), None,
    ]  # fmt: skip
    assert conciseness.is_monotone is True
    assert conciseness.levels[1].mean == Estimate(None, None)


def test_a_fall_or_a_flat_step_is_not_monotone() -> None:
    for shares, is_monotone in (
        ([0, 0.2, 0.5, 0.6, 1], True),
        ([0, 0.2, 0.5, 0.4, 1], False),
        ([0, 0, 0.5, 0.6, 1], False),  # as good as the level before is not better
    ):
        reviews = (scoring(change, share, change + 1) for change, share in enumerate(shares))
        for found in levels(made_comparison(*reviews), ClusterBootstrap(5)):
            assert found.is_monotone is is_monotone
            assert [one.mean.value for one in found.levels] == pytest.approx(shares)


def test_with_one_level_or_none_nothing_rises() -> None:
    for reviews in ([scoring(0, 0.5, 3)] * 2, []):
        comparison = made_comparison(scoring(0, 0.5, 5, GROUND_TRUTH), *reviews)
        for found in levels(comparison, ClusterBootstrap(1)):
            assert found.is_monotone is None


def test_a_rating_between_two_levels_counts_for_the_nearer_and_a_half_for_the_higher() -> None:
    ratings = [Ratings(rating, rating, rating) for rating in (1, 1.4, 1.5, 2.5, 3.5, 4.5)]
    made = rated(made_comparison(*[scoring(0, 0.5, 1)] * len(ratings)), ratings)
    for found in levels(made, ClusterBootstrap(1)):
        assert [one.reviews for one in found.levels] == [2, 1, 1, 1, 1]


def test_a_bootstrap_of_fewer_changes_is_refused() -> None:
    with pytest.raises(StatisticsError, match="clusters"):
        levels(made_comparison(scoring(3, 0.5, 1)), ClusterBootstrap(2))
