"""Tables from JSON Lines and CSV."""

import codecs
import gzip
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crscore_core.corpus.reading import Cell, Table, read_table
from crscore_core.corpus.reading import files as files_module
from crscore_core.corpus.reading import table as table_module
from crscore_core.corpus.reading.files import _unpacked
from crscore_core.errors import CorpusError

ROWS: list[dict[str, Cell]] = [{"diff": "@@", "review": "one, two"}, {"diff": "b", "review": 'q"'}]
JSON_LINES = b"".join(json.dumps(row).encode() + b"\n" for row in ROWS)
CSV = b'diff,review\n@@,"one, two"\nb,"q"""\n'


def cells(table: Table) -> list[dict[str, Cell]]:
    return [dict(row.cells) for row in table.rows]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.jsonl", JSON_LINES),
        ("a.JSON", JSON_LINES.replace(b"\n", b"\r\n")),
        ("a.ndjson", b"\n\n" + JSON_LINES),
        ("a.jsonl.gz", gzip.compress(JSON_LINES, mtime=0)),
        ("a.jsonl", gzip.compress(JSON_LINES[:30]) + gzip.compress(JSON_LINES[30:])),
        ("unknown", JSON_LINES),
        ("unknown.txt", codecs.BOM_UTF8 + JSON_LINES),
        ("a.csv", CSV),
        ("a.csv.gz", gzip.compress(CSV, mtime=0)),
        ("a.CSV", CSV.replace(b"\n", b"\r\n")),
        ("a.csv", CSV.replace(b"\n", b"\r")),
        ("unknown", CSV),
        ("", b"\n \n" + CSV + b"\n,\n"),
        ("a.csv", codecs.BOM_UTF8 + CSV),
        ("a.csv", codecs.BOM_UTF16_LE + CSV.decode().encode("utf-16-le")),
        ("a.csv", b'diff;review\n@@;one, two\nb;"q"""\n'),
        ("a.tsv", b'diff\treview\n@@\tone, two\nb\t"q"""\n'),
        ("a.csv", b'diff|review\n@@|one, two\nb|"q"""'),
    ],
)
def test_the_same_table_comes_of_every_form(name: str, content: bytes) -> None:
    table = read_table(content, name)
    assert table.columns == ("diff", "review")
    assert cells(table) == ROWS
    assert table.rejected == ()


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
    table = read_table(f'{{"a": {value}}}'.encode(), "a.jsonl")
    assert cells(table) == [{"a": cell}]


def test_columns_of_json_lines_are_all_keys() -> None:
    table = read_table(b'{"a": 1}\n{"b": 2, "a": 3}\n{"\\udfff": 4}', "a.jsonl")
    assert table.columns == ("a", "b", "\ufffd")
    assert cells(table) == [{"a": 1}, {"b": 2, "a": 3}, {"\ufffd": 4}]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"{", "no valid JSON"),
        (b"[1]", "no JSON object"),
        (b'"text"', "no JSON object"),
        (b'{"a": ' + b"[" * 100_000 + b"]" * 100_000 + b"}", "nested too deeply"),
        (b'{"a": ' + b"9" * 5_000 + b"}", "no valid JSON"),
        (b'{"a": "\xff"}', "not UTF-8"),
        (b'{"a": "' + b"x" * 10_000_000 + b'"}', "longer than the limit"),
    ],
)
def test_bad_lines_are_set_aside(line: bytes, reason: str) -> None:
    table = read_table(b'{"a": 1}\n\n' + line + b'\n{"a": 2}', "a.jsonl")
    assert [(row.number, row.cells["a"]) for row in table.rows] == [(1, 1), (4, 2)]
    (rejected,) = table.rejected
    assert rejected.number == 3
    assert reason in rejected.reason
    assert 0 < len(rejected.excerpt) <= 80


def test_a_bad_first_line_costs_no_other() -> None:
    table = read_table(b'[1]\n{"a": 1}', "a.jsonl")
    assert [row.number for row in table.rejected] == [1]
    assert [row.number for row in table.rows] == [2]


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        (b"only one", "it has 1 cells, but the header has 2"),
        (b"a,b,c", "it has 3 cells"),
        (b"a,\xe9", "not UTF-8"),
        (b'"a"b,c', "quotes do not match"),
    ],
)
def test_bad_records_are_set_aside(record: bytes, reason: str) -> None:
    table = read_table(b'diff,review\n"x\ny",z\n' + record + b"\nlast,one\n", "a.csv")
    assert [row.number for row in table.rows] == [2, 4]
    assert cells(table)[0] == {"diff": "x\ny", "review": "z"}
    (rejected,) = table.rejected
    assert rejected.number == 3
    assert reason in rejected.reason


def test_a_quote_that_is_never_closed_is_told() -> None:
    table = read_table(b'diff,review\na,b\n"c,d\ne,f\n', "a.csv")
    assert cells(table) == [{"diff": "a", "review": "b"}]
    assert [(row.number, row.reason[:19]) for row in table.rejected] == [(3, "its quotes do not m")]


def test_an_excerpt_is_short_and_on_one_line() -> None:
    table = read_table(b'a,b\n1,2\nx\x1b[2J\x00"\r\n' + b"y" * 500, "a.csv")
    for row in table.rejected:
        assert len(row.excerpt) <= 80
        assert row.excerpt.isprintable()
    assert table.rejected[0].excerpt.startswith("x\\u001b[2J\\u0000")


def test_a_cell_may_be_as_large_as_a_diff() -> None:
    large = "x\n" * 500_000
    table = read_table(f'diff,review\n"{large}",b\n'.encode(), "a.csv")
    assert cells(table) == [{"diff": large, "review": "b"}]


def test_every_column_has_a_name_of_its_own() -> None:
    table = read_table(b" a ,,a,a (3),\n1,2,3,4,5", "a.csv")
    assert table.columns == ("a", "column 2", "a (3)", "a (3) (4)", "column 5")
    assert list(cells(table)[0].values()) == ["1", "2", "3", "4", "5"]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "it is empty"),
        (b" \r\n\t", "it is empty"),
        (codecs.BOM_UTF8, "it is empty"),
        (b"PK\x03\x04rest", "workbook"),
        (b"no table at all", "fewer than two columns"),
        (b"\n\n\n,\n", "it is empty|fewer than two columns"),
        (b"a,b\n", "no rows"),
        (b"a,b\n1\n2\n", "none of its rows can be read; row 2: it has 1 cells"),
        (b'"a,b\n1,2\n', "fewer than two columns"),
        (b"{}x\n{", "none of its rows can be read; row 1: it is no valid JSON"),
        (b'[\n{"a": 1},\n{"a": 2}\n]', "one JSON list"),
        (b'[{"a": 1}]', "none of its rows"),
        (codecs.BOM_UTF16_LE + b"a", "not valid UTF-16"),
        (b"\x1f\x8b\x08rest", "gzip data is damaged"),
        (gzip.compress(JSON_LINES, mtime=0)[:-9], "gzip data is damaged"),
        (gzip.compress(gzip.compress(JSON_LINES, mtime=0), mtime=0), "twice"),
        (b"a" + b",b" * 1_000, "more than 1,000 columns"),
        (b"a,b\n" + b"x" * 10_000_001, "line 2 is longer"),
        (b"{}\n" * 100_001, "more than 100,000 rows"),
        (b"1\n" * 100_001 + b"{}", "fewer than two columns"),
    ],
)
def test_a_file_where_nothing_can_be_read_is_refused(content: bytes, says: str) -> None:
    with pytest.raises(CorpusError, match=f"file 'my file': .*({says})"):
        read_table(content, "my file")


def test_a_gzip_bomb_is_refused_before_it_is_unpacked() -> None:
    bomb = gzip.compress(b"\0" * 200_000_000, compresslevel=1)
    assert len(bomb) < 1_000_000
    with pytest.raises(CorpusError, match="larger unpacked than the limit of 100,000,000 bytes"):
        read_table(bomb, "a.csv.gz")


@pytest.mark.parametrize("packed", [False, True])
def test_the_limit_of_size_is_exact(packed: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files_module, "LARGEST_FILE", 1000)
    at_limit, above = b"x" * 1_000, b"x" * 1_001
    if packed:
        at_limit, above = gzip.compress(at_limit), gzip.compress(above)
    assert _unpacked(at_limit) == b"x" * 1_000
    with pytest.raises(CorpusError, match="split it"):
        _unpacked(above)


def test_rows_set_aside_count_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_module, "MOST_ROWS", 3)
    assert len(read_table(b"{}\n{\n{}", "a.jsonl").rows) == 2
    with pytest.raises(CorpusError, match="more than 3 rows"):
        read_table(b"{}\n{\n{}\n{", "a.jsonl")


def read_or_refused(content: bytes, name: str) -> Table | None:
    try:
        return read_table(content, name)
    except CorpusError:
        return None


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
    table = read_or_refused(content, name)
    assert table is None or table.rows
    for row in table.rows if table else ():
        assert set(row.cells) <= set(table.columns if table else ())
        for cell in row.cells.values():
            assert not isinstance(cell, str) or cell.encode() is not None
            assert cell == cell  # noqa: PLR0124 - not NaN


@given(st.lists(st.tuples(st.text(min_size=1), st.text()), min_size=1))
def test_what_json_holds_comes_back(pairs: list[tuple[str, str]]) -> None:
    lines = "\n".join(json.dumps({"diff": diff, "review": text}) for diff, text in pairs)
    table = read_table(lines.encode(), "a.jsonl")
    assert [(row.cells["diff"], row.cells["review"]) for row in table.rows] == pairs
