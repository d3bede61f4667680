"""Files of reviews: each row becomes the review of a change."""

import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import pandas as pd
from pydantic import AfterValidator, BaseModel, BeforeValidator, Field, ValidationError

from crscore_core.change import normalise_language
from crscore_core.claims import claims_of_items
from crscore_core.errors import InputError
from crscore_core.scoring.scorer import MAX_REVIEW
from crscore_eval.table.columns import (
    NUMBER,
    Columns,
    cell_number,
    cell_text,
    decide_columns,
    flat_cells,
)
from crscore_eval.table.files import RejectedRow, no_usable_row_error, raw_rows
from crscore_eval.table.schema import UNNAMED

_MAX_NAME = 200


def _as_text(cell: object) -> str:
    """Return a cell as text; a list of texts is joined by line breaks."""
    if isinstance(cell, dict):
        raise ValueError("it is an object; give a text")  # noqa: TRY004 - pydantic needs ValueError
    if isinstance(cell, list):
        if not all(isinstance(text, str) for text in cell):
            raise ValueError("it is a list with other values than texts; give a text")
        cell = "\n".join(cell)
    return cell_text(cell)


def _one_line(cell: object) -> str:
    return " ".join(_as_text(cell).replace("\0", "\ufffd").split())


def _claims_as_json(cell: object) -> str | None:
    """Return the claims in a list, in a text that is a JSON list, or in the lines of a text."""
    items: Any = cell
    if not isinstance(cell, list):
        text = _as_text(cell)
        with suppress(ValueError, RecursionError):
            items = json.loads(text)
        if not isinstance(items, list):
            items = list(filter(str.strip, text.split("\n")))
            if not items:
                return None
    return json.dumps([asdict(claim) for claim in claims_of_items(items)], ensure_ascii=False)


Text = Annotated[str, BeforeValidator(_as_text)]
Name = Annotated[str, BeforeValidator(_one_line), Field(max_length=_MAX_NAME)]
Title = Annotated[str, BeforeValidator(lambda cell: _one_line(cell)[:_MAX_NAME])]


class ReviewRow(BaseModel):
    """A row of a file: a review of a change.

    The fields are described in `FIELDS`. A field that the row lacks is empty or None.

    row: number of the row in the file.
    claims: the claims that came with the change, as JSON.
    own: the row's other columns by their names in the table.
    """

    row: int
    id: Name = ""
    system: Annotated[Name, AfterValidator(lambda name: name or UNNAMED)] = UNNAMED
    language: Annotated[Name, AfterValidator(lambda name: name and normalise_language(name))] = ""
    review: Annotated[Text, Field(max_length=MAX_REVIEW)]
    diff: Text = ""
    reference: Annotated[Text, Field(max_length=MAX_REVIEW)] | None = None
    claims: Annotated[str | None, BeforeValidator(_claims_as_json)] = None
    new_file: Text | None = None
    old_file: Text | None = None
    change: Name = ""
    title: Title = ""
    own: dict[str, float | str | None] = Field(default_factory=dict)


def read_reviews(path: Path, columns: Columns) -> Iterator[ReviewRow | RejectedRow]:
    """Read a file of reviews row by row; see `raw_rows` for the formats.

    `columns` is the result of `decide_columns`. A row that cannot be used is yielded with the
    reason.

    Raises:
        InputError: the file cannot be read.
    """
    for row in raw_rows(path):
        if isinstance(row, RejectedRow):
            yield row
            continue
        number, cells = row[0], flat_cells(row[1])
        own = {
            name: _own_value(cells.get(column), kind)
            for column, (name, kind) in columns.own.items()
        }
        fields = {
            name: cells[column]
            for name, column in columns.fields.items()
            if column in cells and (name == "review" or cells[column] is not None)
        }
        file_path = fields.pop("path", None)
        try:
            review = ReviewRow(row=number, own=own, **fields)
        except (ValidationError, InputError) as error:
            yield RejectedRow(number, _rejection_reason(error))
            continue
        is_hunk = review.diff.startswith("@@")  # GitHub's `diff_hunk`
        if is_hunk and isinstance(file_path, str) and file_path and file_path.isprintable():
            old = "/dev/null" if review.diff.startswith("@@ -0,0 ") else f"a/{file_path}"
            review.diff = f"--- {old}\n+++ b/{file_path}\n{review.diff}"
        if review.diff.strip() or ("diff" not in columns.fields and review.reference is not None):
            yield review
        else:
            missing = "diff" if "diff" in columns.fields else "reference review"
            yield RejectedRow(number, f"it has no {missing}")


def read_table(path: Path) -> pd.DataFrame:
    """Read a file of reviews into memory, one review per row; see `read_reviews`.

    The columns are `row`, `id`, `system`, `language`, `review`, the file's other fields (`diff`,
    `reference`, `claims`, …), and its own columns. `attrs["rejected"]` lists `{"row", "reason"}`.

    Raises:
        InputError: the file or its columns cannot be used, see `decide_columns`; or no row can.
    """
    columns = decide_columns(path)
    rows = list(read_reviews(path, columns))
    rejected = [row for row in rows if isinstance(row, RejectedRow)]
    reviews = [row for row in rows if isinstance(row, ReviewRow)]
    if not reviews:
        raise no_usable_row_error(path, next(iter(rejected), None))
    names = {"row", "id", "system", "language", "review", "diff", *columns.fields}
    table = pd.DataFrame([{**row.model_dump(include=names), **row.own} for row in reviews])
    table["id"] = table["id"].where(table["id"] != "", table["row"].astype(str))
    table = table.astype({name: "float64" for name, kind in columns.own.values() if kind == NUMBER})
    table.attrs["rejected"] = [row._asdict() for row in rejected]
    return table


def _rejection_reason(error: Exception) -> str:
    """Return why a row cannot be used."""
    if not isinstance(error, ValidationError):
        return str(error)
    first = error.errors(include_url=False)[0]
    return f"{first['loc'][0]}: {first['msg'].removeprefix('Value error, ')}"


def _own_value(cell: object, kind: str) -> float | str | None:
    if kind == NUMBER:
        return cell_number(cell)
    return None if cell is None else cell_text(cell)
