"""Differences between two runs: reviews that both have, and how far their scores differ."""

import dataclasses

import numpy as np
import pytest

from crscore_core.corpus.comparison import CorpusComparison
from crscore_core.corpus.model import UNRATED, Ratings
from crscore_core.corpus.run.compare import compare_runs
from crscore_core.scoring import Precision
from crscore_core.statistics import rank_correlation
from tests.crscore_core.datasets.study.made_comparison import made_comparison, scoring


def with_diffs(comparison: CorpusComparison) -> CorpusComparison:
    """The changes told apart by their diffs, as real ones are."""
    changes = tuple(dataclasses.replace(one, diff=f"diff {one.id}") for one in comparison.changes)
    return dataclasses.replace(comparison, changes=changes)


def renamed(comparison: CorpusComparison, prefix: str) -> CorpusComparison:
    reviews = tuple(
        dataclasses.replace(one, id=f"{prefix}{one.id}", text=f"Text {number}.")
        for number, one in enumerate(comparison.reviews)
    )
    return dataclasses.replace(comparison, reviews=reviews)


def a_run(shares: list[float], encoder: str = "by hand") -> CorpusComparison:
    """Two reviews of each change, rated 1 to 5."""
    made = made_comparison(
        *(scoring(at // 2, share, 1 + at % 5) for at, share in enumerate(shares))
    )
    return dataclasses.replace(with_diffs(made), encoder=encoder)


ONE = a_run([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8])
OTHER = a_run([0.1, 0.4, 0.3, 0.4, 0.5, 0.5, 0.7, 0.8], encoder="another")


def test_means_and_differences_are_those_of_the_scores() -> None:
    found = compare_runs(ONE, OTHER, 0.5, 0.6)
    assert found.settings == {"encoder": ("by hand", "another"), "tau": ("0.5", "0.6")}
    assert found.matched.one.tolist() == found.matched.other.tolist() == list(range(8))
    for dimension in found.means:
        # (0.1 + ... + 0.8) / 8 and, with 0.2 -> 0.4 and 0.6 -> 0.5, 0.1 / 8 more
        assert dimension.one.value == pytest.approx(0.45)
        assert dimension.other.value == pytest.approx(0.4625)
        assert dimension.difference.value == pytest.approx(0.0125)
        interval = dimension.difference.interval
        assert interval is not None
        assert -0.05 <= interval.low < 0.0125 < interval.high <= 0.1


def test_the_largest_changes_come_first() -> None:
    found = compare_runs(ONE, OTHER, 0.5, 0.5)
    assert found.n_changed == 2
    rows = found.changed(10)
    assert list(rows["review"]) == [OTHER.reviews[1].id, OTHER.reviews[5].id]
    assert list(rows["relevance one"]) == pytest.approx([0.2, 0.6])
    assert list(rows["relevance other"]) == pytest.approx([0.4, 0.5])
    assert list(rows["relevance difference"]) == pytest.approx([0.2, -0.1])
    assert len(found.changed(1)) == 1


def test_an_empty_review_is_listed_without_a_score() -> None:
    empty, *rest = ONE.reviews
    empty = dataclasses.replace(empty, sentences=(), similarity=empty.similarity[:, :0])
    found = compare_runs(dataclasses.replace(ONE, reviews=(empty, *rest)), OTHER, 0.5, 0.5)
    row = found.changed(10).set_index("review").loc[empty.id]
    assert row["relevance other"] == pytest.approx(0.1)
    assert np.isnan([row["relevance one"], row["relevance difference"]]).all()


def test_a_run_differs_in_nothing_from_itself() -> None:
    found = compare_runs(ONE, ONE, 0.5, 0.5)
    assert found.settings == {}
    assert found.n_changed == found.n_other_texts == 0
    assert found.changed(10).empty
    assert all(one.difference.value == 0 for one in found.means)
    assert all(one.difference.value == 0 for one in found.agreement)
    assert not found.matched.only_one.size
    assert not found.matched.only_other.size


def test_another_tau_alone_changes_scores() -> None:
    found = compare_runs(ONE, ONE, 0.5, 0.99)
    assert found.settings == {"tau": ("0.5", "0.99")}
    assert found.n_changed == 0  # similarities of 1.5 exceed both
    high = compare_runs(ONE, ONE, 0.5, 2.0)
    assert high.n_changed == 8


def test_agreement_is_each_runs_correlation_with_people() -> None:
    found = compare_runs(ONE, OTHER, 0.5, 0.5)
    assert [one.measure for one in found.agreement] == [
        "relevance", "conciseness", "comprehensiveness",
    ]  # fmt: skip
    ratings = ONE.ratings[:, 2]
    one, other = (
        rank_correlation(run.scores([0.5])[2, 0], ratings).spearman for run in (ONE, OTHER)
    )
    assert one is not None
    assert other is not None
    relevance = found.agreement[0]
    assert relevance.n == 8
    assert relevance.one.value == pytest.approx(one)
    assert relevance.other.value == pytest.approx(other)
    assert relevance.difference.value == pytest.approx(other - one)
    assert relevance.difference.interval is not None


def predicting(comparison: CorpusComparison, more: float) -> CorpusComparison:
    """Predicted relevance of 0.3 and 0.5 by turns, and so much more."""
    reviews = tuple(
        dataclasses.replace(one, predicted=((0.3, 0.5)[at % 2] + more, 0.5, 0.5, 0.5))
        for at, one in enumerate(comparison.reviews)
    )
    return dataclasses.replace(comparison, reviews=reviews)


@pytest.mark.parametrize(("more", "is_opposite"), [(0.25, True), (-0.25, False), (0.0, False)])
def test_predicted_relevance_leads_and_the_runs_that_rel_orders_otherwise_are_told(
    more: float, is_opposite: bool
) -> None:
    """Rel of B is 0.1 lower everywhere."""
    lower = a_run([0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7])
    found = compare_runs(predicting(ONE, 0), predicting(lower, more), 0.5, 0.5)
    predicted, rel, *_ = found.means
    assert (predicted.measure, rel.measure) == ("predicted_relevance", "relevance")
    assert predicted.one.value == pytest.approx(0.4)
    assert predicted.difference.value == pytest.approx(more)
    assert rel.difference.value == pytest.approx(-0.1)
    assert found.agreement[0].measure == "predicted_relevance"
    assert list(found.changed(1).columns)[3] == "predicted_relevance one"
    assert len(found.disagreement) == is_opposite
    if is_opposite:
        assert found.disagreement[0].startswith(
            "By predicted relevance B is above A, 0.650 against 0.400, difference 0.250"
        )
    # A run without predictions leaves them out of the comparison.
    bare = compare_runs(ONE, predicting(lower, more), 0.5, 0.5)
    assert [one.measure for one in bare.means] == ["relevance", "conciseness", "comprehensiveness"]
    assert "predicted_relevance one" not in bare.changed(1)


def test_without_ratings_there_is_no_agreement() -> None:
    bare = tuple(dataclasses.replace(one, ratings=type(one.ratings)()) for one in ONE.reviews)
    unrated = dataclasses.replace(ONE, reviews=bare)
    found = compare_runs(unrated, unrated, 0.5, 0.5)
    assert (found.agreement, len(found.means), found.verdict) == ((), 3, "")


def test_reviews_that_were_rated_otherwise_are_counted_and_left_out() -> None:
    """Another rating, a dimension that one run alone has a rating of, and the same as before."""
    changed = (
        dataclasses.replace(OTHER.reviews[0], ratings=Ratings(1, 1, 5)),
        dataclasses.replace(OTHER.reviews[1], ratings=Ratings(None, 2, 2)),
        *OTHER.reviews[2:],
    )
    other = dataclasses.replace(OTHER, reviews=changed)
    found = compare_runs(ONE, other, 0.5, 0.5)
    assert found.n_other_ratings == 1
    assert {one.measure: one.n for one in found.agreement} == {
        "conciseness": 8, "comprehensiveness": 8, "relevance": 7,
    }  # fmt: skip
    expected = rank_correlation(ONE.scores([0.5])[2, 0, 1:], ONE.ratings[1:, 2]).spearman
    assert found.agreement[0].one.value == pytest.approx(expected)
    assert compare_runs(ONE, OTHER, 0.5, 0.5).n_other_ratings == 0


def test_reviews_without_a_shared_id_match_by_system_and_text() -> None:
    other = renamed(ONE, "new ")
    found = compare_runs(renamed(ONE, ""), other, 0.5, 0.5)
    assert found.matched.one.tolist() == found.matched.other.tolist() == list(range(8))
    of_two = dataclasses.replace(
        other, reviews=(dataclasses.replace(other.reviews[0], system="msg"), *other.reviews[1:])
    )
    found = compare_runs(renamed(ONE, ""), of_two, 0.5, 0.5)
    assert found.matched.only_one.tolist() == found.matched.only_other.tolist() == [0]


def test_the_same_text_twice_matches_in_order() -> None:
    twice = dataclasses.replace(
        ONE,
        reviews=tuple(dataclasses.replace(one, id=f"a{n}") for n, one in enumerate(ONE.reviews)),
    )
    found = compare_runs(ONE, twice, 0.5, 0.5)
    assert found.matched.other.tolist() == list(range(8))
    assert found.n_changed == 0


def test_an_id_counts_only_within_the_same_change() -> None:
    elsewhere = dataclasses.replace(
        ONE,
        changes=tuple(dataclasses.replace(one, diff=f"other {one.id}") for one in ONE.changes),
    )
    found = compare_runs(ONE, elsewhere, 0.5, 0.5)
    assert not found.matched.one.size
    assert found.matched.only_one.size == found.matched.only_other.size == 8
    assert [one.one.value for one in found.means] == [None] * 3
    assert [one.difference.value for one in found.means] == [None] * 3
    assert found.agreement == ()
    assert found.changed(10).empty


def test_another_text_under_the_same_id_is_counted() -> None:
    other = dataclasses.replace(
        ONE, reviews=(dataclasses.replace(ONE.reviews[0], text="New."), *ONE.reviews[1:])
    )
    found = compare_runs(ONE, other, 0.5, 0.5)
    assert found.n_other_texts == 1
    assert found.matched.one.size == 8


def test_order_does_not_matter() -> None:
    backwards = dataclasses.replace(ONE, reviews=ONE.reviews[::-1])
    found = compare_runs(ONE, backwards, 0.5, 0.5)
    assert found.matched.other.tolist() == list(range(8))[::-1]
    assert np.array_equal(found.scores_one[1:], found.scores_other[1:])


def test_empty_runs_compare() -> None:
    empty = dataclasses.replace(ONE, changes=(), reviews=())
    found = compare_runs(empty, empty, 0.5, 0.5)
    assert found.n_changed == 0
    assert found.changed(5).empty
    assert compare_runs(ONE, empty, 0.5, 0.5).matched.only_one.size == 8


def test_a_rating_that_one_run_has_counts_for_the_same_text_in_the_other() -> None:
    unrated = dataclasses.replace(
        OTHER, reviews=tuple(dataclasses.replace(one, ratings=UNRATED) for one in OTHER.reviews)
    )
    both = compare_runs(ONE, OTHER, 0.5, 0.5).agreement
    assert compare_runs(ONE, unrated, 0.5, 0.5).agreement == both
    assert compare_runs(unrated, OTHER, 0.5, 0.5).agreement[0].n == 8
    other_texts = dataclasses.replace(
        unrated, reviews=tuple(dataclasses.replace(one, text="x") for one in unrated.reviews)
    )
    assert compare_runs(ONE, other_texts, 0.5, 0.5).agreement == ()


@pytest.mark.parametrize(
    ("drop", "said"),
    [
        (-0.2, "B's reviews are clearly better than A's: predicted relevance 0.60 against 0.40"),
        (0.2, "B's reviews are clearly worse than A's: "),
        (0.0, "The reviews of A and B are not clearly different: "),
    ],
)
def test_the_verdict_is_over_the_changes_of_both_whatever_their_reviews(
    drop: float, said: str
) -> None:
    made = [
        with_diffs(made_comparison(*(scoring(at, 0.5, 3) for at in range(8)))) for _ in range(2)
    ]
    one, other = (
        dataclasses.replace(
            renamed(run, name),
            reviews=tuple(
                dataclasses.replace(review, predicted=(0.4 + shift, 0.5, 0.5, 0.5))
                for review in renamed(run, name).reviews
            ),
        )
        for run, name, shift in zip(made, ("a", "b"), (0.0, -drop), strict=True)
    )
    found = compare_runs(one, other, 0.5, 0.5)
    assert (found.verdict.startswith(said), found.settings) == (True, {})
    for name, unlike in {
        "encoder": dataclasses.replace(other, encoder="b"),
        "precision": dataclasses.replace(other, precision=Precision.BFLOAT16),
        "claims": dataclasses.replace(other, claims="b"),
        "analyzers": dataclasses.replace(other, analyzers=False),
    }.items():
        differing = compare_runs(one, unlike, 0.5, 0.5)
        assert differing.verdict.endswith(f"of A and B is by other {name}.")
        assert (list(differing.settings), differing.disagreement) == ([name], ())
