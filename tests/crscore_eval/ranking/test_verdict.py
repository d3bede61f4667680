"""Sentences about an order: what they claim, and what they must not omit."""

import pytest

from crscore_eval.export.shown import pairs_caption, pairs_table
from crscore_eval.ranking.order import Order, order_systems
from crscore_eval.ranking.verdict import details, headline, order_basis, verdict
from crscore_eval.table import Run
from tests.crscore_eval.ranking.runs_of_rows import Value, run_of_systems

TWO = {"alpha": 0.6, "bravo": 0.4}
EQUAL = dict.fromkeys(TWO, 0.5)
THREE = {"alpha": 0.6, "bravo": 0.4, "charlie": 0.2}


def claims(order: Order, higher: str, lower: str) -> bool:
    """Return True if a sentence claims that one system is higher than another."""
    claim = order.by.conclusion(higher, lower).lower()
    return any(sentence.lower().startswith(claim) for sentence in verdict(order))


@pytest.mark.parametrize("by", ["relevance", "no_threshold", "conciseness", "comprehensiveness"])
def test_a_significant_order_is_claimed_in_the_measure_s_own_words(by: str) -> None:
    order = order_systems(run_of_systems(THREE, 24), by)
    assert claims(order, "alpha", "bravo")
    assert "over 24 changes; p < 0.001 after" in dict(details(order))["first place"]
    assert "worth saying" in " ".join(verdict(order))


@pytest.mark.parametrize(("systems", "n_changes", "swing"), [
    (TWO, 5, 0.0),  # too few changes
    ({"alpha": 0.6, "bravo": 0.55}, 12, 0.1),  # no significant difference
    ({"alpha": 0.6}, 12, 0.0),  # nothing to compare with
])  # fmt: skip
def test_an_insignificant_order_is_no_claim(
    systems: dict[str, float], n_changes: int, swing: float
) -> None:
    order = order_systems(run_of_systems(systems, n_changes, swing=swing))
    assert not claims(order, "alpha", "bravo")
    assert "alpha" in " ".join(verdict(order)[:2])


def test_a_shared_first_place_has_the_corrected_p_that_its_interval_does_not_show() -> None:
    """Differences of ada and zoe: 0 0 .1 .2 .3 .3, so t = .15 / (.138 / sqrt 6), p = 3 * .0447."""
    zoe = [0.6, 0.6, 0.5, 0.4, 0.3, 0.3].__getitem__
    systems: dict[str, Value] = {"ada": 0.6, "zoe": zoe, "bo": lambda at: 0.85 * (at % 2)}
    order = order_systems(run_of_systems(systems, (12, 6, 12)))
    said = "+0.150 (95% interval +0.005 to +0.295) over 6 changes; p = 0.134 after Holm's"
    figures = f"ada minus zoe: difference {said} correction for 3 comparisons."
    assert dict(details(order))["first place"] == figures


def test_a_verdict_separates_systems_tied_with_the_first_from_lower_ones() -> None:
    order = order_systems(
        run_of_systems({"alpha": 0.6, "bravo": 0.55, "charlie": 0.1}, 12, swing=0.1)
    )
    assert headline(order)[1] == "First place is undecided between alpha and bravo, by relevance."
    assert order.systems["place"].tolist() == ["1 to 2", "1 to 2", "3"]
    assert order.pairs["sign"].tolist() == [0, 1, 1]
    assert pairs_table(order)["p"].tolist() == ["0.425", "<0.001", "<0.001"]


@pytest.mark.parametrize("close", [{}, {"close": lambda at: 0.35 if at < 9 else 0.95}])
def test_the_highest_mean_is_not_called_better_if_it_is_lower_where_both_reviewed(
    close: dict[str, Value],  # a reviewer whose mean is about as high as alpha's
) -> None:
    scores: dict[str, Value] = {"alpha": lambda at: 0.4 if at < 8 else 0.95, "bravo": 0.6}
    order = order_systems(run_of_systems(scores | close, (16, 8, 16)[: 2 + len(close)]))
    pair = order.pairs[(order.pairs["higher"] == "alpha") & (order.pairs["lower"] == "bravo")]
    assert pair[["sign", "changes"]].to_numpy().tolist() == [[-1, 8]]
    assert not claims(order, "alpha", "bravo")
    assert verdict(order)[1].startswith("alpha has the highest mean")
    assert order.by.conclusion("bravo", "alpha") in verdict(order)[1]
    assert "Negative: on these changes, the order is reversed" in pairs_caption(order)


def worth_of_first(n_answers: int) -> Run:
    """A run of six systems on nine changes, whose first reviews have ratings of worth."""
    run = run_of_systems(dict.fromkeys("abcdef", 0.5), 9)
    worth = [4.0 if row < n_answers else float("nan") for row in range(54)]
    return run._replace(reviews=run.reviews.assign(label_worth=worth))


@pytest.mark.parametrize("run", [
    run_of_systems(TWO, 24, label_right=EQUAL), run_of_systems(TWO, 30, {"alpha": 2}),
    worth_of_first(54), run_of_systems(EQUAL, 8, label_useful=TWO, label_equal=EQUAL),
])  # fmt: skip
def test_without_enough_ratings_the_verdict_opens_with_that(run: Run) -> None:
    sentences = verdict(order_systems(run))
    assert sentences[0].startswith("This order does not show whose reviews are better")
    assert sentences[0].endswith("at least 50 reviews of at least 10 changes are worth saying.")
    assert "agree" not in " ".join(sentences)


def test_equal_differences_on_few_changes_share_first_place() -> None:
    worth = {"Ines": 5.0, "echo-bot": 2.0, **dict.fromkeys("abcd", 5.0)}
    order = order_systems(run_of_systems(dict.fromkeys(worth, 0.5), 6, label_worth=worth), "worth")
    assert verdict(order)[0].startswith("First place is undecided between Ines, a, b, c, d and 1")


def test_names_of_systems_are_short_and_on_one_line() -> None:
    run = run_of_systems({"a\nb" + "x" * 100: 0.6, "bravo": 0.4}, 8)
    first = verdict(order_systems(run))[1]
    assert "\n" not in first
    assert "x" * 100 not in first


def test_the_basis_counts_ratings() -> None:
    worth: dict[str, Value] = dict.fromkeys(TWO, lambda at: 3.0 if at < 27 else None)
    words = order_basis(order_systems(run_of_systems(TWO, 30, {"alpha": 2, "bravo": 4})))
    assert "of 30 changes by 2 reviewers; of 60 reviews, people rated 60 for relevance." in words
    words = order_basis(order_systems(run_of_systems(TWO, 30, label_worth=worth, own=TWO)))
    assert "of 60 reviews, people rated 54 for worth" in words
    assert "own" not in words


def test_a_judge_is_named_as_a_language_model() -> None:
    order = order_systems(run_of_systems(TWO, 30, judge_gpt_right=TWO), "judge_gpt_right")
    assert claims(order, "alpha", "bravo")
    assert "language model" in " ".join(verdict(order))
