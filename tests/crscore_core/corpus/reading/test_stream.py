"""Rows of files of any size."""

import codecs
import gzip
import io
import json
import os
import signal
import subprocess
import tracemalloc
from itertools import islice
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet

from crscore_core.corpus.reading import (
    RejectedRow,
    Row,
    RowStream,
    TableRow,
    UnreadableRow,
    read_table,
)
from crscore_core.corpus.reading import parquet as parquet_module
from crscore_core.corpus.reading.table import LONGEST_LINE
from crscore_core.errors import CorpusError

JSON_LINES = b'{"a": 1, "b": "\xc3\xa9"}\n\n{\n{"a": "x\\ny"}\r\n[1]\n{"c": null}'
CSV = b'a,b\r\n1,"x\r\ny"\r\n,\r\nonly one\r\n2,\xc3\xa9\r\n'


def parquet_of(columns: dict[str, object]) -> bytes:
    buffer = io.BytesIO()
    parquet.write_table(pa.table(columns), buffer)
    return buffer.getvalue()


PARQUET = parquet_of(
    {"a": [1, None, 3], "b": pa.array([b"x", b"\xff", b"\xc3\xa9"]).view(pa.string())}
)
LARGE = {
    "a.jsonl": b"".join(b'{"a": "%d"}\n' % number for number in range(5_000)),
    "a.csv": b"a,b\n" + b"".join(b"%d,x\n" % number for number in range(5_000)),
    "a.parquet": parquet_of({"a": [f"{number} {'x' * 100}" for number in range(5_000)]}),
}


def peak_of(stream: RowStream) -> tuple[int, int]:
    """How many rows can be read, and how many bytes of memory it took at most."""
    tracemalloc.start()
    try:
        rows = sum(isinstance(row, TableRow) for row in stream.rows())
        return rows, tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def stream_of(folder: Path, content: bytes, name: str = "a.jsonl") -> RowStream:
    path = folder / name
    path.write_bytes(content)
    return RowStream(path)


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.jsonl", JSON_LINES),
        ("unknown", codecs.BOM_UTF8 + JSON_LINES),
        ("a.ndjson", JSON_LINES.decode().encode("utf-16")),
        ("a.json", codecs.BOM_UTF16_BE + JSON_LINES.decode().encode("utf-16-be")),
        ("a.jsonl", b'{"a": "\xff"}\n{"a": 1}\n' + b"[" * 100_000),
        ("a.csv", CSV),
        ("unknown", codecs.BOM_UTF8 + b"\n \n" + CSV),
        ("a.csv", CSV.decode().encode("utf-16")),
        ("a.csv", CSV.replace(b"\r\n", b"\r")),
        ("a.csv", CSV.replace(b"1,", b'1"",').replace(b"2,", b'"2"2,') + b'3,4\n"5,\xff\n'),
        ("a.tsv", CSV.replace(b",", b"\t")),
        ("a.csv", CSV.replace(b",", b";")),
        ("a.csv", CSV.replace(b",", b"|")),
        ("a.jsonl", PARQUET),
        *LARGE.items(),
    ],
)
def test_a_stream_has_the_rows_of_the_table(
    tmp_path: Path, name: str, content: bytes, packed: bool
) -> None:
    if packed:
        content, name = gzip.compress(content), f"{name}.gz"
    table, stream = read_table(content, name), stream_of(tmp_path, content, name)
    rows = list(stream.rows())
    unreadable = [row for row in rows if isinstance(row, UnreadableRow)]
    assert stream.size == len(content)
    assert stream.columns() == table.columns
    assert tuple(row for row in rows if isinstance(row, TableRow)) == table.rows
    assert table.rejected == tuple(
        RejectedRow.of(row.number, row.reason, row.content) for row in unreadable
    )
    assert [row.number for row in rows] == sorted({row.number for row in rows})


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        (
            "a.jsonl",
            b'\n{"a": 1}\n["\\ud800", 1]\r\n{"a": "\xe9"}\n{"a": 2, "b": true}',
            [
                TableRow(2, {"a": 1}),
                UnreadableRow(
                    3,
                    "it is no JSON object, `{...}` with a value for each column",
                    '["\\ud800", 1]',
                ),
                UnreadableRow(4, "it is not UTF-8: byte 8 of the line", '{"a": "\\xe9"}'),
                TableRow(5, {"a": 2, "b": "true"}),
            ],
        ),
        (
            "a.csv",
            b'a,b\n"1\n1",2\n\n"x",y,"z"\n\xe9,\xc3\xa9\n3,4\n',
            [
                TableRow(2, {"a": "1\n1", "b": "2"}),
                UnreadableRow(4, "it has 3 cells, but the header has 2", '"x",y,"z"'),
                UnreadableRow(5, "it is not UTF-8; save the file as UTF-8", "\\xe9,é"),
                TableRow(6, {"a": "3", "b": "4"}),
            ],
        ),
        (
            "a.parquet",
            PARQUET,
            [
                TableRow(1, {"a": 1, "b": "x"}),
                UnreadableRow(2, "it is not UTF-8", " \\xff"),
                TableRow(3, {"a": 3, "b": "é"}),
            ],
        ),
    ],
)
def test_each_row_is_read_or_says_why_not(
    tmp_path: Path, name: str, content: bytes, expected: list[Row]
) -> None:
    assert list(stream_of(tmp_path, content, name).rows()) == expected


def test_a_quote_that_does_not_match_costs_its_record_alone(tmp_path: Path) -> None:
    broken, good = list(stream_of(tmp_path, b'a,b\n"1"x,"2\n3,4\n', "a.csv").rows())
    assert isinstance(broken, UnreadableRow)
    assert broken.content == '"1"x,"2'
    assert broken.reason.startswith("its quotes do not match")
    assert good == TableRow(3, {"a": "3", "b": "4"})


def test_a_row_may_have_as_many_columns_as_a_table(tmp_path: Path) -> None:
    lines = (json.dumps(dict.fromkeys(map(str, range(count)))) for count in (1_001, 1_000))
    many, most = list(stream_of(tmp_path, "\n".join(lines).encode()).rows())
    assert isinstance(many, UnreadableRow)
    assert many.reason.startswith("it has more than 1,000 columns")
    assert isinstance(most, TableRow)
    assert len(most.cells) == 1_000


@pytest.mark.parametrize(
    ("name", "start", "end", "cells"),
    [
        ("a.jsonl", b"", b'\n{"a": 2}\n', {"a": 2}),
        ("a.csv", b"a,b\n", b"\n1,2\n", {"a": "1", "b": "2"}),
        ("a.csv", b"a,b\n", b"\r1,2\r", {"a": "1", "b": "2"}),
        ("a.csv", b'a,b\n"', b"\n1,2\n", {"a": "1", "b": "2"}),
    ],
)
def test_a_line_that_is_too_long_is_skipped(
    tmp_path: Path, name: str, start: bytes, end: bytes, cells: dict[str, object]
) -> None:
    stream = stream_of(tmp_path, start + b"x" * (LONGEST_LINE + 200_000) + end, name)
    long, good = list(stream.rows())
    assert isinstance(long, UnreadableRow)
    assert "longer than the limit of 10,000,000" in long.reason
    assert long.content.strip('"x') == ""
    assert len(long.content) == LONGEST_LINE
    assert isinstance(good, TableRow)
    assert (good.number, good.cells) == (long.number + 1, cells)


def test_memory_does_not_grow_with_a_line(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    with path.open("wb") as file:
        file.truncate(200_000_000)
        file.seek(0, os.SEEK_END)
        file.write(b'\n{"a": 1}\n')
    rows, peak = peak_of(RowStream(path))
    assert rows == 1
    assert peak < 100_000_000


def test_a_record_over_many_lines_may_be_no_longer_than_a_line(tmp_path: Path) -> None:
    content = b'a,b\n"' + b"x,y\n" * (LONGEST_LINE // 4 + 1) + b"1,2\n"
    long, *others = list(stream_of(tmp_path, content, "a.csv").rows())
    assert isinstance(long, UnreadableRow)
    assert "see whether a quote is not closed" in long.reason
    assert [row.cells for row in others if isinstance(row, TableRow)][-1] == {"a": "1", "b": "2"}


def test_a_row_of_parquet_may_be_no_longer_than_a_line(tmp_path: Path) -> None:
    content = parquet_of({"a": ["x" * LONGEST_LINE, "y"]})
    long, good = list(stream_of(tmp_path, content, "a.parquet").rows())
    assert isinstance(long, UnreadableRow)
    assert "longer than the limit of 10,000,000 characters" in long.reason
    assert long.content.startswith('["xxx')
    assert good == TableRow(2, {"a": "y"})


@pytest.mark.parametrize("name", ["a.jsonl", "a.jsonl.gz", "a.csv", "a.csv.gz", "a.parquet"])
def test_memory_does_not_grow_with_the_file(tmp_path: Path, name: str) -> None:
    """600 rows of 50,000 bytes, 30 MB."""
    filling = "x" * 50_000
    if name.endswith(".parquet"):
        content = parquet_of({"a": [filling] * 600})
    elif name.startswith("a.csv"):
        content = b"a,b\n" + f"{filling},y\n".encode() * 600
    else:
        content = f'{{"a": "{filling}"}}\n'.encode() * 600
    stream = stream_of(tmp_path, gzip.compress(content) if name.endswith(".gz") else content, name)
    del content
    rows, peak = peak_of(stream)
    assert rows == 600
    assert peak < 3_000_000


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "it is empty"),
        (b" \r\n\t", "it is empty"),
        (b"PK\x03\x04rest", "workbook"),
        (b"no table at all", "fewer than two columns"),
        (b"a" + b",b" * 1_000, "more than 1,000 columns"),
        (b'[\n{"a": 1},\n{"a": 2}\n]', "one JSON list"),
        (codecs.BOM_UTF16_LE + b"a", "not valid UTF-16-LE"),
        (b"\x1f\x8b\x08rest", "gzip data is damaged"),
        (gzip.compress(gzip.compress(JSON_LINES, mtime=0), mtime=0), "twice"),
        (b"PAR1" + b"\0" * 50 + b"PAR1", "Parquet data cannot be read"),
        (gzip.compress(PARQUET[:-9]), "Parquet data cannot be read"),
        (gzip.compress(PARQUET)[:-9], "gzip data is damaged"),
        (parquet_of({str(number): [1] for number in range(1_001)}), "more than 1,000 columns"),
    ],
)
def test_a_file_without_readable_rows_is_refused_at_once(
    tmp_path: Path, content: bytes, says: str
) -> None:
    with pytest.raises(CorpusError, match=f"^file 'my file': .*{says}"):
        stream_of(tmp_path, content, "my file")


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("none.csv", "no such file"),
        ("\0", "no such file"),
        ("", "it is a folder"),
        ("pipe", "no such file"),
    ],
)
def test_what_is_no_file_is_refused(tmp_path: Path, name: str, says: str) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(CorpusError, match=says):
        RowStream(tmp_path / name)


def test_a_file_that_went_away_is_told(tmp_path: Path) -> None:
    stream = stream_of(tmp_path, JSON_LINES)
    (tmp_path / "a.jsonl").unlink()
    with pytest.raises(CorpusError, match=r"'a\.jsonl', after row 0: No such file"):
        next(stream.rows())


def read_until_error(stream: RowStream) -> tuple[int, str]:
    """The number of the last row, and what was wrong with the next."""
    rows: list[Row] = []
    with pytest.raises(CorpusError) as raised:
        rows.extend(stream.rows())
    return rows[-1].number, str(raised.value)


@pytest.mark.parametrize("name", ["a.jsonl", "a.csv"])
@pytest.mark.parametrize("kept", [-1, -9, 5_000])
def test_damaged_gzip_is_read_as_far_as_it_goes(tmp_path: Path, name: str, kept: int) -> None:
    content = gzip.compress(LARGE[name], mtime=0)[:kept]
    last, told = read_until_error(stream_of(tmp_path, content, f"{name}.gz"))
    assert last > 1_000
    assert told.startswith(f"file '{name}.gz', after row {last}: its gzip data is damaged")


def test_damaged_utf16_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    content = LARGE["a.jsonl"].decode().encode("utf-16") + b"\x00\xd8"
    last, told = read_until_error(stream_of(tmp_path, content))
    assert last > 1_000
    assert told == f"file 'a.jsonl', after row {last}: it is not valid UTF-16-LE; save it as UTF-8"


PRINT_TWO_ROWS = """
import os
print('{"columns": ["a"], "rows": 9}', '["x"]', '["y"]', '["z', sep="\\n", end="", flush=True)
"""


def test_a_crash_of_the_child_is_told_with_the_last_row(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "program.py"
    program.write_text(f"{PRINT_TWO_ROWS}os.abort()\n")
    monkeypatch.setattr(parquet_module, "_CHILD", program)
    last, told = read_until_error(stream_of(tmp_path, PARQUET, "a.parquet"))
    assert last == 2
    assert told.startswith("file 'a.parquet', after row 2: its Parquet data cannot be read")
    assert "status -6" in told


def test_the_child_sees_none_of_our_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        "import json, os\n"
        'print(json.dumps({"columns": ["names"], "rows": 1}))\n'
        'print(json.dumps([" ".join(sorted(os.environ))]))\n'
    )
    monkeypatch.setattr(parquet_module, "_CHILD", program)
    monkeypatch.setenv("A_TOKEN", "secret")
    (row,) = stream_of(tmp_path, PARQUET, "a.parquet").rows()
    assert row == TableRow(1, {"names": "LANG LC_ALL PATH"})


@pytest.mark.parametrize("packed", [False, True])
def test_rows_closed_early_leave_no_child(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, packed: bool
) -> None:
    content = gzip.compress(LARGE["a.parquet"]) if packed else LARGE["a.parquet"]
    stream = stream_of(tmp_path, content, "a.parquet")
    children: list[subprocess.Popen[str]] = []

    class Recorded(subprocess.Popen[str]):
        def __init__(self, *arguments: object, **options: object) -> None:
            super().__init__(*arguments, **options)  # type: ignore[call-overload]
            children.append(self)

    monkeypatch.setattr(subprocess, "Popen", Recorded)
    rows = stream.rows()
    next(rows)
    assert [child.poll() for child in children] == [None]
    rows.close()
    assert [child.returncode for child in children] == [-signal.SIGKILL]


@pytest.mark.parametrize("name", LARGE)
@pytest.mark.parametrize("packed", [False, True])
def test_rows_begin_again_each_time(tmp_path: Path, name: str, packed: bool) -> None:
    content = gzip.compress(LARGE[name]) if packed else LARGE[name]
    stream = stream_of(tmp_path, content, name)
    first = stream.rows()
    head = list(islice(first, 300))
    second = list(stream.rows())
    assert second[:300] == head
    assert [*head, *first] == second
    assert len(second) == 5_000


@pytest.mark.parametrize("name", LARGE)
@pytest.mark.parametrize("packed", [False, True])
def test_progress_is_in_bytes_of_the_file_on_disk(tmp_path: Path, name: str, packed: bool) -> None:
    content = gzip.compress(LARGE[name]) if packed else LARGE[name]
    stream = stream_of(tmp_path, content, name)
    told: list[int] = []
    for number, _ in enumerate(stream.rows(told.append)):
        assert len(told) >= number // 1_000
    assert told == sorted(told)
    assert 0 < told[0] < stream.size / 2 or (packed and not name.endswith(".parquet"))
    assert told[-1] == stream.size


def test_an_error_of_who_is_told_the_progress_is_its_own(tmp_path: Path) -> None:
    def broken(_: int) -> None:
        raise BrokenPipeError

    with pytest.raises(BrokenPipeError):
        list(stream_of(tmp_path, LARGE["a.jsonl"]).rows(broken))


@pytest.mark.parametrize(
    ("sample", "columns"),
    [(1, ("a",)), (2, ("a", "b")), (3, ("a", "b", "c")), (4, ("a", "b", "c"))],
)
def test_columns_of_json_lines_are_those_of_a_sample(
    tmp_path: Path, sample: int, columns: tuple[str, ...]
) -> None:
    stream = stream_of(tmp_path, b'{"a": 1}\n\n{"b": 1, "a": 2}\n{\n{"c": 1}\n')
    assert stream.columns(sample) == columns


def test_rows_that_cannot_be_read_are_none_of_the_sample(tmp_path: Path) -> None:
    stream = stream_of(tmp_path, b"{\n" * 1_001 + b'{"a": 1}\n{"b": 2}\n')
    assert stream.columns() == ("a", "b")
    assert stream.columns(1) == ("a",)


@pytest.mark.parametrize(
    ("name", "content", "columns"),
    [
        ("a.csv", b"a,b\n", ("a", "b")),
        ("a.parquet", parquet_of({"a": pa.array([], pa.int64())}), ("a",)),
    ],
)
def test_a_file_may_have_columns_and_no_rows(
    tmp_path: Path, name: str, content: bytes, columns: tuple[str, ...]
) -> None:
    stream = stream_of(tmp_path, content, name)
    assert stream.columns() == columns
    assert list(stream.rows()) == []
