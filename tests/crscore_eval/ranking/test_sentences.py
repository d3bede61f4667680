"""Every case of every sentence of a verdict, against the numbers that it states."""

import itertools

import pandas as pd
import pytest

from crscore_eval.ranking.order import order_systems
from crscore_eval.ranking.verdict import compare_orders, verdict
from tests.crscore_eval.ranking.runs_of_rows import run_of_rows, run_of_systems

CASES = {
    "in the same order": ("same", "significant"),
    "tied by people or by the measure": ("tied", "not significant"),
    "without values of both": ("unknown", "not tested (too few changes)"),
    "people's preference is significant": ("opposite", "significant"),
    "people's preference is not significant": ("opposite", "not significant"),
    "people's preference is not tested (too few changes)": (
        "opposite",
        "not tested (too few changes)",
    ),
}


@pytest.mark.parametrize("times", [*itertools.product((0, 1, 2), repeat=len(CASES))][::7])
def test_a_comparison_of_orders_counts_every_pair(times: tuple[int, ...]) -> None:
    rows = [
        (orders, f"{preference} {number} above x", preference)
        for (orders, preference), n in zip(CASES.values(), times, strict=True)
        for number in range(n)
    ]
    pairs = pd.DataFrame(rows, columns=["orders", "systems", "preference"])
    text = " ".join(compare_orders("Relevance ranks", pairs))
    n_opposite, n_unknown = sum(times[3:]), times[2]
    assert (text == "") is (len(rows) == n_unknown)
    if not text:
        return
    assert text.startswith(f"Relevance ranks {len(rows)} pair")
    assert (f"{n_opposite} in the opposite order" in text) is (n_opposite > 0)
    for words, n, (orders, preference) in zip(CASES, times, CASES.values(), strict=True):
        if orders != "opposite":
            assert (f"{n} {words}" in text) is (n > 0)
            continue
        assert (f"{words}: " in text) is (n > 0)
        assert all(f"{preference} {number} above x" in text for number in range(n))


@pytest.mark.parametrize("by", [None, "relevance"])
@pytest.mark.parametrize(("bravo", "swing"), [(0.4, 0.0), (0.55, 0.4)])
def test_the_headline_counts_the_pairs_that_people_significantly_prefer_otherwise(
    by: str | None, bravo: float, swing: float
) -> None:
    run = run_of_systems({"a": 0.6, "b": bravo}, 30, {"a": 2, "b": 4}, swing)
    headline, *_, orders = verdict(order_systems(run, by))[:3]
    assert headline.startswith("In 1 of 1 pair of systems people's preference is significant and")
    assert "relevance points the other way" in headline
    first = "a above b" if by is None else "b above a"
    assert orders.endswith(f"where people's preference is significant: {first}.")
    agreed = run_of_systems({"a": 0.6, "b": bravo}, 30, {"a": 4, "b": 2}, swing)
    assert "the other way" not in " ".join(verdict(order_systems(agreed, by)))


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
    assert "preference is significant: alpha above bravo." in " ".join(verdict(order))


def test_people_s_untested_preference_is_not_called_insignificant() -> None:
    order = order_systems(run_of_systems({"a": 0.6, "b": 0.4}, 5, {"a": 2, "b": 4}), "relevance")
    text = " ".join(verdict(order))
    assert "preference is not tested (too few changes): a above b." in text.replace(
        "b above a", "a above b"
    )
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
    named = "1 of 3 pairs of systems in the opposite order: c (0.500, 12 reviews) above b (0.000"
    assert (f"The label right puts {named}" in text) is is_named


def _labelled(means: dict[str, float]) -> str:
    """The verdict on systems whose relevance falls from the first to the last."""
    scores = {name: 0.9 - number / 10 for number, name in enumerate(means)}
    return " ".join(verdict(order_systems(run_of_systems(scores, 12, label_right=means))))


def test_the_pairs_that_a_label_reverses_most_are_named_first() -> None:
    text = _labelled({"a": 0.5, "b": 0.1, "c": 0.6, "d": 0.1})
    pairs = "c (0.600, 12 reviews) above b (0.100, 12 reviews), significant: yes; c (0.600, 12"
    assert f"puts 2 of 6 pairs of systems in the opposite order: {pairs}" in text


def test_a_label_that_reverses_a_pair_by_chance_is_said_not_to_be_significant() -> None:
    rows = [
        {"system": name, "change": at, "score": score, "label_right": float(at % 5 > n_wrong)}
        for at in range(10)
        for name, score, n_wrong in (("Marta", 0.8, 1), ("Bo", 0.5, -1))
        if name == "Marta" or at > 1
    ]
    rows[3]["label_right"] = 0.0
    text = " ".join(verdict(order_systems(run_of_rows(rows))))
    assert "reviews), significant: no." in text


def test_a_label_that_only_ties_systems_gives_no_other_order() -> None:
    for means in (dict.fromkeys("abcde", 1.0), {"a": 0.9, "b": 0.9001, "c": 0.5}):
        assert "The label" not in _labelled(means)


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
