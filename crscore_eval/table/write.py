"""Write a table of reviews as a file that can be read again."""

import pandas as pd

from crscore_core.errors import InputError
from crscore_eval.table.cells import escape_formula

EXPORTS = ("csv", "jsonl", "parquet")
"""Endings of the files that are written."""


def file_content(table: pd.DataFrame, ending: str) -> bytes:
    """Return a table as the content of a file with an ending, one of `EXPORTS`.

    In CSV, an apostrophe precedes a text that a spreadsheet would read as a formula; reading
    removes it.

    Raises:
        InputError: there is no such format.
    """
    if ending not in EXPORTS:
        raise InputError(
            f"there is no format {ending[:20]!r}", f"choose one of {', '.join(EXPORTS)}"
        )
    if ending == "parquet":
        return table.to_parquet(compression="zstd", index=False)
    if ending == "jsonl":
        lines = table.to_json(orient="records", lines=True, force_ascii=False, double_precision=15)
        return lines.encode("utf-8", "replace")
    cells = table.map(escape_formula).rename(columns=escape_formula)
    return cells.to_csv(index=False, lineterminator="\r\n").encode("utf-8", "replace")
