"""Order of systems, on values made by hand."""

from typing import Any

import pandas as pd
import pytest

from crscore_core.errors import InputError
from crscore_eval.ranking.order import (
    Order,
    answered_measures,
    changes_by_systems,
    order_document,
    order_systems,
)
from crscore_eval.ranking.verdict import order_basis, verdict
from crscore_eval.table import Run
from tests.crscore_eval.ranking.runs_of_rows import run_of_rows, run_of_systems

TWO = {"alpha": 0.6, "bravo": 0.4}
THREE = {"alpha": 0.6, "bravo": 0.4, "charlie": 0.2}


def names(order: Order) -> list[str]:
    return order.systems["system"].tolist()


def places(order: Order) -> list[tuple[int, int]]:
    return list(zip(order.systems["first_place"], order.systems["last_place"], strict=True))


def only(run: Run, kept: "pd.Series[bool]") -> Run:
    return run._replace(reviews=run.reviews[kept].reset_index(drop=True))


def test_systems_are_ordered_from_the_highest_mean_with_every_pair() -> None:
    order = order_systems(run_of_systems({**THREE, "msg": 0.9}, 6))
    assert names(order) == ["alpha", "bravo", "charlie"]
    assert order.systems["mean"].tolist() == pytest.approx([0.6, 0.4, 0.2])
    assert order.systems["rank"].tolist() == [1, 2, 3]
    assert order.systems["n"].tolist() == [6, 6, 6]
    pairs = list(zip(order.pairs["higher"], order.pairs["lower"], strict=True))
    assert pairs == [("alpha", "bravo"), ("alpha", "charlie"), ("bravo", "charlie")]
    assert order.pairs["difference"].tolist() == pytest.approx([0.2, 0.4, 0.2])
    assert order.other_measure is None
    assert order.n_changes == 6


@pytest.mark.parametrize(
    ("n_changes", "p", "sign"),
    [
        (5, None, 0),  # five changes can all point one way by chance
        (6, 3 * 2 * 0.5**6, 0),  # the sign test, times three pairs
        (7, 3 * 2 * 0.5**7, 1),
    ],
)
def test_few_changes_are_not_significant_after_holm(
    n_changes: int, p: float | None, sign: int
) -> None:
    order = order_systems(run_of_systems(THREE, n_changes))
    assert order.pairs["sign"].tolist() == [sign] * 3
    assert (
        order.pairs["p"].isna().all()
        if p is None
        else order.pairs["p"].tolist() == [pytest.approx(p)] * 3
    )
    assert places(order) == ([(1, 1), (2, 2), (3, 3)] if sign else [(1, 3)] * 3)


def test_systems_that_do_not_differ_significantly_share_places() -> None:
    order = order_systems(
        run_of_systems({"alpha": 0.6, "bravo": 0.55, "charlie": 0.1}, 12, swing=0.1)
    )
    assert places(order) == [(1, 2), (1, 2), (3, 3)]
    assert order.pairs["sign"].tolist() == [0, 1, 1]


@pytest.mark.parametrize(("n_changes", "decide"), [(25, True), (24, False)])
def test_people_decide_from_fifty_rated_reviews_on(n_changes: int, decide: bool) -> None:
    run = run_of_systems(TWO, n_changes, {"alpha": 2, "bravo": 4})
    assert answered_measures(run) == {"people": decide}
    order = order_systems(run)
    assert order.is_by_people is decide
    assert names(order)[0] == ("bravo" if decide else "alpha")
    assert (order.agreement is not None) is decide
    assert order.other_measure is not None
    chosen = order_systems(run, "relevance")
    assert (chosen.by.name, names(chosen)[0]) == ("relevance", "alpha")
    assert chosen.pairs["contradicted"].tolist() == [True]


@pytest.mark.parametrize(
    ("other", "n_changes", "n_different", "decide"),
    [("bravo", 25, 10, True), ("bravo", 25, 9, False), ("msg", 49, 49, False)],
)
def test_people_decide_by_reviews_of_systems_on_ten_changes(
    other: str, n_changes: int, n_different: int, decide: bool
) -> None:
    run = run_of_systems({"alpha": 0.6, other: 0.4}, n_changes, {"alpha": 2, other: 4})
    changes = [f"change {number % n_different}" for number in range(2 * n_changes)]
    few = run._replace(reviews=run.reviews.assign(change=changes))
    assert answered_measures(few) == {"people": decide}


def test_order_by_people_also_shows_relevance() -> None:
    order = order_systems(run_of_systems(THREE, 30, {"alpha": 3, "bravo": 4, "charlie": 1}))
    assert (order.by.name, order.other_measure and order.other_measure.name) == (
        "people",
        "relevance",
    )
    assert names(order) == ["bravo", "alpha", "charlie"]
    assert order.systems["other_rank"].tolist() == [2, 1, 3]
    assert order.systems["other_mean"].tolist() == pytest.approx([0.4, 0.6, 0.2])
    reversed_pairs = order.pairs[order.pairs["orders"] == "opposite"]
    assert reversed_pairs[["higher", "lower"]].to_numpy().tolist() == [["bravo", "alpha"]]
    assert reversed_pairs["contradicted"].all()


@pytest.mark.parametrize(("by", "first"), [(None, "bravo"), ("relevance", "alpha")])
def test_only_a_significant_order_of_people_contradicts_relevance(
    by: str | None, first: str
) -> None:
    order = order_systems(run_of_systems(TWO, 30, {"alpha": 3, "bravo": 3.02}), by)
    assert names(order)[0] == first
    assert order.pairs[["orders", "contradicted"]].to_numpy().tolist() == [["opposite", False]]


def test_empty_reviews_score_0_also_if_a_system_has_no_others() -> None:
    rows: list[dict[str, Any]] = [
        {"system": name, "change": change, "score": score}
        for change in range(7)
        for name, score in {**THREE, "charlie": None}.items()
    ]
    rows[0]["score"] = None
    order = order_systems(run_of_rows(rows))
    assert names(order) == ["alpha", "bravo", "charlie"]
    assert order.systems["empty"].tolist() == [1, 0, 7]
    assert order.systems["mean"].tolist() == pytest.approx([0.6 * 6 / 7, TWO["bravo"], 0])


def test_reviews_of_changes_that_cannot_be_scored_do_not_count_as_zeros() -> None:
    run = run_of_systems(TWO, 8)
    without = run.reviews["change"] == "change 0"
    run.reviews.loc[without, ["n_pseudo_references", "relevance"]] = [0, float("nan")]
    maxima = run.reviews["sentence_maxima"].where(~without, run.reviews["sentence_maxima"].str[:0])
    order = order_systems(run._replace(reviews=run.reviews.assign(sentence_maxima=maxima)))
    assert order.systems["n"].tolist() == [7, 7]
    assert order.systems["mean"].tolist() == pytest.approx([0.6, 0.4])


@pytest.mark.parametrize(
    ("changes", "left_out"),
    [  # of alpha, bravo and charlie
        ((8, 8, 5), ["charlie"]),
        ((8, 8, 6), []),
        ((8, 5, 5), []),  # nothing would be left to compare alpha with
    ],
)
def test_systems_on_few_changes_are_left_out_if_two_others_have_more(
    changes: tuple[int, ...], left_out: list[str]
) -> None:
    run = run_of_systems(THREE, 8)
    most = run.reviews["system"].map(dict(zip(THREE, changes, strict=True)))
    number = run.reviews["change"].str.removeprefix("change ").astype(int)
    order = order_systems(only(run, number < most))
    assert order.left_out["system"].tolist() == left_out
    assert f"Based on relevance: {sum(changes) - 5 * len(left_out)} reviews" in order_basis(order)


def test_of_many_systems_those_with_the_most_reviews_are_compared() -> None:
    systems = {f"system {number}": 0.5 for number in range(42)}
    extra = [{"system": "system 41", "change": 0, "score": 0.5}]
    rows = [{"system": name, "change": change} for change in range(6) for name in systems]
    order = order_systems(run_of_rows([*rows, *extra]))
    assert len(order.systems) == 40
    assert "system 41" in names(order)
    assert len(order.left_out) == 2


def test_a_run_without_a_value_has_no_order() -> None:
    with pytest.raises(InputError, match="rated"):
        order_systems(run_of_systems(TWO, 6), "people")
    with pytest.raises(InputError, match="measure"):
        order_systems(run_of_systems(TWO, 6), "none")


def test_a_tie_is_neither_the_same_nor_the_opposite_order() -> None:
    run = run_of_systems({"bravo": 0.4, "alpha": 0.6}, 30, {"alpha": 2, "bravo": 4})
    order = order_systems(run, "relevance", tau=1.0)
    assert order.pairs[["orders", "contradicted"]].to_numpy().tolist() == [["tied", False]]
    assert names(order) == ["alpha", "bravo"]  # by name, not by the order of the file
    assert order.systems["ranks"].tolist() == ["1 to 2"] * 2
    assert order.systems["other_ranks"].tolist() == ["2", "1"]


def test_pairs_without_values_of_the_other_measure_have_no_order() -> None:
    order = order_systems(run_of_systems(TWO, 8, {"alpha": 2}), "relevance")
    assert order.pairs["orders"].tolist() == ["unknown"]


def test_the_document_has_intervals_of_figures_and_labels_by_their_names() -> None:
    run = run_of_systems(TWO, 8, swing=0.1, label_low=TWO, label_slow=TWO)
    first, _ = order_document(order_systems(run))["systems"]
    assert first["ci"][0] < first["mean"] < first["ci"][1]
    assert first["other_ci"] is None
    assert (first["label_low"], first["label_slow"]) == pytest.approx((0.6, 0.6))


def test_changes_are_ordered_by_the_gap_between_systems() -> None:
    scores_by_change = [(0.6, 0.4), (0.9, 0.1), (0.3, None), (0.2, 0.8)]
    rows: list[dict[str, Any]] = [
        {"system": name, "change": change, "score": score}
        for change, scores in enumerate(scores_by_change)
        for name, score in zip(TWO, scores, strict=True)
    ]
    rows.append({"system": next(iter(TWO)), "change": 4, "score": 0.9})
    means = changes_by_systems(run_of_rows(rows), "relevance")
    assert means.index.tolist() == [f"change {number}" for number in (1, 3, 2, 0, 4)]
    assert [*means.loc["change 1"]] == pytest.approx([0.9, 0.1])
    assert [*means.loc["change 2"]] == pytest.approx([0.3, 0])  # an empty review scores 0
    assert [*means.loc["change 4"].isna()] == [False, True]


def worth_run(n_worth: int, *, right: dict[str, float] | None = None) -> Run:
    """30 changes by two systems, with ratings of relevance and `n_worth` changes with worth."""
    rows = [
        {"system": name, "change": change, "score": score, "rating": rating,
         "label_worth": worth if change < n_worth else None,
         "label_right": (right or {}).get(name)}
        for change in range(30)
        for name, score, rating, worth in (("alpha", 0.6, 4.0, 2.0), ("bravo", 0.4, 2.0, 4.0))
    ]  # fmt: skip
    return run_of_rows(rows)


@pytest.mark.parametrize(
    ("n_worth", "by", "first"), [(25, "label_worth", "bravo"), (24, "people", "alpha")]
)
def test_people_s_worth_decides_before_their_relevance(n_worth: int, by: str, first: str) -> None:
    order = order_systems(worth_run(n_worth))
    assert (order.by.name, names(order)[0]) == (by, first)
    assert order.is_by_people
    assert list(order.agreements) == (["label_worth", "people"] if n_worth == 25 else ["people"])
    assert order.people is not None
    assert order.people.name == by
    by_relevance = order_systems(worth_run(n_worth), "relevance")
    assert by_relevance.other_measure is not None
    assert by_relevance.other_measure.name == by


def test_intervals_of_differences_end_at_the_largest_possible_difference() -> None:
    rows = [
        {"system": name, "change": at, "score": score if at else 0.4, "label_worth": worth}
        for at in range(8)
        for name, score, worth in (("alpha", 1.0, 5.0 - (not at)), ("bravo", 0.0, 1.0))
    ]
    order = order_systems(run_of_rows(rows), "worth")
    assert order.pairs["high"].tolist() == [4.0]
    assert order.pairs["other_high"].tolist() == [1.0]


def test_systems_with_significantly_fewer_right_reviews_are_named() -> None:
    order = order_systems(worth_run(25, right={"alpha": 0.1, "bravo": 0.9}))
    assert order.fewer_right == {"alpha": ["bravo"]}
    text = " ".join(verdict(order))
    assert "share of right reviews is significantly lower for alpha than for bravo." in text
    right = {"alpha": 0.5, "bravo": 0.9, "charlie": 0.1, "delta": 0.9}
    several = order_systems(run_of_systems(dict.fromkeys(right, 0.5), 8, label_right=right))
    assert several.fewer_right["charlie"] == ["bravo", "delta", "alpha"]
    assert "lower for alpha than for bravo and delta; for charlie than for bravo, delta and" in (
        " ".join(verdict(several))
    )
    assert not order_systems(worth_run(25, right={"alpha": 0.9, "bravo": 0.9})).fewer_right
    assert not order_systems(worth_run(25)).fewer_right
