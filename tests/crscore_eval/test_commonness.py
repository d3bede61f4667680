"""How common the sentences of a review are, by maxima made by hand and by the shipped vectors."""

from dataclasses import replace

import numpy as np
import pytest

from crscore_core import ReviewScore
from crscore_core.scoring import DEFAULT_ENCODER, load_encoder
from crscore_core.scoring.references import ReferenceSet
from crscore_core.scoring.signature import Signature
from crscore_eval.commonness import count_matches, counted_sentences, study_maxima
from crscore_eval.data.shipped import shipped_run

MAXIMA = np.array([[0.9, 0.9, 0.1], [0.6, 0.9, 0.1], [0.5, 0.9, 0.1], [0.2, 0.9, 0.1]], np.float32)
"""Maxima of three sentences in four changes, which match two, four and none above 0.5."""


def score_of(*similarities: float, claims: str = "symbolic", tau: float = 0.5) -> ReviewScore:
    """Score of a review with one pseudo-reference and a sentence for each similarity."""
    sentences = tuple(f"Sentence {number}" for number in range(1, len(similarities) + 1))
    signature = Signature(DEFAULT_ENCODER, claims, (), tau)
    matrix = np.array([similarities], np.float32)
    return ReviewScore("", ReferenceSet((), claims, (), ()), sentences, matrix, signature, ())


@pytest.mark.parametrize(("score", "expected"), [
    (score_of(0.6, 0.6, 0.6), ([2, 4, 0], 4)),
    (score_of(0.6, 0.5, 0.6), ([2, None, 0], 4)),  # the second matches nothing in its change
    (score_of(0.6, 0.6, 0.6, tau=0.55), ([2, 4, 0], 4)),
    (score_of(0.6, 0.7, 0.6, tau=0.65), ([None, 4, None], 4)),
    (score_of(0.6, 0.6, 0.6, claims="study"), ([1, 3, 0], 3)),  # its own change is among them
])  # fmt: skip
def test_counts_matches_in_other_changes(
    score: ReviewScore, expected: tuple[list[int | None], int]
) -> None:
    assert count_matches(score, MAXIMA) == expected


def test_sentences_of_other_encoders_and_of_unscored_reviews_are_not_counted() -> None:
    score = score_of(0.6, 0.6)
    assert counted_sentences(score) == score.sentence_texts
    other = replace(score, signature=replace(score.signature, encoder="another"))
    unscored = replace(score, similarity=np.zeros((0, 2), np.float32))
    for uncounted in (other, unscored):
        assert counted_sentences(uncounted) == ()
        assert count_matches(uncounted, study_maxima(()))[0] == []


def test_shipped_vectors_are_of_the_shipped_changes() -> None:
    changes = shipped_run().changes
    encode = load_encoder().encode
    texts = [[reference["text"] for reference in row] for row in changes["references"]]
    sentences = ["This change updates the code", "lol"]
    expected = [
        (encode(of_change).vectors @ encode(sentences).vectors.T).max(axis=0)
        for of_change in (texts[0], texts[90], texts[-1])
    ]
    maxima = study_maxima(sentences)
    assert maxima.shape == (len(changes), 2)
    np.testing.assert_allclose(maxima[[0, 90, -1]], expected, atol=1e-3)
