"""Files of rows: read whole and as a stream, in every form, damaged and hostile."""

import codecs
import gzip
import io
import json
import os
import signal
import subprocess
import tracemalloc
from collections.abc import Callable
from itertools import islice
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import parquet

from crscore_core.corpus.reading import (
    Cell,
    RejectedRow,
    Row,
    RowStream,
    Table,
    TableRow,
    preview,
    read_table,
)
from crscore_core.corpus.reading import files as files_module
from crscore_core.corpus.reading import parquet as parquet_module
from crscore_core.corpus.reading import table as table_module
from crscore_core.corpus.reading.table import LONGEST_LINE
from crscore_core.errors import InputError

ROWS: list[dict[str, Cell]] = [{"diff": "@@", "review": "one, two"}, {"diff": "b", "review": 'q"'}]
JSON_LINES = b"".join(json.dumps(row).encode() + b"\n" for row in ROWS)
CSV = b'diff,review\n@@,"one, two"\nb,"q"""\n'


def parquet_of(columns: dict[str, object]) -> bytes:
    buffer = io.BytesIO()
    parquet.write_table(pa.table(columns), buffer)
    return buffer.getvalue()


def same(content: bytes) -> bytes:
    return content


def packed(content: bytes) -> bytes:
    return gzip.compress(content, mtime=0)


def packed_in_two(content: bytes) -> bytes:
    return packed(content[:30]) + packed(content[30:])


PARQUET = parquet_of({name: [row[name] for row in ROWS] for name in ROWS[0]})
LARGE = {
    "a.jsonl": b"".join(b'{"a": "%d"}\n' % number for number in range(5_000)),
    "a.csv": b"a,b\n" + b"".join(b"%d,x\n" % number for number in range(5_000)),
    "a.parquet": parquet_of({"a": [f"{number} {'x' * 100}" for number in range(5_000)]}),
}


def stream_of(folder: Path, content: bytes, name: str = "a.jsonl") -> RowStream:
    path = folder / name
    path.write_bytes(content)
    return RowStream(path)


def read(folder: Path, content: bytes, name: str) -> tuple[Table, list[Row]]:
    """The table and the streamed rows of a file, which agree."""
    table, stream = RowStream(content, name).table(), stream_of(folder, content, name or "unnamed")
    rows = list(stream.rows())
    assert stream.size == len(content)
    assert stream.columns() == table.columns
    assert tuple(row for row in rows if isinstance(row, TableRow)) == table.rows
    assert table.rejected == tuple(row for row in rows if isinstance(row, RejectedRow))
    assert [row.number for row in rows] == sorted({row.number for row in rows})
    return table, rows


@pytest.mark.parametrize("pack", [same, packed, packed_in_two])
@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.jsonl", JSON_LINES),
        ("a.JSON", JSON_LINES.replace(b"\n", b"\r\n")),
        ("a.ndjson", b"\n\n" + JSON_LINES),
        ("a.ndjson", JSON_LINES.decode().encode("utf-16")),
        ("a.json", codecs.BOM_UTF16_BE + JSON_LINES.decode().encode("utf-16-be")),
        ("unknown", JSON_LINES),
        ("unknown", b"[" + JSON_LINES.strip().replace(b"\n", b",") + b"]"),
        ("a.json", json.dumps(ROWS, indent=1).encode()),
        ("unknown.txt", codecs.BOM_UTF8 + JSON_LINES),
        ("a.csv", CSV),
        ("a.CSV", CSV.replace(b"\n", b"\r\n")),
        ("a.csv", CSV.replace(b"\n", b"\r")),
        ("unknown", CSV),
        ("", b"\n \n" + CSV + b"\n,\n"),
        ("a.csv", codecs.BOM_UTF8 + CSV),
        ("a.csv", codecs.BOM_UTF16_LE + CSV.decode().encode("utf-16-le")),
        ("a.csv", b'diff;review\n@@;one, two\nb;"q"""\n'),
        ("a.tsv", b'diff\treview\n@@\tone, two\nb\t"q"""\n'),
        ("a.csv", b'diff|review\n@@|one, two\nb|"q"""'),
        ("a.jsonl", PARQUET),
    ],
)
def test_the_same_rows_come_of_every_form(
    tmp_path: Path, name: str, content: bytes, pack: Callable[[bytes], bytes]
) -> None:
    table, _ = read(tmp_path, pack(content), name if pack is same else f"{name}.gz")
    assert table.columns == ("diff", "review")
    assert [dict(row.cells) for row in table.rows] == ROWS
    assert table.rejected == ()


def test_a_cell_may_be_as_large_as_a_diff_and_a_stream_have_no_rows(tmp_path: Path) -> None:
    large = "x\n" * 500_000
    table, _ = read(tmp_path, f'diff,review\n"{large}",b\n'.encode(), "a.csv")
    assert table.rows[0].cells == {"diff": large, "review": "b"}
    for content in (b"a,b\n", parquet_of(dict.fromkeys("ab", pa.array([], pa.int64())))):
        stream = stream_of(tmp_path, content, "a")
        assert (stream.columns(), list(stream.rows())) == (("a", "b"), [])


def test_columns_of_json_lines_are_all_keys(tmp_path: Path) -> None:
    table, _ = read(tmp_path, b'{"a": 1}\n{"b": 2, "a": 3}\n{"\\udfff": 4}', "a.jsonl")
    assert table.columns == ("a", "b", "\ufffd")
    assert [row.cells for row in table.rows] == [{"a": 1}, {"b": 2, "a": 3}, {"\ufffd": 4}]


def test_every_column_of_a_header_has_a_name_of_its_own(tmp_path: Path) -> None:
    table, _ = read(tmp_path, b"a,b\n'=1,'@@ -1", "a.csv")  # in nobody's file but ours is it put
    assert table.rows[0].cells == {"a": "'=1", "b": "'@@ -1"}
    table, _ = read(tmp_path, b" a ,,a,a (3),\n1,2,3,4,5", "a.csv")
    assert table.columns == ("a", "column 2", "a (3)", "a (3) (4)", "column 5")
    assert list(table.rows[0].cells.values()) == ["1", "2", "3", "4", "5"]


@pytest.mark.parametrize(
    ("value", "cell"),
    [
        ('"\\ud800\\u0000"', "\ufffd\0"),
        ("NaN", None),
        ("null", None),
        ("true", "true"),
        ("false", "false"),
        ("3", 3),
        ("2.5", 2.5),
        ('["é", {"text": "b"}]', '["é", {"text": "b"}]'),
        ('["\\ud800"]', '["\ufffd"]'),
    ],
)
def test_a_cell_of_json_is_text_a_number_or_nothing(value: str, cell: Cell) -> None:
    (row,) = RowStream(f'{{"a": {value}}}'.encode(), "a.jsonl").table().rows
    assert row.cells == {"a": cell}


NO_OBJECT = "it is no JSON object, `{...}` with a value for each column"
NO_UTF8 = "it is not UTF-8; save the file as UTF-8"
ONE_CELL = "it has 1 cells, but the header has 2"
QUOTES = "its quotes do not match"
MANY_COLUMNS = dict.fromkeys(map(str, range(1_001)))
TOO_LONG = "longer than the limit of 10,000,000"


@pytest.mark.parametrize(
    ("name", "bad", "reason", "content"),
    [
        ("a.jsonl", b"{", "it is no valid JSON", "{"),
        ("a.jsonl", b"[1]", NO_OBJECT, "[1]"),
        ("a.jsonl", b'["\\ud800"]\r', NO_OBJECT, '["\\ud800"]'),
        ("a.jsonl", b'"text"', NO_OBJECT, '"text"'),
        ("a.jsonl", b"[" * 100_000, "nested too deeply", None),
        ("a.jsonl", b'{"a": ' + b"[" * 100_000 + b"]" * 100_000 + b"}", "nested too deeply", None),
        ("a.jsonl", b'{"a": ' + b"9" * 5_000 + b"}", "it is no valid JSON", None),
        ("a.jsonl", b'{"a": "\xe9"}', "it is not UTF-8: byte 8 of the line", '{"a": "\\xe9"}'),
        ("a.jsonl", b'{"a": "' + b"x" * LONGEST_LINE + b'"}', TOO_LONG, None),
        ("a.jsonl", json.dumps(MANY_COLUMNS).encode(), "more than 1,000 columns", None),
        ("a.csv", b"only one", ONE_CELL, "only one"),
        ("a.csv", b'x\x1b[2J\x00"', ONE_CELL, 'x\x1b[2J\x00"'),
        ("a.csv", b'"x",y,"z"', "it has 3 cells, but the header has 2", '"x",y,"z"'),
        ("a.csv", b"\xe9,\xc3\xa9", NO_UTF8, "\\xe9,é"),
        ("a.csv", b'"a"b,c', QUOTES, '"a"b,c'),
        ("a.csv", b'"1"x,"2', QUOTES, '"1"x,"2'),
        ("a.csv", b"x" * (LONGEST_LINE + 200_000), TOO_LONG, None),
        ("a.csv", b'"' + b"x" * (LONGEST_LINE + 200_000), TOO_LONG, None),
    ],
)
def test_a_bad_row_is_set_aside_and_costs_no_other(
    tmp_path: Path, name: str, bad: bytes, reason: str, content: str | None
) -> None:
    good = (b'{"a": 1}', b'{"a": 2}') if name == "a.jsonl" else (b'a,b\n"x\ny",z', b"last,one")
    table, rows = read(tmp_path, b"\n".join((good[0], bad, good[1], b"")), name)
    row = next(row for row in rows if isinstance(row, RejectedRow))
    assert reason in row.reason
    assert content is None or row.content == content
    assert len(row.content) <= LONGEST_LINE
    assert [row.number for row in rows] == list(range(rows[0].number, rows[0].number + 3))
    assert [row.number for row in table.rejected] == [rows[1].number]
    assert 0 < len(table.rejected[0].excerpt) <= 80
    assert table.rejected[0].excerpt.isprintable()
    assert list(table.rows[1].cells.values()) in ([2], ["last", "one"])


@pytest.mark.parametrize(
    ("name", "content", "numbers", "rejected"),
    [
        ("a.jsonl", b'\n{"a": 1}\n\n{"a": 2}', [2, 4], []),
        ("a.csv", b"a,b\n\n,\n1,2\n", [4], []),
        ("a.jsonl", b'[1]\n{"a": 1}', [2], [1]),
        ("a.csv", b'diff,review\na,b\n"c,d\ne,f\n', [2], [3]),  # a quote never closed
    ],
)
def test_rows_are_numbered_by_the_blank_and_unreadable_ones_too(
    tmp_path: Path, name: str, content: bytes, numbers: list[int], rejected: list[int]
) -> None:
    table, _ = read(tmp_path, content, name)
    assert [row.number for row in table.rows] == numbers
    assert [row.number for row in table.rejected] == rejected


def test_a_record_over_many_lines_may_be_no_longer_than_a_line(tmp_path: Path) -> None:
    content = b'a,b\n"' + b"x,y\n" * (LONGEST_LINE // 4 + 1) + b"1,2\n"
    long, *others = list(stream_of(tmp_path, content, "a.csv").rows())
    assert isinstance(long, RejectedRow)
    assert "see whether a quote is not closed" in long.reason
    assert [row.cells for row in others if isinstance(row, TableRow)][-1] == {"a": "1", "b": "2"}


REFUSED_AT_ONCE = [
    (b"", "it is empty"),
    (b" \r\n\t", "it is empty"),
    (codecs.BOM_UTF8, "it is empty"),
    (b"PK\x03\x04rest", "workbook"),
    (b"no table at all", "fewer than two columns"),
    (b"\n\n\n,\n", "fewer than two columns"),
    (b'"a,b\n1,2\n', "fewer than two columns"),
    (b"1\n" * 100_001 + b"{}", "fewer than two columns"),
    (b"a" + b",b" * 1_000, "more than 1,000 columns"),
    (codecs.BOM_UTF16_LE + b"a", "not valid UTF-16"),
    (b"\x1f\x8b\x08rest", "gzip data is damaged"),
    (packed(PARQUET)[:-9], "gzip data is damaged"),
    (packed(packed(JSON_LINES)), "twice"),
    (b"PAR1", "Parquet data cannot be read .*write it again"),
    (b"PAR1" + b"\0" * 50 + b"PAR1", "Parquet data cannot be read"),
    (PARQUET[:40], "Parquet data cannot be read"),
    (PARQUET[:-1], "Parquet data cannot be read"),
    (packed(PARQUET[:-9]), "Parquet data cannot be read"),
    (parquet_of({"change": [1], "reference_maxima": [1]}), "one part of a run"),
    (parquet_of({str(number): [1] for number in range(1_001)}), "more than 1,000 columns"),
]
REFUSED_AS_A_TABLE = [
    (packed(JSON_LINES)[:-9], "gzip data is damaged"),
    (b"a,b\n", "no rows"),
    (parquet_of({"diff": pa.array([], pa.string())}), "no rows"),
    (b"a,b\n1\n2\n", "none of its rows can be read; row 2: it has 1 cells"),
    (b"{}x\n{", "none of its rows can be read; row 1: it is no valid JSON"),
    (b'[{"a": 1},\n{"a": 2]', "no valid JSON: Expecting ',' delimiter: line 2"),
    (b"[" * 100_000, "nested too deeply"),
    (b"[" + b"[],\n" * 5_000_000 + b"{}]", "too large for one; give JSON Lines"),
    (b'{\n"a": []}', "one JSON object over several lines"),
    (b'[\n"\xff"]', "not UTF-8"),
    (b"[1, []]", "none of its rows can be read; row 1: it is no JSON object"),
    (b"a,b\n" + b"x" * 10_000_001, "line 2 is longer"),
]


@pytest.mark.parametrize(
    ("content", "says", "is_at_once"),
    [(*case, True) for case in REFUSED_AT_ONCE] + [(*case, False) for case in REFUSED_AS_A_TABLE],
)
def test_a_file_where_nothing_can_be_read_is_refused(
    tmp_path: Path, content: bytes, says: str, is_at_once: bool
) -> None:
    with pytest.raises(InputError, match=f"^file 'my file': .*{says}"):
        RowStream(content, "my file").table()
    if is_at_once:  # a stream is refused before its rows
        with pytest.raises(InputError, match=f"^file 'my file': .*{says}"):
            stream_of(tmp_path, content, "my file")


def test_a_file_that_went_away_is_told(tmp_path: Path) -> None:
    stream = stream_of(tmp_path, JSON_LINES)
    (tmp_path / "a.jsonl").unlink()
    with pytest.raises(InputError, match=r"'a\.jsonl', after row 0: No such file"):
        next(stream.rows())


@pytest.mark.parametrize(
    ("limit", "most", "content", "more"),
    [
        ("MOST_ROWS", 3, b"{}\n{\n{}", b"\n{"),  # rows set aside count too
        ("MOST_CELLS", 4, b"a,b\n1,2\n3,4\n", b"5,6\n"),
        ("LARGEST_FILE", 4, b"a,b\n1,2\n3,4\n", b"5\n"),
    ],
)
def test_a_table_has_limits(
    monkeypatch: pytest.MonkeyPatch, limit: str, most: int, content: bytes, more: bytes
) -> None:
    monkeypatch.setattr(table_module, limit, most)
    assert len(RowStream(content, "a").table().rows) == 2
    with pytest.raises(InputError, match=f"than (the limit of )?{most} "):
        RowStream(content + more, "a").table()


@pytest.mark.parametrize("content", [JSON_LINES, PARQUET])
def test_content_is_limited_unpacked_too(monkeypatch: pytest.MonkeyPatch, content: bytes) -> None:
    """Else a hundred megabytes fill the disk and the memory of the server they are given to."""
    monkeypatch.setattr(files_module, "LARGEST_FILE", len(content))
    assert len(RowStream(packed(content), "a").table().rows) == 2
    monkeypatch.setattr(files_module, "LARGEST_FILE", len(content) - 1)
    with pytest.raises(InputError, match=f"^file 'a': .*unpacked.* {len(content) - 1:,} bytes"):
        RowStream(packed(content), "a")


NESTED = b'{"diff": [' + b"[]," * 300_000 + b"[]]}"


@pytest.mark.parametrize(
    ("content", "name"),
    [(CSV, "a.csv"), (JSON_LINES, "a.jsonl"), (PARQUET, "a"), (b"[" + NESTED + b"]", "a.json")],
)
def test_the_first_rows_are_those_of_the_file(
    monkeypatch: pytest.MonkeyPatch, content: bytes, name: str
) -> None:
    whole = RowStream(content, name)
    expected = [*whole.rows()][:1], whole.columns()
    with monkeypatch.context() as patch:  # nothing of the file is parsed in this process
        patch.delattr(files_module, "opened_text_rows")
        patch.delattr(files_module, "opened_parquet")
        first = RowStream(content, name, most=1, seconds=60)
        assert ([*first.rows()], first.columns()) == expected


def test_the_first_rows_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    content = parquet_of({"a": ["x" * 10] * 3})  # a text that repeats takes no room in the file
    monkeypatch.setattr(preview, "_MOST_CHARACTERS", 25)
    assert len([*RowStream(content, "a", most=3, seconds=60).rows()]) == 2
    monkeypatch.setattr(preview, "_MOST_CHARACTERS", 9)
    with pytest.raises(InputError, match=r"^file 'a': its first row has more than 9 characters"):
        RowStream(content, "a", most=3, seconds=60)
    with pytest.raises(InputError, match="file 'a': it is empty"):
        RowStream(b"", "a", most=3, seconds=60)
    monkeypatch.setattr(preview, "SECONDS_TO_START", 0)
    with pytest.raises(InputError, match="file 'a': its first rows take too long"):
        RowStream(content, "a", most=3, seconds=0)


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("none.csv", "no such file"),
        ("\0", "no such file"),
        ("", "it is a folder"),
        ("pipe", "a device or a pipe"),
        ("endless", "a device or a pipe"),
    ],
)
def test_a_path_without_a_file_is_refused(tmp_path: Path, name: str, says: str) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "endless").symlink_to("/dev/zero")
    for read_file in (RowStream, read_table):
        with pytest.raises(InputError, match=says):
            read_file(tmp_path / name)


def read_until_error(stream: RowStream) -> tuple[int, str]:
    """The number of the last row, and the error after it."""
    rows: list[Row] = []
    with pytest.raises(InputError) as raised:
        rows.extend(stream.rows())
    return rows[-1].number, str(raised.value)


UTF16 = LARGE["a.jsonl"].decode().encode("utf-16") + b"\x00\xd8"


@pytest.mark.parametrize(
    ("content", "damage"),
    [
        *(
            (packed(LARGE[name])[:kept], "its gzip data is damaged")
            for name in ("a.jsonl", "a.csv")
            for kept in (-1, -9, 5_000)
        ),
        (UTF16, "it is not valid UTF-16-LE"),
    ],
)
def test_a_damaged_file_is_read_as_far_as_it_goes(
    tmp_path: Path, content: bytes, damage: str
) -> None:
    last, told = read_until_error(stream_of(tmp_path, content, "mine"))
    assert last > 1_000
    assert told.startswith(f"file 'mine', after row {last}: {damage}")


def test_a_crash_of_the_child_is_told_with_the_last_row(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "program.py"
    lines = '{"columns": ["a"], "rows": 9}', '["x"]', '["y"]', '["z'
    program.write_text(f"import os\nprint(*{lines}, sep='\\n', end='', flush=True)\nos.abort()\n")
    monkeypatch.setattr(parquet_module, "_CHILD", program)
    last, told = read_until_error(stream_of(tmp_path, PARQUET, "a.parquet"))
    assert last == 2
    assert told.startswith("file 'a.parquet', after row 2: its Parquet data cannot be read")
    assert "status -6" in told


@pytest.mark.parametrize("pack", [same, packed])
def test_rows_closed_early_leave_no_child(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pack: Callable[[bytes], bytes]
) -> None:
    stream = stream_of(tmp_path, pack(LARGE["a.parquet"]), "a.parquet")
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
@pytest.mark.parametrize("pack", [same, packed])
def test_rows_begin_again_each_time_and_tell_progress_in_bytes(
    tmp_path: Path, name: str, pack: Callable[[bytes], bytes]
) -> None:
    stream = stream_of(tmp_path, pack(LARGE[name]), name)
    told: list[int] = []
    first = stream.rows(told.append)
    head = list(islice(first, 300))
    second = list(stream.rows())
    assert second[:300] == head
    for number, row in enumerate(first, start=300):
        assert row == second[number]
        assert len(told) >= number // 1_000
    assert len(second) == 5_000
    assert told == sorted(told)
    assert 0 < told[0] < stream.size / 2 or (pack is packed and name != "a.parquet")
    assert told[-1] == stream.size

    def broken(_: int) -> None:
        raise BrokenPipeError

    with pytest.raises(BrokenPipeError):
        list(stream.rows(broken))


@pytest.mark.parametrize(
    ("sample", "columns"),
    [(1, ("a",)), (2, ("a", "b")), (3, ("a", "b", "c")), (4, ("a", "b", "c"))],
)
def test_columns_of_a_stream_of_json_lines_are_those_of_a_sample(
    tmp_path: Path, sample: int, columns: tuple[str, ...]
) -> None:
    content = b"{\n" * 1_001 + b'{"a": 1}\n\n{"b": 1, "a": 2}\n{\n{"c": 1}\n'
    assert stream_of(tmp_path, content).columns(sample) == columns


def peak_of(stream: RowStream) -> tuple[int, int]:
    """The number of rows that can be read, and the most bytes of memory that reading took."""
    tracemalloc.start()
    try:
        rows = sum(isinstance(row, TableRow) for row in stream.rows())
        return rows, tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


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


def test_memory_does_not_grow_with_a_line(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    with path.open("wb") as file:
        file.truncate(200_000_000)
        file.seek(0, os.SEEK_END)
        file.write(b'\n{"a": 1}\n')
    rows, peak = peak_of(RowStream(path))
    assert rows == 1
    assert peak < 100_000_000


PIECES = st.sampled_from(
    [b"diff,review\n", b'{"diff": "a"}\n', b"[", b"\x1f\x8b\x08", b"PK\x03\x04", b'"', b"\r", b"\0",
     b"\xef\xbb\xbf", b"\xff\xfe", b"\xed\xa0\x80", b"a;b\n", b"\t", b"{}", b"\\ud800", b"\xff"]
)  # fmt: skip


@given(
    st.lists(st.one_of(PIECES, st.binary(max_size=20)), max_size=12).map(b"".join),
    st.sampled_from(["a.csv", "b.jsonl", "c.json.gz", "d.parquet", "", "\0\ud800"]),
)
def test_bytes_are_a_table_or_refused(content: bytes, name: str) -> None:
    if content.startswith(b"PAR1"):
        content = b" " + content
    try:
        table = RowStream(content, name).table()
    except InputError:
        return
    assert table.rows
    for row in table.rows:
        assert set(row.cells) <= set(table.columns)
        for cell in row.cells.values():
            assert not isinstance(cell, str) or cell.encode() is not None
            assert cell == cell  # noqa: PLR0124 - not NaN


@given(st.lists(st.tuples(st.text(min_size=1), st.text()), min_size=1))
def test_texts_in_json_come_back(pairs: list[tuple[str, str]]) -> None:
    lines = "\n".join(json.dumps({"diff": diff, "review": text}) for diff, text in pairs)
    table = RowStream(lines.encode(), "a.jsonl").table()
    assert [(row.cells["diff"], row.cells["review"]) for row in table.rows] == pairs
