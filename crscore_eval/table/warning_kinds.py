"""Warnings of reviews, counted by kind."""

import re

import pandas as pd

from crscore_core.text import capital

_DETAILS = re.compile(r"(?<=\)): .*$| \(missing lines.*\)|: ['\"].*['\"]$")
"""Parts of a warning that differ between warnings of one kind; so do numbers."""


def kinds_of_warnings(reviews: pd.DataFrame) -> pd.DataFrame:
    """Return each kind of warning, the numbers of its reviews and changes, and an example."""
    each = reviews[["change", "warnings"]].explode("warnings").dropna().reset_index()
    kind = each["warnings"].str.replace(_DETAILS, "", regex=True)
    each["warning"] = kind.str.replace(r"\d[\d,]*", "…", regex=True).map(capital)
    by_kind = each.drop_duplicates(["index", "warning"]).groupby("warning", sort=False)
    counts = {
        "reviews": by_kind.size(),
        "changes": by_kind["change"].nunique(),
        "example": by_kind["warnings"].first(),
    }
    return pd.DataFrame(counts).sort_values("reviews", ascending=False).reset_index()
