"""A corpus is scored: every review against its own change, with progress, until it is stopped."""

from concurrent.futures import CancelledError

import numpy as np
import pytest

from crscore_core.corpus import score as scoring
from crscore_core.corpus.model import CorpusChange
from crscore_core.corpus.progress import CorpusStage
from crscore_core.corpus.score import score_corpus
from crscore_core.scoring import SplitReviews, compare_each
from tests.crscore_core.corpus.corpora import FixedClaims, Notes, change, corpus
from tests.word_encoder import WordEncoder

CLAIMS = FixedClaims("The value of x changes.", "The default differs.")


def test_reviews_are_compared_with_the_references_of_their_change() -> None:
    found = score_corpus(
        corpus(change(1, "The value of x changes. Nice!", "Why?"), change(2, "The default")),
        CLAIMS,
        WordEncoder(),
    )
    assert (found.encoder, found.claims) == ("words", "fixed")
    assert [(review.id, review.change) for review in found.reviews] == [
        ("1/0", 0), ("1/1", 0), ("2/0", 1),
    ]  # fmt: skip
    assert [one.id for one in found.changes] == ["1", "2"]
    for review in found.reviews:
        texts = tuple(one.text for one in found.changes[review.change].references)
        assert review.references == texts
        split = SplitReviews(review.references, (), (review.sentences,))
        ((alone,),) = compare_each(WordEncoder(), [split])
        assert review.similarity.dtype == np.float32
        assert np.allclose(review.similarity, alone.similarity, atol=1e-6)
    assert found.reviews[0].similarity[0, 0] == pytest.approx(1, abs=1e-6)


def test_what_cannot_be_scored_is_left_out_and_an_empty_review_scores_nothing() -> None:
    found = score_corpus(
        corpus(change(1, "Why?", diff="no diff"), change(2, "", "The value of x changes.")),
        CLAIMS,
        WordEncoder(),
    )
    assert [one.id for one in found.left_out] == ["1"]
    assert "no diff found" in found.left_out[0].reason
    empty, other = found.reviews
    assert empty.similarity.shape[1] == 0
    scores = found.scores([0.5])[:, 0]
    assert scores[:, 0].tolist() == [0, 0, 0]
    assert (scores[:, 1] > 0).all()
    assert other.change == 0


@pytest.mark.parametrize(
    ("changes", "reasons"),
    [
        ([], []),
        ([change(1, "Why?", diff="nothing")], ["diff, line 1: no diff found"]),
        ([change(1)], []),
        ([change(1, "Why?", claims=())], ["it gives no pseudo-references"]),
    ],
)
def test_nothing_to_score_is_no_error(changes: list[CorpusChange], reasons: list[str]) -> None:
    found = score_corpus(corpus(*changes), CLAIMS, WordEncoder())
    assert found.reviews == ()
    assert found.scores([0.5]).shape == (3, 1, 0)
    assert [
        one.reason[: len(reason)] for one, reason in zip(found.left_out, reasons, strict=True)
    ] == reasons


def test_progress_counts_up_to_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scoring, "_TEXTS_AT_ONCE", 2)
    notes = Notes()
    score_corpus(
        corpus(change(1, "One.", "Two."), change(2, "Three.")), CLAIMS, WordEncoder(), notes
    )
    stages = [note.stage for note in notes.told]
    assert stages == sorted(stages, key=list(CorpusStage).index)
    for stage in (CorpusStage.REFERENCES, CorpusStage.SIMILARITY):
        of_stage = [note for note in notes.told if note.stage is stage]
        assert [note.done for note in of_stage] == sorted(note.done for note in of_stage)
        assert of_stage[0].done == 0
        assert of_stage[-1].done == of_stage[-1].total > 0
        assert len({note.total for note in of_stage}) == 1


@pytest.mark.parametrize("stop", [1, 2, 3, 4])
def test_it_ends_when_told_to(stop: int) -> None:
    notes = Notes(stop)
    with pytest.raises(CancelledError):
        score_corpus(corpus(change(1, "One.", "Two.")), CLAIMS, WordEncoder(), notes)
    assert len(notes.told) == stop


def test_a_text_is_encoded_once_and_in_parts_the_scores_are_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    several = corpus(*(change(number, f"Text {number % 5}. And more.") for number in range(7)))
    encoder = WordEncoder()
    whole = score_corpus(several, CLAIMS, encoder)
    texts = [text for call in encoder.calls for text in call]
    assert len(texts) == len(set(texts))
    monkeypatch.setattr(scoring, "_TEXTS_AT_ONCE", 3)
    parts = score_corpus(several, CLAIMS, WordEncoder())
    for one, other in zip(whole.reviews, parts.reviews, strict=True):
        assert np.array_equal(one.similarity, other.similarity)
