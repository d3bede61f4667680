"""Every case of every sentence of a verdict, against the numbers that it states."""

import pytest

from crscore_eval.export.shown import pairs_caption, systems_caption
from crscore_eval.ranking.order import order_systems
from crscore_eval.ranking.verdict import details, headline, order_basis, verdict
from tests.crscore_eval.ranking.runs_of_rows import Value, run_of_rows, run_of_systems


def test_a_comparison_of_orders_counts_every_pair() -> None:
    """By relevance: a, b and c equal, d, e. By people: c, a about as high as b, d; e is unrated."""
    scores = {"a": 0.8, "b": 0.6, "c": 0.6, "d": 0.1, "e": 0.05}
    order = order_systems(run_of_systems(scores, 12, {"a": 2, "b": 2.05, "c": 4, "d": 1}))
    assert headline(order)[0] == (
        "People's ratings of relevance differ significantly in 5 of 6 tested pairs of reviewers; "
        "relevance orders 1 of these the other way."
    )
    rows = dict(details(order))
    assert rows["pairs of reviewers"] == (
        "By relevance and people's ratings of relevance (48 rated reviews): 3 in the same order, "
        "2 in the opposite order, 1 tied by people or by the measure, 4 without values of both. "
        "Opposite to people's significant order (p by relevance): a above c (p < 0.001)."
    )


@pytest.mark.parametrize("by", [None, "relevance"])
@pytest.mark.parametrize(("bravo", "swing"), [(0.4, 0.0), (0.55, 0.4)])
def test_contradicted_pairs_are_named_next_to_the_best(by: str, bravo: float, swing: float) -> None:
    run = run_of_systems({"a": 0.6, "b": bravo}, 30, {"a": 2, "b": 4}, swing)
    order = order_systems(run, by)
    first, contradiction = headline(order)[:2] if by is None else headline(order)[1::-1]
    assert contradiction.endswith(
        "1 tested pair of reviewers; relevance orders 1 of these the other way."
    )
    p = "p = 0.739" if swing else "p < 0.001"
    assert dict(details(order))["pairs of reviewers"].endswith(f" by relevance): a above b ({p}).")
    assert ("for b than for a" in first) == (by is None)
    agreed = order_systems(run_of_systems({"a": 0.6, "b": bravo}, 30, {"a": 4, "b": 2}, swing), by)
    assert headline(agreed)[1].endswith("orders none of these the other way.")
    assert "Opposite" not in dict(details(agreed))["pairs of reviewers"]


def test_a_pair_is_ranked_by_the_changes_that_both_reviewed() -> None:
    """By relevance, alpha's mean is higher, but bravo's on the changes that both reviewed."""
    scores: dict[str, Value] = {"alpha": lambda at: 0.4 if at < 20 else 0.95, "bravo": 0.6}
    run = run_of_systems(scores, (40, 20), {"alpha": 4, "bravo": 2})
    order = order_systems(run, "relevance")
    assert "20 changes in common" in order_basis(order)
    assert order.pairs[["orders", "contradicted"]].to_numpy().tolist() == [
        ["in the opposite order", True]
    ]
    assert dict(details(order))["pairs of reviewers"].endswith("bravo above alpha (p < 0.001).")


def test_people_s_untested_preference_is_not_called_insignificant() -> None:
    order = order_systems(run_of_systems({"a": 0.6, "b": 0.4}, 5, {"a": 2, "b": 4}), "relevance")
    assert dict(details(order))["pairs of reviewers"].endswith("reviews): 1 in the opposite order.")
    captions = order_basis(order), systems_caption(order), pairs_caption(order)
    text = " ".join([*verdict(order), *captions])
    for absent in ("Significance", "significantly", "95% intervals"):
        assert absent not in text


@pytest.mark.parametrize(("systems", "ratings", "said"), [
    ({"a": 0.6, "b": 0.4}, {"a": 3},
     "compared with a by people's ratings of relevance (mean 3.000).|Left out: b (no value"),
    ({"a": 0.6, "b": 0.4}, {"a": 3, "b": 3}, "undefined: all labels are equal."),
])  # fmt: skip
def test_what_cannot_be_compared_is_stated(
    systems: dict[str, Value], ratings: dict[str, Value], said: str
) -> None:
    run = run_of_systems(systems, 60)
    rating = run.reviews["system"].map(ratings).astype(float)
    order = order_systems(run._replace(reviews=run.reviews.assign(human_relevance=rating)))
    for part in said.split("|"):
        assert part in " ".join(verdict(order))
    assert "95% intervals" not in pairs_caption(order)


@pytest.mark.parametrize(("means", "words"), [
    ([1, 0.5, 0.5], "lower: b than a (p < 0.001); c than a (p < 0.001), after Holm's"),
    ([0, 1, 0], "a than b (p < 0.001); c than b (p < 0.001), after Holm's correction for 3 comp"),
    ([1.0] * 5, ""),
    ([0.7, lambda at: at % 2, 0.3], "Significantly lower: c than a (p < 0.001), after"),
])  # fmt: skip
def test_a_label_names_each_system_that_is_significantly_below_another(
    means: list[Value], words: str
) -> None:
    labels = dict(zip("abcde", means, strict=False))
    scores = {name: 0.9 - number / 10 for number, name in enumerate(labels)}
    order = order_systems(run_of_systems(scores, 12, label_right=labels))
    found = dict(details(order)).get("label right", "")
    assert words in found
    assert bool(found) is bool(words)
    assert "as if one had none" in pairs_caption(order)


def test_a_measure_of_the_order_is_not_a_label_too_and_has_its_own_number_of_reviews() -> None:
    worth: dict[str, Value] = {
        "a": lambda at: 4.0 if at < 8 else None, "b": lambda at: 4.0 if at < 7 else None
    }  # fmt: skip
    run = run_of_systems({"a": 0.6, "b": 0.4}, 12, label_worth=worth)
    labels = dict.fromkeys(("label_0", "label_1", "label_2", "label_3"), 1.0)
    order = order_systems(run._replace(reviews=run.reviews.assign(**labels)))
    assert order.other_measure is not None
    assert order.other_measure.name == "label_worth"
    assert order.systems["other_n"].tolist() == [8, 7]
    assert [*order.label_pairs] == [*labels]


def test_a_mean_is_over_changes_and_so_is_that_of_a_label() -> None:
    scores = [(0, 1.0), (0, 1.0), (0, 1.0), *((change, 0.0) for change in range(6))]
    rows = [{"system": "a", "change": at, "score": of, "label_right": of} for at, of in scores]
    systems = order_systems(run_of_rows(rows)).systems
    assert systems[["mean", "label_right"]].to_numpy().tolist() == [pytest.approx([0.125] * 2)]
    assert systems[["n", "n_label_right"]].to_numpy().tolist() == [[9, 9]]
