"""tau by the paper's procedure, and what hangs on it."""

import numpy as np
import pytest

from crscore_core.corpus.comparison import CorpusComparison
from crscore_core.corpus.model import DIMENSIONS, GROUND_TRUTH
from crscore_core.errors import ThresholdError
from crscore_core.scoring import DEFAULT_ENCODER, PRESETS
from crscore_core.statistics import ClusterBootstrap, Estimate, correlate_means, rank_correlation
from crscore_core.validity.thresholds import (
    BEST_SYSTEM,
    StudyPresets,
    study_presets,
    sweep_study,
)


def test_presets_are_means_of_the_best_similarities(study_comparison: CorpusComparison) -> None:
    presets = study_presets(study_comparison, ClusterBootstrap(len(study_comparison.changes), 100))
    for system, found in ((BEST_SYSTEM, presets.tau_best), (GROUND_TRUTH, presets.tau_gt)):
        best = [
            one.similarity[:, column].max()
            for one in study_comparison.reviews
            if one.system == system
            for column in range(one.similarity.shape[1])
        ]
        assert found.value == pytest.approx(np.mean(best), abs=1e-6)
        assert found.value is not None
        assert found.interval
        assert found.interval.low < found.value < found.interval.high


def test_the_product_s_presets_come_from_here(study_comparison: CorpusComparison) -> None:
    """To three decimals on the 183 changes that they were measured on, near it on others."""
    found = study_presets(study_comparison, ClusterBootstrap(len(study_comparison.changes), 60))
    tolerance = 0.0005 if len(study_comparison.changes) == 183 else 0.03
    assert found.preset.tau_best == pytest.approx(PRESETS[DEFAULT_ENCODER].tau_best, abs=tolerance)
    assert found.preset.tau_gt == pytest.approx(PRESETS[DEFAULT_ENCODER].tau_gt, abs=tolerance)


def test_without_the_reviews_there_is_no_preset() -> None:
    with pytest.raises(ThresholdError, match="need reviews of"):
        _ = StudyPresets(Estimate(None, None), Estimate(0.3, None)).preset


def test_each_tau_of_a_sweep_is_scored_as_alone(study_comparison: CorpusComparison) -> None:
    taus = [-1.0, 0.2, 0.35, 0.5, 1.0]
    judged = study_comparison.is_judged
    people = study_comparison.ratings[judged]
    systems = sorted(set(study_comparison.system[judged]))
    for at in sweep_study(study_comparison, taus):
        scores = study_comparison.scores([at.tau])[:, 0, judged]
        for row in range(len(DIMENSIONS)):
            alone = rank_correlation(scores[row], people[:, row])
            assert at.spearman[row] == pytest.approx(alone.spearman)
            assert at.kendall[row] == pytest.approx(alone.kendall)
        relevance, rated = scores[2], people[:, 2]
        of = [study_comparison.system[judged] == name for name in systems]
        means = correlate_means(
            [round(relevance[one].mean(), 12) for one in of], [rated[one].mean() for one in of]
        )
        assert at.system_spearman == pytest.approx(means.spearman)
        assert at.share_zero == np.mean(relevance == 0)
        assert at.share_one == np.mean(relevance == 1)


def test_at_the_ends_nothing_or_everything_is_covered(study_comparison: CorpusComparison) -> None:
    low, high = sweep_study(study_comparison, [-1.0, 1.0])
    assert high.share_zero == 1
    assert high.spearman == (None, None, None)
    assert low.share_zero + low.share_one == pytest.approx(1)  # an empty review is 0
