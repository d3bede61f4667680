"""Codes of claims, double ratings, and addressed pseudo-references, by hand."""

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import precision_recall_fscore_support  # type: ignore[import-untyped]

from crscore_eval.data.shipped import shipped_pairs
from crscore_eval.data.study import Study
from crscore_eval.validity.annotations import claim_quality, matching_figures


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
    figures = claim_quality(study(codes))
    rows = {name: [of.value for of in columns.values()] for name, columns in figures.items()}
    # Of four claims of Python that count two are correct, one is incorrect, one unverifiable; one
    # is missing. Java has none that count.
    names = ["claims", "accuracy", "error_rate", "unverifiable_rate", "missing_rate"]
    assert list(figures["all"]) == names
    assert rows["python"] == [4, 50, 25, 25, 25]
    assert rows["java"] == pytest.approx([0, *[float("nan")] * 4], nan_ok=True)
    assert rows["all"] == [4, 50, 25, 25, 50]


def test_finding_addressed_references_equals_scikit_learn() -> None:
    pairs = shipped_pairs()
    taus = {"low": 0.2, "tau_gt": 0.327, "over all": 1.0}
    figures = matching_figures(pairs, taus)
    for name in ("low", "tau_gt"):
        *expected, _ = precision_recall_fscore_support(
            pairs["addressed"], pairs["similarity"] > taus[name], average="binary"
        )
        found = [of.value for of in figures[name].values()]
        assert found == pytest.approx([*expected, len(pairs)])
    assert np.isnan(figures["over all"]["precision"].value)
    assert figures["over all"]["recall"].value == 0
    assert not np.isnan(figures["tau_gt"]["precision"].low)
