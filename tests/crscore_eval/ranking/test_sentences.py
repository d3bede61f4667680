"""Every case of every sentence of a verdict, against the numbers that it states."""

import itertools

import pytest

from crscore_eval.ranking.order import order_systems
from crscore_eval.ranking.verdict import OrdersFacts, compare_orders, contradiction, verdict
from tests.crscore_eval.ranking.runs_of_rows import run_of_rows, run_of_systems

PAIRS = ("A above B", "C above D")


@pytest.mark.parametrize(
    ("same", "tied", "n_opposite", "n_significant", "n_untested"),
    [
        case
        for case in itertools.product(range(3), range(3), range(3), range(3), range(3))
        if case[3] + case[4] <= case[2]
    ],
)
def test_a_comparison_of_orders_counts_every_pair(
    same: int, tied: int, n_opposite: int, n_significant: int, n_untested: int
) -> None:
    facts = OrdersFacts(same, tied, PAIRS[:n_opposite], n_significant, n_untested)
    text = " ".join(compare_orders("Relevance ranks", facts))
    total = same + tied + n_opposite
    assert ("the systems in the same order" in text) is (total == same > 0)
    assert (text == "") is (total == 0)
    assert all((pair in text) is (pair in facts.opposite) for pair in PAIRS)
    assert not {"none", "0"} & {*text.replace(".", " ").split()}
    assert ("ied by people or by the measure" in text) is (tied > 0)
    n_other = n_opposite - n_significant - n_untested
    for part, n in (("is significant", n_significant), ("not significant", n_other),
                    ("not tested", n_untested)):  # fmt: skip
        assert (part in text) is (n > 0), part
        assert (f"{part} in {n}" in text) is (0 < n < n_opposite), part
    assert ("preference" in text) is (n_opposite > 0)


@pytest.mark.parametrize("by", [None, "relevance"])
@pytest.mark.parametrize(("bravo", "swing"), [(0.4, 0.0), (0.55, 0.4)])
def test_the_headline_counts_the_pairs_that_people_significantly_prefer_otherwise(
    by: str | None, bravo: float, swing: float
) -> None:
    run = run_of_systems({"a": 0.6, "b": bravo}, 30, {"a": 2, "b": 4}, swing)
    text = contradiction(order_systems(run, by))
    assert text.startswith("In 1 of 1 pair of systems people's preference is significant and")
    assert "relevance points the other way" in text
    agreed = run_of_systems({"a": 0.6, "b": bravo}, 30, {"a": 4, "b": 2}, swing)
    assert contradiction(order_systems(agreed, by)) == ""


def test_people_s_preference_for_a_system_with_the_higher_mean_is_named_that_way() -> None:
    """By relevance, alpha's mean is higher, but bravo's on the changes that both reviewed."""
    rows = [
        {"system": name, "change": at, "score": score, "rating": rating + (-1) ** at * 0.2}
        for at in range(40)
        for name, score, rating in (("alpha", 0.4 if at < 20 else 0.95, 4), ("bravo", 0.6, 2))
        if name == "alpha" or at < 20
    ]
    order = order_systems(run_of_rows(rows), "relevance")
    assert order.pairs[["orders", "contradicted"]].to_numpy().tolist() == [["opposite", True]]
    assert "(alpha above bravo)" in " ".join(verdict(order))


def test_people_s_untested_preference_is_not_called_insignificant() -> None:
    order = order_systems(run_of_systems({"a": 0.6, "b": 0.4}, 5, {"a": 2, "b": 4}), "relevance")
    text = " ".join(verdict(order))
    assert "preference is not tested (too few changes)." in text
    assert "significant" not in text


@pytest.mark.parametrize(("means", "is_named"), [((1, 0.5, 0), False), ((1, 0, 0.5), True)])
def test_a_label_that_reverses_any_pair_is_given_with_its_counts(
    means: tuple[float, float, float], is_named: bool
) -> None:
    rows = [
        {"system": name, "change": change, "score": score, "label_right": value}
        for change in range(12)
        for name, score, value in zip("abc", (0.8, 0.5, 0.2), means, strict=True)
    ]
    rows[0]["label_right"] = None
    text = " ".join(verdict(order_systems(run_of_rows(rows))))
    assert ("The label right gives another order" in text) is is_named
    assert ("a 1.000 (11 reviews), c 0.500 (12 reviews), b 0.000" in text.replace(";", ",")) is (
        is_named
    )


def _labelled(means: dict[str, float]) -> str:
    """The verdict on systems whose relevance falls from the first to the last."""
    scores = {name: 0.9 - number / 10 for number, name in enumerate(means)}
    return " ".join(verdict(order_systems(run_of_systems(scores, 12, label_right=means))))


def test_ties_by_a_label_are_called_ties_and_the_lowest_system_is_always_named() -> None:
    text = _labelled({"a": 1, "f": 0.25, "b": 1, "c": 1, "d": 1, "e": 1})
    assert "a, b, c, d and e tied at 1.000 (60 reviews together); f 0.250 (12 reviews)." in text
    text = _labelled(dict(zip("gabcdef", (0.1, 1, 0.9, 0.8, 0.7, 0.6, 0.5), strict=True)))
    for part in ("a 1.000 (12 reviews);", "3 more in between;", "lowest: g 0.100 (12 reviews)."):
        assert part in text


def test_a_label_that_only_ties_systems_gives_no_other_order() -> None:
    assert "another order" not in _labelled(dict.fromkeys("abcde", 1.0))
    assert "another order" not in _labelled({"a": 0.9, "b": 0.9001, "c": 0.5})


def test_a_measure_of_the_order_is_not_a_label_too_and_has_its_own_number_of_reviews() -> None:
    rows = [
        {"system": name, "change": at, "score": score, "label_worth": 4.0 if at < n else None,
         **{f"label_{number}": 1.0 for number in range(4)}}
        for at in range(12)
        for name, score, n in (("a", 0.6, 8), ("b", 0.4, 7))
    ]  # fmt: skip
    order = order_systems(run_of_rows(rows))
    assert order.other_measure is not None
    assert order.other_measure.name == "label_worth"
    assert order.systems["other_n"].tolist() == [8, 7]
    assert order.labels == ["label_0", "label_1", "label_2"]
    assert order.other_labels == ["label_3"]


def test_a_mean_is_over_changes_and_so_is_that_of_a_label() -> None:
    rows = [
        {"system": "a", "change": change, "score": score, "label_right": score}
        for change in range(6)
        for score in ((1.0, 1.0, 1.0, 0.0) if change == 0 else (0.0,))
    ]
    order = order_systems(run_of_rows(rows))
    assert order.systems["mean"][0] == pytest.approx(0.75 / 6)
    assert order.systems["label_right"][0] == pytest.approx(0.75 / 6)
    assert (order.systems["n"][0], order.systems["n_label_right"][0]) == (9, 9)
