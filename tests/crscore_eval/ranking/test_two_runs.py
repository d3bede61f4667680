"""Reviews of the same change in two runs."""

import pytest

from crscore_eval.ranking.two_runs import compare_runs, lower_systems, pair_reviews
from tests.crscore_eval.ranking.runs_of_rows import TAU, bot, run_of_rows, run_of_systems


def test_the_pair_that_changed_most_is_first() -> None:
    found = pair_reviews(bot([0.5, 0.9, 0.2]), bot([0.4, 0.3, 0.2]), "relevance", TAU)
    assert found.pairs["row"].tolist() == found.pairs["earlier_row"].tolist() == [1, 0, 2]
    assert found.pairs["difference"].tolist() == pytest.approx([0.6, 0.1, 0.0])
    assert found[1:] == (0, 0, 0, 0)


def test_changes_and_reviews_without_a_counterpart_are_counted() -> None:
    run = run_of_rows([{"system": name, "change": at} for name, at in ("a0", "a0", "b0", "a1")])
    earlier = run_of_rows(
        [{"system": name, "change": at} for name, at in ("a0", "c0", "c0", "a2", "a3")]
    )
    found = pair_reviews(run, earlier, "relevance", TAU)
    assert found.pairs[["row", "earlier_row", "system"]].to_numpy().tolist() == [[0, 0, "a"]]
    assert found[1:] == (1, 2, 2, 2)


def test_systems_with_different_names_in_two_runs_are_paired_by_change() -> None:
    run, earlier = (run_of_systems({name: 0.5}, 3) for name in ("v1", "v2"))
    assert pair_reviews(run, earlier, "relevance", TAU).pairs["system"].tolist() == ["v1"] * 3


def test_an_empty_review_is_compared_as_zero_and_a_missing_rating_is_last() -> None:
    empty = pair_reviews(bot([None, 0.5]), bot([0.8, 0.5]), "relevance", TAU)
    assert empty.pairs["difference"].tolist() == pytest.approx([-0.8, 0.0])
    ratings = ({"label_worth": [float("nan"), 5]}, {"label_worth": [4, 4]})
    run, earlier = (bot([0.5, 0.5], labels) for labels in ratings)
    assert pair_reviews(run, earlier, "label_worth", TAU).pairs["row"].tolist() == [1, 0]


def test_a_system_with_a_significantly_lower_mean_is_named() -> None:
    now, before = (run_of_systems({"a": score, "b": 0.5}, 9) for score in (0.2, 0.6))
    comparison = compare_runs(now, before, ["relevance"])
    words = "lower than in the baseline: a (p < 0.001) by relevance, after Holm's"
    assert words in lower_systems(comparison, now)
    comparison["system"] = comparison["system"].replace("a", "unnamed")
    assert not lower_systems(comparison, now)
    assert not lower_systems(compare_runs(before, now, ["relevance"]), now)
