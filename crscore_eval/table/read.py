"""A row of a file as a review of a change."""

import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import pandas as pd
from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    Field,
    ValidationError,
    field_validator,
)

from crscore_core.change import normalise_language
from crscore_core.claims import claims_of_items
from crscore_core.errors import InputError
from crscore_core.scoring.scorer import MAX_REVIEW
from crscore_eval.table.columns import (
    NUMBER,
    Columns,
    decide_columns,
    flat_cells,
    number_of,
    plain_text,
)
from crscore_eval.table.files import RejectedRow, no_usable_row, raw_rows
from crscore_eval.table.schema import UNNAMED

_MAX_NAME = 200


def _joined(cell: object) -> str:
    """Return a cell as text; a list of texts is joined, and an empty one is empty."""
    if isinstance(cell, dict):
        raise ValueError("it is an object; give a text")  # noqa: TRY004 - pydantic takes no other
    if isinstance(cell, list):
        if not all(isinstance(text, str) for text in cell):
            raise ValueError("expected a text or a list of texts")
        cell = "\n".join(cell)
    return plain_text(cell)


def _one_line(cell: object) -> str:
    return " ".join(_joined(cell).replace("\0", "\ufffd").split())


Text = Annotated[str, BeforeValidator(_joined)]
Name = Annotated[str, BeforeValidator(_one_line), Field(max_length=_MAX_NAME)]
Title = Annotated[str, BeforeValidator(lambda cell: _one_line(cell)[:_MAX_NAME])]


class ReviewRow(BaseModel):
    """A review of a change, as a row of a file has it.

    Fields that the row lacks are empty, or None. `claims` are JSON of the claims that came with the
    change. `own` are the row's other columns by their names in the table, numbers or texts.
    """

    row: int
    id: Name = ""
    system: Annotated[Name, AfterValidator(lambda name: name or UNNAMED)] = UNNAMED
    language: Annotated[Name, AfterValidator(lambda name: name and normalise_language(name))] = ""
    review: Annotated[Text, Field(max_length=MAX_REVIEW)]
    diff: Text = ""
    reference: Annotated[Text, Field(max_length=MAX_REVIEW)] | None = None
    claims: str | None = None
    new_file: Text | None = None
    old_file: Text | None = None
    change: Name = ""
    title: Title = ""
    own: dict[str, float | str | None] = Field(default_factory=dict)

    @field_validator("claims", mode="before")
    @classmethod
    def _as_json(cls, cell: object) -> str | None:
        """Return the claims in a list, in a text that is a JSON list, or in the lines of a text."""
        items: Any = cell
        if not isinstance(cell, list):
            text = _joined(cell)
            with suppress(ValueError, RecursionError):
                items = json.loads(text)
            if not isinstance(items, list):
                items = list(filter(str.strip, text.split("\n")))
                if not items:
                    return None
        return json.dumps([asdict(claim) for claim in claims_of_items(items)], ensure_ascii=False)


def read_reviews(path: Path, columns: Columns) -> Iterator[ReviewRow | RejectedRow]:
    """Read a file of reviews, row by row, without holding it in memory.

    The file is JSON Lines, JSON, CSV, Parquet or XLSX, with one review per row; `columns` are from
    `decide_columns`. A row that cannot be used is yielded with the reason.

    Raises:
        InputError: the file cannot be read.
    """
    for row in raw_rows(path):
        if isinstance(row, RejectedRow):
            yield row
            continue
        number, cells = row[0], flat_cells(row[1])
        own = {name: _own(cells.get(column), kind) for column, (name, kind) in columns.own.items()}
        fields = {
            name: cells[column]
            for name, column in columns.fields.items()
            if column in cells and (name == "review" or cells[column] is not None)
        }
        file = fields.pop("path", None)
        try:
            review = ReviewRow(row=number, own=own, **fields)
        except (ValidationError, InputError) as error:
            yield RejectedRow(number, _reason(error))
            continue
        is_hunk = review.diff.startswith("@@")  # GitHub's `diff_hunk`
        if is_hunk and isinstance(file, str) and file and file.isprintable():
            old = "/dev/null" if review.diff.startswith("@@ -0,0 ") else f"a/{file}"
            review.diff = f"--- {old}\n+++ b/{file}\n{review.diff}"
        if review.diff.strip() or ("diff" not in columns.fields and review.reference is not None):
            yield review
        else:
            missing = "diff" if "diff" in columns.fields else "reference review"
            yield RejectedRow(number, f"it has no {missing}")


def read_table(path: Path) -> pd.DataFrame:
    """Read a file of reviews into memory, one review per row; see `read_reviews`.

    Columns are `row`, `id`, `system`, `language`, `review`, the file's other fields (`diff`,
    `reference`, `claims`, …), and its own. `attrs["rejected"]` lists `{"row", "reason"}`.

    Raises:
        InputError: as `decide_columns` does, or no row can be used.
    """
    columns = decide_columns(path)
    rows = list(read_reviews(path, columns))
    rejected = [row for row in rows if isinstance(row, RejectedRow)]
    reviews = [row for row in rows if isinstance(row, ReviewRow)]
    if not reviews:
        raise no_usable_row(path, next(iter(rejected), None))
    names = {"row", "id", "system", "language", "review", "diff", *columns.fields}
    table = pd.DataFrame([{**row.model_dump(include=names), **row.own} for row in reviews])
    table["id"] = table["id"].where(table["id"] != "", table["row"].astype(str))
    numbers = [name for name, kind in columns.own.values() if kind == NUMBER]
    table = table.astype(dict.fromkeys(numbers, "float64"))
    table.attrs["rejected"] = [row._asdict() for row in rejected]
    return table


def _reason(error: Exception) -> str:
    """Return why a row cannot be used, in words."""
    if not isinstance(error, ValidationError):
        return str(error)
    first = error.errors(include_url=False)[0]
    return f"{first['loc'][0]}: {first['msg'].removeprefix('Value error, ')}"


def _own(cell: object, kind: str) -> float | str | None:
    if kind == NUMBER:
        return number_of(cell)
    return None if cell is None else plain_text(cell)
