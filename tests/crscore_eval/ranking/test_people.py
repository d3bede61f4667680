"""Agreement of a measure with people's ratings, next to simple metrics."""

from itertools import product

import numpy as np
import pytest
from scipy.stats import spearmanr

from crscore_eval.data.ratings import describe_ratings
from crscore_eval.ranking import agreement_with_people, beats_word_count, order_systems, verdict
from crscore_eval.ranking.people import unchecked_note
from crscore_eval.table import Run
from tests.crscore_eval.ranking.runs_of_rows import run_of_rows

N_CHANGES = 14


def rated_run(*, follows: str, with_lgtm: bool = True) -> Run:
    """Return reviews of four systems whose ratings follow the score or the number of words.

    A fifth, if wanted, only says LGTM: short, scored 0, rated 1.
    """
    random = np.random.default_rng(1)
    rows: list[dict[str, object]] = []
    for change, system in product(range(N_CHANGES), "abcd"):
        score, words = random.integers(4, 20) / 20, int(random.integers(5, 60))
        rating = {"score": 1 + 4 * score, "words": 1 + words / 15, "nothing": random.uniform(1, 5)}
        rows.append({"system": system, "change": change, "score": score,
                     "rating": rating[follows], "review": "word " * words})  # fmt: skip
    lgtm = {"system": "lgtm", "score": 0.0, "rating": 1.0, "review": "LGTM"}
    rows += [{**lgtm, "change": change} for change in range(N_CHANGES) if with_lgtm]
    return run_of_rows(rows)


def test_correlations_are_scipy_s_on_the_rated_reviews() -> None:
    run = rated_run(follows="nothing")
    agreement = agreement_with_people(run, "relevance")
    assert agreement is not None
    reviews = run.reviews
    expected = spearmanr(reviews["relevance"], reviews["human_relevance"]).statistic
    assert agreement["spearman"][0] == pytest.approx(expected, abs=1e-12)
    n_words = [len(text.split()) for text in reviews["review"]]
    length = spearmanr(n_words, reviews["human_relevance"])
    assert agreement["spearman"][1] == pytest.approx(length.statistic, abs=1e-12)
    assert agreement["difference"][1] == pytest.approx(length.statistic - expected, abs=1e-12)
    assert agreement["name"].tolist() == ["relevance", "words", "shared_identifiers"]


def test_a_column_of_the_file_may_have_the_name_of_a_simple_metric() -> None:
    run = rated_run(follows="nothing")
    of_relevance = agreement_with_people(run, "relevance")
    own = run.reviews.assign(words=-run.reviews["human_relevance"])
    agreement = agreement_with_people(run._replace(reviews=own), "words")
    assert agreement is not None
    assert of_relevance is not None
    assert agreement["spearman"][0] == pytest.approx(-1)
    assert agreement["spearman"][1] == of_relevance["spearman"][1]


def test_one_system_that_says_nothing_makes_no_agreement() -> None:
    run = rated_run(follows="nothing")
    agreement = agreement_with_people(run, "relevance")
    assert agreement is not None
    assert agreement["low"][0] > 0  # LGTM is lowest by everything
    assert not beats_word_count(agreement)
    sentences = " ".join(verdict(order_systems(run)))
    assert "not shown to agree" in sentences
    assert "number of words" in sentences


@pytest.mark.parametrize(
    ("follows", "is_agreement"), [("score", True), ("words", False), ("nothing", False)]
)
def test_a_measure_agrees_only_if_it_beats_the_number_of_words(
    follows: str, is_agreement: bool
) -> None:
    agreement = agreement_with_people(rated_run(follows=follows), "relevance")
    assert agreement is not None
    assert beats_word_count(agreement) is is_agreement
    assert bool(agreement["p"][1] < 0.05) is (follows != "nothing")


def test_a_measure_without_spread_has_no_correlation_and_no_sentence() -> None:
    run = rated_run(follows="score", with_lgtm=False)
    run = run._replace(reviews=run.reviews.assign(same=1.0))
    agreement = agreement_with_people(run, "same")
    assert agreement is not None
    assert np.isnan(agreement["spearman"][0])
    assert not beats_word_count(agreement)
    assert not any("Spearman" in sentence for sentence in verdict(order_systems(run, "same")))


def test_no_agreement_from_fewer_than_fifty_ratings() -> None:
    run = rated_run(follows="score", with_lgtm=False)
    few = run.reviews["human_relevance"].where(run.reviews.index < 49)
    assert (
        agreement_with_people(
            run._replace(reviews=run.reviews.assign(human_relevance=few)), "relevance"
        )
        is None
    )


def test_known_raters_are_named() -> None:
    run = rated_run(follows="score")
    assert "70 of 70" in describe_ratings(run)
    named = run._replace(settings={**run.settings, "raters": {"file": 70, "Ann": 4}})
    assert all(part in describe_ratings(named) for part in ("70 of 70", "74", "file", "Ann"))
    unrated = run._replace(reviews=run.reviews.drop(columns="human_relevance"))
    assert "nobody" in describe_ratings(unrated)


@pytest.mark.parametrize(
    ("column", "answers", "is_unchecked"),
    [
        ("judge_x_right", {}, True),
        ("judge_x_right", {"label_right": 1.0}, False),
        ("judge_x_wrong", {"label_right": 1.0}, False),
        ("judge_x_worth", {"label_right": 1.0}, True),
        ("judge_x_relevance", {"human_relevance": 3.0}, False),
        ("label_useful", {}, False),
    ],
)
def test_a_judge_s_figure_is_checked_by_people_s_answers_to_its_question(
    column: str, answers: dict[str, float], is_unchecked: bool
) -> None:
    rows = [{"system": "a", "change": change % 10, column: 1.0} for change in range(50)]
    run = run_of_rows(rows)
    run = run._replace(reviews=run.reviews.drop(columns="human_relevance").assign(**answers))
    assert bool(unchecked_note(run, column)) is is_unchecked
