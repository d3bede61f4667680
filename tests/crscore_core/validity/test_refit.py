"""Predicted relevance refitted to people's own ratings."""

import dataclasses
from pathlib import Path

import numpy as np
import pytest

from crscore_core.corpus.comparison import CorpusComparison
from crscore_core.corpus.metrics import prediction_features
from crscore_core.corpus.model import Ratings
from crscore_core.errors import CalibrationError
from crscore_core.predicted.model_file import fitted_model, own_models, read_model, shipped_model
from crscore_core.scoring import DEFAULT_ENCODER
from crscore_core.scoring.signature import Signature
from crscore_core.validity.refit import fitted_around, refit
from tests.crscore_core.validity.test_fit_predicted import comparison


def rated(n_changes: int, ratings: list[float] | None = None) -> CorpusComparison:
    """Six reviews of every change as if by the embedded encoder, one of them the reference."""
    made = dataclasses.replace(comparison("symbolic", n_changes), encoder=DEFAULT_ENCODER)
    if ratings is None:
        return made
    given = (Ratings(relevance=one) for one in np.resize(ratings, len(made.reviews)).tolist())
    reviews = (
        dataclasses.replace(one, ratings=rating)
        for one, rating in zip(made.reviews, given, strict=True)
    )
    return dataclasses.replace(made, reviews=tuple(reviews))


@pytest.mark.parametrize(
    ("own", "match"),
    [
        (rated(9), "^45 ratings of 9 changes are too few"),
        (rated(12, [3.0]), "all ratings are 3"),
        (dataclasses.replace(rated(12), encoder="words"), "no model for the encoder 'words'"),
    ],
)
def test_ratings_that_nothing_can_be_fitted_to_are_refused(
    own: CorpusComparison, match: str
) -> None:
    with pytest.raises(CalibrationError, match=match):
        refit(own)


def test_a_refit_says_what_it_is_worth_and_predicts_where_the_environment_names_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CRSCORE_PREDICTED", raising=False)
    shipped = shipped_model("relevance", DEFAULT_ENCODER)
    assert shipped is not None
    assert (own_models(), fitted_model("relevance", DEFAULT_ENCODER)) == (None, shipped)
    done = refit(rated(20, [1, 1.5, 2, 4, 5]))
    assert (done.ratings, done.model.provenance.changes) == (100, 20)
    assert done.model.provenance.held_out[0].estimate == done.refitted
    refitted, before = done.refitted.value or 0, done.shipped.value or 0
    assert done.difference.value == pytest.approx(refitted - before)
    assert "refitted to 100 ratings of 20 changes" in done.verdict
    assert (done.difference.sign > 0) == ("The refit is better" in done.verdict)
    for name, content in done.files.items():
        (tmp_path / name).write_bytes(content)
    written = read_model(tmp_path / "relevance.json")
    assert (written.predicts, written.model) == ("relevance", done.model.model)
    monkeypatch.setenv("CRSCORE_PREDICTED", str(tmp_path))
    assert fitted_model("relevance", DEFAULT_ENCODER) == written
    assert fitted_model("relevant", DEFAULT_ENCODER) == shipped_model("relevant", DEFAULT_ENCODER)
    assert (own_models() or "").startswith("own:relevance=")
    signature = Signature("words", "symbolic", (), 0.5, "1", predicted=own_models())
    assert f"|predicted:{own_models()}|tau:0.5" in str(signature)
    monkeypatch.setenv("CRSCORE_PREDICTED", str(tmp_path / "other"))
    with pytest.raises(CalibrationError, match="holds no model"):
        fitted_model("relevance", DEFAULT_ENCODER)


def test_few_ratings_leave_the_shipped_model_nearly_as_it_was() -> None:
    shipped = shipped_model("relevance", DEFAULT_ENCODER)
    assert shipped is not None
    features = prediction_features(rated(12))
    people = np.resize([1.0, 5.0, 2.5], len(features))
    moved = [
        np.corrcoef(
            shipped.model.score(features),
            fitted_around(shipped.model, features[:n], people[:n]).score(features),
        )[0, 1]
        for n in (6, 72)
    ]
    assert moved[0] > 0.99
    assert moved[0] > moved[1]
