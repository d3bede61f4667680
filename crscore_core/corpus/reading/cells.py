"""Values of JSON -> cells, and names of columns that tell them apart."""

import json
import math
from collections.abc import Sequence

from crscore_core.corpus.reading.table import Cell, check_columns
from crscore_core.text import whole_text

__all__ = ["cell_of", "column_names"]


def cell_of(value: object) -> Cell:
    """The cell that holds a value of JSON.

    NaN is nothing; true and false become words, so that nobody takes them for 1 and 0; lists and
    objects become JSON, as such a cell would read in CSV.

    Raises:
        RecursionError: a list or an object nested too deeply.
    """
    if isinstance(value, str):
        return whole_text(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return value
    if isinstance(value, float):
        return None if math.isnan(value) else value
    return None if value is None else whole_text(json.dumps(value, ensure_ascii=False))


def column_names(header: Sequence[str]) -> tuple[str, ...]:
    """A name for each column: the header's without blanks around it, or the column's number.

    A second column of the same name gets its number too.

    Raises:
        CorpusError: there are too many.
    """
    check_columns(header)
    names: dict[str, None] = {}
    for number, cell in enumerate(header, start=1):
        name = whole_text(cell).strip() or f"column {number}"
        while name in names:
            name = f"{name} ({number})"
        names[name] = None
    return tuple(names)
