"""Rows of JSON Lines and JSON: objects, in lists or deep inside of other objects."""

import json
import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from itertools import count
from typing import Any, TextIO

from crscore_core.errors import InputError
from crscore_eval.table.fields import FIELDS, TEXT_COLUMNS, bare_name
from crscore_eval.table.rows import (
    FORMATS,
    MAX_DOCUMENT,
    MAX_ROW,
    Row,
    checked_row,
    names_reviews,
    text_lines,
)

GUARD = ")]}'"
"""Start of a line that Gerrit puts before JSON."""

_CHUNK = 2**20
_BETWEEN_ITEMS = re.compile(r"[\s,\[\]]*+")
_NAMES = {*FIELDS["review"], *FIELDS["diff"]}
_INDEX = re.compile(r"\d+|.*[./].*")
"""A key that is data: the number of a row or the name of a file."""

Sourced = tuple[object, str]  # a value and its JSON


def read_json_lines(text: TextIO) -> Iterator[Row]:
    """Yield the rows in each line."""
    for number, line in enumerate(text_lines(text), start=1):
        if line.strip():
            try:
                values = [*_rows_inside(json.loads(line[:MAX_ROW].rstrip()), line)]
            except json.JSONDecodeError as error:
                reason = f"it is invalid JSON from column {error.colno} on"
                yield checked_row(number, None, line, reason)
                continue
            except (ValueError, RecursionError) as error:  # such as a number of 5,000 digits
                yield checked_row(number, None, line, f"it is invalid JSON: {error}")
                continue
            for value, source in values:
                yield checked_row(number, value, source)


def read_json_document(text: TextIO) -> Iterator[Row]:
    """Yield the rows of one or several lists, of lists in a list, in an object, or of no list."""
    position = text.tell()
    is_object = text.read(_CHUNK).lstrip().startswith("{")
    text.seek(position)
    numbers = count(1)
    for value, source in _json_values(text):
        for row, row_source in _rows_inside(value, source, is_alone=is_object):
            yield checked_row(next(numbers), row, row_source)


def _rows_inside(value: object, source: str, *, is_alone: bool = False) -> Iterator[Sourced]:
    """Yield the rows inside of an object such as `{"data": [...]}`, or the value if it is a row.

    Rows are recognised by usual names of reviews and diffs. Texts without a diff next to texts with
    one are also yielded. If `is_alone`, the list in an object that stands in no list may have other
    names.

    Raises:
        InputError: it is unclear which of several lists holds the reviews, or the list is empty.
    """
    value = _with_rows(value)
    if isinstance(value, list):
        yield from ((row, json.dumps(row, ensure_ascii=False)) for row in value)
        return
    if not isinstance(value, dict) or names_reviews([*value]):
        yield value, source
        return
    by_path: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for place, item in _objects(value, "", None if is_alone else {}):
        by_path[place].append(item)
    path = _path_of_rows(value, by_path, is_alone=is_alone)
    if path is None:
        yield value, source
        return
    is_full = any(map(names_reviews, map(list, by_path[path])))
    lists = (one for one in by_path if is_full and one.endswith("]") and not one.startswith(path))
    for one in (path, *lists):
        for item in by_path[one]:
            if one == path or _has_text(item, FIELDS["review"]):
                yield item, json.dumps(item, ensure_ascii=False)


def _path_of_rows(
    value: Mapping[str, Any], by_path: Mapping[str, list[Mapping[str, Any]]], *, is_alone: bool
) -> str | None:
    """Return the path of the objects inside of a value that are rows; None if it is a row itself.

    Raises:
        InputError: several paths may lead to rows, or the only list is empty.
    """
    paths = [path for path, items in by_path.items() if any(map(names_reviews, map(list, items)))]
    if not paths and not _has_text(value):
        with_text = (path for path, items in by_path.items() if any(map(_has_text, items)))
        paths = [path for path in with_text if "]" in path]
    if not paths and is_alone and not _is_row(value, by_path):
        paths = [path for path in by_path if re.fullmatch(r"[^\]]*\[\]", path)]
        for path, items in by_path.items():
            if not paths and (empty := [key for key, inner in items[0].items() if inner == []]):
                raise InputError(f"its list {path}{_key(empty[0])} is empty")
    outer = [one for one in paths if not any(one.startswith(f"{other}.") for other in paths)]
    if len(outer) > 1:
        keys = [re.sub(r"^([^\[]*)\[\]$", r"\1", path) for path in outer]
        raise InputError(
            f"it is unclear which list holds the reviews: {', '.join(keys)[:500]}",
            f"give what this prints: jq '{keys[0] if keys[0] != outer[0] else f'[{outer[0]}]'}'",
        )
    return outer[0] if outer else None


def _objects(
    value: object, path: str, outer: Mapping[str, Any] | None
) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield an object and all objects inside of it, each with its path as jq has it.

    A review has the cells of the objects around it, from the first list on: `outer`, None outside
    of lists. An object around a list gives only texts and numbers. A key that is the name of a file
    is the cell `path`.
    """
    if isinstance(value, dict):
        has_review = any(bare_name(key) in FIELDS["review"] for key in value)
        yield path, {**outer, **value} if outer and has_review else value
        for key, inner in value.items():
            inner_path, inner_outer = f"{path}{_key(key)}", outer
            is_index = _INDEX.fullmatch(key)
            if outer is not None:
                is_list = is_index or isinstance(inner, list)
                inner_outer = {
                    name: cell
                    for name, cell in {**outer, **value}.items()
                    if name != key and bare_name(name) not in FIELDS["review"]
                    if not (is_list and isinstance(cell, list | dict))
                }
            if is_index:
                inner_path = f"{path}[]"
                inner_outer = inner_outer if key.isdigit() else {**(inner_outer or {}), "path": key}
            yield from _objects(inner, inner_path, inner_outer)
    elif isinstance(value, list):
        for item in value:
            yield from _objects(item, f"{path}[]", outer or {})


def _key(key: str) -> str:
    return f".{key}" if re.fullmatch(r"\w+", key, re.ASCII) else f".{json.dumps(key)}"


def _with_rows(value: object) -> object:
    """Return the rows of an object as pandas writes it by column, or split; else the value."""
    if not isinstance(value, dict):
        return value
    columns, data = value.get("columns"), value.get("data")
    if isinstance(columns, list) and isinstance(data, list) and value.keys() <= {*_SPLIT}:
        return [dict(zip(map(str, columns), cells, strict=False)) for cells in data]
    cells_by_column = [*value.values()]
    if cells_by_column and all(_is_column(cells) for cells in cells_by_column):
        return [
            {column: cells.get(number) for column, cells in value.items()}
            for number in cells_by_column[0]
        ]
    return value


_SPLIT = ("columns", "index", "data")


def _is_column(cells: object) -> bool:
    return isinstance(cells, dict) and bool(cells) and all(map(str.isdigit, cells))


def _has_text(item: Mapping[str, Any], names: Collection[str] = _NAMES) -> bool:
    """Return True if an object has a text, by default a review or a diff, under a usual name."""
    return any(
        bare_name(key) in names
        and (isinstance(cell, str) or (key in TEXT_COLUMNS and isinstance(cell, dict)))
        and bool(cell)
        for key, cell in item.items()
    )


def _is_row(value: Mapping[str, Any], by_path: Mapping[str, Any]) -> bool:
    """Return True for an object with a text of several lines, or mostly without lists."""
    if any(isinstance(text, str) and "\n" in text for text in value.values()):
        return True
    outer = [items for path, items in by_path.items() if re.fullmatch(r"[^\]]*\]", path)]
    size = len(json.dumps(outer, ensure_ascii=False))
    return bool(outer) and 2 * size < len(json.dumps(value, ensure_ascii=False))


def _json_values(text: TextIO) -> Iterator[Sourced]:
    """Yield each value outside or inside of lists, with its source."""
    decoder, buffer, position, n_open_lists = json.JSONDecoder(), "", 0, 0
    line = 2 if text.tell() else 1  # of the start of the buffer; `GUARD` is above
    while True:
        if separators := _BETWEEN_ITEMS.match(buffer, position):
            n_open_lists += separators[0].count("[") - separators[0].count("]")
            position = separators.end()
        try:
            value, end = decoder.raw_decode(buffer, position)
        except ValueError as error:  # the value may continue in the next chunk
            line += buffer.count("\n", 0, position)
            buffer, position = buffer[position:], 0
            chunk = text.read(max(_CHUNK, len(buffer)))
            if not chunk and not buffer and not n_open_lists:
                return
            if not chunk:
                reason = getattr(error, "msg", str(error))
                end = line + buffer.count("\n", 0, getattr(error, "pos", 0))
                raise InputError(f"invalid JSON in line {end}: {reason}", FORMATS) from error
            buffer += chunk
            if len(buffer) > MAX_DOCUMENT:
                raise InputError("a JSON value is too large", "give JSON Lines") from error
        except RecursionError as error:
            raise InputError("invalid JSON: nested too deeply") from error
        else:
            yield value, buffer[position:end]
            position = end
