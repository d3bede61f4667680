"""Every rated review against its change's pseudo-references."""

import dataclasses
from pathlib import Path

import numpy as np
import pytest

from crscore_core.corpus.comparison import CorpusComparison
from crscore_core.corpus.model import DIMENSIONS, GROUND_TRUTH
from crscore_core.datasets.study.comparison import compare_study
from crscore_core.datasets.study.load import load_study
from crscore_core.datasets.study.model import SYSTEMS, HumanStudy
from crscore_core.datasets.study.pseudo_references import StudyReferences, study_references
from crscore_core.errors import StudyError
from crscore_core.scoring import SplitReviews, compare_each, metric, split_sentences
from tests.crscore_core.datasets.study.small_release import RATINGS, phase2, small_release
from tests.word_encoder import WordEncoder

UNRATED = {"Con (P)": "", "Comp (R)": "", "Rel (F)": ""}
TAUS = [-0.2, 0.1, 0.3, 0.5, 0.9]


@pytest.fixture
def study(tmp_path: Path) -> HumanStudy:
    """The first change of Python has no reference; of Java's first, one review is empty, another
    unrated, and a third repeats the reference."""
    release = small_release()
    release.set(phase2("py"), 2, **{"necessary?": "0"})
    release.set(phase2("java"), 3, review="")
    release.set(phase2("java"), 4, **UNRATED)
    release.set(phase2("java"), 5, review="Reference 1 of 200.")
    return load_study(release.write(tmp_path))


@pytest.fixture
def comparison(study: HumanStudy) -> CorpusComparison:
    return compare_study(study_references(study), WordEncoder())


def test_changes_without_references_are_left_out_and_named(
    study: HumanStudy, comparison: CorpusComparison
) -> None:
    assert [one.id for one in comparison.left_out] == [study.changes[0].index]
    assert [(one.id, one.diff) for one in comparison.changes] == [
        (change.index, change.diff) for change in study.changes[1:]
    ]
    assert (comparison.encoder, comparison.claims) == ("words", "study")


def test_every_rated_review_is_there_in_order(
    study: HumanStudy, comparison: CorpusComparison
) -> None:
    expected = [
        (position, review.system, review.text, dataclasses.astuple(review.rating))
        for position, change in enumerate(study.changes[1:])
        for review in change.reviews
        if review.rating
    ]
    found = [
        (one.change, one.system, one.text, dataclasses.astuple(one.ratings))
        for one in comparison.reviews
    ]
    assert found == expected
    assert len(found) == 11 * 10 - 1


def test_arrays_are_in_the_order_of_the_reviews(comparison: CorpusComparison) -> None:
    reviews = comparison.reviews
    assert comparison.change.tolist() == [one.change for one in reviews]
    assert comparison.system.tolist() == [one.system for one in reviews]
    assert comparison.language.tolist() == [
        comparison.changes[one.change].language for one in reviews
    ]
    assert set(comparison.language.tolist()) == {"python", "java", "javascript"}
    assert comparison.is_judged.tolist() == [one.system != GROUND_TRUTH for one in reviews]
    assert comparison.is_judged.sum() == len(reviews) - 11
    by_system = dict(zip(SYSTEMS, RATINGS, strict=True))
    assert comparison.ratings.tolist() == [
        [float(value) for value in by_system[one.system]] for one in reviews
    ]
    assert comparison.ratings.shape == (len(reviews), len(DIMENSIONS))


def test_similarities_are_those_of_each_review_alone(comparison: CorpusComparison) -> None:
    for one in comparison.reviews:
        assert one.references == (f"Reference 1 of {comparison.changes[one.change].id}.",)
        assert list(one.sentences) == list(split_sentences(one.text))
        split = SplitReviews(one.references, (), (one.sentences,))
        ((alone,),) = compare_each(WordEncoder(), [split])
        assert one.similarity.dtype == np.float32
        assert np.array_equal(one.similarity, alone.similarity)


def test_every_distinct_text_is_encoded_once(study: HumanStudy) -> None:
    encoder = WordEncoder()
    compare_study(study_references(study), encoder)
    (texts,) = encoder.calls
    assert len(set(texts)) == len(texts) > 20


def test_scores_are_those_of_each_matrix_and_0_of_an_empty_review(
    comparison: CorpusComparison,
) -> None:
    scores = comparison.scores(TAUS)
    assert scores.shape == (3, len(TAUS), len(comparison.reviews))
    for at, one in enumerate(comparison.reviews):
        for row, tau in enumerate(TAUS):
            expected = metric.score(one.similarity, tau) if one.sentences else None
            assert scores[:, row, at].tolist() == [
                getattr(expected, name) if expected else 0.0 for name in DIMENSIONS
            ]
    empty = [at for at, one in enumerate(comparison.reviews) if not one.sentences]
    assert comparison.reviews[empty[0]].similarity.shape == (1, 0)
    assert len(empty) == 1 + 11  # one emptied, and the first of each change's ten
    assert (scores[:, 1:, empty] == 0).all()


def test_a_repeated_reference_scores_1(comparison: CorpusComparison) -> None:
    (at,) = [at for at, one in enumerate(comparison.reviews) if one.text == "Reference 1 of 200."]
    assert comparison.scores([0.99])[:, 0, at].tolist() == [1.0, 1.0, 1.0]


def test_without_any_reference_there_is_nothing_to_compare(study: HumanStudy) -> None:
    none = StudyReferences("mine", study.changes, ((),) * len(study.changes))
    with pytest.raises(StudyError, match="no rated change of the study has pseudo-references"):
        compare_study(none, WordEncoder())
