"""Codes of claims, double ratings, and addressed pseudo-references, by hand."""

import pandas as pd
import pytest
from sklearn.metrics import (  # type: ignore[import-untyped]
    precision_recall_fscore_support,
)

from crscore_eval.data import Study, shipped_pairs, shipped_study
from crscore_eval.validity.annotations import (
    claim_quality,
    matching_figures,
    rater_agreement,
)
from crscore_eval.validity.thresholds import NamedTau


def study(codes: list[tuple[str, str]], double: pd.DataFrame | None = None) -> Study:
    """A study of three changes, the last one in Java."""
    changes = pd.DataFrame({"change": list("abc"), "language": ["python", "python", "java"]})
    claims = pd.DataFrame(codes, columns=["change", "code"]).assign(text="")
    nothing = pd.DataFrame()
    return Study(changes, nothing, nothing, claims, nothing if double is None else double)


def test_rates_of_claims_equal_the_hand_calculation() -> None:
    codes = [
        *(("a", "correct"), ("a", "correct"), ("a", "incorrect"), ("a", "missing")),
        *(("b", "unverifiable"), ("b", "ambiguous"), ("b", "")),
        *(("c", "missing"), ("c", "incomplete")),
    ]
    rows = {(row, column): figure.value for row, column, figure in claim_quality(study(codes), 100)}
    # Of four claims of Python that count two are correct, one is incorrect, one unverifiable; one
    # is missing. Java has none that count.
    names = ("claims", "accuracy", "error_rate", "unverifiable_rate", "missing_rate")
    assert [rows["python", name] for name in names] == [4, 50, 25, 25, 25]
    assert [rows["java", name] for name in names] == [0, None, None, None, None]
    assert [rows["all", name] for name in names] == [4, 50, 25, 25, 50]


def test_agreement_of_raters_needs_double_ratings() -> None:
    assert not list(rater_agreement(study([])))
    alpha = {row: estimate for row, _, estimate in rater_agreement(shipped_study(), 50)}
    assert alpha["relevance"].value == pytest.approx(0.8805693850020866)
    assert alpha["conciseness"].value == pytest.approx(0.8867875378048935)


def test_finding_addressed_references_equals_scikit_learn() -> None:
    pairs = shipped_pairs()
    taus = [NamedTau("low", 0.2), NamedTau("tau_gt", 0.327), NamedTau("over all", 1.0)]
    rows = {(row, column): figure for row, column, figure in matching_figures(pairs, taus, 50)}
    for name, tau in taus[:2]:
        precision, recall, f1, _ = precision_recall_fscore_support(
            pairs["addressed"], pairs["similarity"] > tau, average="binary"
        )
        assert rows[name, "precision"].value == pytest.approx(precision)
        assert rows[name, "recall"].value == pytest.approx(recall)
        assert rows[name, "f1"].value == pytest.approx(f1)
    assert rows["over all", "precision"].value is None
    assert rows["over all", "recall"].value == 0
    assert rows["tau_gt", "precision"].interval is not None
