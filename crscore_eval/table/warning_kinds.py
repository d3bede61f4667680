"""Limits of a run's scores: remarks on its file, and warnings about reviews by kind."""

from collections.abc import Iterable

import pandas as pd

from crscore_core.text import counted, shorten
from crscore_eval.formatting import capitalize_first
from crscore_eval.table.cells import RejectedRow, list_columns
from crscore_eval.table.roles import ColumnRole
from crscore_eval.table.settings import RunSettings, change_uses

_MAX_EXAMPLE, _MAX_REJECTED = 24, 5  # characters, and rejected rows with a sentence


def remarks(settings: RunSettings) -> list[str]:
    """Return what was guessed or left out when a file was read and scored, a sentence each.

    Columns with the same remark share a sentence, with examples from the first. Only the first
    rejected rows have a sentence each. Missing settings have no remarks.
    """
    by_note: dict[tuple[str, str], list[ColumnRole]] = {}
    for column in (ColumnRole(**role) for role in settings.get("columns", ())):
        if column.remark:
            by_note.setdefault((column.title, column.remark), []).append(column)
    texts = []
    for (title, note), alike in by_note.items():
        examples = " | ".join(shorten(example, _MAX_EXAMPLE) for example in alike[0].examples)
        such_as = f" [{examples}]" * bool(examples)
        texts.append(f"{list_columns(one.column for one in alike)}: {title}; {note}{such_as}")
    texts += settings.get("warnings", ())
    texts += (
        f"{use.name} analysed none of {counted(use.not_analysed, 'file')} in its language, so "
        "scores lack its smells; crscore doctor shows what works"
        for use in change_uses(settings.get("analyzers", ()))
        if use.not_analysed and not use.files
    )
    if n_left_out := settings.get("n_left_out"):
        texts.append(f"{counted(n_left_out, 'change')} could not be scored")
    if n_rejected := settings.get("n_rejected"):
        name = settings.get("source", {}).get("name", "the file")
        first = [RejectedRow(**row) for row in settings.get("rejected", ())[:_MAX_REJECTED]]
        these = f", the first {len(first)}:" if len(first) < n_rejected else ""
        texts.append(f"{counted(n_rejected, 'row')} of {name} rejected{these}")
        texts += (f"{row.place} rejected: {row.reason}" for row in first)
    return texts


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
    """Add up the warning counts of the parts of a table, which share no changes."""
    by_kind = pd.concat(counts_by_part).groupby("warning", sort=False)
    kinds = by_kind.agg({"reviews": "sum", "changes": "sum", "example": "first"})
    return kinds.sort_values("reviews", ascending=False).reset_index()
