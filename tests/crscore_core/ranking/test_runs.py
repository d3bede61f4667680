"""Differences between two runs: reviews that both have, and how far their scores differ."""

import dataclasses

import numpy as np
import pytest
from scipy import stats

from crscore_core.corpus.model import DIMENSIONS, UNRATED, Ratings
from crscore_core.corpus.reviews import Reviews
from crscore_core.errors import InputError
from crscore_core.ranking.runs import COMPARED, compare_runs
from crscore_core.statistics import rank_correlation
from tests.crscore_core.corpus.made_reviews import altered
from tests.crscore_core.datasets.study.made_comparison import Made, made_comparison, scoring


def with_diffs(comparison: Reviews) -> Reviews:
    """The changes told apart by their diffs, as real ones are."""
    changes = tuple(dataclasses.replace(one, diff=f"diff {one.id}") for one in comparison.changes)
    return altered(comparison, changes=changes)


def renamed(comparison: Reviews, prefix: str) -> Reviews:
    reviews = tuple(
        dataclasses.replace(one, id=f"{prefix}{one.id}", text=f"Text {number}.")
        for number, one in enumerate(comparison)
    )
    return altered(comparison, reviews=reviews)


def a_run(shares: list[float], encoder: str = "by hand") -> Reviews:
    """Two reviews of each change, rated 1 to 5."""
    made = made_comparison(
        *(scoring(at // 2, share, 1 + at % 5) for at, share in enumerate(shares))
    )
    return altered(with_diffs(made), encoder=encoder)


SHARES = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8]
OTHER_SHARES = [0.1, 0.4, 0.3, 0.4, 0.5, 0.5, 0.7, 0.8]
ONE, OTHER = a_run(SHARES), a_run(OTHER_SHARES, encoder="another")


def test_means_and_differences_are_those_of_the_scores() -> None:
    one, other = a_run(2 * SHARES), a_run(2 * OTHER_SHARES, encoder="another")
    found = compare_runs(one, other, 0.5, 0.6)
    assert found.settings == {"encoder": ("by hand", "another"), "tau": ("0.5", "0.6")}
    assert found.matched.one.tolist() == found.matched.other.tolist() == list(range(16))
    for dimension in DIMENSIONS:
        of = found.means[dimension]
        # (0.1 + ... + 0.8) / 8 and, with 0.2 -> 0.4 and 0.6 -> 0.5, 0.1 / 8 more
        assert (of.other, of.one) == pytest.approx((0.45, 0.4625))
        # Changes differ by 0.1, 0, -0.05, 0 on average, twice.
        differences = 2 * [0.1, 0, -0.05, 0]
        expected = stats.ttest_1samp(differences, 0).confidence_interval()
        assert of.estimate.ends == pytest.approx(tuple(expected))


def test_the_largest_changes_come_first() -> None:
    found = compare_runs(ONE, OTHER, 0.5, 0.5)
    rows = found.changed
    assert list(rows["review"]) == [OTHER[1].id, OTHER[5].id]
    assert list(rows["relevance one"]) == pytest.approx([0.2, 0.6])
    assert list(rows["relevance other"]) == pytest.approx([0.4, 0.5])
    assert list(rows["relevance difference"]) == pytest.approx([0.2, -0.1])


def test_an_empty_review_is_listed_without_a_score() -> None:
    empty, *rest = ONE
    empty = dataclasses.replace(empty, sentences=(), similarity=empty.similarity[:, :0])
    found = compare_runs(altered(ONE, reviews=(empty, *rest)), OTHER, 0.5, 0.5)
    row = found.changed.set_index("review").loc[empty.id]
    assert row["relevance other"] == pytest.approx(0.1)
    assert np.isnan([row["relevance one"], row["relevance difference"]]).all()


def test_a_run_differs_in_nothing_from_itself() -> None:
    found = compare_runs(ONE, ONE, 0.5, 0.5)
    assert found.settings == {}
    assert found.n_other_texts == 0
    assert found.changed.empty
    assert all(of.estimate.value == 0 for of in found.means.values())
    assert all(of.difference.value == 0 for of in found.agreement.values())
    assert not found.matched.only_one.size
    assert not found.matched.only_other.size


def test_another_tau_alone_changes_scores() -> None:
    found = compare_runs(ONE, ONE, 0.5, 0.99)
    assert found.settings == {"tau": ("0.5", "0.99")}
    assert found.changed.empty  # similarities of 1.5 exceed both
    high = compare_runs(ONE, ONE, 0.5, 2.0)
    assert len(high.changed) == 8


def test_agreement_is_each_runs_correlation_with_people() -> None:
    found = compare_runs(ONE, OTHER, 0.5, 0.5)
    assert list(found.agreement) == list(COMPARED)
    ratings = ONE.ratings[:, 2]
    one, other = (
        rank_correlation(run.scores([0.5])[2, 0], ratings).spearman.value for run in (ONE, OTHER)
    )
    assert one is not None
    assert other is not None
    relevance = found.agreement["relevance"]
    assert relevance.n == 8
    assert relevance.one.value == pytest.approx(one)
    assert relevance.other.value == pytest.approx(other)
    assert relevance.difference.value == pytest.approx(other - one)
    assert relevance.difference.interval is not None


def test_without_ratings_there_is_no_agreement() -> None:
    bare = tuple(dataclasses.replace(one, ratings=type(one.ratings)()) for one in ONE)
    unrated = altered(ONE, reviews=bare)
    found = compare_runs(unrated, unrated, 0.5, 0.5)
    assert (found.agreement, list(found.means)) == ({}, list(COMPARED))


def test_a_review_that_both_runs_rated_has_the_mean_of_their_ratings() -> None:
    """Another rating, a dimension that one run alone has a rating of, and the same as before."""
    changed = (
        dataclasses.replace(OTHER[0], ratings=Ratings(1, 1, 5)),
        dataclasses.replace(OTHER[1], ratings=Ratings(None, 2, None)),
        *OTHER[2:],
    )
    found = compare_runs(ONE, altered(OTHER, reviews=changed), 0.5, 0.5)
    assert {name: of.n for name, of in found.agreement.items()} == dict.fromkeys(COMPARED, 8)
    ratings = [(1 + 5) / 2, *ONE.ratings[1:, 2]]
    expected = rank_correlation(ONE.scores([0.5])[2, 0], ratings).spearman.value
    assert found.agreement["relevance"].one.value == pytest.approx(expected)


def changed_first(comparison: Reviews, **changes: str) -> Reviews:
    first, *others = comparison
    return altered(comparison, reviews=(dataclasses.replace(first, **changes), *others))  # type: ignore[arg-type]


IN_ORDER = list(range(8))
OTHER_IDS = tuple(dataclasses.replace(one, id=f"a{n}") for n, one in enumerate(ONE))
TEXTS = renamed(ONE, "")


@pytest.mark.parametrize(
    ("one", "other", "matched", "other_texts"),
    [
        (TEXTS, renamed(ONE, "new "), IN_ORDER, 0),  # no shared id, but the same system and text
        (TEXTS, changed_first(renamed(ONE, "new "), system="msg"), IN_ORDER[1:], 0),
        (ONE, altered(ONE, reviews=OTHER_IDS), IN_ORDER, 0),  # the same text twice, in order
        (ONE, changed_first(ONE, text="New."), IN_ORDER, 1),
        (ONE, altered(ONE, reviews=ONE[::-1]), IN_ORDER[::-1], 0),
    ],
)
def test_reviews_match_by_id_or_by_system_and_text(
    one: Reviews, other: Reviews, matched: list[int], other_texts: int
) -> None:
    found = compare_runs(one, other, 0.5, 0.5)
    assert found.matched.other.tolist() == matched
    assert found.matched.only_one.size == found.matched.only_other.size == 8 - len(matched)
    assert found.n_other_texts == other_texts
    assert found.changed.empty


def test_an_id_counts_only_within_the_same_change() -> None:
    elsewhere = altered(
        ONE,
        changes=tuple(dataclasses.replace(one, diff=f"other {one.id}") for one in ONE.changes),
    )
    found = compare_runs(ONE, elsewhere, 0.5, 0.5)
    assert not found.matched.one.size
    assert found.matched.only_one.size == found.matched.only_other.size == 8
    assert (found.means, found.agreement) == ({}, {})
    assert found.changed.empty


def test_empty_runs_compare() -> None:
    empty = altered(ONE, changes=(), reviews=())
    found = compare_runs(empty, empty, 0.5, 0.5)
    assert found.changed.empty
    assert compare_runs(ONE, empty, 0.5, 0.5).matched.only_one.size == 8


def test_a_rating_that_one_run_has_counts_for_the_same_text_in_the_other() -> None:
    unrated = altered(
        OTHER, reviews=tuple(dataclasses.replace(one, ratings=UNRATED) for one in OTHER)
    )
    both = compare_runs(ONE, OTHER, 0.5, 0.5).agreement
    assert compare_runs(ONE, unrated, 0.5, 0.5).agreement == both
    assert compare_runs(unrated, OTHER, 0.5, 0.5).agreement["relevance"].n == 8
    other_texts = altered(
        unrated, reviews=tuple(dataclasses.replace(one, text="x") for one in unrated)
    )
    assert compare_runs(ONE, other_texts, 0.5, 0.5).agreement == {}


def flat(name: str, cosine: float) -> Reviews:
    """One review of each of eight changes, whose one sentence has this cosine."""
    made = made_comparison(*(Made(at, (3, 3, 3), [[cosine]], "a") for at in range(8)))
    return renamed(with_diffs(made), name)


@pytest.mark.parametrize(
    ("one", "other", "measure", "said"),
    [
        (0.4, 0.6, "relevance", "B's reviews match the change more closely than A's: relevance 1"),
        (0.6, 0.4, "relevance", "A's reviews match the change more closely than B's: relevance 1"),
        (0.6, 0.7, "relevance", "Relevance of A and B does not clearly differ: relevance 1.00"),
        (0.6, 0.7, "no_threshold", "B's reviews are more similar to the change's points than A's"),
        (0.6, 0.7, "people", "Rating of relevance (1 to 5) of A and B does not clearly differ"),
    ],
)
def test_the_verdict_is_over_the_changes_of_both_whatever_their_reviews(
    one: float, other: float, measure: str, said: str
) -> None:
    first, second = flat("a", one), flat("b", other)
    found = compare_runs(first, second, 0.5, 0.5, measure)
    assert (found.verdict.startswith(said), found.settings) == (True, {})
    for name, unlike in {
        "encoder": altered(second, encoder="b"),
        "claims": altered(second, claims="b"),
        "analyzers": altered(second, analyzers=False),
    }.items():
        differing = compare_runs(first, unlike, 0.5, 0.5, measure)
        refused = f"of A and B comes from different {name}."
        assert differing.verdict.endswith(refused) == (measure != "people")
        assert list(differing.settings) == [name]


def test_an_unknown_measure_is_refused() -> None:
    with pytest.raises(InputError, match="there is no measure 'useful'; choose one of relevance"):
        compare_runs(ONE, OTHER, 0.5, 0.5, "useful")
