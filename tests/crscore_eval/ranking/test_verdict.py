"""Sentences about an order: what they claim and what they must not leave out."""

import pytest

from crscore_eval.export.shown import pairs_caption
from crscore_eval.ranking.order import Order, order_systems
from crscore_eval.ranking.verdict import order_basis, significance, verdict
from tests.crscore_eval.ranking.runs_of_rows import run_of_rows, run_of_systems

TWO = {"alpha": 0.6, "bravo": 0.4}
THREE = {"alpha": 0.6, "bravo": 0.4, "charlie": 0.2}
WORTH = "worth saying"


def claims(order: Order, higher: str, lower: str) -> bool:
    """Return True if a sentence claims that one system is higher than another."""
    claim = order.by.conclusion_template.format(one=higher, other=lower).lower()
    return any(sentence.lower().startswith(claim) for sentence in verdict(order))


@pytest.mark.parametrize("by", ["relevance", "no_threshold", "conciseness", "comprehensiveness"])
def test_a_significant_order_is_claimed_by_the_measure_s_own_words(by: str) -> None:
    order = order_systems(run_of_systems(THREE, 24), by)
    assert claims(order, "alpha", "bravo")
    assert "24 changes" in verdict(order)[1]
    assert WORTH in " ".join(verdict(order))


@pytest.mark.parametrize(
    ("systems", "n_changes", "swing"),
    [
        (TWO, 5, 0.0),  # too few changes
        ({"alpha": 0.6, "bravo": 0.55}, 12, 0.1),  # no significant difference
        ({"alpha": 0.6}, 12, 0.0),  # nothing to compare with
    ],
)
def test_nothing_is_claimed_of_an_order_that_is_not_significant(
    systems: dict[str, float], n_changes: int, swing: float
) -> None:
    order = order_systems(run_of_systems(systems, n_changes, swing=swing))
    assert not claims(order, "alpha", "bravo")
    assert "alpha" in " ".join(verdict(order)[:2])


def test_a_verdict_separates_systems_tied_with_the_first_from_lower_ones() -> None:
    order = order_systems(
        run_of_systems({"alpha": 0.6, "bravo": 0.55, "charlie": 0.1}, 12, swing=0.1)
    )
    _, tied, lower, *_ = verdict(order)
    assert ("bravo" in tied, "charlie" in tied) == (True, False)
    assert ("charlie" in lower, "bravo" in lower) == (True, False)
    found = [significance(row) for _, row in order.pairs.iterrows()]
    assert found == ["no, p 0.425", "yes, p <0.001", "yes, p <0.001"]


def test_the_highest_mean_is_not_called_better_if_it_is_lower_where_both_reviewed() -> None:
    rows = [{"system": "alpha", "change": at, "score": 0.4 if at < 8 else 0.95} for at in range(16)]
    rows += [{"system": "bravo", "change": at, "score": 0.6} for at in range(8)]
    order = order_systems(run_of_rows(rows))
    assert order.pairs[["sign", "changes"]].to_numpy().tolist() == [[-1, 8]]
    assert order.systems["place"].tolist() == ["1 to 2"] * 2
    assert not claims(order, "alpha", "bravo")
    assert order.by.conclusion_template.format(one="bravo", other="alpha") in verdict(order)[1]


@pytest.mark.parametrize(
    ("n_changes", "ratings", "rated"),
    [
        (24, {}, "Nobody rated"),
        (24, {"alpha": 2}, "Rated: 24 of 48 reviews of 24 changes."),
        (
            24,
            {"alpha": 4, "bravo": 2},
            "to order by these ratings, choose people (--by people).",
        ),
        (30, {"alpha": 2}, "Rated: 30 of 60 reviews of 30 changes."),
    ],
)
def test_without_enough_ratings_the_verdict_opens_with_that(
    n_changes: int, ratings: dict[str, float], rated: str
) -> None:
    sentences = verdict(order_systems(run_of_systems(TWO, n_changes, ratings)))
    assert "at least 50 reviews of at least 10 changes" in sentences[0]
    assert rated in sentences[0]
    assert "agree" not in " ".join(sentences)


@pytest.mark.parametrize(
    ("n_answers", "rated"),
    [
        (
            54,
            "of 9 changes; to order by these ratings, choose worth (--by worth).",
        ),
        (15, "Rated: 15 of 54 reviews of 3 changes."),  # too few for another order
    ],
)
def test_ratings_are_offered_as_an_order_if_there_are_enough(n_answers: int, rated: str) -> None:
    run = run_of_systems(dict.fromkeys("abcdef", 0.5), 9)
    worth = [4.0 if row < n_answers else float("nan") for row in range(54)]
    run = run._replace(reviews=run.reviews.assign(label_worth=worth))
    assert rated in verdict(order_systems(run))[0]


def test_a_system_that_is_ahead_on_all_changes_shares_first_place_only_for_a_reason() -> None:
    worth = {"Ines": 5.0, "echo-bot": 2.0, **dict.fromkeys("abcd", 5.0)}
    order = order_systems(run_of_systems(dict.fromkeys(worth, 0.5), 6, label_worth=worth), "worth")
    sharing, ahead, *_ = verdict(order)
    assert sharing.startswith("Ines, a, b, c and d share first place: they do not differ signif")
    assert ahead == (
        "Ines is ahead of echo-bot by people's rating of worth on all changes, but 6 changes are "
        "too few for significance after Holm's correction for 15 comparisons (Ines minus echo-bot: "
        "difference +3.000 over 6 changes)."
    )
    assert (
        "15 pairs with the same difference on all, one change counts as if it had none"
        in pairs_caption(order)
    )
    assert order_basis(order).endswith("is over changes and says nothing about other raters.")


def test_labels_that_differ_are_offered_where_ratings_are_too_few() -> None:
    equal = dict.fromkeys(TWO, 0.5)
    run = run_of_systems(equal, 8, label_useful=TWO, label_equal=equal)
    assert "a label: label_useful." in verdict(order_systems(run))[0]
    assert "No column was read as ratings" in verdict(order_systems(run))[0]


def test_left_out_systems_are_named_with_the_reason() -> None:
    run = run_of_systems({**THREE, "delta": 0.9}, 30, {"alpha": 3, "bravo": 4, "charlie": 1})
    assert any("delta" in sentence for sentence in verdict(order_systems(run)))


def test_names_of_systems_are_for_readers_and_on_one_line() -> None:
    run = run_of_systems({"a\nb" + "x" * 100: 0.6, "bravo": 0.4}, 8)
    first = verdict(order_systems(run), lambda name: name.replace("bravo", "Bravo 2"))[1]
    assert "Bravo 2" in first
    assert "\n" not in first
    assert "x" * 100 not in first


@pytest.mark.parametrize(
    ("raters", "parts"),
    [
        ({}, ["people rated 60 of 60 reviews."]),
        ({"Bob": 60, "Ann": 4}, ["60 of 60 reviews", "64 ratings", "Bob 60", "Ann 4"]),
    ],
)
def test_a_verdict_says_how_many_ratings_of_how_many_reviews_it_rests_on(
    raters: dict[str, int], parts: list[str]
) -> None:
    run = run_of_systems(TWO, 30, {"alpha": 2, "bravo": 4})
    run = run._replace(settings={**run.settings, "raters": raters})
    words = order_basis(order_systems(run))
    assert all(part in words for part in [*parts, "30 changes", "2 systems"])


def test_the_basis_of_an_order_by_worth_counts_ratings_of_worth() -> None:
    rows = [
        {"system": name, "change": change, "label_worth": 3.0 if change < 27 else None, "own": 1.0}
        for change in range(30)
        for name in TWO
    ]
    words = order_basis(order_systems(run_of_rows(rows)))
    assert "ratings of worth: 54 of 60 reviews" in words
    assert "own" not in words


def test_empty_reviews_are_counted() -> None:
    rows = [{"system": name, "change": at} for at in range(8) for name in TWO]
    rows[1] |= {"score": None}
    assert order_basis(order_systems(run_of_rows(rows))).endswith(" Scored 0: 1 empty review.")


def test_a_judge_is_named_as_a_language_model() -> None:
    order = order_systems(run_of_systems(TWO, 30, judge_gpt_right=TWO), "judge_gpt_right")
    assert claims(order, "alpha", "bravo")
    assert "language model" in " ".join(verdict(order))
