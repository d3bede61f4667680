"""Check tables of reviews and changes, either to be scored or read from a run."""

import json
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import ArrayLike
from pyarrow import compute

from crscore_core.claims import ReferenceKind, claims_from_items
from crscore_core.errors import InputError
from crscore_eval.table.one_review import pseudo_reference
from crscore_eval.table.schema import (
    CHANGE_SCHEMA,
    HUMAN,
    REVIEW_COLUMNS,
    UNNAMED,
    holds_numbers,
    review_schema,
)

_REVIEW_DEFAULTS = {"change": None, "review": "", "system": UNNAMED, "language": ""}
_CHANGE_DEFAULTS = {"change": None, "diff": "", "title": "", "language": ""}
"""Defaults for missing strings; a table must have the first two columns."""

COMPUTED = REVIEW_COLUMNS.keys() - {"id", *_REVIEW_DEFAULTS}
"""Columns of reviews that scoring computes."""


def with_defaults(
    reviews: pd.DataFrame, changes: pd.DataFrame
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Check tables to be scored, and fill in missing columns and missing strings.

    Reviews need `change` and `review`, changes `change` and `diff`. By default, `id` is the number
    of the row, `system` is `unnamed`, and `title` and `language` are empty. Named index levels are
    columns; columns of `COMPUTED` are dropped.

    Raises:
        InputError: a column is missing or occurs twice; or a cell has the wrong type, a key is
            missing or occurs twice, or a review has no change. The message names the table, the
            column and the row.
    """
    number = pd.Series(range(1, len(reviews) + 1))
    reviews = _with_texts(reviews, "reviews", {**_REVIEW_DEFAULTS, "id": number.astype(str)})
    changes = _with_texts(changes, "changes", _CHANGE_DEFAULTS)
    if changes.empty:
        raise InputError("changes: the table is empty")
    _reject(reviews["id"].duplicated(), "reviews: column 'id'", "it occurs twice")
    _reject(changes["change"].duplicated(), "changes: column 'change'", "it occurs twice")
    is_known = reviews["change"].isin(changes["change"])
    _reject(~is_known, "reviews: column 'change'", "`changes` has no such change")
    for name in filter(holds_numbers, map(str, reviews)):
        reviews[name] = _numbers(reviews[name], f"reviews: column {name!r}")
    _check_cells(changes, "claims", lambda cell: claims_from_items(json.loads(cell)))
    _check_cells(changes, "references", lambda cell: [*map(pseudo_reference, cell)])
    return reviews.drop(columns=COMPUTED, errors="ignore").assign(row=number), changes


def _with_texts(table: pd.DataFrame, name: str, defaults: Mapping[str, Any]) -> pd.DataFrame:
    """Return a table with strings in all columns of `defaults`, adding those that it lacks."""
    named = [level for level in table.index.names if level is not None and level not in table]
    table = table.reset_index(named) if named else table
    if missing := [column for column in [*defaults][:2] if column not in table]:
        raise InputError(f"{name}: the column {missing[0]!r} is missing")
    if not table.columns.is_unique:
        raise InputError(f"{name}: two columns have the same name")
    table = table.reset_index(drop=True)
    for column, default in defaults.items():
        place = f"{name}: column {column!r}"
        cells = table.get(column, pd.Series(None, table.index)).astype(object)
        is_missing = cells.isna() | (cells == "")
        is_text = cells.map(lambda cell: isinstance(cell, str)).astype(bool)
        _reject(~(is_text | is_missing), place, "it is not a string; convert the column to str")
        _reject(is_missing & (default is None), place, "it is empty")
        table[column] = cells.where(~is_missing, default)
    return table


def _check_cells(changes: pd.DataFrame, column: str, read: Callable[[Any], object]) -> None:
    for number, cell in enumerate(changes.get(column, ())):
        if isinstance(cell, str | list | np.ndarray) and len(cell):
            try:
                read(cell)
            except (InputError, ValueError, TypeError, KeyError, RecursionError) as error:
                place = f"changes: column {column!r}, row {number + 1}"
                raise InputError(f"it cannot be read: {error}", "", place) from error


def _numbers(cells: "pd.Series[Any]", place: str) -> "pd.Series[float]":
    """Return cells as numbers, which must be finite, and from 1 to 5 in ratings."""
    numbers = pd.to_numeric(cells, errors="coerce").astype("float64")
    _reject(numbers.isna() & cells.notna(), place, "it is not a number")
    _reject(np.isinf(numbers), place, "it is not finite")
    if cells.name in HUMAN.values():
        _reject((numbers < 1) | (numbers > 5), place, "a rating must be from 1 to 5")
    return numbers


def checked_changes(table: pa.Table) -> pa.Table:
    """Return the changes of a part with the types of `CHANGE_SCHEMA`; raise if they do not fit."""
    table = _typed(table, CHANGE_SCHEMA)
    kinds = compute.struct_field(compute.list_flatten(table["references"]), "kind")
    if not {*compute.unique(kinds).to_pylist()} <= {*ReferenceKind}:
        raise InputError("column 'references': the kind of a pseudo-reference is unknown")
    return table


def checked_reviews(table: pa.Table, changes: pa.Table) -> pa.Table:
    """Return the reviews of a part with the types of `REVIEW_COLUMNS`; raise if they do not fit.

    `changes` are the checked changes of the same part.
    """
    extra = [
        pa.field(field.name, pa.float64()) if holds_numbers(field.name) else field
        for field in table.schema
        if field.name not in REVIEW_COLUMNS
    ]
    table = _typed(table, review_schema(extra))
    for name in filter(holds_numbers, table.column_names):
        _numbers(table[name].to_pandas(), f"column {name!r}")
    n_references = compute.list_value_length(changes["references"]).to_pandas()
    n_references.index = changes["change"].to_pandas()
    cells = table.select(["change", "n_pseudo_references", "n_sentences"]).to_pandas()
    is_other = cells["n_pseudo_references"] != cells["change"].map(n_references)
    _reject(is_other, "column 'n_pseudo_references'", "it does not fit the change in this part")
    lengths = {
        "sentences": cells["n_sentences"],
        "similarity": cells["n_pseudo_references"] * cells["n_sentences"],
    }
    for name, length in lengths.items():
        is_other = compute.list_value_length(table[name]).to_pandas() != length
        _reject(is_other, f"column {name!r}", "its length does not fit the matrix of the review")
    return table


def _typed(table: pa.Table, schema: pa.Schema) -> pa.Table:
    """Return a table's columns that are in a schema, with its types; raise if they do not fit."""
    table.validate(full=True)
    table = table.select(schema.names).cast(schema)
    for field in schema:
        is_list = pa.types.is_list(field.type)
        if is_list and compute.list_flatten(table[field.name]).null_count:
            raise InputError(f"column {field.name!r}: a list has a missing item")
    return table


def _reject(mask: ArrayLike, place: str, reason: str) -> None:
    """Raise an error about the first row that `mask` marks, if it marks any."""
    rows = np.flatnonzero(mask)
    if rows.size:
        raise InputError(f"{place}, row {rows[0] + 1}: {reason}")
