import dataclasses

import numpy as np
import pytest
from numpy.typing import NDArray

from crscore_core.errors import CalibrationError
from crscore_core.predicted import cross_validation
from crscore_core.predicted.agreement import agreement
from crscore_core.predicted.cross_validation import scores_by_change, scores_by_system
from crscore_core.predicted.features import FEATURES
from crscore_core.predicted.fit import fit_model
from crscore_core.predicted.ordinal import OrdinalModel
from crscore_core.predicted.rated_reviews import RatedReviews
from crscore_core.statistics import ClusterBootstrap
from tests.crscore_core.predicted.synthetic import synthetic_reviews

REVIEWS = synthetic_reviews()
ALL = np.ones(len(REVIEWS.ratings), dtype=np.bool_)
BOOTSTRAP = ClusterBootstrap(60, 200)


@pytest.fixture
def fits(monkeypatch: pytest.MonkeyPatch) -> list[RatedReviews]:
    """What each fit was given."""
    given: list[RatedReviews] = []

    def spy(reviews: RatedReviews, ridge: float) -> OrdinalModel:
        given.append(reviews)
        return fit_model(reviews, ridge)

    monkeypatch.setattr(cross_validation, "fit_model", spy)
    return given


def test_a_change_is_left_out_as_a_whole(fits: list[RatedReviews]) -> None:
    done: list[None] = []
    scores = scores_by_change(REVIEWS, folds=6, seeds=(0, 1), progress=lambda: done.append(None))
    assert scores.shape == (2, len(REVIEWS.ratings))
    assert len(fits) == len(done) == 12
    left_out = [set(range(60)) - set(fit.changes.tolist()) for fit in fits]
    assert [len(changes) for changes in left_out] == [10] * 12
    for seed in (left_out[:6], left_out[6:]):
        assert set.union(*seed) == set(range(60))
    assert left_out[:6] != left_out[6:]
    # each score is that of the one model which has not seen the change
    for fit, changes in zip(fits[:6], left_out[:6], strict=True):
        mine = np.isin(REVIEWS.changes, list(changes))
        assert scores[0][mine] == pytest.approx(fit_model(fit).score(REVIEWS.features[mine]))


def test_a_system_is_left_out_as_a_whole(fits: list[RatedReviews]) -> None:
    assert scores_by_system(REVIEWS).shape == (1, len(REVIEWS.ratings))
    every = {f"system {number}" for number in range(8)}
    assert [every - set(fit.systems.tolist()) for fit in fits] == [{name} for name in sorted(every)]


def planted_leak(groups: NDArray[np.intp]) -> RatedReviews:
    """Four groups, good and bad in turns, and a feature that only tells which one it is."""
    random = np.random.default_rng(5)
    strength = np.where(groups % 2, 2.0, -2.0) + random.logistic(size=groups.size)
    features = np.zeros((groups.size, len(FEATURES)))
    features[:, 5] = groups
    crossed = np.arange(groups.size) // 4 % 4  # the other grouping
    return RatedReviews(
        features,
        1 + np.searchsorted([-2.0, -1.0, 1.0, 2.0], strength),
        groups,
        np.array([f"system {number}" for number in crossed]),
        np.full(groups.size, "claims"),
    )


def test_what_only_tells_changes_apart_does_not_help_on_others() -> None:
    planted = planted_leak(np.arange(400) % 4)
    everything, bootstrap = np.ones(400, dtype=np.bool_), ClusterBootstrap(4, 10)
    seen = scores_by_system(planted)
    assert agreement(planted, seen, everything, bootstrap).spearman > 0.5
    held_out = scores_by_change(planted, folds=4, seeds=(0,))
    assert agreement(planted, held_out, everything, bootstrap).spearman < -0.2


def test_what_only_tells_systems_apart_does_not_help_on_others() -> None:
    by_change = planted_leak(np.arange(400) % 4)
    planted = dataclasses.replace(
        by_change,
        changes=np.arange(400) // 4 % 4,
        systems=np.array([f"system {number}" for number in by_change.changes]),
    )
    everything, bootstrap = np.ones(400, dtype=np.bool_), ClusterBootstrap(4, 10)
    seen = scores_by_change(planted, folds=4, seeds=(0,))
    assert agreement(planted, seen, everything, bootstrap).spearman > 0.5
    held_out = scores_by_system(planted)
    assert agreement(planted, held_out, everything, bootstrap).spearman < -0.2


def test_agreement_is_spearman_with_an_interval_over_changes() -> None:
    from scipy.stats import spearmanr

    scores = scores_by_change(REVIEWS, folds=5, seeds=(0, 1))
    chosen = REVIEWS.systems != "system 3"
    found = agreement(REVIEWS, scores, chosen, BOOTSTRAP)
    each = [spearmanr(row[chosen], REVIEWS.ratings[chosen]).statistic for row in scores]
    assert found.spearman == pytest.approx(np.mean(each))
    assert found.n == 60 * 7
    assert found.interval is not None
    assert found.interval.low < found.spearman < found.interval.high
    assert found.interval.level == 0.95
    with pytest.raises(CalibrationError, match="no order"):
        agreement(REVIEWS, np.zeros_like(scores), chosen, BOOTSTRAP)


def test_what_cannot_be_scored_counts_as_0() -> None:
    features = REVIEWS.features.copy()
    features[3] = np.nan
    some = dataclasses.replace(REVIEWS, features=features)
    for scores in (scores_by_change(some, folds=3, seeds=(0,)), scores_by_system(some)):
        assert scores[0, 3] == 0
        assert (np.delete(scores[0], 3) > 0).all()


@pytest.mark.parametrize("folds", [1, 61])
def test_there_must_be_changes_to_leave_out(folds: int) -> None:
    with pytest.raises(CalibrationError, match="60 rated changes"):
        scores_by_change(REVIEWS, folds=folds)
