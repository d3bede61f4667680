"""Check tables of reviews and changes, either to be scored or read from a run."""

from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import ArrayLike
from pyarrow import compute

from crscore_core.claims import PseudoReference, ReferenceKind
from crscore_core.errors import InputError
from crscore_eval.table.cells import cell_text
from crscore_eval.table.one_review import pseudo_reference
from crscore_eval.table.read import claims_as_json
from crscore_eval.table.schema import (
    CHANGE_SCHEMA,
    EXPORT_ONLY,
    HUMAN,
    REVIEW_COLUMNS,
    UNNAMED,
    holds_numbers,
    review_schema,
)

_REVIEW_DEFAULTS = {"change": None, "review": "", "system": UNNAMED, "language": ""}
_CHANGE_DEFAULTS = {"change": None} | dict.fromkeys(
    ("diff", "title", "language", "new_file", "old_file"), ""
)
"""Defaults for missing strings; a table must have the first two columns."""

COMPUTED = {*REVIEW_COLUMNS, *EXPORT_ONLY, "signature"} - {"id", *_REVIEW_DEFAULTS}
"""Columns of reviews that scoring or an export computes."""


def with_defaults(
    reviews: pd.DataFrame, changes: pd.DataFrame
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Check tables to be scored, and fill in missing columns and missing strings.

    Reviews need `change` and `review`, changes `change` and `diff`. For `claims`, see
    `claims_as_json`; `references` are lists of pseudo-references or of their fields. By default,
    `id` is the number of the row, `system` is `unnamed`, and other texts are empty. Named index
    levels are columns; columns of `COMPUTED` are dropped.

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
    for name in {*reviews} - COMPUTED:
        if name == "reference" or not _can_be_stored(reviews[name]):
            cells = reviews[name].astype(object)
            reviews[name] = cells.map(cell_text).astype("str").where(cells.notna(), None)
    for name, read in (("claims", claims_as_json), ("references", _pseudo_references)):
        if name in changes:
            changes[name] = _read_cells(changes[name], read)
    return reviews.drop(columns=COMPUTED, errors="ignore").assign(row=number), changes


def _with_texts(table: pd.DataFrame, name: str, defaults: Mapping[str, Any]) -> pd.DataFrame:
    """Return a table with strings in all columns of `defaults`, adding those that it lacks."""
    if not isinstance(table, pd.DataFrame):
        raise InputError(f"{name}: give a pandas DataFrame, not {type(table).__name__}")
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


def _pseudo_references(cell: object) -> tuple[PseudoReference, ...] | None:
    """Return the pseudo-references in a list of them or of their fields; None without a list."""
    if cell is None:
        return None
    if not isinstance(cell, list):
        raise InputError("it is not a list of pseudo-references")
    items = [one if isinstance(one, PseudoReference) else pseudo_reference(one) for one in cell]
    pa.array([[*map(asdict, items)]], CHANGE_SCHEMA.field("references").type)  # raises
    return tuple(items)


def _read_cells(cells: "pd.Series[Any]", read: Callable[[object], object]) -> "pd.Series[Any]":
    """Return the claims or pseudo-references in each cell, None for a missing cell."""
    read_cells: list[object] = []
    for row, cell in enumerate(cells.astype(object), start=1):
        is_list = isinstance(cell, list | tuple | np.ndarray)
        try:
            read_cells.append(read([*cell] if is_list else None if pd.isna(cell) else cell))
        except (ArithmeticError, AttributeError, InputError, TypeError, ValueError) as error:
            reason = error if isinstance(error, InputError) else "a field is missing or not valid"
            place = f"changes: column {cells.name!r}, row {row}"
            raise InputError(str(reason), "", place) from error
    return pd.Series(read_cells, dtype=object)


def _can_be_stored(cells: "pd.Series[Any]") -> bool:
    """Return True for cells of one type other than bytes, and without surrogates."""
    try:
        return not pa.types.is_binary(pa.array(cells, from_pandas=True).type)
    except (pa.ArrowException, UnicodeError, OverflowError):
        return False


def _numbers(cells: "pd.Series[Any]", place: str) -> "pd.Series[float]":
    """Return cells as numbers, which must be finite, and from 1 to 5 in ratings."""
    _reject(cells.notna() & (cells.dtype.kind in "cmM"), place, "it is complex or a time")
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
    n_rows, n_columns = cells["n_pseudo_references"], cells["n_sentences"]
    is_other = n_rows != cells["change"].map(n_references)
    _reject(is_other, "column 'n_pseudo_references'", "it does not fit the change")
    lengths = {"sentences": n_columns, "similarity": n_rows * n_columns}
    lengths |= {"sentence_maxima": n_columns * (n_rows > 0)}
    lengths |= {"reference_maxima": n_rows * (n_columns > 0)}
    for name, length in lengths.items():
        is_other = compute.list_value_length(table[name]).to_pandas() != length
        _reject(is_other, f"column {name!r}", "its length does not fit the matrix of the review")
    if not (np.abs(compute.list_flatten(table["similarity"]).to_numpy()) <= 1).all():
        raise InputError("column 'similarity': a cosine must be from -1 to 1")
    return table


def _typed(table: pa.Table, schema: pa.Schema) -> pa.Table:
    """Return a table's columns that are in a schema, with its types; raise if they do not fit."""
    table.validate(full=True)
    table = table.select(schema.names)
    typed = table.cast(schema)
    for field, given in zip(schema, table.schema, strict=True):
        is_list = pa.types.is_list(field.type)
        if is_list and compute.list_flatten(typed[field.name]).null_count:
            raise InputError(f"column {field.name!r}: a list has a missing item")
        is_struct = is_list and pa.types.is_struct(field.type.value_type)
        # The cast fills in missing fields.
        if is_struct and field.type.value_type.names != given.type.value_type.names:
            raise InputError(f"column {field.name!r}: a field is missing")
    return typed


def _reject(mask: ArrayLike, place: str, reason: str) -> None:
    """Raise an error about the first row that `mask` marks, if it marks any."""
    rows = np.flatnonzero(mask)
    if rows.size:
        raise InputError(f"{place}, row {rows[0] + 1}: {reason}")
