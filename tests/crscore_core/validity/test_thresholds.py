"""The threshold tau: where the procedure puts it, and what depends on it."""

from collections.abc import Mapping

import numpy as np
import pytest

from crscore_core.corpus.model import DIMENSIONS, GROUND_TRUTH, UNRATED, Ratings
from crscore_core.corpus.reviews import Reviews
from crscore_core.corpus.systems import MOST_SYSTEMS
from crscore_core.errors import InputError
from crscore_core.validity import thresholds
from crscore_core.validity.corpus_validity import CorpusValidity
from crscore_core.validity.thresholds import (
    best_system,
    procedure_taus,
    sweep_thresholds,
)
from crscore_eval.statistics import ClusterBootstrap, Estimate, rank_correlation
from tests.crscore_core.datasets.study.made_comparison import Made, made_comparison, rated

TAUS = [0.0, 0.3, 0.5, 0.7, 1.0]


def one_sentence(change: int, similarity: float, rating: int, system: str) -> Made:
    """Con, Comp and Rel are 1 below the similarity, 0 from it on."""
    return Made(change, (rating, rating, rating), [[similarity]], system)


def four() -> Reviews:
    return made_comparison(
        one_sentence(0, 0.25, 1, "a"), one_sentence(0, 0.625, 4, "b"),
        one_sentence(1, 0.5, 2, "a"), one_sentence(1, 0.875, 5, "b"),
        one_sentence(0, 0.75, 5, GROUND_TRUTH),
    )  # fmt: skip


def at(comparison: Reviews, tau: float) -> Mapping[str, Estimate]:
    bootstrap = ClusterBootstrap(len(comparison.changes), 100)
    return CorpusValidity(comparison, bootstrap).at(tau).figures


def test_shares_and_means_leave_the_ground_truth_out() -> None:
    swept = sweep_thresholds(four(), TAUS)
    assert swept.reviews == 4
    # Similarities are 0.25, 0.5, 0.625 and 0.875; one equal to tau is no match.
    assert swept.columns["share_one"].tolist() == [1, 0.75, 0.5, 0.25, 0]
    assert swept.columns["share_zero"].tolist() == [0, 0.25, 0.5, 0.75, 1]
    for name in DIMENSIONS:
        assert swept.columns[name].tolist() == [1, 0.75, 0.5, 0.25, 0]
    # At 0.3 the means of a and b are 0.5 and 1; at 0 both are 1, which is no order.
    assert swept.columns["system_spearman"][:2].tolist() == pytest.approx([np.nan, 1], nan_ok=True)
    truth_alone = made_comparison(one_sentence(0, 0.5, 5, GROUND_TRUTH))
    swept = sweep_thresholds(truth_alone, [0.2, 0.6])
    assert swept.columns["share_one"].tolist() == [1, 0]
    assert swept.best == {}


def test_figures_at_a_tau_are_those_of_the_sweep_with_intervals() -> None:
    rng = np.random.default_rng(0)
    comparison = made_comparison(*(
        one_sentence(change, float(rng.random()), int(rng.integers(1, 6)), system)
        for change in range(30) for system in "abc"
    ))  # fmt: skip
    taus = [0.0, 0.3, 0.5, 0.9]
    swept = sweep_thresholds(comparison, taus).columns
    for index, tau in enumerate(taus):
        now = at(comparison, tau)
        assert now.keys() == swept.keys() - {"tau", *(f"kendall_{name}" for name in DIMENSIONS)}
        for name, estimate in now.items():
            value = np.nan if estimate.value is None else estimate.value
            assert value == pytest.approx(swept[name][index], nan_ok=True), name
            if tau and name != "system_spearman":
                assert estimate.interval
                assert estimate.interval.low < value < estimate.interval.high
        for row, name in enumerate(DIMENSIONS):
            alone = rank_correlation(comparison.scores([tau])[row, 0], comparison.ratings[:, row])
            expected = np.array([alone.spearman.value, alone.kendall.value], dtype=np.float64)
            both = [swept[f"spearman_{name}"][index], swept[f"kendall_{name}"][index]]
            np.testing.assert_allclose(both, expected)


def test_many_similarities_are_swept_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = sweep_thresholds(four(), TAUS)
    monkeypatch.setattr(thresholds, "_CELLS", 1)
    parts = sweep_thresholds(four(), TAUS)
    for name, column in whole.columns.items():
        np.testing.assert_array_equal(column, parts.columns[name])
    assert whole.best == parts.best


def test_without_ratings_shares_and_means_are_left() -> None:
    comparison = rated(four(), [UNRATED] * 5)
    swept = sweep_thresholds(comparison, TAUS)
    assert swept.best == {}
    assert swept.columns["share_one"].tolist() == [1, 0.75, 0.5, 0.25, 0]
    now = at(comparison, 0.5)
    assert now.keys() == {"share_zero", "share_one", *DIMENSIONS}
    assert now["share_zero"].value == 0.5
    assert best_system(comparison) is None


def test_what_is_correlated() -> None:
    ratings = [Ratings(conciseness=one) for one in (1, 4, 2, 5)]
    now = at(rated(four(), [*ratings, UNRATED]), 0.5)
    assert [name for name in now if "spearman" in name] == ["spearman_conciseness"]
    assert now["spearman_conciseness"].value == pytest.approx(0.894427)  # 2 / sqrt(5), by hand
    for given, has_correlation in (
        ([1, 4, 2, 5], True), ([3, 3, 3, 3], False), ([None, None, None, 4], False),
    ):  # fmt: skip
        ratings = [*(Ratings(relevance=one) for one in given), UNRATED]
        swept = sweep_thresholds(rated(four(), ratings), TAUS)
        assert swept.has_correlation is has_correlation


def test_the_order_of_many_systems_is_the_same_in_the_sweep_and_at_a_tau() -> None:
    rng = np.random.default_rng(0)
    reviews = [
        one_sentence(change, float(rng.random()), int(rng.integers(1, 6)), f"s{system:02}")
        for change in range(6)
        for system in range(MOST_SYSTEMS + 20)
        if change < 3 or system % 3  # the others have fewer reviews
    ]
    comparison = made_comparison(*reviews)
    swept, now = sweep_thresholds(comparison, [0.5]), at(comparison, 0.5)
    assert swept.systems_left_out == 20
    assert now["system_spearman"].value == pytest.approx(swept.columns["system_spearman"][0])
    busy = made_comparison(*(one for one in reviews if int(one.system[1:]) % 3))
    alone = sweep_thresholds(busy, [0.5])
    assert alone.systems_left_out == 0
    assert swept.columns["system_spearman"][0] == alone.columns["system_spearman"][0]


def test_the_procedure_s_taus_are_means_of_best_similarities() -> None:
    comparison = four()
    found = procedure_taus(comparison, ClusterBootstrap(len(comparison.changes), 100))
    assert found.best_system == "b"
    assert found.tau_best.value == 0.75  # of 0.625 and 0.875
    assert found.tau_gt.value == 0.75
    assert found.tau_best.interval
    unrated = procedure_taus(rated(comparison, [UNRATED] * 5), ClusterBootstrap(2, 100))
    assert unrated.best_system is None
    assert unrated.tau_best.value is None
    assert unrated.tau_gt.value == 0.75
    with pytest.raises(InputError, match="need reviews of"):
        _ = unrated.preset
