"""Systems as people and the metric see them."""

from typing import Any

import numpy as np
import pytest

from crscore_core.corpus.comparison import CorpusComparison
from crscore_core.corpus.model import DIMENSIONS, GROUND_TRUTH
from crscore_core.datasets.study.model import SYSTEMS, HumanStudy
from crscore_core.statistics import ClusterBootstrap
from crscore_core.validity.systems import human_means, metric_means, system_tables


def test_human_means_are_those_computed_independently(
    real_study: HumanStudy, expected: dict[str, Any]
) -> None:
    means = human_means(real_study.changes, 100)
    found = {
        system: {
            short: round(of_system[name].value or 0, 4)
            for short, name in zip(("Con", "Comp", "Rel"), DIMENSIONS, strict=True)
        }
        for system, of_system in means.items()
    }
    assert found == expected["human_means_0_to_1"]
    for of_system in means.values():
        for estimate in of_system.values():
            assert estimate.value is not None
            assert estimate.interval
            assert estimate.interval.low <= estimate.value <= estimate.interval.high


def test_metric_means_are_plain_means(study_comparison: CorpusComparison) -> None:
    scores = study_comparison.scores([0.4])[:, 0]
    means = metric_means(study_comparison, scores, ClusterBootstrap(len(study_comparison.changes)))
    assert list(means) == [name for name in SYSTEMS if name in set(study_comparison.system)]
    of = study_comparison.system == "llama3"
    for row, name in enumerate(DIMENSIONS):
        assert means["llama3"][name].value == pytest.approx(scores[row, of].mean())


def test_systems_are_ranked_without_the_ground_truth(study_comparison: CorpusComparison) -> None:
    relevance = study_comparison.scores([0.327])[DIMENSIONS.index("relevance"), 0]
    bootstrap = ClusterBootstrap(len(study_comparison.changes), 200)
    tables = system_tables(study_comparison, relevance, bootstrap)
    names = [one.system for one in tables.metric.systems]
    assert GROUND_TRUTH not in names
    assert len(names) == 9
    means = {name: relevance[study_comparison.system == name].mean() for name in names}
    assert names == sorted(names, key=means.__getitem__, reverse=True)
    assert names[0] == tables.people.systems[0].system == "gpt3.5"
    assert tables.correlation.observed.spearman >= 0.90  # type: ignore[operator]


def test_people_alone_agree_with_themselves(study_comparison: CorpusComparison) -> None:
    rated = study_comparison.ratings[:, DIMENSIONS.index("relevance")]
    bootstrap = ClusterBootstrap(len(study_comparison.changes), 60)
    tables = system_tables(study_comparison, rated, bootstrap)
    assert tables.correlation.observed.spearman == pytest.approx(1)
    reverse = system_tables(study_comparison, np.asarray(-rated), bootstrap)
    assert reverse.correlation.observed.kendall == pytest.approx(-1)
