"""The calibrated relevance as part of a score."""

import pytest

from crscore_core import CRScorer
from crscore_core.claims import GivenClaims
from crscore_core.predicted.features import review_features
from crscore_core.predicted.model_file import calibrated_model
from crscore_core.scoring import DEFAULT_ENCODER
from tests.crscore_core.changes import PYTHON
from tests.word_encoder import WordEncoder

CLAIMS = GivenClaims(["load returns the items of the data", "errors are hidden"])
REVIEWS = ["load returns items. why are errors hidden?", "thanks"]


class _NamedLikeTheEmbedded(WordEncoder):
    name = DEFAULT_ENCODER


def scorer(encoder: WordEncoder) -> CRScorer:
    return CRScorer(claims=CLAIMS, encoder=encoder, tau=0.3)


def test_it_is_computed_from_what_the_score_holds() -> None:
    for score in scorer(_NamedLikeTheEmbedded()).score_many(PYTHON, REVIEWS):
        texts = [reference.text for reference in score.pseudo_references]
        features = review_features(texts, score.sentence_texts, score.similarity)
        model = calibrated_model(DEFAULT_ENCODER)
        assert model is not None
        assert score.calibrated_relevance == model.ordinal.score(features)
        assert score.calibrated_relevance != score.relevance


def test_what_is_said_of_the_change_raises_it() -> None:
    about, thanks = scorer(_NamedLikeTheEmbedded()).score_many(PYTHON, REVIEWS)
    assert about.calibrated_relevance is not None
    assert thanks.calibrated_relevance is not None
    assert about.calibrated_relevance > thanks.calibrated_relevance + 0.1
    better = {one.name: one.contribution for one in about.calibrated_contributions}
    worse = {one.name: one.contribution for one in thanks.calibrated_contributions}
    assert better["word_coverage"] > worse["word_coverage"]


@pytest.mark.parametrize("tau", [-1.0, 0.0, 0.9])
def test_tau_plays_no_part(tau: float, monkeypatch: pytest.MonkeyPatch) -> None:
    score = scorer(_NamedLikeTheEmbedded()).score(PYTHON, REVIEWS[0])
    at_once = score.at(tau)

    def refuse(*_: object) -> None:
        raise AssertionError("nothing is read again")

    monkeypatch.setattr("crscore_core.scoring.review_score.review_features", refuse)
    assert at_once.calibrated_relevance == score.calibrated_relevance
    assert at_once.calibrated_contributions == score.calibrated_contributions


def test_there_is_none_for_an_encoder_without_a_model_or_an_empty_review() -> None:
    other = scorer(WordEncoder()).score(PYTHON, REVIEWS[0])
    assert other.relevance is not None
    for score in (other, scorer(_NamedLikeTheEmbedded()).score(PYTHON, "")):
        assert (score.calibrated_relevance, score.calibrated_contributions) == (None, ())
