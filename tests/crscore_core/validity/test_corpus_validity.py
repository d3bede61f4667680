"""The validity of reviews that are no study, made by hand."""

import json

import pytest

from crscore_core.corpus.comparison import CorpusComparison
from crscore_core.corpus.model import DIMENSIONS, GROUND_TRUTH, UNRATED, Ratings
from crscore_core.corpus.systems import corpus_bootstrap
from crscore_core.errors import ThresholdError
from crscore_core.validity.corpus_validity import CorpusValidity
from crscore_core.validity.document import validity_csv, validity_document
from crscore_core.validity.figures import validity_tables
from crscore_core.validity.rankings import MOST_SYSTEMS
from tests.crscore_core.datasets.study.made_comparison import Made, made_comparison, rated, scoring

RATED = made_comparison(
    *(
        scoring(change, share, rating, system)
        for change in range(5)
        for system, share, rating in (
            ("=good", 0.9 - change / 20, 5),
            ("bad", change / 10, 1 + change % 2),
            (GROUND_TRUTH, 0.1, 5),
        )
    )
)


def validity(comparison: CorpusComparison) -> CorpusValidity:
    return CorpusValidity(comparison, corpus_bootstrap(comparison))


def test_agreement_is_over_all_reviews_but_the_ground_truth() -> None:
    corpus = validity(RATED)
    at = corpus.at(0.5)
    found = at.correlations["relevance"]
    assert found
    assert found.n == 10
    assert at.systems
    assert at.systems.correlation.spearman.value == pytest.approx(1)
    assert list(at.metric_means) == ["=good", "bad", GROUND_TRUTH]
    assert corpus.human_means["=good"]["relevance"].value == 1
    assert corpus.human_means["bad"]["relevance"].value == pytest.approx(0.1)  # of 1 2 1 2 1


def test_tables_and_files_name_every_figure() -> None:
    corpus = validity(RATED)
    at = corpus.at(0.5)
    tables = validity_tables(corpus, at)
    assert [table.key for table in tables] == [
        "system_level", "review_level", "human_means_0_to_1", "metric_means",
        "review_level_by_language", "rankings", "neighbours", "levels", "failures",
    ]  # fmt: skip
    assert all(figure.paper is None for table in tables for figure in table.figures)
    document = json.loads(json.dumps(validity_document(corpus, at, tables), allow_nan=False))
    assert document["reviews_rated"] == dict.fromkeys(DIMENSIONS, 10)
    assert document["systems"] == 3
    lines = validity_csv(tables).splitlines()
    assert len(lines) == 1 + sum(len(table.figures) for table in tables)
    assert not any(cell.startswith("=") for line in lines for cell in line.split(","))
    assert any("'=good conciseness" in line for line in lines)
    names = [figure.name for table in tables for figure in table.figures]
    assert "relevance reviews" in names
    assert not any("the paper" in table.title for table in tables)


def test_what_nobody_rated_is_missing() -> None:
    conciseness = (Ratings(conciseness=one.ratings.conciseness) for one in RATED.reviews)
    one = validity(rated(RATED, conciseness))
    assert one.rated_dimensions == ("conciseness",)
    at = one.at(0.5)
    assert at.systems is None
    assert at.correlations["relevance"] is None
    assert [table.key for table in validity_tables(one, at)] == [
        "review_level", "human_means_0_to_1", "metric_means", "levels",
    ]  # fmt: skip
    none = validity(rated(RATED, [UNRATED] * 15))
    assert none.rated_dimensions == ()
    assert [table.key for table in validity_tables(none, none.at(0.5))] == ["metric_means"]
    assert none.histogram
    assert none.histogram.pairs == 15 * 100


def test_of_many_systems_those_with_most_reviews_are_told_apart() -> None:
    reviews = [scoring(number % 3, 0.5, 1 + number % 5, f"s{number}") for number in range(60)]
    reviews += [scoring(0, 0.2, 3, f"s{number}") for number in range(50, 60)]
    corpus = validity(made_comparison(*reviews))
    at = corpus.at(0.5)
    assert corpus.n_systems == 60
    assert len(at.metric_means) == len(corpus.human_means) == MOST_SYSTEMS
    assert {f"s{number}" for number in range(50, 60)} <= set(at.metric_means)
    found = at.correlations["relevance"]
    assert found
    assert found.n == 70


def test_reviews_without_a_sentence_have_no_similarities() -> None:
    corpus = validity(made_comparison(Made(0, (1, 1, 1), [[]]), Made(1, (5, 5, 5), [[]])))
    assert corpus.histogram is None
    assert corpus.normal_plot is None
    found = corpus.at(0.5).correlations["relevance"]
    assert found
    assert found.spearman.value is None


def test_the_last_tau_is_kept_and_no_tau_but_a_cosine_is_taken() -> None:
    corpus = validity(RATED)
    assert corpus.at(0.5) is corpus.at(0.5)
    assert corpus.at(0.4).tau == 0.4
    with pytest.raises(ThresholdError):
        corpus.at(3.0)
