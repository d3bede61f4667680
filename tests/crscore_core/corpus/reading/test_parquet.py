"""Values of Parquet, and the limits of the child that reads them."""

import datetime as dt
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from crscore_core.corpus.reading import (
    RejectedRow,
    Row,
    RowStream,
    TableRow,
)
from crscore_core.corpus.reading import parquet as parquet_module
from crscore_core.corpus.reading import table as table_module
from crscore_core.corpus.reading.parquet import MEMORY
from crscore_core.corpus.reading.table import LARGEST_FILE, LONGEST_LINE
from crscore_core.errors import InputError
from tests.crscore_core.corpus.reading.test_files import parquet_of

NOT_UTF8 = pa.array([b"a", b"b", b"\xff"]).view(pa.string())
MOST_DAYS = 2**31 - 1
NOWHERE = "Nowhere/City"


def rows_of(folder: Path, columns: dict[str, Any]) -> list[Row]:
    path = folder / "a.parquet"
    path.write_bytes(parquet_of(columns))
    return list(RowStream(path).rows())


def test_values_of_all_types_become_cells() -> None:
    content = parquet_of(
        {
            "number": [1, None],
            "real": [float("nan"), 2.5],
            "text": ["é\0\n", None],
            "bytes": [b"diff", None],
            "list": [["a", "b"], []],
            "object": [{"text": "x"}, None],
            "flag": [True, False],
            "decimal": [Decimal("4.0"), None],
            "day": [dt.date(2024, 2, 1), None],
            "word": pa.array(["x", "x"]).dictionary_encode(),
        }
    )
    table = RowStream(content, "any.csv").table()
    assert [row.number for row in table.rows] == [1, 2]
    assert table.columns == tuple(table.rows[0].cells)
    assert [tuple(row.cells.values()) for row in table.rows] == [
        (1, None, "é\0\n", "diff", '["a", "b"]', '{"text": "x"}', "true", "4.0", "2024-02-01", "x"),
        (None, 2.5, None, None, "[]", None, "false", None, None, "x"),
    ]


def days(*since_1970: int | None) -> pa.Array:
    return pa.array(since_1970, pa.int32()).view(pa.date32())


def twice_named(*values: Any) -> pa.Array:  # noqa: ANN401
    """Objects whose fields are all named `x`; the second is null."""
    return pa.StructArray.from_arrays(
        [pa.array(column) for column in values],
        names=["x"] * len(values),
        mask=pa.array([False, True, False]),
    )


FAR = "<value out of range: {}>".format
UNHELD: list[tuple[pa.Array, list[Any]]] = [
    (days(1, None, MOST_DAYS), ["1970-01-02", None, FAR(MOST_DAYS)]),
    (
        pa.array([0, None, 2**62], pa.timestamp("us")),
        ["1970-01-01 00:00:00.000000", None, FAR(2**62)],
    ),
    (
        pa.array([0, None, 1], pa.timestamp("ms", NOWHERE)),
        ["1970-01-01 00:00:00.000+0000", None, "1970-01-01 00:00:00.001+0000"],
    ),
    (
        pa.array([0, None, 1], pa.timestamp("ms", "+01:00")),
        ["1970-01-01 00:00:00.000+0000", None, "1970-01-01 00:00:00.001+0000"],
    ),
    (pa.array([1, None, 2**62], pa.duration("s")), ["1", None, str(2**62)]),
    (twice_named([1, 2, 3], ["a", "b", "c"]), [None, None, None]),
    (
        pa.ListArray.from_arrays([0, 1, 1, 3], days(1, 2, MOST_DAYS)),
        ['["1970-01-02"]', "[]", None],
    ),
]
"""Columns with values that Python cannot hold, and the cells that they become."""


def test_a_value_that_python_cannot_hold_costs_no_other(tmp_path: Path) -> None:
    columns = {str(number): column for number, (column, _) in enumerate(UNHELD)}
    rows = rows_of(tmp_path, {"diff": ["+a", "+b", None], **columns})
    expected = zip(["+a", "+b", None], *(cells for _, cells in UNHELD), strict=True)
    names = ["diff", *columns]
    assert rows == [
        TableRow(number, dict(zip(names, cells, strict=True)))
        for number, cells in enumerate(expected, start=1)
    ]


LISTS = pa.ListArray.from_arrays([0, 1, 2, 3], pa.array([b"d", b"e", b"f"]).view(pa.string()))


@pytest.mark.parametrize(
    ("columns", "content"),
    [
        ({"n": [1, 2, None], "text": NOT_UTF8, "list": LISTS}, " \\xff ['f']"),
        ({"n": [1, 2, 3], "raw": [b"x", b"y", b"z\n\xe9"]}, "3 z\n\\xe9"),
        (
            {"when": days(MOST_DAYS, 1, MOST_DAYS), "text": NOT_UTF8},
            f"<value out of range: {MOST_DAYS}> \\xff",
        ),
        (
            {"text": NOT_UTF8, "when": pa.array([0, 1, 2], pa.timestamp("ms", NOWHERE))},
            "\\xff 1970-01-01 00:00:00.002+0000",
        ),
        (
            {"twice": twice_named([1, 2, 3], ["a", "b", "c"]), "text": NOT_UTF8},
            " \\xff",
        ),
        ({"list": pa.ListArray.from_arrays([0, 1, 2, 3], NOT_UTF8)}, None),
    ],
)
def test_text_that_is_not_utf8_sets_its_row_aside(
    tmp_path: Path, columns: dict[str, Any], content: str | None
) -> None:
    *good, bad = rows_of(tmp_path, columns)
    assert [type(row) for row in good] == [TableRow, TableRow]
    assert isinstance(bad, RejectedRow)
    assert (bad.number, bad.reason) == (3, "it is not UTF-8")
    assert content is None or bad.content == content


def test_a_row_may_be_no_longer_than_a_line(tmp_path: Path) -> None:
    long, good = rows_of(tmp_path, {"a": ["x" * LONGEST_LINE, "y"]})
    assert isinstance(long, RejectedRow)
    assert "longer than the limit of 10,000,000 characters" in long.reason
    assert long.content.startswith('["xxx')
    assert good == TableRow(2, {"a": "y"})


def test_the_child_sees_none_of_our_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        "import json, os\n"
        'print(json.dumps({"columns": ["names"], "rows": 1}))\n'
        'print(json.dumps([" ".join(sorted(os.environ))]))\n'
    )
    monkeypatch.setenv("A_TOKEN", "secret")
    monkeypatch.setattr(parquet_module, "_CHILD", program)
    assert rows_of(tmp_path, {"diff": ["x"]}) == [TableRow(1, {"names": "LANG LC_ALL PATH"})]


@pytest.mark.parametrize(
    ("characters", "seconds", "memory", "says"),
    [
        (1_000_000, 60.0, MEMORY, "larger than the limit of 1,000,000 characters"),
        (LARGEST_FILE, 0.0, MEMORY, "could not be read within 0 seconds"),
        (LARGEST_FILE, 60.0, 64 * 1024**2, "cannot be read"),
    ],
)
def test_a_small_file_that_holds_much_is_refused(
    characters: int, seconds: float, memory: int, says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table_module, "LARGEST_FILE", characters)
    monkeypatch.setattr(parquet_module, "MEMORY", memory)
    content = parquet_of({"diff": ["x" * 1_000] * 2_000, "review": ["y"] * 2_000})
    assert len(content) < 20_000
    with pytest.raises(InputError, match=says):
        RowStream(content, "a.parquet", seconds=seconds).table()
