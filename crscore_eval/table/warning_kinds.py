"""Warnings of reviews, counted by kind."""

import re
from collections.abc import Iterable

import pandas as pd

from crscore_eval.figures import capital

_DETAILS = re.compile(r"(?<=\)): .*$| \(missing: .*\)|: ['\"].*['\"]$")
"""Parts of a warning that differ between warnings of one kind, besides numbers."""


def kinds_of_warnings(tables: Iterable[pd.DataFrame]) -> pd.DataFrame:
    """Return a row for each kind of warning: the numbers of reviews and changes, and an example.

    `tables` are parts of a table of reviews, with all reviews of a change in one part.
    """
    parts = pd.concat(map(_kinds_of_part, tables))
    kinds = parts.groupby("warning", sort=False).agg(
        {"reviews": "sum", "changes": "sum", "example": "first"}
    )
    return kinds.sort_values("reviews", ascending=False).reset_index()


def _kinds_of_part(reviews: pd.DataFrame) -> pd.DataFrame:
    warnings = reviews[["change", "warnings"]].explode("warnings").dropna().reset_index()
    kind = warnings["warnings"].str.replace(_DETAILS, "", regex=True)
    warnings["warning"] = kind.str.replace(r"\d[\d,]*", "…", regex=True).map(capital)
    by_kind = warnings.drop_duplicates(["index", "warning"]).groupby("warning", sort=False)
    return by_kind.agg(
        reviews=("change", "size"), changes=("change", "nunique"), example=("warnings", "first")
    )
