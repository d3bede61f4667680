"""Order of systems, on values made by hand."""

import pytest
from scipy import stats

from crscore_core.errors import InputError
from crscore_eval.ranking.order import (
    Order,
    answered_measures,
    changes_by_systems,
    order_document,
    order_systems,
)
from crscore_eval.ranking.verdict import order_basis, verdict
from crscore_eval.table import GROUND_TRUTH, Run
from tests.crscore_eval.ranking.runs_of_rows import Value, run_of_systems

TWO = {"alpha": 0.6, "bravo": 0.4}
THREE = {"alpha": 0.6, "bravo": 0.4, "charlie": 0.2}


def names(order: Order) -> list[str]:
    return order.systems["system"].tolist()


def places(order: Order) -> list[tuple[int, int]]:
    return list(zip(order.systems["first_place"], order.systems["last_place"], strict=True))


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


@pytest.mark.parametrize(("n_changes", "p", "sign"), [
    (5, float("nan"), 0),  # five changes can all point one way by chance
    (6, 3 * 2 * stats.t.sf(5, 5), 1),  # as if one change had no difference, times three pairs
])  # fmt: skip
def test_few_changes_are_not_tested_and_p_values_are_corrected(
    n_changes: int, p: float, sign: int
) -> None:
    order = order_systems(run_of_systems(THREE, n_changes))
    assert order.pairs["sign"].tolist() == [sign] * 3
    assert order.pairs["p"].tolist() == pytest.approx([p] * 3, nan_ok=True)
    assert places(order) == ([(1, 1), (2, 2), (3, 3)] if sign else [(1, 3)] * 3)


@pytest.mark.parametrize(("n_changes", "decide"), [(25, True), (24, False)])
def test_people_decide_from_fifty_rated_reviews_on(n_changes: int, decide: bool) -> None:
    run = run_of_systems(TWO, n_changes, {"alpha": 2, "bravo": 4})
    assert answered_measures(run) == {"people": decide}
    order = order_systems(run)
    assert order.is_by_people is decide
    assert names(order)[0] == ("bravo" if decide else "alpha")
    assert ("people" in order.agreements) is decide
    assert order.other_measure is not None
    chosen = order_systems(run, "relevance")
    assert (chosen.by.name, names(chosen)[0]) == ("relevance", "alpha")
    assert chosen.pairs["contradicted"].tolist() == [True]


@pytest.mark.parametrize(
    ("other", "n_changes", "n_different", "decide"),
    [("bravo", 25, 10, True), ("bravo", 25, 9, False), ("msg", 49, 49, False)],
)
def test_people_decide_on_ten_changes(
    other: str, n_changes: int, n_different: int, decide: bool
) -> None:
    run = run_of_systems({"alpha": 0.6, other: 0.4}, n_changes, {"alpha": 2, other: 4})
    changes = [f"change {number % n_different}" for number in range(2 * n_changes)]
    few = run._replace(reviews=run.reviews.assign(change=changes))
    assert answered_measures(few) == {"people": decide}


def test_empty_reviews_score_0_also_if_a_system_has_no_others() -> None:
    scores = {**THREE, "alpha": lambda at: 0.6 if at else None, "charlie": None}
    order = order_systems(run_of_systems(scores, 7))
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
def test_systems_on_few_changes_are_left_out(changes: tuple[int, ...], left_out: list[str]) -> None:
    order = order_systems(run_of_systems(THREE, changes))
    assert order.left_out["system"].tolist() == left_out
    assert f"Based on relevance: {sum(changes) - 5 * len(left_out)} reviews" in order_basis(order)


def test_if_there_are_many_systems_those_with_the_most_reviews_are_compared() -> None:
    systems = dict.fromkeys((f"system {number}" for number in range(42)), 0.5)
    order = order_systems(run_of_systems(systems, [6] * 41 + [7]))
    assert (len(order.systems), len(order.left_out)) == (40, 2)
    assert "system 41" in names(order)


def test_a_run_without_a_value_has_no_order() -> None:
    run = run_of_systems(TWO, 6, label_no=dict.fromkeys(TWO, float("nan")))
    run = run._replace(changes=run.changes.assign(left_out="no claims"))
    truth = run._replace(reviews=run.reviews.assign(system=GROUND_TRUTH))
    no_value = r"6 changes cannot be scored.*one that reviews have"
    for of, by, words in (
        (run, "people", "ratings"), (run, "none", "measure"), (run, "label_no", no_value),
        (truth, None, "all reviews are reference reviews"),
    ):  # fmt: skip
        with pytest.raises(InputError, match=words):
            order_systems(of, by)


def test_a_tie_is_neither_the_same_nor_the_opposite_order() -> None:
    run = run_of_systems({"bravo": 0.4, "alpha": 0.6}, 30, {"alpha": 2, "bravo": 4})
    order = order_systems(run, "relevance", tau=1.0)
    assert order.pairs[["orders", "contradicted"]].to_numpy().tolist() == [
        ["tied by people or by the measure", False]
    ]
    assert names(order) == ["alpha", "bravo"]  # by name, not by the order of the file
    assert order.systems["ranks"].tolist() == ["1 to 2"] * 2
    assert order.systems["other_ranks"].tolist() == ["2", "1"]
    unrated = order_systems(run_of_systems(TWO, 8, {"alpha": 2}), "relevance")
    assert unrated.pairs["orders"].tolist() == ["without values of both"]


def test_the_document_has_intervals_of_figures_and_labels_by_their_names() -> None:
    run = run_of_systems(TWO, 8, swing=0.1, label_low=TWO, label_slow=TWO)
    first, _ = order_document(order_systems(run))["systems"]
    assert first["ci"][0] < first["mean"] < first["ci"][1]
    assert first["other_ci"] is None
    assert (first["label_low"], first["label_slow"]) == pytest.approx((0.6, 0.6))


def test_changes_are_ordered_by_the_gap_between_systems() -> None:
    alpha, bravo = [0.6, 0.9, 0.3, 0.2, 0.9], [0.4, 0.1, None, 0.8]
    run = run_of_systems({"alpha": lambda at: alpha[at], "bravo": lambda at: bravo[at]}, (5, 4))
    means = changes_by_systems(run, "relevance")
    assert means.index.tolist() == [f"change {number}" for number in (1, 3, 2, 0, 4)]
    assert [*means.loc["change 1"]] == pytest.approx([0.9, 0.1])
    assert [*means.loc["change 2"]] == pytest.approx([0.3, 0])  # an empty review scores 0
    assert [*means.loc["change 4"].isna()] == [False, True]


def worth_run(n_worth: int, *, right: dict[str, float] | None = None) -> Run:
    """Reviews of 30 changes by two systems, rated for relevance and, on `n_worth`, for worth."""
    worth: dict[str, Value] = {
        "alpha": lambda at: 2.0 if at < n_worth else None,
        "bravo": lambda at: 4.0 if at < n_worth else None,
    }
    ratings = {"alpha": 4.0, "bravo": 2.0}
    return run_of_systems(TWO, 30, ratings, label_worth=worth, label_right=right or {})


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


def test_systems_with_significantly_fewer_right_reviews_are_named() -> None:
    order = order_systems(worth_run(25, right={"alpha": 0.1, "bravo": 0.9}))
    assert (
        "Label right: Significantly lower: alpha than bravo (p < 0.001), after Holm's correction "
        "for 1 comparison."
    ) in verdict(order)
    right: dict[str, Value] = {"alpha": 0.5, "bravo": 0.9, "charlie": 0.1, "delta": 0.9}
    right["{echo}"] = lambda at: 1.0 if at < 3 else None
    several = order_systems(run_of_systems(dict.fromkeys(right, 0.5), 8, label_right=right))
    words = "lower: alpha than bravo (p = 0.001) and delta (p = 0.001); charlie than bravo "
    for said in (words, "6 comparisons. Not tested (too few labelled changes): {echo}."):
        assert said in " ".join(verdict(several))
    for right_shares in ({"alpha": 0.9, "bravo": 0.9}, {}):
        sentences = verdict(order_systems(worth_run(25, right=right_shares)))
        assert "Significantly lower" not in " ".join(sentences)
