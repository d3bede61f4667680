"""Read files of reviews; each row becomes the review of a change."""

import json
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from statistics import fmean
from typing import Annotated

from pydantic import AfterValidator, BaseModel, BeforeValidator, Field, ValidationError

from crscore_core.change import normalise_language
from crscore_core.claims import claims_from_items, parse_given_claims
from crscore_core.errors import InputError
from crscore_eval.table.cells import RawRow, RejectedRow, cell_number, cell_text, is_blank
from crscore_eval.table.files import raw_rows
from crscore_eval.table.roles import FileLayout
from crscore_eval.table.schema import UNNAMED

_MAX_NAME = 200


def _as_text(cell: object) -> str:
    """Return a cell as text; a list of strings is joined by line breaks."""
    if isinstance(cell, list) and all(isinstance(text, str) for text in cell):
        cell = "\n".join(cell)
    if not isinstance(cell, list | dict):
        return cell_text(cell)
    raise ValueError("it is a list or an object; give text")


def _one_line(cell: object) -> str:
    return " ".join(_as_text(cell).replace("\0", "\ufffd").split())


def claims_as_json(cell: object) -> str | None:
    """Return the claims in a list, in JSON, or in lines of text, as a JSON list.

    A blank cell means that claims are not given; an empty list means that there are none.

    Raises:
        InputError: the cell has no such claims.
    """
    if is_blank(cell):
        return None
    if isinstance(cell, str):
        claims = parse_given_claims(cell)
    elif isinstance(cell, list):
        claims = claims_from_items(cell)
    else:
        raise InputError("the claims are not a list; give a list, or text with a claim per line")
    return json.dumps([*map(asdict, claims)], ensure_ascii=False)


Text = Annotated[str, BeforeValidator(_as_text)]
Name = Annotated[str, BeforeValidator(_one_line), Field(max_length=_MAX_NAME)]
Title = Annotated[str, BeforeValidator(lambda cell: _one_line(cell)[:_MAX_NAME])]


class ReviewRow(BaseModel):
    """A review of a change, with the fields of `FIELDS`; one that is missing is empty or None."""

    row: int  # its number in the file
    place: str  # such as `row 3`
    id: Name = ""
    system: Annotated[Name, AfterValidator(lambda name: name or UNNAMED)] = UNNAMED
    rater: Annotated[Name, AfterValidator(lambda name: name or UNNAMED)] = UNNAMED
    language: Annotated[Name, AfterValidator(lambda name: name and normalise_language(name))] = ""
    review: Text
    diff: Text = ""
    reference: Text | None = None
    claims: Annotated[str | None, BeforeValidator(claims_as_json)] = None  # of the change, as JSON
    new_file: Text | None = None
    old_file: Text | None = None
    change: Name = ""
    title: Title = ""
    extra: dict[str, float | str | None] = Field(default_factory=dict)  # by name in the table


def read_reviews(path: Path, layout: FileLayout) -> Iterator[ReviewRow | RejectedRow]:
    """Read a file of reviews row by row; see `raw_rows` for the formats.

    `layout` is the result of `decide_layout`. An unusable row is yielded with the reason, and a
    reply to another comment is left out.

    Raises:
        InputError: the file cannot be read.
    """
    reply = layout.fields.get("reply", "")
    for row in raw_rows(path):
        if isinstance(row, RejectedRow):
            yield row
        elif is_blank(cell := row.cells.get(reply)) or cell_number(cell) == 0:
            yield _validated(row, layout)


def _validated(row: RawRow, layout: FileLayout) -> ReviewRow | RejectedRow:
    filled = [name == cell for name, cell in row.cells.items() if not is_blank(cell)]
    if filled and all(filled):
        return row.rejected("it repeats the header")
    fields = {  # a missing review stays an empty review
        field: row.cells[column]
        for field, column in layout.fields.items()
        if column in row.cells and (field == "review" or row.cells[column] is not None)
    }
    extra = {role.read_as: role.value(row.cells.get(role.column)) for role in layout.extra}
    for name, raters in layout.means.items():
        numbers = [cell for rater in raters if isinstance(cell := extra[rater], float)]
        extra[name] = fmean(numbers) if numbers else None
    try:
        review = ReviewRow(row=row.row, place=row.place, extra=extra, **fields)
    except (ValidationError, InputError) as error:
        reason = str(error)
        if isinstance(error, ValidationError):
            first = error.errors(include_url=False)[0]
            message = first["msg"].removeprefix("Value error, ").removeprefix("String ")
            is_missing = first["type"] == "missing"
            reason = f"{first['loc'][0]}: {'it is missing' if is_missing else message}"
        return row.rejected(reason)
    review.id = review.id or (row.place if row.sheet else "")
    review.diff = _with_file_name(review.diff, fields.get("path"))
    has_diffs = "diff" in layout.fields
    if not review.diff.strip() and (has_diffs or review.reference is None):
        what = "diff; repeat the diff in each row" if has_diffs else "reference review"
        return row.rejected(f"it has no {what}")
    if "system" in layout.fields and not _one_line(fields.get("system")):
        return row.rejected("it names no reviewer, unlike other rows")
    return review


def _with_file_name(diff: str, file_path: object) -> str:
    """Return a diff; a bare hunk, such as GitHub's `diff_hunk`, gets a file header."""
    is_name = isinstance(file_path, str) and file_path and file_path.isprintable()
    if not is_name or not diff.startswith("@@"):
        return diff
    old = "/dev/null" if diff.startswith("@@ -0,0 ") else f"a/{file_path}"
    return f"--- {old}\n+++ b/{file_path}\n{diff}"
