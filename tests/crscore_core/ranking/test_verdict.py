"""Sentences about a ranking, each true of the values that it was made from."""

import re
from dataclasses import replace

import pytest

from crscore_core.ranking.order import rank
from crscore_core.ranking.verdict import (
    difference_words,
    no_lower,
    order_words,
    rests_on,
    verdict,
)
from crscore_core.statistics import ScoresByChange, mean_difference
from crscore_core.text import listed
from tests.crscore_core.ranking.made_measures import measured, on_changes_of_its_own, only, silent

NOT_SAID = " This order does not say whether reviews are right, or worth saying."
TWO = {"alpha": 0.6, "bravo": 0.4}
THREE = {"alpha": 0.6, "bravo": 0.4, "charlie": 0.2}


def said(*arguments: object, is_chosen: bool = False, **settings: object) -> str:
    order = rank(measured(*arguments, **settings), is_chosen=is_chosen)  # type: ignore[arg-type]
    assert order is not None
    return verdict(order)


def test_a_clear_order_by_relevance_claims_no_more_than_relevance() -> None:
    assert said(TWO, 24) == (
        "alpha's reviews talk about more of the change than bravo's: relevance 0.60 against 0.40, "
        "difference 0.20, 24 changes." + NOT_SAID
    )
    assert said(THREE, 24).startswith(
        "alpha's reviews talk about more of the change than bravo's, the next system: "
    )


@pytest.mark.parametrize(
    ("measure", "words"),
    [
        ("no_threshold", "alpha's reviews are more similar to the change's points than bravo's: "),
        ("conciseness", "More of alpha's sentences are about the change than of bravo's: "),
        ("comprehensiveness", "alpha's reviews cover more of the change's points than bravo's: "),
        ("useful", "alpha's reviews have a higher mean of label useful than bravo's: "),
    ],
)
def test_each_measure_has_words_of_its_own(measure: str, words: str) -> None:
    verdict = said(TWO, 24, measure=measure, labels=["useful"])
    assert verdict.startswith(words)
    assert verdict.endswith(NOT_SAID) is (measure != "useful")


def test_no_verdict_calls_reviews_better() -> None:
    for people in (None, [2, 4], [4, 2], [3, 3]):
        for is_chosen in (False, True):
            assert "better" not in said(TWO, 30, people=people, is_chosen=is_chosen)


def test_too_few_changes_and_a_single_system() -> None:
    assert said(TWO, 5) == (
        "Too few changes to compare alpha and bravo: 6 are needed; relevance 0.60 against 0.40, "
        "difference 0.20, 5 changes." + NOT_SAID
    )
    assert said({"alpha": 0.6}, 9) == (
        "All reviews are alpha's (relevance 0.60): there is no other system to compare with."
    )


def test_a_tie_says_what_would_settle_it_and_who_is_clearly_behind() -> None:
    systems = {"alpha": 0.6, "bravo": 0.56, "charlie": 0.1}
    words = said(systems, 12, swing=0.1)
    assert words.startswith("Relevance does not tell alpha and bravo apart: relevance 0.60 ")
    assert "more changes would settle it, if the difference stays." in words
    assert words.endswith(f"Clearly lower than alpha: charlie.{NOT_SAID}")


def test_a_mean_over_changes_of_its_own_puts_no_system_ahead() -> None:
    order = rank(on_changes_of_its_own())
    assert order is not None
    assert verdict(order).startswith(
        "alpha has the highest mean, over changes that not all systems reviewed; where both "
        "reviewed, bravo's reviews talk about more of the change than alpha's: relevance 0.60 "
        "against 0.40"
    )


def test_people_decide_and_the_measure_is_held_against_them() -> None:
    words = said(THREE, 30, people=[3, 4, 1])
    assert words.startswith(
        "People rated bravo's reviews as more relevant than alpha's, the next system: rating of "
        "relevance (1 to 5) 4.00 against 3.00, difference 1.00, 30 changes. Relevance agrees with "
        "people's ratings of these 90 reviews: Spearman correlation 0.500"
    )
    assert words.endswith(
        "It puts 1 of the 3 pairs that people clearly order the other way round: alpha above bravo."
        + NOT_SAID
    )


@pytest.mark.parametrize(
    ("alpha", "swing", "words"),
    [
        (0.6, 0.0, "Relevance agrees with people's ratings of these 60 reviews"),
        (0.4, 0.0, "Relevance disagrees with people's ratings of these 60 reviews"),
        (0.5, 0.3, "Relevance does not clearly agree with people's ratings of these 60 reviews"),
    ],
)
def test_agreement_is_claimed_only_where_it_is_clear(
    alpha: float, swing: float, words: str
) -> None:
    assert words in said({"alpha": alpha, "bravo": 0.5}, 30, people=[4, 3], swing=swing)


def test_systems_that_are_not_compared_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    reviews = measured(THREE, 8)
    few = rank(only(reviews, (reviews.reviews.system_number != 2) | (reviews.reviews.change < 5)))
    assert few is not None
    assert verdict(few).endswith("Left out, with fewer than 6 changes: charlie.")
    unscored = rank(silent(reviews, reviews.reviews.system_number == 2))
    assert unscored is not None
    assert verdict(unscored).endswith("Left out, as all their reviews are empty: charlie.")
    monkeypatch.setattr("crscore_core.ranking.order.MOST_SYSTEMS", 2)
    many = rank(reviews)
    assert many is not None
    assert "2 of 3 systems are compared, those with the most reviews" in verdict(many)


def test_a_cell_says_whether_an_order_is_clear_and_what_would_settle_it() -> None:
    of_pairs = [
        measured(TWO, 5),
        measured(TWO, 24),
        on_changes_of_its_own(),
        measured({"alpha": 0.6, "bravo": 0.56}, 12, swing=0.1),
    ]
    words = [order_words(order.pairs[0]) for order in map(rank, of_pairs) if order]
    assert words[:3] == ["too few changes", "clear", "clear the other way where both reviewed"]
    assert re.fullmatch(r"open: about \d+ more changes", words[3])


def test_a_measure_that_people_contradict_says_so_first() -> None:
    words = said(TWO, 30, people=[2, 4], is_chosen=True)
    assert words.startswith(
        "People's ratings contradict this order: they rated bravo's reviews as more relevant than "
        "alpha's, rating of relevance (1 to 5) 4.00 against 2.00, difference 2.00, 30 changes. "
        "alpha's reviews talk"
    )
    agreeing = said(TWO, 30, people=[4, 2], is_chosen=True)
    assert agreeing.startswith("alpha's reviews talk about more of the change")
    assert "too few" not in agreeing
    more = said(THREE, 30, people=[1, 3, 5], is_chosen=True)
    assert more.startswith("People's ratings contradict this order: they rated charlie's reviews")
    assert "They contradict it on 2 more pairs." in more


def test_people_s_ratings_are_enough_where_they_are_the_measure() -> None:
    reviews = measured(TWO, 30, people=[2, 4], measure="people")
    reviews = replace(reviews, values=reviews.people)
    orders = [rank(reviews, is_chosen=is_chosen) for is_chosen in (False, True)]
    for order in orders:
        assert order is not None
        assert verdict(order) == (
            "People rated bravo's reviews as more relevant than alpha's: rating of relevance "
            "(1 to 5) 4.00 against 2.00, difference 2.00, 30 changes." + NOT_SAID
        )


def test_ratings_that_tell_nothing_apart_are_said_to() -> None:
    words = said(TWO, 30, people=[3, 3])
    assert words.startswith("People's ratings do not tell alpha and bravo apart: ")


def test_few_ratings_are_named_as_too_few() -> None:
    words = said(TWO, 12, people=[4, 2])
    assert words.startswith("alpha's reviews talk about more of the change")
    assert words.endswith(
        "People rated 24 of these reviews: too few to order systems by (50 reviews of 10 changes "
        "are needed)." + NOT_SAID
    )


def test_the_reviews_that_an_order_rests_on() -> None:
    order = rank(measured(TWO, 12))
    assert order is not None
    assert rests_on(order) == (
        "The verdict rests on relevance: 24 reviews of 12 changes by 2 systems; nobody rated their "
        "relevance."
    )
    rated = rank(measured(TWO, 30, people=[2, 4]))
    assert rated is not None
    assert rests_on(rated) == (
        "The verdict rests on people's ratings: 60 reviews of 30 changes by 2 systems; people "
        "rated all of them."
    )


def test_figures_add_up_as_they_are_written() -> None:
    order = rank(measured({"alpha": 0.625, "bravo": 0.375}, 12))
    assert order is not None
    words = difference_words(order.pairs[0].of, order.measure)
    assert "0.625 against 0.375, difference 0.250" in words


@pytest.mark.parametrize(
    ("one", "other", "margin", "passes", "words"),
    [
        ([0.5] * 5, [0.9] * 5, None, True, "too few changes to compare"),
        ([0.5] * 5, [0.5] * 5, 0.1, False, "too few changes to compare"),
        ([0.5] * 8, [0.9] * 8, None, False, "lower"),
        ([0.9] * 8, [0.5] * 8, None, True, "higher"),
        ([0.5, 0.6] * 4, [0.6, 0.5] * 4, None, True, "no clear difference"),
        ([0.5, 0.6] * 4, [0.6, 0.5] * 4, 0.01, False, "not shown to be less than 0.01 lower"),
        ([0.5] * 8, [0.5] * 8, 0.1, True, "shown to be less than 0.1 lower"),
        ([0.5] * 8, [0.5] * 8, 0.0, False, "not shown to be less than 0 lower"),
    ],
)
def test_one_mean_is_no_lower_than_another(
    one: list[float], other: list[float], margin: float | None, passes: bool, words: str
) -> None:
    changes = range(len(one))
    of = mean_difference(ScoresByChange.of(one, changes), ScoresByChange.of(other, changes))
    assert no_lower(of, margin) == (passes, words)


def test_lists_are_cut() -> None:
    assert listed(["a", "b"]) == "a; b"
    assert listed(list("abcdefg")) == "a; b; c; d; e; and 2 more"
