"""Calibration on a made-up study, and the shipped model on the real one."""

import dataclasses

import numpy as np
import pytest

from crscore_core.corpus.comparison import ComparedChange, ComparedReview, CorpusComparison
from crscore_core.corpus.model import Ratings
from crscore_core.datasets.study.model import SYSTEMS
from crscore_core.errors import CalibrationError
from crscore_core.predicted.features import review_features
from crscore_core.predicted.fit import fit_model
from crscore_core.predicted.model_file import calibrated_model
from crscore_core.scoring import DEFAULT_ENCODER
from crscore_core.validity.calibrate import (
    CALIBRATION_CLAIMS,
    _checksum,
    calibrate,
    number_of_fits,
    rated_reviews,
)


def comparison(claims: str, *indices: str, encoder: str = "made up") -> CorpusComparison:
    """Two sentences or none by each system, of every change; ratings from 1 to 5 in turns."""
    changes, reviews = [], []
    for position, index in enumerate(indices):
        changes.append(ComparedChange(index, "python", "", ()))
        for place, system in enumerate(SYSTEMS):
            relevance = 1 + (place + position) % 5
            sentences = () if system == "lstm" else (f"Parser {index}", f"Cache {place}")
            similarity = np.full((1, len(sentences)), relevance / 10, dtype=np.float32)
            reviews.append(
                ComparedReview(
                    position,
                    f"{index}/{system}",
                    system,
                    ". ".join(sentences),
                    Ratings(3, 3, relevance),
                    (f"The parser of {claims}",),
                    sentences,
                    similarity,
                )
            )
    return CorpusComparison(encoder, claims, tuple(changes), (), tuple(reviews))


INDICES = tuple(f"{number}" for number in range(12))
BOTH = (comparison("study", *INDICES), comparison("symbolic", *INDICES[1:]))


def test_a_change_has_one_number_whatever_it_is_compared_with() -> None:
    reviews = rated_reviews(BOTH)
    assert len(reviews.ratings) == 120 + 110
    assert reviews.changes[:120].tolist() == np.repeat(np.arange(12), 10).tolist()
    assert reviews.changes[120:].tolist() == np.repeat(np.arange(1, 12), 10).tolist()
    assert set(reviews.claims[:120]) == {"study"}
    assert set(reviews.claims[120:]) == {"symbolic"}
    assert reviews.systems[:10].tolist() == list(SYSTEMS)
    first = BOTH[0].reviews[0]
    assert reviews.features[0] == pytest.approx(
        review_features(first.references, first.sentences, first.similarity)
    )
    assert (~reviews.can_be_scored).tolist() == (reviews.systems == "lstm").tolist()


def test_a_model_says_what_it_was_fitted_to() -> None:
    done: list[None] = []
    model = calibrate(BOTH, lambda: done.append(None))
    assert len(done) == number_of_fits(BOTH)
    assert model.encoder == "made up"
    made = model.provenance
    assert (made.changes, made.ratings, made.claims) == (12, 120, ("study", "symbolic"))
    found = [(one.left_out, one.claims, one.reviews) for one in made.held_out]
    assert found == [
        (left_out, *claims)
        for left_out in ("change", "system")
        for claims in (("study", 108), ("symbolic", 99))
    ]


def test_the_checksum_is_of_what_is_read() -> None:
    first, *others = BOTH[0].reviews
    text = dataclasses.replace(first, references=("Something else",))
    rating = dataclasses.replace(first, ratings=Ratings(3, 3, 5))
    changed = [dataclasses.replace(BOTH[0], reviews=(one, *others)) for one in (text, rating)]
    sums = [_checksum([one]) for one in (BOTH[0], comparison("study", *INDICES), *changed)]
    assert sums[0] == sums[1]
    assert len({*sums}) == 3


def test_what_no_model_can_be_fitted_to_is_refused() -> None:
    for several in ([BOTH[0], comparison("symbolic", *INDICES, encoder="other")], []):
        with pytest.raises(CalibrationError, match="one encoder"):
            calibrate(several)
    with pytest.raises(CalibrationError, match="9 rated changes cannot be left out in 10 groups"):
        calibrate([comparison("study", *INDICES[:9])])


def test_the_shipped_model_is_what_the_study_gives(
    study_comparison: CorpusComparison, symbolic_comparison: CorpusComparison
) -> None:
    comparisons = (study_comparison, symbolic_comparison)
    shipped = calibrated_model(DEFAULT_ENCODER)
    assert shipped is not None
    assert shipped.provenance.claims == CALIBRATION_CLAIMS
    assert shipped.provenance.sha256 == _checksum(comparisons)
    fitted = fit_model(rated_reviews(comparisons))
    assert shipped.ordinal.thresholds == pytest.approx(fitted.thresholds, abs=5e-3)
    for curve, again in zip(shipped.ordinal.curves, fitted.curves, strict=True):
        assert curve.points == again.points
        assert curve.values == pytest.approx(again.values, abs=5e-3)


@pytest.mark.long
def test_its_agreement_on_what_it_has_not_seen_is_what_the_study_gives(
    study_comparison: CorpusComparison, symbolic_comparison: CorpusComparison
) -> None:
    shipped = calibrated_model(DEFAULT_ENCODER)
    assert shipped is not None
    again = calibrate([study_comparison, symbolic_comparison])
    for old, new, at_least in zip(
        shipped.provenance.held_out,
        again.provenance.held_out,
        (0.63, 0.58, 0.61, 0.55),
        strict=True,
    ):
        assert (old.left_out, old.claims) == (new.left_out, new.claims)
        assert new.spearman.value is not None
        assert new.spearman.interval is not None
        assert old.spearman.value == pytest.approx(new.spearman.value, abs=1e-3)
        assert max(at_least, new.spearman.interval.low) <= new.spearman.value
        assert new.spearman.value < new.spearman.interval.high
    assert dataclasses.replace(shipped.provenance, held_out=(), version="") == (
        dataclasses.replace(again.provenance, held_out=(), version="")
    )
