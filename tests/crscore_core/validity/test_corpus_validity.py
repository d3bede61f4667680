"""The validity of reviews of any corpus: agreement, means and levels, by hand and on the study."""

import json
from dataclasses import replace

import pytest

from crscore_core.corpus.model import DIMENSIONS, GROUND_TRUTH, UNRATED, Ratings
from crscore_core.corpus.reviews import Reviews
from crscore_core.corpus.systems import MOST_SYSTEMS, corpus_bootstrap
from crscore_core.errors import InputError
from crscore_core.validity.corpus_validity import CorpusValidity
from crscore_core.validity.document import validity_csv, validity_document
from crscore_core.validity.figures import validity_tables
from crscore_eval.statistics import ClusterBootstrap, Estimate
from tests.crscore_core.corpus.made_reviews import altered
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


def validity(comparison: Reviews) -> CorpusValidity:
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


def test_pairs_within_changes_leave_out_the_ground_truth() -> None:
    texts = ["three words here", "one", "many words of the ground truth"] * 5
    ratings = [Ratings(5, 5, 5), Ratings(1, 1, 1), Ratings(5, 5, 5)] * 4 + [Ratings(3, 3, 3)] * 3
    reviews = (replace(one, text=text) for one, text in zip(RATED, texts, strict=True))
    corpus = validity(rated(altered(RATED, reviews=tuple(reviews)), ratings))
    at = corpus.at(0.5)
    # One pair a change: the good review scores higher, and in the last people tie the two. As ties
    # count scores within 0.3 there (0.7 and 0.4), which no other change has.
    found = at.pairwise
    assert [found[name].accuracy.value for name in DIMENSIONS] == [1, 1, 1]
    assert found["relevance"].epsilon == pytest.approx(0.3)
    assert (found["words"].accuracy.value, found["words"].epsilon) == (4 / 5, 0)
    assert (found["constant"].accuracy.value, found["constant"].pairs) == (1 / 5, 5)
    assert at.soft_pairwise.value == pytest.approx(1, abs=0.05)
    document = json.loads(json.dumps(validity_document(corpus, at, ()), allow_nan=False))
    assert document["pairwise"]["words"] == {
        "accuracy": 0.8, "ci": list(found["words"].accuracy.ends or ()), "epsilon": 0, "pairs": 5,
    }  # fmt: skip
    assert document["soft_pairwise_accuracy"] == {
        "value": at.soft_pairwise.value, "ci": list(at.soft_pairwise.ends or ()),
    }  # fmt: skip


def test_tables_and_files_name_every_figure() -> None:
    corpus = validity(RATED)
    at = corpus.at(0.5)
    tables = validity_tables(corpus, at)
    assert [table.key for table in tables] == [
        "system_level", "review_level", "no_threshold", "pairwise", "human_means_0_to_1",
        "metric_means", "review_level_by_language", "rankings", "neighbours", "levels", "failures",
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
    assert "relevance: reviews" in names
    assert not any("the paper" in table.title for table in tables)


def test_what_nobody_rated_is_missing() -> None:
    conciseness = (Ratings(conciseness=one.ratings.conciseness) for one in RATED)
    one = validity(rated(RATED, conciseness))
    assert one.rated_dimensions == ("conciseness",)
    assert {name for name, found in one.at(0.5).pairwise.items() if found.pairs} == {"conciseness"}
    assert one.at(0.5).soft_pairwise == Estimate(None, None)
    at = one.at(0.5)
    assert at.systems is None
    assert at.correlations["relevance"] is None
    assert [table.key for table in validity_tables(one, at)] == [
        "review_level", "no_threshold", "pairwise", "human_means_0_to_1", "metric_means", "levels",
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
    found = corpus.at(0.5).correlations["relevance"]
    assert found
    assert found.spearman.value is None


def test_the_last_tau_is_kept_and_no_tau_but_a_cosine_is_taken() -> None:
    corpus = validity(RATED)
    assert corpus.at(0.5) is corpus.at(0.5)
    assert corpus.at(0.4).tau == 0.4
    with pytest.raises(InputError):
        corpus.at(3.0)


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
    conciseness, comprehensiveness, relevance = validity(comparison).at(0.5).levels
    assert conciseness.dimension == "conciseness"
    assert [(one.level, one.reviews, one.mean.value) for one in conciseness.levels] == [
        (1, 1, 0), (2, 0, None), (3, 2, 1 / 4), (4, 0, None), (5, 1, 1),
    ]  # fmt: skip
    assert [one.mean.value for one in comprehensiveness.levels] == [0, None, 1 / 2, None, 1]
    assert [one.mean.value for one in relevance.levels] == [
        0, None, None, pytest.approx(2 / 3), None,
    ]  # fmt: skip
    assert conciseness.levels[1].mean == Estimate(None, None)


def test_a_rating_between_two_levels_counts_for_the_nearer_and_a_half_for_the_higher() -> None:
    ratings = [Ratings(rating, rating, rating) for rating in (1, 1.4, 1.5, 2.5, 3.5, 4.5)]
    made = rated(made_comparison(*[scoring(0, 0.5, 1)] * len(ratings)), ratings)
    for found in validity(made).at(0.5).levels:
        assert [one.reviews for one in found.levels] == [2, 1, 1, 1, 1]


def test_a_bootstrap_of_fewer_changes_is_refused() -> None:
    with pytest.raises(InputError, match="clusters"):
        _ = CorpusValidity(made_comparison(scoring(3, 0.5, 1)), ClusterBootstrap(2)).at(0.5).levels
