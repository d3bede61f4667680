"""Order of systems by a measure, on values made by hand."""

from dataclasses import replace

import numpy as np
import pytest

from crscore_core.corpus.measures import MeasuredReviews
from crscore_core.corpus.model import GROUND_TRUTH
from crscore_core.corpus.systems import changes_by_systems
from crscore_core.ranking import order as module
from crscore_core.ranking.order import people_decide, rank
from tests.crscore_core.corpus.made_reviews import altered
from tests.crscore_core.ranking.made_measures import (
    measured,
    on_changes_of_its_own,
    only,
    ranked,
    silent,
)

TWO = {"alpha": 0.6, "bravo": 0.4}
THREE = {"alpha": 0.6, "bravo": 0.4, "charlie": 0.2}


def test_systems_stand_from_the_highest_mean_with_every_pair_compared() -> None:
    order = ranked(measured(THREE | {GROUND_TRUTH: 0.9}, 6))
    assert [(each.system, each.reviews, each.rank) for each in order.systems] == [
        ("alpha", 6, 1), ("bravo", 6, 2), ("charlie", 6, 3),
    ]  # fmt: skip
    assert [each.mean.value for each in order.systems] == pytest.approx([0.6, 0.4, 0.2])
    assert [each.words for each in order.systems] == [10, 20, 30]
    assert [each.place for each in order.systems] == [(1, 3)] * 3  # see the next test
    pairs = [(pair.higher, pair.lower) for pair in order.pairs]
    assert pairs == [("alpha", "bravo"), ("alpha", "charlie"), ("bravo", "charlie")]
    assert [pair.difference.estimate.value for pair in order.pairs] == pytest.approx(
        [0.2, 0.4, 0.2]
    )
    assert (order.reviews, order.changes, order.rated) == (18, 6, 0)


@pytest.mark.parametrize(
    ("n_changes", "p", "is_clear"),
    [
        (5, None, False),  # five changes can all point one way by chance
        (6, 2 * 0.5**6 * 3, False),  # the sign test, times three pairs
        (7, 2 * 0.5**7 * 3, True),
    ],
)
def test_a_pair_is_clear_from_six_changes_on_after_holm(
    n_changes: int, p: float | None, is_clear: bool
) -> None:
    order = ranked(measured(THREE, n_changes))
    assert [pair.difference.p for pair in order.pairs] == [p if p is None else pytest.approx(p)] * 3
    assert [pair.difference.sign for pair in order.pairs] == [is_clear] * 3
    alone = ranked(measured(TWO, n_changes))
    assert alone.pairs[0].difference.p == (None if p is None else pytest.approx(p / 3))


def test_systems_whose_order_is_open_share_places() -> None:
    systems = {"alpha": 0.6, "bravo": 0.59, "charlie": 0.1}
    order = ranked(measured(systems, 12, swing=0.1))
    assert [each.place for each in order.systems] == [(1, 2), (1, 2), (3, 3)]
    first = order.pairs[0]
    assert first.difference.sign == 0
    assert first.settles_at is not None
    assert first.settles_at > 12
    two_open = ranked(measured(systems | {"charlie": 0.58}, 12, swing=0.1))
    assert [pair.settles_at for pair in two_open.pairs if not pair.difference.sign] == [
        pair.difference.changes_to_settle(2) for pair in two_open.pairs if not pair.difference.sign
    ]
    assert [pair.difference.sign for pair in two_open.pairs] == [0, 1, 0]


@pytest.mark.parametrize(("swing", "is_reversed"), [(0.0, True), (0.3, False)])
def test_a_pair_is_reversed_where_the_lower_is_clearly_higher_on_common_changes(
    swing: float, is_reversed: bool
) -> None:
    order = ranked(on_changes_of_its_own(swing))
    (pair,) = order.pairs
    assert (pair.higher, pair.difference.changes, pair.difference.sign) == (
        "alpha",
        8,
        -is_reversed,
    )
    assert [each.place for each in order.systems] == [(1, 2), (1, 2)]


def test_people_contradict_a_pair_only_after_holm() -> None:
    # By the sign test p is 2 / 2**6 in each pair, which three times is above 0.05.
    reviews = measured(THREE, 6, people=[1, 2, 3])
    order = ranked(reviews)
    assert [pair.other and pair.other.p for pair in order.pairs] == [
        pytest.approx(3 * 2 * 0.5**6)
    ] * 3
    assert order.contradicted == ()


@pytest.mark.parametrize(
    ("n_changes", "decides"),
    [(25, True), (24, False)],  # 50 and 48 rated reviews
)
def test_people_decide_from_fifty_reviews_on(n_changes: int, decides: bool) -> None:
    reviews = measured(TWO, n_changes, people=[2, 4])
    assert people_decide(reviews) is decides
    order = ranked(reviews)
    assert order.by_people is decides
    assert order.systems[0].system == ("bravo" if decides else "alpha")
    assert (order.agreement is None) is not decides
    chosen = ranked(reviews, is_chosen=True)
    assert not chosen.by_people
    assert [pair.lower for pair in chosen.contradicted] == ["bravo"]


def test_fifty_reviews_of_nine_changes_are_too_few_changes() -> None:
    reviews = measured(TWO, 25, people=[2, 4])

    def on_changes(of: MeasuredReviews, n_changes: int) -> MeasuredReviews:
        moved = [replace(one, change=at % n_changes) for at, one in enumerate(of.reviews)]
        return replace(of, reviews=altered(of.reviews, reviews=moved))

    assert not people_decide(on_changes(reviews, 9))
    assert people_decide(on_changes(reviews, 10))


def test_ratings_of_the_ground_truth_decide_nothing() -> None:
    reviews = measured({"alpha": 0.6, GROUND_TRUTH: 0.4}, 49, people=[2, 4])
    assert not people_decide(reviews)


def test_an_order_by_people_names_the_pairs_that_the_measure_reverses() -> None:
    order = ranked(measured(THREE, 30, people=[3, 4, 1]))
    assert [each.system for each in order.systems] == ["bravo", "alpha", "charlie"]
    assert [(pair.higher, pair.lower) for pair in order.contradicted] == [("bravo", "alpha")]
    assert [each.other.value for each in order.systems] == [
        pytest.approx(value) for value in (0.4, 0.6, 0.2)
    ]
    document = order.as_json()
    assert document["measure"] == "people"
    assert document["agreement"]["measure"] == "relevance"
    assert document["contradicted_by_people"] == [["bravo", "alpha"]]
    assert document["systems"][0] | {"ci": None, "measure_ci": None} == {
        "system": "bravo", "n": 30, "empty": 0, "mean": 4.0, "ci": None, "rank": 1.0,
        "place": (1, 1), "measure_mean": pytest.approx(0.4), "measure_ci": None, "words": 20.0,
    }  # fmt: skip
    assert {"higher", "lower", "difference", "ci", "probability"} <= document["pairs"][0].keys()


def test_a_measure_contradicts_people_only_where_their_order_is_clear() -> None:
    reviews = measured(TWO, 30, people=[3, 4])
    order = ranked(reviews)
    assert [(pair.higher, pair.lower) for pair in order.contradicted] == [("bravo", "alpha")]
    swings = np.where(reviews.reviews.change % 2, 2, -2) * (1 - 2 * reviews.reviews.system_number)
    unclear = ranked(replace(reviews, people=reviews.people + swings))
    assert (unclear.systems[0].system, unclear.contradicted) == ("bravo", ())


def test_a_measure_contradicts_people_also_where_its_own_order_is_open() -> None:
    order = ranked(measured({"alpha": 0.51, "bravo": 0.5}, 30, people=[3, 4], swing=0.3))
    (pair,) = order.contradicted
    assert (pair.higher, pair.other and pair.other.sign) == ("bravo", 0)


def test_a_label_orders_systems_on_its_own_scale() -> None:
    reviews = measured({"alpha": 1.0, "bravo": 7.0}, 8, measure="useful", labels=["useful"])
    order = ranked(reviews)
    assert (order.measure.name, order.systems[0].system) == ("useful", "bravo")
    assert order.systems[0].mean.value == 7


def test_empty_reviews_count_in_scores_and_silent_systems_are_left_out() -> None:
    reviews = measured(THREE, 7)
    is_empty = reviews.reviews.system_number == 2
    is_empty[0] = True
    values = np.where(is_empty, 0, reviews.values)
    order = ranked(silent(replace(reviews, values=values), is_empty))
    assert order.without_score == ("charlie",)
    alpha = order.systems[0]
    assert alpha.empty == 1
    assert alpha.mean.value == pytest.approx(0.6 * 6 / 7)
    nothing = silent(reviews, np.ones(21, dtype=np.bool_))
    assert rank(nothing) is None


@pytest.mark.parametrize(
    ("changes", "left_out"),
    [  # of alpha, bravo and charlie
        ((8, 8, 5), ("charlie",)),
        ((8, 8, 6), ()),
        ((8, 5, 5), ()),  # nothing would be left to compare alpha with
    ],
)
def test_systems_on_few_changes_are_named_where_two_others_have_more(
    changes: tuple[int, ...], left_out: tuple[str, ...]
) -> None:
    reviews = measured(THREE, 8)
    order = ranked(
        only(reviews, reviews.reviews.change < np.array(changes)[reviews.reviews.system_number])
    )
    assert order.few_changes == left_out
    assert len(order.systems) == 3 - len(left_out)


def test_systems_of_equal_means_share_the_mean_of_their_ranks() -> None:
    order = ranked(measured({"alpha": 0.4, "bravo": 0.4, "charlie": 0.2}, 6))
    assert [each.rank for each in order.systems] == [1.5, 1.5, 3]


def test_of_many_systems_those_with_the_most_reviews_are_compared(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "MOST_SYSTEMS", 2)
    order = ranked(measured(THREE, 6))
    assert [each.system for each in order.systems] == ["alpha", "bravo"]
    assert order.systems_left_out == 1


def test_changes_stand_by_the_gap_between_systems() -> None:
    reviews = measured(TWO, 3)
    values = reviews.values.copy()
    values[reviews.reviews.change == 1] = [0.9, 0.1]
    found = changes_by_systems(replace(reviews, values=values), ["alpha", "bravo"], 2)
    assert found.change.tolist() == [1, 0]
    assert found.values[0].tolist() == [0.9, 0.1]
    assert found.n_changes == 3
