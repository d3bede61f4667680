"""Sentences about a ranking, each true of the values that it was made from."""

import re
from dataclasses import replace
from typing import Any

import pytest

from crscore_core.ranking.order import rank
from crscore_core.ranking.verdict import (
    difference_words,
    no_lower,
    order_words,
    rests_on,
    verdict,
)
from crscore_core.text import listed
from crscore_eval.statistics import ScoresByChange, mean_difference
from tests.crscore_core.ranking.made_measures import (
    measured,
    on_changes_of_its_own,
    only,
    ranked,
    silent,
)

NOT_SAID = " This order does not say whether reviews are right, or worth saying."
TWO = {"alpha": 0.6, "bravo": 0.4}
THREE = {"alpha": 0.6, "bravo": 0.4, "charlie": 0.2}


def said(*arguments: object, is_chosen: bool = False, **settings: object) -> str:
    return verdict(ranked(measured(*arguments, **settings), is_chosen=is_chosen))  # type: ignore[arg-type]


TIED = {"alpha": 0.6, "bravo": 0.56, "charlie": 0.1}
CHOSEN = {"is_chosen": True}
SAID: list[tuple[dict[str, float], int, dict[str, Any], str]] = [
    (
        TWO, 24, {},
        "alpha's reviews match the change more closely than bravo's: relevance 0.60 against 0.40, "
        "difference 0.20, 24 changes." + NOT_SAID,
    ),
    (
        THREE, 24, {},
        "alpha's reviews match the change more closely than bravo's, the next system: ...|"
        + NOT_SAID,
    ),
    (
        TWO, 24, {"measure": "no_threshold"},
        "alpha's reviews are more similar to the change's points than bravo's: ...|" + NOT_SAID,
    ),
    (
        TWO, 24, {"measure": "conciseness"},
        "More of alpha's sentences are about the change than of bravo's: ...|" + NOT_SAID,
    ),
    (
        TWO, 24, {"measure": "comprehensiveness"},
        "alpha's reviews cover more of the change's points than bravo's: ...|" + NOT_SAID,
    ),
    (
        TWO, 24, {"measure": "useful", "labels": ["useful"]},
        "alpha's reviews have a higher mean of label useful than bravo's: ...|24 changes.",
    ),
    (
        TWO, 5, {},
        "Too few changes to compare alpha and bravo: 6 are needed; relevance 0.60 against 0.40, "
        "difference 0.20, 5 changes." + NOT_SAID,
    ),
    (
        {"alpha": 0.6}, 9, {},
        "All reviews are alpha's (relevance 0.60): there is no other system to compare with.",
    ),
    (
        TIED, 12, {"swing": 0.1},
        "Relevance does not tell alpha and bravo apart: relevance 0.60 ...| more changes would "
        "settle it, if the difference stays. Clearly lower than alpha: charlie." + NOT_SAID,
    ),
    (
        THREE, 30, {"people": [3, 4, 1]},
        "People rated bravo's reviews as more relevant than alpha's, the next system: rating of "
        "relevance (1 to 5) 4.00 against 3.00, difference 1.00, 30 changes. Relevance agrees with "
        "people's ratings of these 90 reviews: Spearman correlation 0.500 ...|"
        " It puts 1 of the 3 pairs that people clearly order the other way round: alpha above "
        "bravo." + NOT_SAID,
    ),
    (
        TWO, 30, {"people": [3, 3]},
        "People's ratings do not tell alpha and bravo apart: ...|" + NOT_SAID,
    ),
    (
        TWO, 12, {"people": [4, 2]},
        "alpha's reviews match the change more closely ...| People rated 24 of these reviews: too "
        "few to order systems by (50 reviews of 10 changes are needed)." + NOT_SAID,
    ),
    (
        TWO, 30, {"people": [2, 4]} | CHOSEN,
        "People's ratings contradict this order: they rated bravo's reviews as more relevant than "
        "alpha's, rating of relevance (1 to 5) 4.00 against 2.00, difference 2.00, 30 changes. "
        "alpha's reviews match the change more closely than bravo's: relevance 0.60 against 0.40, "
        "difference 0.20, 30 changes." + NOT_SAID,
    ),
    (
        TWO, 30, {"people": [4, 2]} | CHOSEN,
        "alpha's reviews match the change more closely than bravo's: relevance 0.60 against 0.40, "
        "difference 0.20, 30 changes." + NOT_SAID,
    ),
    (
        THREE, 30, {"people": [1, 3, 5]} | CHOSEN,
        "People's ratings contradict this order: they rated charlie's reviews ...| They contradict "
        "it on 2 more pairs. alpha's reviews match the change more closely than bravo's, the next "
        "system: relevance 0.60 against 0.40, difference 0.20, 30 changes." + NOT_SAID,
    ),
]  # fmt: skip
"""Means by system, changes, options, and the verdict; `...|` stands for words left out."""


@pytest.mark.parametrize(("systems", "n_changes", "options", "words"), SAID)
def test_the_verdict_claims_what_was_measured_and_no_more(
    systems: dict[str, float], n_changes: int, options: dict[str, Any], words: str
) -> None:
    found = said(systems, n_changes, **options)
    start, is_cut, end = words.partition("...|")
    assert found.startswith(start) if is_cut else found == start
    assert found.endswith(end)
    assert "better" not in found


def test_a_mean_over_changes_of_its_own_puts_no_system_ahead() -> None:
    order = ranked(on_changes_of_its_own())
    assert verdict(order).startswith(
        "alpha has the highest mean, over changes that not all systems reviewed; where both "
        "reviewed, bravo's reviews match the change more closely than alpha's: relevance 0.60 "
        "against 0.40"
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
    few = ranked(only(reviews, (reviews.reviews.system_number != 2) | (reviews.reviews.change < 5)))
    assert verdict(few).endswith("Left out, with fewer than 6 changes: charlie.")
    unscored = ranked(silent(reviews, reviews.reviews.system_number == 2))
    assert verdict(unscored).endswith("Left out, as all their reviews are empty: charlie.")
    monkeypatch.setattr("crscore_core.ranking.order.MOST_SYSTEMS", 2)
    many = ranked(reviews)
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


def test_people_s_ratings_are_enough_where_they_are_the_measure() -> None:
    reviews = measured(TWO, 30, people=[2, 4], measure="people")
    reviews = replace(reviews, values=reviews.people)
    for is_chosen in (False, True):
        assert verdict(ranked(reviews, is_chosen=is_chosen)) == (
            "People rated bravo's reviews as more relevant than alpha's: rating of relevance "
            "(1 to 5) 4.00 against 2.00, difference 2.00, 30 changes." + NOT_SAID
        )


def test_the_reviews_that_an_order_rests_on() -> None:
    order = ranked(measured(TWO, 12))
    assert rests_on(order) == (
        "The verdict rests on relevance: 24 reviews of 12 changes by 2 systems; nobody rated their "
        "relevance."
    )
    rated = ranked(measured(TWO, 30, people=[2, 4]))
    assert rests_on(rated) == (
        "The verdict rests on people's ratings: 60 reviews of 30 changes by 2 systems; people "
        "rated all of them."
    )


def test_figures_add_up_as_they_are_written() -> None:
    order = ranked(measured({"alpha": 0.625, "bravo": 0.375}, 12))
    words = difference_words(order.pairs[0].difference, order.measure)
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
