"""Orders by predicted relevance and by Rel, on reviews whose measures are made by hand."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from crscore_core.corpus import two_orders as module
from crscore_core.corpus.by_change import changes_by_systems
from crscore_core.corpus.model import GROUND_TRUTH
from crscore_core.corpus.two_orders import MeasuredReviews, two_orders
from crscore_core.corpus.verdict import difference_words, rests_on, verdict, why_no_verdict
from crscore_core.scoring import DEFAULT_ENCODER
from crscore_core.statistics import (
    FEWEST_CHANGES,
    ClusterBootstrap,
    ScoresByChange,
    mean_difference,
)

# Mean predicted relevance and mean Rel of a system.
OPPOSITE = {"alpha": (0.6, 0.3), "bravo": (0.4, 0.5)}
AGREED = {"alpha": (0.6, 0.5), "bravo": (0.4, 0.3)}
TIED = {"alpha": (0.6, 0.5), "bravo": (0.4, 0.5)}


def measured(
    systems: dict[str, tuple[float, float]],
    n_changes: int,
    people: Sequence[float] | None = None,
    swing: float = 0.0,
) -> MeasuredReviews:
    """One review a system and change; predicted relevance goes up and down by `swing`."""
    n = len(systems) * n_changes
    rows = [
        (number, change, predicted + swing * (-1) ** (change + number), rel)
        for change in range(n_changes)
        for number, (predicted, rel) in enumerate(systems.values())
    ]
    system, change, predicted, rel = zip(*rows, strict=True)
    return MeasuredReviews(
        [f"review {number}" for number in range(n)],
        tuple(systems),
        np.array(system),
        np.array(change),
        np.array(predicted),
        np.array(rel),
        np.full(n, np.nan) if people is None else np.array(people),
        np.zeros(n, dtype=np.bool_),
        DEFAULT_ENCODER,
        "symbolic",
    )


@pytest.mark.parametrize(
    ("systems", "n_changes", "swing", "is_opposite"),
    [
        (OPPOSITE, 6, 0.0, True),
        (OPPOSITE, 5, 0.0, False),  # five changes can all point one way by chance
        (OPPOSITE, 8, 0.5, True),  # clear by Rel alone
        (AGREED, 6, 0.0, False),
        (TIED, 6, 0.0, False),
    ],
)
def test_pairs_that_the_measures_order_oppositely(
    systems: dict[str, tuple[float, float]], n_changes: int, swing: float, is_opposite: bool
) -> None:
    orders = two_orders(measured(systems, n_changes, swing=swing))
    assert orders is not None
    assert [(each.system, each.reviews) for each in orders.systems] == [
        ("alpha", n_changes), ("bravo", n_changes),
    ]  # fmt: skip
    (pair,) = orders.pairs
    assert (pair.better, pair.worse, pair.is_opposite) == ("alpha", "bravo", is_opposite)
    assert pair.predicted.value == pytest.approx(0.2)
    rel = systems["alpha"][1] - systems["bravo"][1]
    assert pair.rel.estimate.value == pytest.approx(rel)
    assert pair.rel.estimate.ends is None  # no spread
    assert orders.opposite == (pair,) * is_opposite
    expected = (
        None if n_changes < FEWEST_CHANGES else pytest.approx(0.637 if swing else 1, abs=0.03)
    )
    assert pair.probability == expected


def test_the_disagreement_in_words_and_as_json() -> None:
    systems = OPPOSITE | {GROUND_TRUTH: (1.0, 0.1), "charlie\n": (0.2, 0.7)}
    orders = two_orders(measured(systems, 6))
    assert orders is not None
    first, others, reviews, *agreement = orders.disagreement(lambda name: name.title())
    assert first == (
        "By predicted relevance Alpha is above Charlie, 0.600 against 0.200, difference 0.400; "
        "Rel says the opposite, 0.300 against 0.700, difference -0.400."
    )
    assert others == "So they do about Alpha and Bravo; Bravo and Charlie."
    # Six reviews each have the shares 5/6, 3/6 and 1/6 by one measure, 1/6, 3/6, 5/6 by the other.
    assert reviews == (
        "12 of 18 reviews have very different places by the two, half of all reviews or more "
        "between them; by predicted relevance: review 0 (higher); review 3 (lower); "
        "review 4 (higher); review 7 (lower); review 8 (higher); and 7 more."
    )
    of_study, of_clearcrc = agreement
    assert of_study == (
        "Predicted relevance agreed better with people on 1,647 reviews of the human study, "
        "predicted by models that did not see their changes: Spearman of predicted relevance "
        "0.629 against 0.484, difference 0.145 (95 % interval 0.110 to 0.178)."
    )
    assert of_clearcrc == (
        "Neither agreed clearly better with people on 1,525 comments of ClearCRC, which predicted "
        "relevance was not fitted to: AUC of predicted relevance 0.628 against 0.646, difference "
        "-0.018 (95 % interval -0.049 to 0.013)."
    )
    document = orders.as_json()
    assert [(one["system"], one["n"], one["rank"]) for one in document["systems"]] == [
        ("alpha", 6, 1), ("bravo", 6, 2), ("charlie\n", 6, 3),
    ]  # fmt: skip
    assert [one["relevance_rank"] for one in document["systems"]] == [3, 2, 1]
    assert [(one["better"], one["worse"]) for one in document["pairs"]] == [
        ("alpha", "bravo"), ("alpha", "charlie\n"), ("bravo", "charlie\n"),
    ]  # fmt: skip
    assert (document["reviews"], document["reviews_far_apart"]) == (18, 12)
    assert document["first_far_apart"][0] == "review 0"
    calm = two_orders(measured(AGREED, 6))
    assert calm is not None
    assert calm.disagreement() == []


@pytest.mark.parametrize(
    ("rating_follows", "n_changes", "changes", "words"),
    [
        (0, 25, {}, "Predicted relevance agreed better with people on the 50 rated reviews here: "),
        (1, 25, {}, "Rel agreed better with people on the 50 rated reviews here: "),
        (0, 24, {}, "on 1,647 reviews of the human study"),
        (0, 25, {"knows_people": False}, "on 1,647 reviews of the human study"),
        (0, 25, {"change": np.arange(50) % 9}, "on 1,647 reviews of the human study"),
        (0, 25, {"encoder": "another"}, "on the 50 rated reviews here"),
    ],
)
def test_the_measure_that_agreed_better_with_people(
    rating_follows: int, n_changes: int, changes: dict[str, Any], words: str
) -> None:
    people = [2 + 2 * (number == rating_follows) for number in (0, 1)] * n_changes
    orders = two_orders(replace(measured(OPPOSITE, n_changes, people), **changes))
    assert orders is not None
    sentence = orders.disagreement()[-1 - (orders.agreement[0].measured.data == "study")]
    assert words in sentence
    if "here" in words:
        # The measure that follows the ratings has 1, the other one -1.
        assert f"difference {'-' * rating_follows}2.000" in sentence


def test_reviews_that_cannot_be_ordered(monkeypatch: pytest.MonkeyPatch) -> None:
    reviews = measured(OPPOSITE, 6)
    nothing = np.full(12, np.nan)
    assert two_orders(replace(reviews, predicted=nothing)) is None
    assert two_orders(replace(reviews, systems=(GROUND_TRUTH, GROUND_TRUTH))) is None
    assert why_no_verdict(replace(reviews, predicted=nothing)).endswith("the embedded encoder.")
    empty = replace(reviews, predicted=nothing, is_empty=np.full(12, True))
    assert why_no_verdict(empty) == "No verdict: all reviews are empty, so none has a score."
    monkeypatch.setattr(module, "MOST_SYSTEMS", 1)
    fewer = two_orders(replace(reviews, rel=np.where(np.arange(12) == 0, np.nan, reviews.rel)))
    assert fewer is not None
    assert ([one.system for one in fewer.systems], fewer.systems_left_out) == (["bravo"], 1)
    assert fewer.pairs == ()


def test_empty_reviews_have_no_score_and_that_is_said() -> None:
    """Bravo wrote nothing, and alpha nothing about the first change."""
    reviews = measured(AGREED | {"charlie": (0.1, 0.1)}, 6)
    is_empty = (reviews.system == 1) | (np.arange(18) == 0)
    orders = two_orders(replace(reviews, is_empty=is_empty))
    assert orders is not None
    assert [(one.system, one.reviews, one.empty) for one in orders.systems] == [
        ("alpha", 6, 1), ("charlie", 6, 0),
    ]  # fmt: skip
    assert orders.as_json()["systems_without_score"] == ("bravo",)
    assert rests_on(orders).endswith(
        "Empty reviews, without a score and 0 in the means: 1. "
        "Systems without a score, as all their reviews are empty: bravo."
    )


def test_more_changes_than_clusters_share_them() -> None:
    orders = two_orders(measured(OPPOSITE, 30), ClusterBootstrap(10))
    assert orders is not None
    assert orders.pairs[0].is_opposite


@pytest.mark.parametrize(
    ("systems", "n_changes", "swing", "said"),
    [
        (AGREED, 12, 0.0, "alpha's reviews are better than bravo's: predicted relevance 0.60"),
        (AGREED, 12, 0.0, "0.40, difference 0.20, 12 changes, the same on each."),
        (OPPOSITE, 12, 0.0, "Rel says the opposite: bravo's reviews talk about more of the change"),
        (AGREED | {"carol": (0.1, 0.1)}, 12, 0.0, "are better than bravo's, the next best:"),
        (AGREED, 5, 0.0, "whose reviews are better, alpha's or bravo's: 6 are needed;"),
        (AGREED, 8, 0.5, "alpha and bravo cannot be told apart: predicted relevance 0.60 against"),
        (AGREED, 8, 0.5, "8 changes. More than 20 times as many changes would settle it, if"),
        (AGREED, 8, 0.2, "8 changes. About 30 more changes would settle it, if the difference"),
        ({"alpha": (0.6, 0.3)}, 8, 0.0, "All reviews are alpha's, with predicted relevance 0.60"),
        (TIED | {"bravo": (0.6, 0.5)}, 8, 0.0, "alpha and bravo cannot be told apart"),
    ],
)  # fmt: skip
def test_a_verdict_says_no_more_than_is_sure(
    systems: dict[str, tuple[float, float]], n_changes: int, swing: float, said: str
) -> None:
    orders = two_orders(measured(systems, n_changes, swing=swing))
    assert orders is not None
    assert said in verdict(orders)


@pytest.mark.parametrize(
    ("people", "swing", "said"),
    [
        ([4, 2, 1], 0.0, "alpha's reviews are better than bravo's, the next best: predicted "),
        ([4, 2, 1], 0.0, "People agree: mean rating (1 to 5) 4.00 against 2.00, difference 2.00,"),
        ([2, 2, 1], 0.0, "People's ratings do not tell these two apart: mean rating (1 to 5) 2.00"),
        ([1, 2, 4], 0.0, "People rated carol's reviews higher than alpha's: mean rating (1 to 5)"),
        ([1, 2, 4], 0.0, "disagrees and puts alpha first: predicted relevance 0.60 against 0.10"),
        ([1, 2, 1], 0.5, "People rated bravo's reviews higher than alpha's: mean rating (1 to 5)"),
        ([1, 2, 1], 0.5, "does not tell these two apart: predicted relevance 0.60 against 0.40"),
        ([3, 2, 1], 0.5, ". People rated alpha's reviews higher than bravo's: mean rating (1 to 5"),
    ],
)  # fmt: skip
def test_a_verdict_says_what_people_say(people: list[int], swing: float, said: str) -> None:
    systems = AGREED | {"carol": (0.1, 0.1)}
    orders = two_orders(measured(systems, 12, people * 12, swing))
    assert orders is not None
    words = verdict(orders)
    assert said in words
    assert words.startswith("People") == (people[0] == 1)
    assert [one["human_relevance"] for one in orders.as_json()["systems"]] == people
    assert orders.as_json()["pairs"][0]["human_relevance_difference"] == people[0] - people[1]


def test_ratings_of_few_changes_say_nothing_and_those_at_hand_are_cited() -> None:
    people = np.array([4.0, 2.0] * 25)
    orders = two_orders(measured(AGREED, 25, people.tolist()))
    assert orders is not None
    assert "; people rated all of them, and its Spearman correlation with them is 1.000 (" in (
        rests_on(orders)
    )
    people[10:] = np.nan
    few = two_orders(measured(AGREED, 25, people.tolist()))
    assert few is not None
    assert "People rated reviews of too few changes to confirm that." in verdict(few)
    assert rests_on(few).endswith("; people rated 10 of them.")


@pytest.mark.parametrize(
    ("n_changes", "left_out", "opens"),
    [((12, 12, 1), ("carol",), "alpha's"), ((12, 1, 1), (), "Too few changes")],
)
def test_a_stray_system_does_not_block_the_verdict(
    n_changes: tuple[int, ...], left_out: tuple[str, ...], opens: str
) -> None:
    reviews = measured(AGREED | {"carol": (0.9, 0.9)}, 12)
    gone = reviews.change >= np.array(n_changes)[reviews.system]
    orders = two_orders(replace(reviews, predicted=np.where(gone, np.nan, reviews.predicted)))
    assert orders is not None
    assert (orders.few_changes, orders.as_json()["systems_with_few_changes"]) == (left_out,) * 2
    said = verdict(orders)
    assert said.startswith(opens)
    assert ("Left out, with fewer than 6 changes: carol." in said) == bool(left_out)


def test_of_equally_busy_systems_the_best_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_SYSTEMS", 2)
    orders = two_orders(measured({"low": (0.1, 0.1)} | AGREED, 6))
    assert orders is not None
    assert [one.system for one in orders.systems] == ["alpha", "bravo"]
    assert "2 of 3 systems are compared, those with the most reviews; of equally" in verdict(orders)


def test_p_values_of_pairs_are_corrected() -> None:
    """Only a and c, which swing alike, are in a sure order: the least p-value counts three times.

    What is open then are two pairs, and so many more changes settle them.
    """
    systems = {"a": (0.5, 0.5), "b": (0.45, 0.5), "c": (0.4, 0.5)}
    orders = two_orders(measured(systems, 8, swing=0.2))
    assert orders is not None
    assert [pair.p for pair in orders.pairs] == [1, 3 * 2 * 0.5**8, 1]
    first, _, last = orders.pairs
    assert {first.of.p, last.of.p} != {1}
    for pair in (first, last):
        assert pair.settles_at == pair.of.changes_to_settle(2) != pair.of.changes_to_settle()


@pytest.mark.parametrize(
    ("means", "said"),
    [
        ((0.42, 0.35), "0.42 against 0.35, difference 0.07, 1 change"),
        ((0.4249, 0.3551), "0.425 against 0.355, difference 0.070, 1 change"),
        ((0.4246, 0.3554), "0.4246 against 0.3554, difference 0.0692, 1 change"),
    ],
)
def test_figures_add_up_as_they_are_written(means: tuple[float, float], said: str) -> None:
    of = mean_difference(*(ScoresByChange.of([mean], [0]) for mean in means))
    assert difference_words(of) == f"predicted relevance {said}"


def test_a_mean_over_other_changes_does_not_make_a_system_better() -> None:
    reviews = measured(AGREED, 60)
    common, is_alpha = reviews.change < 10, np.arange(120) % 2 == 0
    predicted = np.where(is_alpha, np.where(common, 0.3, 0.6), 0.45) + reviews.change / 1000
    predicted[::4] += 0.01
    kept = common | is_alpha
    some = replace(
        reviews,
        ids=[name for name, is_kept in zip(reviews.ids, kept, strict=True) if is_kept],
        system=reviews.system[kept], change=reviews.change[kept], predicted=predicted[kept],
        rel=reviews.rel[kept], people=reviews.people[kept], is_empty=reviews.is_empty[kept],
    )  # fmt: skip
    orders = two_orders(some)
    assert orders is not None
    (pair,) = orders.pairs
    assert (pair.better, pair.is_sure, pair.is_reversed, pair.settles_at) == (
        "alpha", False, True, None,
    )  # fmt: skip
    said = verdict(orders)
    assert "where both reviewed, bravo's reviews are better: predicted relevance 0.4545" in said
    assert "alpha's reviews are better" not in said


def test_a_verdict_says_where_rel_is_not_clear() -> None:
    reviews = measured(OPPOSITE, 12)
    swinging = reviews.rel + 0.3 * (-1) ** (np.arange(24) // 2 + np.arange(24))
    orders = two_orders(replace(reviews, rel=swinging))
    assert orders is not None
    assert "Rel says the opposite, not clearly: bravo's reviews talk" in verdict(orders)


def test_changes_with_the_widest_gap_between_systems_come_first() -> None:
    reviews = measured(OPPOSITE, 3)
    predicted = np.array([0.5, 0.4, 0.9, 0.1, 0.7, np.nan])
    table = changes_by_systems(replace(reviews, predicted=predicted), ["bravo", "alpha"], 2)
    assert (table.change.tolist(), table.n_changes) == ([1, 0], 3)
    assert table.values.tolist() == [[0.1, 0.9], [0.4, 0.5]]
    even = replace(reviews, predicted=np.array([0.5, 0.4, np.nan, 0.1, 0.4, 0.5]))
    assert changes_by_systems(even, ["alpha", "bravo"], 3).change.tolist() == [0, 2, 1]
