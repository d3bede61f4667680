"""The matrix of a change: its reviews side by side, its table."""

import csv
import io
from dataclasses import replace

import numpy as np
import pytest

from crscore_core.corpus.change_matrix import ChangeMatrix, change_matrix, matrix_csv
from crscore_core.corpus.reviews import Reviews
from crscore_core.errors import InputError
from crscore_core.scoring.metric import TAUS, Scores
from tests.crscore_core.corpus.made_reviews import altered
from tests.crscore_core.datasets.study.made_comparison import Made, made_comparison

ONE = [[0.9, 0.1], [0.2, 0.3]]
OTHER = [[0.5], [0.6]]


def made() -> Reviews:
    """Two changes; the first with two reviews and one without a sentence."""
    return made_comparison(
        Made(0, (5, 4, 3), ONE, "one", "First of all."),
        Made(0, (1, 2, 3), OTHER, "other"),
        Made(0, (1, 1, 1), [[], []], "silent", ""),
        Made(1, (1, 1, 1), [[0.4]], "one"),
    )


def first_change() -> ChangeMatrix:
    return change_matrix(made(), [0, 1, 2])


def test_reviews_are_side_by_side() -> None:
    matrix = first_change()
    assert matrix.similarity == pytest.approx(np.array([[0.9, 0.1, 0.5], [0.2, 0.3, 0.6]]))
    assert matrix.sentences == ("Sentence 0.", "Sentence 1.", "Sentence 0.")
    assert matrix.review_of == (0, 0, 1)
    assert list(matrix.columns) == [slice(0, 2), slice(2, 3), slice(3, 3)]
    assert [review.system for review in matrix.reviews] == ["one", "other", "silent"]
    assert matrix.reviews[0].ratings.comprehensiveness == 4
    assert [reference.text for reference in matrix.references] == ["Reference 0.", "Reference 1."]
    assert matrix.best_of_sentences == pytest.approx([0.9, 0.3, 0.6])
    assert matrix.best_of_references == pytest.approx([0.9, 0.6])


def test_each_review_has_its_own_scores() -> None:
    # Of the first at 0.25 both sentences are on topic (0.9, 0.3) and both references covered
    # (0.9, 0.3); at 0.35 one of each. The second covers both with its one sentence.
    matrix = first_change()
    assert matrix.scores(0.25) == (Scores(1, 1, 1), Scores(1, 1, 1), None)
    assert matrix.scores(0.35) == (Scores(0.5, 0.5, 0.5), Scores(1, 1, 1), None)
    for curve, *scores in zip(matrix.curves(), *map(matrix.scores, TAUS), strict=True):
        expected = [one and one.relevance for one in scores]
        assert expected == ([None] * TAUS.size if curve is None else curve.relevance.tolist())


def test_a_review_without_sentences_has_nothing_best() -> None:
    matrix = change_matrix(made(), [2])
    assert matrix.similarity.shape == (2, 0)
    assert matrix.best_of_sentences.shape == (0,)
    assert np.isnan(matrix.best_of_references).tolist() == [True, True]
    assert matrix.scores(0.5) == (None,)
    assert matrix.curves() == (None,)
    assert matrix.no_threshold() == (None,)


@pytest.mark.parametrize("positions", [[], [0, 3]])
def test_a_matrix_is_of_one_change(positions: list[int]) -> None:
    with pytest.raises(InputError):
        change_matrix(made(), positions)


def test_the_table_has_a_row_a_pair_and_no_formula() -> None:
    comparison = made_comparison(Made(0, (1, 1, 1), OTHER, "=1+1", "@SUM(A1)"))
    review = replace(comparison[0], sentences=("-2, she said\n=3",))
    matrix = change_matrix(altered(comparison, reviews=(review,)), [0])
    rows = list(csv.DictReader(io.StringIO(matrix_csv(matrix))))
    assert [row["cosine"] for row in rows] == ["0.5", str(float(np.float32(0.6)))]
    assert [row["pseudo_reference_number"] for row in rows] == ["1", "2"]
    assert {row["sentence"] for row in rows} == {"'-2, she said\n=3"}
    assert {row["system"] for row in rows} == {"'=1+1"}
    assert {row["kind"] for row in rows} == {"claim"}
