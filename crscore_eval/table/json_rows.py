"""Read rows from JSON: the objects with reviews, wherever they are in a document."""

import json
import re
from collections import defaultdict
from collections.abc import Iterator
from typing import Any, NamedTuple, TextIO

from crscore_core.errors import InputError
from crscore_eval.table.cells import FORMATS, MAX_DOCUMENT, RawRow, RejectedRow, Row, has_diff
from crscore_eval.table.columns import AUTHOR, ENCLOSING, roles_named

GUARD = ")]}'"
"""Start of a line that Gerrit puts before JSON."""

_LIST_OF_REVIEWS = re.compile(r"(review|comment|remark|finding|note)s\[\]$", re.IGNORECASE)
_NOT_BLANK = re.compile(r"\S")
_NAMES = ("from_name", "name", "question", "key")  # of an answer, next to its `value`
_VALUES = {"value", "rating", "choices", "number", "score"}
_MAX_ANSWERS = 50  # in one list
_RATERS = ("completed_by", "annotator", "rater", "user_id")
_TEXTS = {"diff", "review", "claims"}
Cells = dict[str, Any]


class _Item(NamedTuple):
    """An item of a list, or the whole value."""

    rank: int = 0  # how likely it is to be a row, see `_rank`
    cells: Cells | None = None  # with those of enclosing objects; None if it is not an object
    has_review: bool = False  # in its own cells


_Items = dict[str, list[_Item]]  # the items of lists, keyed by jq path


def read_json_lines(text: TextIO) -> Iterator[Row]:
    """Yield the rows in each line, without commas between lines and marks of JSON sequences."""
    for number, line in enumerate((line.strip(" \t\r\n,\x1e") for line in text), start=1):
        try:
            yield from [*rows_inside(json.loads(line), RawRow(number, {}))] if line else ()
        except json.JSONDecodeError as error:
            yield RejectedRow(
                number, f"it is invalid JSON from column {error.colno} on: {error.msg}"
            )
        except (ValueError, RecursionError) as error:  # such as a number of 5,000 digits
            yield RejectedRow(number, f"it is invalid JSON: {error}")


def read_json_document(text: TextIO) -> Iterator[Row]:
    """Yield the rows of one or several values.

    Raises:
        InputError: the document is invalid or too large, or see `rows_inside`.
    """
    document = text.read(MAX_DOCUMENT + 1)
    if len(document) > MAX_DOCUMENT:
        raise InputError(f"it has more than {MAX_DOCUMENT:,} characters", "give JSON Lines")
    values: list[object] = []
    position = len(GUARD) if document.startswith(GUARD) else 0
    try:
        while start := _NOT_BLANK.search(document, position):
            value, position = json.JSONDecoder().raw_decode(document, start.start())
            values.append(value)
        yield from rows_inside(values[0] if len(values) == 1 else values)
    except json.JSONDecodeError as error:
        raise InputError(f"invalid JSON in line {error.lineno}: {error.msg}", FORMATS) from error


def rows_inside(value: object, row: RawRow | None = None) -> Iterator[Row]:
    """Yield the rows in a value, all in the place of `row`, or else counted from 1.

    Rows are the objects with a diff and a review that are nested in the fewest lists. They include
    the cells of enclosing objects, and those of nested objects, named as in `user.login`. Without
    such objects, rows are objects with a diff or a review, or the items of a document's only list.
    Reviews in other lists are also rows, but lack a diff.

    Raises:
        InputError: several lists of a document may hold the reviews.
    """
    items: _Items = defaultdict(list)
    _collect(value, "", {}, items, has_diff_around=False)
    path = _path_of_rows(items, has_lists=row is None and isinstance(value, dict))
    others = [one for one in items if one.endswith("]") and not one.startswith(path)]
    reviews = [item for one in others for item in items[one] if item.has_review]
    for count, item in enumerate([*items.get(path, ()), *reviews], start=1):
        one = row or RawRow(count, {})
        if item.cells is None:
            yield one.rejected("it is not a JSON object with a value for each column")
            continue
        cells: Cells = {}
        for name, cell in item.cells.items():
            may_be_answers = isinstance(cell, list) and _TEXTS.isdisjoint(roles_named(name))
            cells.update(_with_answers(name, cell) if may_be_answers else [(name, cell)])
        yield one._replace(cells=cells)


def _with_answers(name: str, cell: object) -> Iterator[tuple[str, object]]:
    """Yield the answers that annotation tools write in a list, each with the name of its column."""
    answers = _answers(cell)
    if isinstance(answers, dict):
        for key, inner in answers.items():
            yield from _with_answers(f"{name}.{key}", inner)
    else:
        yield name, answers


def _answers(cell: Any) -> Any:  # noqa: ANN401 - any JSON
    """Return the item of a list, the value of an object of one value, and named items by name."""
    if isinstance(cell, list) and len(cell) <= _MAX_ANSWERS:
        by_name = defaultdict[str, list[Any]](list)
        for name, answer in map(_named_answer, cell):
            by_name[name].append(answer)
        if cell and "" not in by_name:
            return {
                f"{name} {number}" if answers[1:] else name: answer  # of several raters
                for name, answers in by_name.items()
                for number, answer in enumerate(answers, start=1)
            }
    items = [*cell.values()] if isinstance(cell, dict) and cell.keys() <= _VALUES else cell
    if isinstance(items, list) and len(items) == 1 and not _has_texts(items[0]):
        return _answers(items[0])
    return cell


def _has_texts(value: object) -> bool:
    return isinstance(value, dict) and any(_TEXTS & roles_named(key).keys() for key in value)


def _named_answer(item: Any) -> tuple[str, Any]:  # noqa: ANN401 - any JSON
    """Return the name and the value of an answer, or the name and the answers of a rater."""
    fields = item if isinstance(item, dict) else {}
    keys = _NAMES * ("value" in fields) + _RATERS
    named = (fields.get(key) for key in keys)
    names = (one.get("id", one.get("email")) if isinstance(one, dict) else one for one in named)
    texts = (str(name) for name in names if isinstance(name, str | int))
    return next(texts, ""), fields.get("value", item)


def _path_of_rows(items: _Items, *, has_lists: bool) -> str:
    """Return the path of the items that are rows."""
    ranks = {path: max(item.rank for item in found) for path, found in items.items()}
    if has_lists and not any(ranks.values()):
        ranks = {path: 0 for path in items if path} or ranks
    best = max(((rank, -path.count("[]")) for path, rank in ranks.items()), default=None)
    paths = [path for path, rank in ranks.items() if (rank, -path.count("[]")) == best]
    if len(paths) > 1:
        lists = [path.removesuffix("[]") for path in paths]
        way = lists[0] if paths[0].count("[]") == 1 else f"[.{paths[0].removeprefix('.')}]"
        advice = f"give what this prints: jq '{way}'"
        if max(ranks.values()) <= 1:
            advice = "give one list, whose objects have a diff and a review each"
        problem = f"it is unclear which list holds the reviews: {', '.join(lists)[:500]}"
        raise InputError(problem, advice)
    return paths[0] if paths else ""


def _collect(
    value: object, path: str, outer: Cells, items: _Items, *, has_diff_around: bool
) -> None:
    """Add an object, and the items of all lists inside a value.

    `outer` has the cells of the enclosing objects: texts and numbers that are not reviews. Cells
    of the whole document count only if it has a diff. Persons have the prefix `ENCLOSING`.
    """
    value = _rows_of_table(value)
    if isinstance(value, list):
        for item in value:
            _collect(item, f"{path}[]", outer, items, has_diff_around=has_diff_around)
    elif isinstance(value, dict) and _is_index(value):
        for key, item in value.items():
            name = {} if key.isdigit() else {"path" if _is_file(key) else "key": key}
            _collect(item, f"{path}[]", outer | name, items, has_diff_around=has_diff_around)
    elif isinstance(value, dict):
        leaves = [*_leaves(value)]
        own = {".".join(keys): cell for keys, cell in leaves}
        reviews = {name: cell for name, cell in own.items() if "review" in roles_named(name)}
        if not reviews and _LIST_OF_REVIEWS.search(path):
            reviews = {name: cell for name, cell in own.items() if _is_prose(cell)}
        rank, has_diff_here = _rank(own, {*reviews}, has_diff_around=has_diff_around)
        has_review = any(isinstance(cell, str) and cell for cell in reviews.values())
        items[path].append(_Item(rank, outer | own, has_review))
        plain = {name: cell for name, cell in own.items() if not isinstance(cell, list | dict)}
        inner = {name: cell for name, cell in plain.items() if name not in reviews}
        inner = {
            f"{ENCLOSING * (AUTHOR in roles_named(name))}{name}": inner[name] for name in inner
        }
        around = outer | inner if path or has_diff_here else {}
        for keys, cell in leaves:
            if isinstance(cell, list | dict) and "claims" not in roles_named(keys[-1]):
                inner_path = path + "".join(map(_jq_key, keys))
                _collect(cell, inner_path, around, items, has_diff_around=has_diff_here)
    else:
        items[path].append(_Item())


def _rank(own: Cells, reviews: set[str], *, has_diff_around: bool) -> tuple[int, bool]:
    """Return how likely an object is a row, and whether it or an enclosing object has a diff.

    3: it has a diff and a review, 2: a diff and other text, 1: a diff or a review. `reviews` are
    the names of its reviews.
    """
    texts = {name for name, cell in own.items() if isinstance(cell, str) and " " in cell}
    about = {"diff", "reference"}
    diffs = {one for one, cell in own.items() if has_diff(cell) or about & roles_named(one).keys()}
    has_any_diff = has_diff_around or bool(diffs)
    if has_any_diff and reviews and (has_diff_around or len(diffs | reviews) > 1):
        return 3, has_any_diff
    return (2 if has_any_diff and texts - diffs else bool(has_any_diff or reviews)), has_any_diff


def _leaves(value: Cells, keys: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield the keys and the cell of each text, number and list inside objects."""
    for key, inner in value.items():
        if isinstance(inner, dict) and not _is_index(inner):
            yield from _leaves(inner, (*keys, key))
        else:
            yield (*keys, key), inner


def _is_index(value: Cells) -> bool:
    """Return True for an object that is used as a list; its keys are numbers or names.

    Each name holds a list of objects, or an object with a list or text of several words, and the
    objects have the same keys under each name.
    """
    inner = [*value.values()]
    if not all(isinstance(one, list | dict) for one in inner):
        return False
    if any(key.isdigit() or _is_file(key) for key in value):
        return True
    first = [one[0] if isinstance(one, list) else one for one in inner if one != []]
    are_alike = all(isinstance(one, dict) for one in first) and len({*map(tuple, first)}) == 1
    if len(inner) < 2 or not are_alike:
        return False
    cells = [cell for one in inner if isinstance(one, dict) for cell in one.values()]
    return not cells or any(isinstance(cell, list) or _is_prose(cell) for cell in cells)


def _is_prose(cell: object) -> bool:
    return isinstance(cell, str) and not has_diff(cell) and cell.count(" ") > 1


def _is_file(key: str) -> bool:
    return "." in key or "/" in key


def _jq_key(key: str) -> str:
    return f".{key}" if re.fullmatch(r"[A-Za-z_]\w*", key, re.ASCII) else f".{json.dumps(key)}"


def _rows_of_table(value: Any) -> Any:  # noqa: ANN401 - any JSON
    """Return the rows of lists by name, of lists below names, or of pandas' columns or split."""
    match value:
        case [[str(), str(), *_] as names, [*_], *_] if not any(map(has_diff, names)):
            return [dict(zip(map(str, names), row, strict=False)) for row in value[1:]]
        case {"columns": [*names], "data": [[*_], *_] as rows}:
            return [dict(zip(map(str, names), row, strict=False)) for row in rows]
        case dict() if _are_columns([*value.values()]):
            return [dict(zip(value, row, strict=True)) for row in zip(*value.values(), strict=True)]
        case dict() if value and all(map(_is_column, value.values())):
            rows = dict.fromkeys(row for column in value.values() for row in column)
            return [{name: cells.get(row) for name, cells in value.items()} for row in rows]
    return value


def _are_columns(values: list[Any]) -> bool:
    """Return True for lists of one length, one of which has only diffs."""
    are_alike = all(isinstance(one, list) and len(one) == len(values[0]) for one in values)
    return are_alike and any(one and all(map(has_diff, one)) for one in values)


def _is_column(value: object) -> bool:
    return isinstance(value, dict) and bool(value) and all(map(str.isdigit, value))
