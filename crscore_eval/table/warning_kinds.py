"""Warnings of reviews, counted by kind."""

from collections.abc import Iterable

import pandas as pd

from crscore_eval.formatting import capitalize_first


def count_warnings(reviews: pd.DataFrame) -> pd.DataFrame:
    """Return a row for each kind of warning: the numbers of reviews and changes, and an example."""
    warnings = reviews[["change", "warnings"]].explode("warnings").dropna().reset_index()
    titles = [capitalize_first(text.partition(": ")[0]) for text in warnings["warnings"]]
    warnings["warning"] = pd.Series(titles, warnings.index, str)
    by_kind = warnings.drop_duplicates(["index", "warning"]).groupby("warning", sort=False)
    kinds = by_kind.agg(
        reviews=("change", "size"), changes=("change", "nunique"), example=("warnings", "first")
    )
    return kinds.sort_values("reviews", ascending=False).reset_index()


def sum_warning_counts(counts_by_part: Iterable[pd.DataFrame]) -> pd.DataFrame:
    """Add up the kinds of warnings of the parts of a table, which have no changes in common."""
    by_kind = pd.concat(counts_by_part).groupby("warning", sort=False)
    kinds = by_kind.agg({"reviews": "sum", "changes": "sum", "example": "first"})
    return kinds.sort_values("reviews", ascending=False).reset_index()
