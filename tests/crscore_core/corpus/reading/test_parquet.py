"""Tables from Parquet."""

import datetime as dt
import io
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet

from analyzers.process import Limits
from crscore_core.corpus.reading import RowStream, TableRow, UnreadableRow, read_table
from crscore_core.corpus.reading import files as files_module
from crscore_core.corpus.reading import parquet as parquet_module
from crscore_core.corpus.reading.parquet import opened_parquet
from crscore_core.errors import CorpusError


def file_of(columns: dict[str, Any], **options: Any) -> bytes:  # noqa: ANN401 - pyarrow's own
    buffer = io.BytesIO()
    parquet.write_table(pa.table(columns), buffer, **options)
    return buffer.getvalue()


def test_values_of_all_types_become_cells() -> None:
    content = file_of(
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
    table = read_table(content, "any.csv")
    assert [row.number for row in table.rows] == [1, 2]
    assert table.columns == tuple(table.rows[0].cells)
    assert [tuple(row.cells.values()) for row in table.rows] == [
        (1, None, "é\0\n", "diff", '["a", "b"]', '{"text": "x"}', "true", "4.0", "2024-02-01", "x"),
        (None, 2.5, None, None, "[]", None, "false", None, None, "x"),
    ]


def test_rows_that_are_not_utf8_are_set_aside() -> None:
    text = pa.array([b"a", b"\xff", b"b"]).view(pa.string())
    table = read_table(file_of({"text": text, "raw": [b"x", b"y", b"\xff"]}), "a.parquet")
    assert [(row.number, row.cells["text"]) for row in table.rows] == [(1, "a")]
    assert [(row.number, row.reason) for row in table.rejected] == [
        (2, "it is not UTF-8"),
        (3, "it is not UTF-8"),
    ]


def test_what_a_row_that_is_not_utf8_holds_is_told(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    text = pa.array([b"a\xff", b"b", b"c"]).view(pa.string())
    lists = pa.ListArray.from_arrays(
        [0, 1, 2, 3], pa.array([b"d", b"e", b"\xfe"]).view(pa.string())
    )
    columns = {"n": [1, None, 3], "text": text, "raw": [b"x\n", b"\xe9", b"z"], "list": lists}
    path.write_bytes(file_of(columns))
    with opened_parquet(path) as opened:
        rows = list(opened.rows)
    assert opened.total == 3
    assert rows[:2] == [
        UnreadableRow(1, "it is not UTF-8", "1 a\\xff x\n ['d']"),
        UnreadableRow(2, "it is not UTF-8", " b \\xe9 ['e']"),
    ]
    assert isinstance(rows[2], UnreadableRow)
    assert rows[2].content.startswith("3 c z [")


def days(*since_1970: int | None) -> pa.Array:
    return pa.array(since_1970, pa.int32()).view(pa.date32())


def twice_named(*values: list[Any]) -> pa.Array:
    """Objects whose fields are all named `x`; the second is null."""
    return pa.StructArray.from_arrays(
        [pa.array(column) for column in values],
        names=["x"] * len(values),
        mask=pa.array([False, True, False]),
    )


NOT_UTF8 = pa.array([b"a", b"b", b"\xff"]).view(pa.string())


@pytest.mark.parametrize(
    ("when", "cells"),
    [
        (days(1, None, 2**31 - 1), ["1970-01-02", None, "<value out of range: 2147483647>"]),
        (
            pa.array([0, None, 2**62], pa.timestamp("us")),
            ["1970-01-01 00:00:00", None, f"<value out of range: {2**62}>"],
        ),
        (
            pa.array([0, None, 2**62], pa.timestamp("us", "Nowhere/City")),
            ["1970-01-01 00:00:00+00:00", None, f"<value out of range: {2**62}>"],
        ),
        (
            pa.array([0, None, 2**62], pa.timestamp("us", "+01:00")),
            ["1970-01-01 01:00:00+01:00", None, f"<value out of range: {2**62}>"],
        ),
        (pa.array([1, None, 2**62], pa.duration("s")), ["0:00:01", None, str(2**62)]),
        (
            pa.array([0, None, 1], pa.timestamp("ms", "Nowhere/City")),
            ["1970-01-01 00:00:00+00:00", None, "1970-01-01 00:00:00.001000+00:00"],
        ),
        (
            twice_named([1, 2, 3], ["a", "b", "c"]),
            ["[('x', 1), ('x', 'a')]", None, "[('x', 3), ('x', 'c')]"],
        ),
        (
            twice_named([1, 2, 3], days(1, 1, 2**31 - 1)),
            ["[('x', 1), ('x', datetime.date(1970, 1, 2))]", None, None],
        ),
        (
            pa.ListArray.from_arrays([0, 1, 1, 3], days(1, 2, 2**31 - 1)),
            ['["1970-01-02"]', "[]", None],
        ),
    ],
)
def test_a_value_that_python_cannot_hold_costs_no_other(
    tmp_path: Path, when: pa.Array, cells: list[Any]
) -> None:
    content = file_of({"diff": ["+a", "+b", None], "when": when, "n": [1, 2, 3]})
    path = tmp_path / "a.parquet"
    path.write_bytes(content)
    table = read_table(content, path.name)
    assert [(row.cells["diff"], row.cells["n"]) for row in table.rows] == [
        ("+a", 1),
        ("+b", 2),
        (None, 3),
    ]
    assert [row.cells["when"] for row in table.rows] == cells
    assert table.rejected == ()
    assert tuple(RowStream(path).rows()) == table.rows


def test_a_value_that_python_cannot_hold_costs_no_other_batch(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    when = days(*[1] * 99, 2**31 - 1, *[1] * 900)
    path.write_bytes(file_of({"n": list(range(1, 1_001)), "when": when}))
    rows = [row for row in RowStream(path).rows() if isinstance(row, TableRow)]
    assert [row.cells["n"] for row in rows] == list(range(1, 1_001))
    assert [row.number for row in rows if row.cells["when"] != "1970-01-02"] == [100]


@pytest.mark.parametrize(
    ("columns", "content"),
    [
        (
            {"when": days(2**31 - 1, 1, 2**31 - 1), "text": NOT_UTF8},
            "<value out of range: 2147483647> \\xff",
        ),
        (
            {"text": NOT_UTF8, "when": pa.array([0, 1, 2], pa.timestamp("ms", "Nowhere/City"))},
            "\\xff 1970-01-01 00:00:00.002000+00:00",
        ),
        (
            {"twice": twice_named([1, 2, 3], ["a", "b", "c"]), "text": NOT_UTF8},
            "[('x', 3), ('x', 'c')] \\xff",
        ),
    ],
)
def test_text_that_is_not_utf8_sets_its_row_aside_whatever_else_it_holds(
    tmp_path: Path, columns: dict[str, Any], content: str
) -> None:
    path = tmp_path / "a.parquet"
    path.write_bytes(file_of(columns))
    *good, bad = list(RowStream(path).rows())
    assert [type(row) for row in good] == [TableRow, TableRow]
    assert bad == UnreadableRow(3, "it is not UTF-8", content)
    (rejected,) = read_table(path.read_bytes(), path.name).rejected
    assert (rejected.number, rejected.reason, rejected.excerpt) == (3, bad.reason, content)


def test_text_that_is_not_utf8_in_a_value_that_python_cannot_hold_sets_its_row_aside() -> None:
    table = read_table(file_of({"twice": twice_named([1, 2, 3], NOT_UTF8)}), "a.parquet")
    assert [row.cells["twice"] for row in table.rows] == ["[('x', 1), ('x', 'a')]", None]
    assert [(row.number, row.reason) for row in table.rejected] == [(3, "it is not UTF-8")]


@pytest.mark.parametrize("name", ["a.parquet", "a.jsonl", ""])
@pytest.mark.parametrize("content", [b"PAR1", b"PAR1" + b"\0" * 50 + b"PAR1"])
def test_damaged_files_are_refused(content: bytes, name: str) -> None:
    with pytest.raises(CorpusError, match=r"Parquet data cannot be read .*write it again"):
        read_table(content, name)


def test_a_file_without_rows_is_refused() -> None:
    with pytest.raises(CorpusError, match="no rows"):
        read_table(file_of({"diff": pa.array([], pa.string())}), "a.parquet")


@pytest.mark.parametrize("kept", [8, 40, -9, -1])
def test_cut_files_are_refused(kept: int) -> None:
    with pytest.raises(CorpusError, match="its Parquet data cannot be read"):
        read_table(file_of({"diff": ["x", "y"], "list": [["a"], None]})[:kept], "a.parquet")


def test_a_file_that_aborts_its_reader_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "program.py"
    program.write_text("import os\nos.abort()\n")
    monkeypatch.setattr(parquet_module, "_CHILD", program)
    with pytest.raises(CorpusError, match="ended with status -6"):
        read_table(file_of({"diff": ["x"]}), "a.parquet")


@pytest.mark.parametrize(
    ("limits", "says"),
    [
        (Limits(output_bytes=1_000_000), "larger unpacked than the limit of 1,000,000 bytes"),
        (Limits(seconds=0.0), "could not be read within 0 seconds"),
        (Limits(memory_bytes=64 * 1024**2), "cannot be read"),
    ],
)
def test_a_small_file_that_holds_much_is_refused(
    limits: Limits, says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files_module, "TABLE_LIMITS", limits)
    content = file_of({"diff": ["x" * 1_000] * 2_000, "review": ["y"] * 2_000})
    assert len(content) < 20_000
    with pytest.raises(CorpusError, match=says):
        read_table(content, "a")
