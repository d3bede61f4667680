"""Fitting models of predicted ratings to made-up data, and the shipped ones to the real data."""

import dataclasses
import os
from pathlib import Path

import numpy as np
import pytest

from crscore_core.corpus.comparison import ComparedChange, CorpusComparison, compare_corpus
from crscore_core.corpus.model import GROUND_TRUTH, CorpusReview, Ratings
from crscore_core.errors import CalibrationError
from crscore_core.predicted.model_file import PREDICTIONS, fitted_model
from crscore_core.scoring import DEFAULT_ENCODER, CachedEncoder
from crscore_core.scoring.references import PseudoReference, ReferenceKind
from crscore_core.validity.fit_predicted import checksum, fit_predictions, number_of_fits
from crscore_core.validity.labelled_rows import (
    COPIED,
    COPIED_WEIGHT,
    MADE_UP,
    MISPLACED_WEIGHT,
    labelled_rows,
)
from tests.word_encoder import WordEncoder

ENCODER = WordEncoder()
SYSTEMS = ("one", "two", "three", "four", "five", GROUND_TRUTH)
LABELS = ("relevance", "informativeness", "expression")


def comparison(claims: str, n_changes: int) -> CorpusComparison:
    """Six reviews of every change, rated from 1 to 5 by how many words of the change they have."""
    pairs = []
    for number in range(n_changes):
        words = [f"word{number}{letter}" for letter in "abcde"]
        diff = f"@@ -0,0 +1 @@\n+{' '.join(words)}\n"
        reference = PseudoReference(
            f"The {' '.join(words)}", ReferenceKind.CLAIM, claims, None, None
        )
        reviews = []
        for place, system in enumerate(SYSTEMS):
            rating = 1 + (place + number) % 5
            text = " ".join([*words[:rating], *["other"] * (5 - rating), "because"])
            labels = {label: float(rating > 2 + (number % 3 == 0)) for label in LABELS}
            reviews.append(
                CorpusReview(f"{number}/{system}", system, text, Ratings(3, 3, rating), labels)
            )
        pairs.append((ComparedChange(f"change {number}", "python", diff, (reference,)), reviews))
    return compare_corpus(claims, pairs, ENCODER)


STUDY = (comparison("study", 12), comparison("symbolic", 11))
CLEARCRC = comparison("symbolic", 20)


def test_made_up_reviews_belong_to_the_changes_that_they_are_made_of() -> None:
    rows = labelled_rows("study", STUDY, ENCODER)
    real, made = ~rows.is_made, rows.is_made
    assert real.sum() == 23 * 6
    assert made.sum() == 23 * 6 + 23 * (len(COPIED) + 1)
    assert np.isfinite(rows.labels["relevance"][real]).all()
    assert np.isnan(rows.labels["relevance"][made]).all()
    assert (rows.change == rows.other)[real].all()
    is_copy = rows.system == MADE_UP
    assert (rows.change == rows.other)[is_copy].all()
    assert (rows.change != rows.other)[made & ~is_copy].all()
    assert set(rows.weights[is_copy]) == {COPIED_WEIGHT}
    assert set(rows.weights[made & ~is_copy]) == {MISPLACED_WEIGHT}
    left = rows.without_changes(rows.change == 3)
    assert not (left & ((rows.change == 3) | (rows.other == 3))).any()
    graded, n_grades = rows.graded("relevance", left)
    assert n_grades == 5
    assert (graded.grades[rows.is_made[left]] == 0).all()
    binary, two = labelled_rows("clearcrc", [CLEARCRC], ENCODER).graded(
        "expression", np.ones(120 + 120 + 20 * 6, dtype=np.bool_)
    )
    assert two == 2
    assert set(binary.grades.tolist()) == {0, 1}


def test_models_say_what_they_were_fitted_to_and_what_they_are_worth() -> None:
    done: list[None] = []
    fitted = fit_predictions(STUDY, CLEARCRC, ENCODER, lambda: done.append(None))
    assert len(done) == number_of_fits(STUDY)
    assert [model.predicts for model in fitted.models] == list(PREDICTIONS)
    relevance = fitted.models[0].provenance
    assert (relevance.changes, relevance.ratings) == (12, 72)
    assert relevance.claims == ("study", "symbolic")
    assert "as rated 1" in relevance.added
    assert [(one.left_out, one.claims, one.reviews) for one in relevance.held_out] == [
        ("change", "study", 60), ("change", "symbolic", 55),
        ("system", "study", 60), ("system", "symbolic", 55),
    ]  # fmt: skip
    for held in relevance.held_out:
        assert held.estimate.value is not None
        assert held.estimate.value > 0.5
    besides = [(one.measured.left_out, one.measured.data) for one in relevance.beside_rel]
    assert besides == [("change", "study"), ("change", "study"), ("nothing", "clearcrc")]
    assert [one.measured for one in relevance.beside_rel[:2]] == list(relevance.held_out[:2])
    for beside in relevance.beside_rel:
        predicted, rel = beside.measured.estimate.value, beside.rel.value
        assert beside.difference.value == pytest.approx((predicted or 0) - (rel or 0))
    for model in fitted.models[1:]:
        assert model.provenance.changes == 20
        assert "as labelled 0" in model.provenance.added
        auc, accuracy = model.provenance.held_out
        assert (auc.measure, accuracy.measure) == ("auc", "balanced accuracy")
        assert auc.estimate.value is not None
        assert auc.estimate.value > 0.7
    table = [(row.fitted_to, row.measured.data, row.measured.left_out) for row in fitted.transfer]
    assert table == [
        (fitted_to, data, left if fitted_to in {own, "both"} else "nothing")
        for fitted_to in ("study", "clearcrc", "both")
        for data, own, left in (
            ("study", "study", "change"), ("study", "study", "change"),
            ("clearcrc", "clearcrc", "patch"),
        )
    ]  # fmt: skip


def test_what_no_model_can_be_fitted_to_is_refused() -> None:
    other = dataclasses.replace(CLEARCRC, encoder="other")
    with pytest.raises(CalibrationError, match="one encoder"):
        fit_predictions(STUDY, other, ENCODER)
    with pytest.raises(CalibrationError, match="4 changes cannot be left out in 5 groups"):
        fit_predictions([comparison("study", 4)], CLEARCRC, ENCODER)


def test_the_checksum_is_of_what_is_read() -> None:
    first, *others = STUDY[0].reviews
    text = dataclasses.replace(first, references=("Something else",))
    rating = dataclasses.replace(first, ratings=Ratings(3, 3, 5))
    label = dataclasses.replace(first, labels={"relevance": 0.5})
    changed = [
        dataclasses.replace(STUDY[0], reviews=(one, *others)) for one in (text, rating, label)
    ]
    sums = [checksum([one]) for one in (STUDY[0], comparison("study", 12), *changed)]
    assert sums[0] == sums[1]
    assert len({*sums}) == 4


FLOORS = {"relevance": (0.65, 0.61, 0.64, 0.60), "relevant": (0.83, 0.75),
          "informative": (0.84, 0.75), "well_expressed": (0.81, 0.72)}  # fmt: skip


@pytest.mark.parametrize("name", PREDICTIONS)
def test_a_shipped_model_agrees_with_people_on_what_it_has_not_seen(name: str) -> None:
    model = fitted_model(name, DEFAULT_ENCODER)
    assert model is not None
    for held, floor in zip(model.provenance.held_out, FLOORS[name], strict=True):
        assert held.estimate.value is not None
        assert held.estimate.interval is not None
        assert max(floor, held.estimate.interval.low) <= held.estimate.value


@pytest.mark.long
def test_the_shipped_models_are_what_the_data_give(
    study_comparison: CorpusComparison, symbolic_comparison: CorpusComparison
) -> None:
    from crscore_core.datasets.registry import load_data
    from crscore_core.validity.metric_columns import Scoring

    place = Path(os.environ.get("CRSCORE_CLEARCRC", "../shared/clearcrc"))
    if not place.exists():
        pytest.skip("ClearCRC is not there")
    encoder = CachedEncoder()
    clearcrc = Scoring(None, encoder).compare(load_data("clearcrc", place))
    again = fit_predictions([study_comparison, symbolic_comparison], clearcrc, encoder)
    for new in again.models:
        old = fitted_model(new.predicts, DEFAULT_ENCODER)
        assert old is not None
        assert old.provenance.sha256 == new.provenance.sha256
        assert old.model.thresholds == pytest.approx(new.model.thresholds, abs=0.05)
        for one, other in zip(old.provenance.held_out, new.provenance.held_out, strict=True):
            assert one.estimate.value == pytest.approx(other.estimate.value, abs=5e-3)
        pairs = zip(old.provenance.beside_rel, new.provenance.beside_rel, strict=True)
        for before, after in pairs:
            assert before.difference.value == pytest.approx(after.difference.value, abs=5e-3)
