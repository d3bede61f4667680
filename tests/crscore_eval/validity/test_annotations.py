"""Codes of claims and double ratings, by hand."""

import pandas as pd
import pytest

from crscore_eval.data.study import Study
from crscore_eval.validity.annotations import claim_quality


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
