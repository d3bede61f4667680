"""Check tables of reviews and changes, either to be scored or read from a run."""

import json
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import ArrayLike
from pandas.api.types import is_numeric_dtype
from pyarrow import compute

from crscore_core.claims import ReferenceKind, claims_from_items
from crscore_core.errors import InputError
from crscore_eval.table.one_review import pseudo_reference
from crscore_eval.table.schema import (
    CHANGE_SCHEMA,
    HUMAN,
    REVIEW_COLUMNS,
    SCORES,
    UNNAMED,
    from_arrow,
    holds_numbers,
    review_schema,
)
from crscore_eval.table.scores import scores_at

_REVIEW_DEFAULTS = {"change": None, "review": "", "system": UNNAMED, "language": ""}
_CHANGE_DEFAULTS = {"change": None, "diff": "", "title": "", "language": ""}
"""Defaults for missing strings; a table must have the first two columns."""

_COMPUTED = REVIEW_COLUMNS.keys() - {"row", "id", *_REVIEW_DEFAULTS}
_LARGEST_COSINE = 1.001
_ROUNDING = 1e-6


def with_defaults(
    reviews: pd.DataFrame, changes: pd.DataFrame
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Check tables to be scored, and fill in missing columns and missing strings.

    Reviews need `change` and `review`, changes `change` and `diff`. By default, `row` and `id` are
    the number of the row, `system` is `unnamed`, and `title` and `language` are empty.

    Raises:
        InputError: a column is missing, has a reserved name or occurs twice; or a cell has the
            wrong type, a key is missing or occurs twice, or a review has no change. The message
            names the table, the column and the row.
    """
    number = pd.Series(range(1, len(reviews) + 1))
    reviews = reviews.assign(id=reviews.get("id"), row=reviews.get("row", number.to_numpy()))
    reviews = _with_texts(reviews, "reviews", {**_REVIEW_DEFAULTS, "id": number.astype(str)})
    changes = _with_texts(changes, "changes", _CHANGE_DEFAULTS)
    if changes.empty:
        raise InputError("changes: the table is empty")
    _reject(reviews["id"].duplicated(), "reviews", "id", "it occurs twice; give unique ids")
    _reject(changes["change"].duplicated(), "changes", "change", "it occurs twice; give each once")
    is_known = reviews["change"].isin(changes["change"])
    _reject(~is_known, "reviews", "change", "`changes` has no such change")
    for name in reviews:
        if name in _COMPUTED:
            raise InputError(f"reviews: column {name!r} is computed; drop or rename it")
        if name == "row" or holds_numbers(str(name)) or is_numeric_dtype(reviews[name]):
            _check_numbers(reviews[name], "reviews", str(name))
    _check_cells(changes, "claims", lambda cell: claims_from_items(json.loads(cell)))
    _check_cells(changes, "references", lambda cell: [*map(pseudo_reference, cell)])
    return reviews, changes


def _with_texts(table: pd.DataFrame, name: str, defaults: Mapping[str, Any]) -> pd.DataFrame:
    """Return a table with strings in all columns of `defaults`, adding those that it lacks."""
    if missing := [column for column in [*defaults][:2] if column not in table]:
        raise InputError(f"{name}: the column {missing[0]!r} is missing")
    if not table.columns.is_unique:
        raise InputError(f"{name}: two columns have the same name")
    table = table.reset_index(drop=True)
    for column, default in defaults.items():
        cells = table.get(column, pd.Series(None, table.index)).astype(object)
        is_missing = cells.isna() | (cells == "")
        reason = "it is not a string; convert the column to str"
        _reject(~(_is_text(cells) | is_missing), name, column, reason)
        _reject(is_missing & (default is None), name, column, "it is empty")
        table[column] = cells.where(~is_missing, default)
    return table


def _is_text(cells: "pd.Series[Any]") -> "pd.Series[bool]":
    return cells.map(lambda cell: isinstance(cell, str)).astype(bool)


def _check_cells(changes: pd.DataFrame, column: str, read: Callable[[Any], object]) -> None:
    for number, cell in enumerate(changes.get(column, ())):
        if isinstance(cell, str | list | np.ndarray) and len(cell):
            try:
                read(cell)
            except (InputError, ValueError, TypeError, KeyError, RecursionError) as error:
                is_bad = np.arange(len(changes)) == number
                _reject(is_bad, "changes", column, f"it cannot be read: {error}")


def _check_numbers(cells: "pd.Series[Any]", table: str, column: str) -> None:
    """Check that the cells are missing or finite numbers, and ratings from 1 to 5."""
    numbers = pd.to_numeric(cells, errors="coerce").astype("float64")
    is_other = _is_text(cells) | (numbers.isna() & cells.notna())
    _reject(is_other, table, column, "it is not a number")
    _reject(np.isinf(numbers), table, column, "it is not finite")
    if column in HUMAN.values():
        _reject((numbers < 1) | (numbers > 5), table, column, "a rating must be from 1 to 5")


def checked_changes(table: pa.Table) -> pa.Table:
    """Check the changes of a part of a run, and return them with the types of `CHANGE_SCHEMA`.

    Raises:
        Exception: a column is missing or has another type, or a cell is not valid.
    """
    table = _typed(table, CHANGE_SCHEMA)
    _reject(table["change"].to_pandas().duplicated(), "", "change", "it occurs twice")
    references = compute.list_flatten(table["references"])
    is_scorable = compute.list_value_length(table["references"]).to_pandas() > 0
    reason = "it must say why a change without pseudo-references, and no other, is left out"
    _reject(is_scorable == table["left_out"].to_pandas().notna(), "", "left_out", reason)
    kinds, lines, wordings = (
        compute.struct_field(references, name) for name in ("kind", "line", "wordings")
    )
    if not {*compute.unique(kinds).to_pylist()} <= {*ReferenceKind}:
        raise InputError("column 'references': the kind of a pseudo-reference is unknown")
    if compute.any(compute.less(lines, 1)).as_py():
        raise InputError("column 'references': a line number is below 1")
    if compute.list_flatten(wordings).null_count:
        raise InputError("column 'references': a wording is missing")
    return table


def checked_reviews(table: pa.Table, changes: pa.Table) -> pa.Table:
    """Check the reviews of a part of a run, and return them with the types of `REVIEW_COLUMNS`.

    `changes` are the checked changes of the same part.

    Raises:
        Exception: a column is missing or has another type, a cell is not valid, or the reviews
            do not belong to the changes.
    """
    extra = [name for name in table.column_names if name not in REVIEW_COLUMNS]
    fields = [pa.field(name, _extra_type(name, table[name].type)) for name in extra]
    table = _typed(table, review_schema(fields))
    for field in fields:
        if not pa.types.is_string(field.type):
            _check_numbers(table[field.name].to_pandas(), "", field.name)
    cells = table.select([*SCORES, "tau", "change"]).to_pandas()
    n_references = compute.list_value_length(changes["references"]).to_pandas()
    n_rows = cells["change"].map(n_references.set_axis(changes["change"].to_pandas()))
    n_columns = table["n_sentences"].to_pandas()
    is_scored = (n_rows > 0) & (n_columns > 0)
    lengths = {
        "sentences": n_columns,
        "similarity": n_rows * n_columns,
        "sentence_maxima": n_columns * is_scored,
        "reference_maxima": n_rows * is_scored,
    }
    is_other = n_rows != table["n_pseudo_references"].to_pandas()
    _reject(n_rows.isna(), "", "change", "the part has no such change")
    _reject(is_other, "", "n_pseudo_references", "its change has a different number")
    _reject(~cells["tau"].between(-1, 1), "", "tau", "it must be between -1 and 1")
    for name, length in lengths.items():
        is_other = compute.list_value_length(table[name]).to_pandas() != length
        _reject(is_other, "", name, "its length does not fit the matrix of the review")
        numbers = compute.list_flatten(table[name])
        if name != "sentences" and not (np.abs(numbers.to_numpy()) <= _LARGEST_COSINE).all():
            raise InputError(f"column {name!r}: a number is not a cosine similarity")
    reviews = from_arrow(table.select([*lengths]))
    scores = scores_at(reviews, float(cells["tau"].iloc[0]))
    scores["no_threshold"] = scores_at(reviews, None)["relevance"]
    for name in SCORES:
        fits = np.isclose(cells[name], scores[name], rtol=0, atol=_ROUNDING, equal_nan=True)
        _reject(~fits, "", name, "the score does not fit the similarities")
    return table


def _extra_type(name: str, kind: pa.DataType) -> pa.DataType:
    if holds_numbers(name):
        return pa.float64()
    is_number = pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_boolean(kind)
    return kind if is_number and name != "reference" else pa.string()


def _typed(table: pa.Table, schema: pa.Schema) -> pa.Table:
    """Return a table's columns that are in a schema, with its types; raise if they do not fit."""
    table.validate(full=True)
    if not table.num_rows:
        raise InputError("the table is empty")
    table = table.select(schema.names).cast(schema)
    for field in schema:
        is_list = pa.types.is_list(field.type)
        if is_list and compute.list_flatten(table[field.name]).null_count:
            raise InputError(f"column {field.name!r}: a list has a missing item")
    return table


def _reject(mask: ArrayLike, table: str, column: str, reason: str) -> None:
    """Raise an error about the first row that `mask` marks, if it marks any."""
    rows = np.flatnonzero(mask)
    if rows.size:
        prefix = f"{table}: " if table else ""
        raise InputError(f"{prefix}column {column!r}, row {rows[0] + 1}: {reason}")
