"""Predicted ratings as part of a score."""

import pytest

from crscore_core import CRScorer
from crscore_core.claims import GivenClaims
from crscore_core.predicted.features import ChangeLines, ReviewText, review_features
from crscore_core.predicted.model_file import PREDICTIONS, fitted_model
from crscore_core.scoring import DEFAULT_ENCODER
from crscore_core.scoring.documents import score_document
from tests.crscore_core.changes import PYTHON
from tests.word_encoder import WordEncoder

CLAIMS = GivenClaims(["load returns the items of the data", "errors are hidden"])
REVIEWS = ["load returns items. why are errors hidden?", "thanks"]


class _NamedLikeTheEmbedded(WordEncoder):
    name = DEFAULT_ENCODER


def scorer(encoder: WordEncoder) -> CRScorer:
    return CRScorer(claims=CLAIMS, encoder=encoder, tau=0.3)


def test_it_is_computed_from_what_the_score_holds() -> None:
    scores = scorer(_NamedLikeTheEmbedded()).score_many(PYTHON, REVIEWS)
    for score, document in zip(scores, score_document(scores)["reviews"], strict=True):
        texts = [reference.text for reference in score.pseudo_references]
        assert score.references.lines != ChangeLines()
        features = review_features(
            ReviewText(
                score.review, score.references.lines, texts, score.sentence_texts, score.similarity
            )
        )
        assert score.predicted is not None
        for name in PREDICTIONS:
            model = fitted_model(name, DEFAULT_ENCODER)
            assert model is not None
            value = getattr(score.predicted, name)
            assert value == document["predicted"][name] == model.model.score(features)
        assert score.calibrated_relevance == score.predicted_relevance == score.predicted.relevance
        assert score.predictions is not None
        assert score.predictions[0] == document["calibrated_relevance"] != score.relevance
        assert document["predicted"]["outside"] == list(score.predicted.outside)


def test_what_is_said_of_the_change_raises_it() -> None:
    about, thanks = (
        score.predicted for score in scorer(_NamedLikeTheEmbedded()).score_many(PYTHON, REVIEWS)
    )
    assert about is not None
    assert thanks is not None
    assert about.relevance > thanks.relevance + 0.1
    better = {reason.name: reason for reason in about.reasons}
    worse = {reason.name: reason for reason in thanks.reasons}
    assert better["coverage"].contribution > worse["coverage"].contribution
    assert better["coverage"].parts == ("load returns items",) or better["coverage"].parts
    assert worse["politeness" if "politeness" in worse else "praise"].parts == ("thanks",)
    effects = [abs(reason.contribution) for reason in about.reasons]
    assert effects == sorted(effects, reverse=True)
    assert thanks.suggestions == (
        "names no place in the change",
        "gives no reason in words such as because",
        "asks for nothing",
    )


@pytest.mark.parametrize("tau", [-1.0, 0.0, 0.9])
def test_tau_plays_no_part(tau: float, monkeypatch: pytest.MonkeyPatch) -> None:
    score = scorer(_NamedLikeTheEmbedded()).score(PYTHON, REVIEWS[0])
    at_once = score.at(tau)

    def refuse(*_: object) -> None:
        raise AssertionError("nothing is read again")

    monkeypatch.setattr("crscore_core.scoring.review_score.predicted_ratings", refuse)
    assert at_once.predicted == score.predicted


def test_there_is_none_for_an_encoder_without_a_model_or_an_empty_review() -> None:
    other = scorer(WordEncoder()).score(PYTHON, REVIEWS[0])
    assert other.relevance is not None
    for score in (other, scorer(_NamedLikeTheEmbedded()).score(PYTHON, "")):
        assert (score.predicted, score.predictions, score.calibrated_relevance) == (None,) * 3
        assert score_document([score])["reviews"][0]["predicted"] is None
