"""Agreement with people, review by review."""

import dataclasses

import numpy as np
import pytest

from crscore_core.corpus.comparison import CorpusComparison
from crscore_core.corpus.model import DIMENSIONS, GROUND_TRUTH
from crscore_core.statistics import ClusterBootstrap, rank_correlation
from crscore_core.validity.correlations import (
    correlate,
    correlations,
    correlations_by_language,
)
from crscore_core.validity.thresholds import study_presets


def test_of_nothing_there_is_no_correlation() -> None:
    assert correlate(np.zeros(0), np.zeros(0), np.zeros(0, np.intp), ClusterBootstrap(3)) is None


def test_the_ground_truth_does_not_count(study_comparison: CorpusComparison) -> None:
    scores = study_comparison.scores([0.4])[:, 0]
    bootstrap = ClusterBootstrap(len(study_comparison.changes), 60)
    found = correlations(study_comparison, scores, bootstrap)
    wrong = np.where(study_comparison.is_judged, scores, 1 - scores)
    assert correlations(study_comparison, wrong, bootstrap) == found
    assert (study_comparison.system == GROUND_TRUTH).any()
    for row, name in enumerate(DIMENSIONS):
        judged = study_comparison.is_judged
        alone = rank_correlation(scores[row, judged], study_comparison.ratings[judged, row])
        correlation = found[name]
        assert correlation
        assert correlation.n == alone.n == judged.sum()
        assert correlation.spearman.value == alone.spearman
        assert correlation.kendall.value == alone.kendall
        assert correlation.spearman.interval
        assert correlation.spearman.interval.low < alone.spearman  # type: ignore[operator]
        assert correlation.spearman.interval.high > alone.spearman  # type: ignore[operator]


def test_languages_part_the_reviews(study_comparison: CorpusComparison) -> None:
    scores = study_comparison.scores([0.4])[:, 0]
    bootstrap = ClusterBootstrap(len(study_comparison.changes), 60)
    by_language = correlations_by_language(study_comparison, scores, bootstrap)
    assert sum(found.n for found in by_language.values() if found) == (
        study_comparison.is_judged.sum()
    )
    only_python = dataclasses.replace(
        study_comparison,
        reviews=tuple(
            one
            for one in study_comparison.reviews
            if study_comparison.changes[one.change].language == "python"
        ),
    )
    found = correlations(only_python, only_python.scores([0.4])[:, 0], bootstrap)
    assert by_language["python"] == found["relevance"]


def test_the_study_s_own_references_agree_with_people_as_in_the_paper(
    study_comparison: CorpusComparison,
) -> None:
    """The paper has 0.5405 at its tau_gt and 0.5431 at its tau_best, with a larger encoder."""
    bootstrap = ClusterBootstrap(len(study_comparison.changes), 200)
    presets = study_presets(study_comparison, bootstrap).preset
    at_gt = correlations(
        study_comparison, study_comparison.scores([presets.tau_gt])[:, 0], bootstrap
    )
    at_best = correlations(
        study_comparison, study_comparison.scores([presets.tau_best])[:, 0], bootstrap
    )
    assert at_gt["relevance"]
    assert at_best["relevance"]
    assert at_gt["relevance"].spearman.value == pytest.approx(0.5525, abs=0.02)
    assert at_gt["relevance"].spearman.value >= 0.55  # type: ignore[operator]
    assert at_best["relevance"].spearman.value >= 0.52  # type: ignore[operator]
