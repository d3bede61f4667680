"""Validity as JSON, CSV and tables: every figure in its place, and the human side exact."""

import csv
import io
import json
from typing import Any

import pytest

from crscore_core.corpus.model import DIMENSIONS
from crscore_core.datasets.study.corpus import study_corpus
from crscore_core.datasets.study.load import load_study
from crscore_core.datasets.study.model import HumanStudy
from crscore_core.errors import InputError
from crscore_core.scoring import CachedEncoder
from crscore_core.validity.document import validity_csv, validity_document
from crscore_core.validity.figures import validity_tables
from crscore_core.validity.paper import paper_figure, paper_ranks, paper_source
from crscore_core.validity.study_validity import StudyValidity
from tests.crscore_core.datasets.study.small_release import small_release
from tests.word_encoder import WordEncoder


@pytest.fixture(scope="module")
def real_validity(real_study: HumanStudy, study_encoder: CachedEncoder) -> StudyValidity:
    return StudyValidity.of(real_study, study_corpus(real_study), study_encoder, 200)


@pytest.fixture(scope="module")
def small_validity(tmp_path_factory: pytest.TempPathFactory) -> StudyValidity:
    """Twelve changes and an encoder without a preset."""
    study = load_study(small_release().write(tmp_path_factory.mktemp("release")))
    return StudyValidity.of(study, study_corpus(study), WordEncoder(), 100)


def test_the_human_side_is_that_computed_independently(
    real_validity: StudyValidity, expected: dict[str, Any]
) -> None:
    document = validity_document(real_validity, real_validity.at(0.5), ())
    study = document["study"]
    assert study["changes"] == expected["diffs"]
    assert study["ratings"] == expected["ratings"]
    assert study["ratings_without_ground_truth"] == expected["ratings_without_ground_truth"]
    assert study["pairs"] == expected["pairs"]
    assert {
        language: {name: round(value, 2) for name, value in quality.items()}
        for language, quality in document["claim_quality"].items()
    } == expected["claim_quality"]
    short = dict(zip(DIMENSIONS, ("Con (P)", "Comp (R)", "Rel (F)"), strict=True))
    assert {
        short[name]: round(value, 4)
        for name, value in document["krippendorff_alpha_ordinal"].items()
    } == expected["krippendorff_alpha_ordinal"]
    shorter = dict(zip(DIMENSIONS, ("Con", "Comp", "Rel"), strict=True))
    assert {
        system: {shorter[name]: round(value, 4) for name, value in means.items()}
        for system, means in document["human_means_0_to_1"].items()
    } == expected["human_means_0_to_1"]


def test_the_paper_s_column_is_that_of_the_tau_asked_for(real_validity: StudyValidity) -> None:
    at = real_validity.at(real_validity.resolve_tau("tau_best"))
    (review_level,) = [
        table for table in validity_tables(real_validity, at) if table.key == "review_level"
    ]
    printed = {figure.name: figure.paper for figure in review_level.figures}
    assert printed["relevance: Spearman's rho"] == 0.5431
    assert "tau_best" in review_level.title


def test_a_study_without_figures_has_nulls(small_validity: StudyValidity) -> None:
    at = small_validity.at(small_validity.resolve_tau("tau_gt"))
    tables = validity_tables(small_validity, at)
    document = validity_document(small_validity, at, tables)
    changes = json.loads(json.dumps(document, allow_nan=False))["study"]["changes"]
    assert changes == {"py": 4, "java": 4, "js": 4}
    lines = list(csv.DictReader(io.StringIO(validity_csv(tables))))
    assert len(lines) == sum(len(table.figures) for table in tables)
    (line,) = (one for one in lines if one["figure"] == "Python: accuracy")
    assert (line["table"], line["source"]) == ("claim_quality", "Table 1 and section 5.1")
    figure = tables[0].figures[0]
    assert float(line["paper"]) == figure.paper
    assert figure.here.interval
    ends = figure.here.interval.low, figure.here.interval.high
    assert (float(line["here"]), float(line["low"]), float(line["high"])) == (
        figure.here.value, *ends,
    )  # fmt: skip


def test_tau_is_the_study_s_own_where_it_is_asked_for(small_validity: StudyValidity) -> None:
    presets = small_validity.presets.preset
    assert small_validity.resolve_tau("tau_gt") == presets.tau_gt
    assert small_validity.resolve_tau("tau_best") == presets.tau_best
    assert small_validity.resolve_tau("0.25") == 0.25
    with pytest.raises(InputError, match="no preset"):
        small_validity.resolve_tau(None)
    with pytest.raises(InputError, match="no cosine"):
        small_validity.at(2.0)


def test_figures_of_the_paper() -> None:
    assert paper_figure("claim_quality", "java", "error_rate") == 13.22
    assert paper_figure("matching", "0.7", "f1") == 0.5938
    assert paper_figure("matching") is None
    assert paper_figure("no", "such") is None
    assert paper_ranks("Rel")["llama3"] == 4
    assert paper_source("claim_quality") == "Table 1 and section 5.1"
    assert paper_source("nothing") == ""
    ranked = paper_ranks("human relevance")
    means = {system: paper_figure("human_means_0_to_1", system, "relevance") for system in ranked}
    assert sorted(ranked, key=lambda system: -(means[system] or 0)) == list(ranked)
