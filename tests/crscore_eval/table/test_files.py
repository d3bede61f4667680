"""Files as their rows: every format, odd spellings of it, damage, and limits."""

import bz2
import gzip
import io
import json
import lzma
import tracemalloc
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pytest
from openpyxl import Workbook

from crscore_core.errors import InputError
from crscore_eval.table import sheets as sheet_reader
from crscore_eval.table.cells import MAX_ROW, RawRow, RejectedRow
from crscore_eval.table.files import PACKED, raw_rows

ROWS = [{"id": "1", "review": "rename ä"}, {"id": "2", "review": 'say "no",\nthen stop'}]
FRAME = pd.DataFrame(ROWS)
CSV = 'id,review\n1,rename ä\n2,"say ""no"",\nthen stop"\n'
JSON_LINES = "".join(f"{json.dumps(row)}\n" for row in ROWS)
LISTS = f"[{json.dumps(ROWS[0])}][{json.dumps(ROWS[1])}]"


def cells_of(path: Path) -> list[dict[str, object]]:
    """The cells of all rows, none of which may be rejected."""
    rows = list(raw_rows(path))
    cells = [row[1] for row in rows if not isinstance(row, RejectedRow)]
    assert len(cells) == len(rows)
    return cells


def as_utf8(text: str) -> Callable[[Path], object]:
    """Writes a text file."""
    return lambda path: path.write_text(text, encoding="utf-8")


def zipped(content: bytes) -> bytes:
    """A zip archive of one file, as a Mac makes it."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("march/reviews.txt", content)
        archive.writestr("__MACOSX/march/._reviews.txt", "x")
    return file.getvalue()


def zstd(content: bytes) -> bytes:
    """A file that zstandard packed."""
    sink = pa.BufferOutputStream()
    with pa.CompressedOutputStream(sink, "zstd") as stream:
        stream.write(content)
    return bytes(sink.getvalue().to_pybytes())


PACKERS: dict[str, Callable[[bytes], bytes]] = {
    ".gz": gzip.compress, ".bz2": bz2.compress, ".xz": lzma.compress, ".zst": zstd, ".zip": zipped
}  # fmt: skip


def packed(pack: Callable[[bytes], bytes], text: str) -> Callable[[Path], object]:
    """Writes a packed text file."""
    return lambda path: path.write_bytes(pack(text.encode()))


def sheets(path: Path, tables: dict[str, pd.DataFrame]) -> None:
    """Write a workbook with several sheets."""
    with pd.ExcelWriter(path) as book:
        for name, table in tables.items():
            table.to_excel(book, sheet_name=name, index=False)


@pytest.mark.parametrize(
    ("name", "write"),
    [
        ("a.jsonl", as_utf8(JSON_LINES)),
        ("a.jsonl", as_utf8(JSON_LINES.replace("\n", "\r\n\r\n"))),
        ("a.txt", as_utf8(JSON_LINES)),
        ("a.json", as_utf8(JSON_LINES)),
        ("a.jsonl", as_utf8(f"\ufeff{JSON_LINES}")),
        ("a.jsonl", lambda path: path.write_text(JSON_LINES, encoding="utf-16")),
        ("a.json", as_utf8(json.dumps(ROWS))),
        ("a.json", as_utf8(json.dumps(ROWS, indent=2))),
        ("a.jsonl", as_utf8(json.dumps(ROWS, indent=2))),
        ("paginate.json", as_utf8(LISTS)),
        ("paginate.json", as_utf8(LISTS.replace("][", "]\n["))),
        ("slurp.json", as_utf8(json.dumps([ROWS[:1], ROWS[1:]]))),
        ("data.json", as_utf8(json.dumps({"data": ROWS, "next": None, "count": 2}, indent=4))),
        ("data.json", as_utf8(json.dumps({"data": {"reviews": {"nodes": ROWS}}}))),
        ("results.json", as_utf8("".join(json.dumps({"results": [row]}) for row in ROWS))),
        ("slurp.json", as_utf8(json.dumps([{"data": {"nodes": [row]}} for row in ROWS]))),
        ("a.jsonl", as_utf8("".join(f'{json.dumps({"data": [row]})}\n' for row in ROWS))),
        ("guard.json", as_utf8(f")]}}'\n{json.dumps(ROWS)}")),
        ("table.json", as_utf8(json.dumps({"columns": ["id", "review"], "nrows": 2,
                                           "data": [[*row.values()] for row in ROWS]}))),
        *((f"{orient}.json", lambda path, orient=orient: FRAME.to_json(path, orient=orient))
          for orient in ("records", "columns", "index", "split")),
        ("a.csv", as_utf8(CSV)),
        ("a.csv", as_utf8(f"\ufeff{CSV}")),
        ("a.csv", lambda path: path.write_text(CSV, encoding="utf-16")),
        ("a.csv", as_utf8(CSV.replace("\n", "\n\n", 1))),
        ("title.csv", as_utf8(f"Reviews of March\n{CSV}")),
        ("title.csv", as_utf8(f"\nReviews of March,\n,\n\n{CSV}")),
        ("title.csv", as_utf8(f'"Reviews, March, team A"\n"by Ann, Bo"\n{CSV}')),
        ("title.csv", as_utf8(f"Reviews, March, team A\n{CSV}")),
        ("title.csv", as_utf8(f'"Reviews,\nMarch"\n\n{CSV}')),
        ("title.csv", as_utf8(f"sep=,\nReviews, March, team A\n{CSV}")),
        *((f"a.csv{ending}", packed(pack, CSV)) for ending, pack in PACKERS.items()),
        *(("a.csv", packed(pack, CSV)) for pack in PACKERS.values()),
        *(("a.jsonl", packed(pack, JSON_LINES)) for pack in PACKERS.values()),
        ("excel.csv", as_utf8("sep=;\r\nid;review\r\n" + CSV[10:].replace(",", ";", 2)
                              .replace('no"";', 'no"",'))),
        ("a.csv", as_utf8('"id";"review"\n1;rename ä\n2;"say ""no"",\nthen stop"\n')),
        ("a.csv", as_utf8('id;review\n1;rename ä;\n2;"say ""no"",\nthen stop";;\n')),
        ("a.tsv", as_utf8('id\treview\n1\trename ä\n2\t"say ""no"",\nthen stop"\n')),
        ("a.md", as_utf8('id|review\n---|:-:\n1|rename ä\n2|"say ""no"",\nthen stop"\n')),
        ("a.parquet", FRAME.to_parquet),
        ("a.xlsx", lambda path: FRAME.to_excel(path, index=False)),
        ("a.xlsx", lambda path: FRAME.to_excel(path, index=False, startrow=2)),
        ("a.xlsx", lambda path: sheets(path, {"Empty": pd.DataFrame(), "March": FRAME})),
    ],
)  # fmt: skip
def test_reads_rows_of_each_format(
    name: str, write: Callable[[Path], object], tmp_path: Path
) -> None:
    write(tmp_path / name)
    assert cells_of(tmp_path / name) == ROWS


@pytest.mark.parametrize(
    ("value", "way"),
    [
        ({"old": ROWS, "new": ROWS}, r"\.old, \.new.*jq '\.old'"),
        ([{"a-b": {"c": ROWS}, "d": ROWS}], r"jq '\[\.\[\]\.\"a-b\"\.c\[\]\]'"),
        ({"a": [{"b": ROWS, "c": ROWS}]}, r"jq '\[\.a\[\]\.b\[\]\]'"),
        ({"a": [{"x": 1}], "b": [{"y": 1}]}, r"\.a, \.b"),
        ({"data": [], "next": None}, r"\.data is empty"),
        ({"data": {"threads": {"nodes": []}}}, r"\.data\.threads\.nodes is empty"),
    ],
)
def test_the_key_of_an_unclear_list_and_the_way_are_named(
    value: object, way: str, tmp_path: Path
) -> None:
    (tmp_path / "a.json").write_text(json.dumps(value), encoding="utf-8")
    with pytest.raises(InputError, match=way):
        cells_of(tmp_path / "a.json")


def thread(*comments: Mapping[str, object], **fields: object) -> dict[str, object]:
    """A node of a GraphQL answer with comments."""
    return {"isResolved": False, **fields, "comments": {"nodes": [*comments]}}


HUNK = {"body": "Why?", "diffHunk": "@@ -1 +1 @@\n-a\n+b"}
OBJECTS: list[dict[str, object]] = [
    {},
    {"diff": "@@ -1 +1 @@\n-a\n+b", "claims": [{"text": "a rather long claim about a change"}]},
    {"review": "a review that is longer than its labels", "labels": [{"id": 1}]},
    {"review": "rename", "claims": ["it renames a"]},
]
"""Rows, some of which have lists of their own."""
NOTE = {"body": "Why?", "author": {"username": "ann"}, "system": False}


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"data": {"pullRequest": {"body": "x", "threads": {"nodes": [thread(HUNK, HUNK),
          thread(HUNK)]}}}}, [{**HUNK, "isResolved": False}] * 3),
        ({"reviews": {"nodes": [thread(HUNK, body="in all"), thread(HUNK, body="")]}},
         [{**HUNK, "isResolved": False}] * 2
         + [{"isResolved": False, "body": "in all", "comments.nodes": [HUNK]}]),
        ([{"id": "6a", "individual_note": True, "notes": [NOTE, NOTE]}],
         [{"id": "6a", "individual_note": True, "body": "Why?", "author.username": "ann",
           "system": False}] * 2),
        ([{"diff": "a", "title": "t", "comments": [{"body": "x"}, {"body": "y"}]}],
         [{"diff": "a", "title": "t", "body": "x"}, {"diff": "a", "title": "t", "body": "y"}]),
        ({"total": 2, "by_file": {"src/a.py": [{"diffHunk": "a", "comments": [{"body": "x"}]}]}},
         [{"path": "src/a.py", "diffHunk": "a", "body": "x"}]),
        ({"runs": [{"tool": {"driver": {"rules": [{"id": "R"}]}}, "results": [
          {"ruleId": "R", "message": {"text": "Unused"}}]}]},
         [{"ruleId": "R", "message.text": "Unused"}]),
        ({"source": {"name": "lint"}, "diagnostics": [{"message": "Unused"}]},
         [{"message": "Unused"}]),
        ({"values": [{"content": {"raw": "Why?", "html": "x"}, "user": {"nickname": "ann"}}]},
         [{"content.raw": "Why?", "content.html": "x", "user.nickname": "ann"}]),
        ({"src/a.py": [{"message": "Why?"}], "/COMMIT_MSG": [{"message": "typo"}]},
         [{"path": "src/a.py", "message": "Why?"}, {"path": "/COMMIT_MSG", "message": "typo"}]),
        ({"message": "fine", "data": [HUNK]}, [HUNK]),
        ({"value": [{"diff": "a", "threadContext": {"filePath": "b"}, "comments": [
          {"content": "Why?", "author": {"displayName": "Ann"}}]}], "count": 1},
         [{"diff": "a", "threadContext.filePath": "b", "content": "Why?",
           "author.displayName": "Ann"}]),
        ({"results": {"prompts": [{"raw": "x"}], "results": [
          {"vars": {"diff": "a"}, "response": {"output": "Why?"}, "score": 1}]},
          "config": {"tests": [{"vars": {"diff": "a"}}]}},
         [{"vars.diff": "a", "response.output": "Why?", "score": 1}]),
        ({"PR-1": {"diff": "a", "reviews": [{"text": "Why so?"}]},
          "PR-2": {"diff": "b", "reviews": [{"text": "Why not?"}]}},
         [{"key": "PR-1", "diff": "a", "text": "Why so?"},
          {"key": "PR-2", "diff": "b", "text": "Why not?"}]),
        ({"title": "x", "diff": "a", "comments": [{"body": "y"}]},
         [{"title": "x", "diff": "a", "body": "y"}]),
        ({"columns": 1, "index": 2, "data": 3}, [{"columns": 1, "index": 2, "data": 3}]),
        ({"data": [{**HUNK, "replies": [{"body": "x"}]}]}, [{**HUNK, "replies": [{"body": "x"}]}]),
        ({"id": 1, "user": {"login": "x"}}, [{"id": 1, "user.login": "x"}]),
        ([{"user": {"login": "a"}}, {"user": {"login": "b"}}],
         [{"user.login": "a"}, {"user.login": "b"}]),
        ({"range": "A1:B3", "values": [["diff", "review"], ["a", "Why?"], ["b"]]},
         [{"diff": "a", "review": "Why?"}, {"diff": "b"}]),
        ({"diff": [HUNK["diffHunk"]] * 2, "review": ["a", "b"]},
         [{"diff": HUNK["diffHunk"], "review": "a"}, {"diff": HUNK["diffHunk"], "review": "b"}]),
        ({"diff": ["@@ -1 +1 @@", "-a"], "review": ["a", "b"]},
         [{"diff": ["@@ -1 +1 @@", "-a"], "review": ["a", "b"]}]),
        *((row, [row]) for row in OBJECTS),
        *(([row], [row]) for row in OBJECTS),
        ({"items": [{"delta": "x", "bemerkung": "y"}], "page": 1},
         [{"delta": "x", "bemerkung": "y"}]),
    ],
)  # fmt: skip
def test_rows_are_found_deep_inside_of_answers(
    value: object, expected: list[dict[str, object]], tmp_path: Path
) -> None:
    (tmp_path / "a.json").write_text(json.dumps(value, indent=1), encoding="utf-8")
    assert cells_of(tmp_path / "a.json") == expected


DIFF = "@@ -1,2 +1,2 @@\n-a, b\n+c, d\n e, f"
ROW = f'"{DIFF}","why, then?",ann\n'
CUT = ROW.replace('"', "", 1)
UNKNOWN, USUAL = ["delta", "remark", "who"], ["diff", "review", "who"]


@pytest.mark.parametrize(
    ("above", "header"),
    [
        ("Comments, March\n", UNKNOWN),
        ("Comments, March\nteam A, B\n", UNKNOWN),
        ('"Comments, March, ours"\n', UNKNOWN),
        ('"Comments, March, ours"\nby team, month, year, place\n', UNKNOWN),
        ("Comments; March\n", UNKNOWN),
        ("diff, review, in March, by team\n", USUAL),
        ("", UNKNOWN),
        ("", ["0", "1", "2"]),
        ("", ["x" * 70, "y" * 70, "z"]),
    ],
)
def test_the_header_is_found_below_titles_and_not_in_a_diff(
    above: str, header: list[str], tmp_path: Path
) -> None:
    (tmp_path / "a.csv").write_text(f"{above}{','.join(header)}\n{ROW * 3}")
    expected = [dict(zip(header, (DIFF, "why, then?", "ann"), strict=True))] * 3
    assert cells_of(tmp_path / "a.csv") == expected


@pytest.mark.parametrize("rows", ["1,2,3\n", "x,y,z\n"])
def test_rows_of_another_size_than_the_header_do_not_become_the_header(
    rows: str, tmp_path: Path
) -> None:
    (tmp_path / "a.csv").write_text(f"diff,review\n{rows * 3}")
    assert [row.row for row in raw_rows(tmp_path / "a.csv")] == [2, 3, 4]


@pytest.mark.parametrize("mark", [";", "\t", "|"])
def test_a_torn_row_does_not_change_the_delimiter(mark: str, tmp_path: Path) -> None:
    rows = "".join(f'{n}{mark}"{DIFF}"{mark}why, then?\n' for n in range(8))
    torn = rows.replace(f'1{mark}"', f"1{mark}", 1)
    (tmp_path / "a.csv").write_text(f"nr{mark}delta{mark}remark\n{torn}")
    read = [row.cells["nr"] for row in raw_rows(tmp_path / "a.csv") if isinstance(row, RawRow)]
    assert read == [*"0234567"]


READ_ME = [["Read me", "by Ann", "March"], ["column", "content"], ["delta", "the change"],
           ["remark", "what was said"]]  # fmt: skip
NAMED = [["Reviews of March"], ["diff", "review"], ["a", "b"]]


LEFT_OUT = {"sheet (not read: Read me)": "Reviews"}
ONE: dict[str, str] = {}


@pytest.mark.parametrize(
    ("notes", "reviews", "sheet"),
    [
        (READ_ME, NAMED, LEFT_OUT),
        ([], NAMED, ONE),
        (READ_ME[:1], [["delta", "remark"], ["a", "b"], ["c", "d"]], LEFT_OUT),
        (READ_ME[1:], [["delta", "remark"], [DIFF, "Why?"]], LEFT_OUT),
        (READ_ME[:1], [["Reviews", "March"], ["delta", "remark", "who"], [DIFF, "Why?", "ann"]],
         LEFT_OUT),
        (READ_ME[1:], [["delta", "remark", "who"], *([["a", "b", "c"]] * 3)], LEFT_OUT),
        ([["the diff", "review", "diff"]], [["delta", "remark"], [DIFF, "Why?"]], LEFT_OUT),
        ([["diff", "review"]], NAMED, {"sheet": "Reviews"}),
        (NAMED, NAMED, {"sheet": "Reviews"}),
        ([["Review", "Diff"], ["b", "a"]], NAMED, {"sheet": "Reviews"}),
        ([], [["diff", None, "review"], ["MR", "delta", "remark", "who"],
              *([["7", DIFF, "Why?", "ann"]] * 2)], ONE),
        (READ_ME[1:3], READ_ME[2:], None),
        (NAMED, [["diff", "review", "rating"], ["a", "b", 4]], None),
    ],
)  # fmt: skip
def test_the_sheet_with_reviews_is_read_or_the_sheets_are_named(
    notes: list[list[str]],
    reviews: list[list[object]],
    sheet: dict[str, str] | None,
    tmp_path: Path,
) -> None:
    book = Workbook()
    for name, cells in (("Read me", notes), ("Reviews", reviews)):
        page = book.create_sheet(name)
        for cells_of_row in cells:
            page.append(cells_of_row)
    book.save(tmp_path / "a.xlsx")
    if sheet is None:
        with pytest.raises(InputError, match=r"Read me, Reviews; .*header"):
            cells_of(tmp_path / "a.xlsx")
    else:
        last = cells_of(tmp_path / "a.xlsx")[-1]
        assert [*last.values()][len(sheet) :] == reviews[-1]
        assert {name: last[name] for name in last if name.startswith("sheet")} == sheet


def test_sheets_with_the_same_header_are_one_table(tmp_path: Path) -> None:
    march, april = FRAME, pd.DataFrame({"review": ["c", "d"], "id": ["3", "4"]})
    path, notes = tmp_path / "a.xlsx", pd.DataFrame({"note": ["x"]})
    sheets(path, {"March": march, "Notes": notes, "April": april[:1], "May": april[1:]})
    rows = [row for row in raw_rows(path) if isinstance(row, RawRow)]
    assert [row.row for row in rows] == [2, 3, 5, 7]
    assert [row.cells["id"] for row in rows] == [*"1234"]
    assert [row.cells["sheet (not read: Notes)"] for row in rows] == [
        "March", "March", "April", "May"
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "content", "place"),
    [
        ("a.jsonl", '{"id": 1}\n{"id": \n', "column 7"),
        ("a.jsonl", '{"id": 1}\n{"id" 2}\n', "column 7"),
        ("a.json", '[{"id": 1},\n {"id" 2}]', "line 2"),
        ("a.json", ')]}\'\n[\n{\n"id" 2}]', "line 4"),
    ],
)
def test_the_place_of_invalid_json_is_that_in_the_file(
    name: str, content: str, place: str, tmp_path: Path
) -> None:
    (tmp_path / name).write_text(content)
    try:
        message = str([*raw_rows(tmp_path / name)][-1])
    except InputError as error:
        message = str(error)
    assert place in message
    assert "line 1" not in message


def test_an_archive_of_several_files_names_them(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("a.csv", CSV)
        archive.writestr("b.csv", CSV)
    with pytest.raises(InputError, match=r"a\.csv, b\.csv"):
        cells_of(tmp_path / "a.zip")


def test_what_unpacks_to_too_much_is_rejected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("crscore_eval.table.files.MAX_UNPACKED", 2**21)
    (tmp_path / "a.csv").write_bytes(gzip.compress(b"x" * 2**24))
    with pytest.raises(InputError, match="unpacks to more than"):
        cells_of(tmp_path / "a.csv")


@pytest.mark.parametrize(
    ("name", "content", "rejected", "kept"),
    [
        ("a.jsonl", b'{"id": 1}\n{"id": \n{"id": 3}\n', [2], [1, 3]),
        ("a.jsonl", b'{"id": 1}\n[1]\n\n7\n{"id": 5}\n', [2, 4], [1, 5]),
        ("a.jsonl", b'{"id": 1}\n{"id": "\xff"}\n', [2], [1]),
        ("a.jsonl", b'{"id": 1}\n{"id": ' + b"[" * 100_000 + b"\n", [2], [1]),
        ("a.json", b'[{"id": 1}, 7, {"id": 3}]', [2], [1, 3]),
        ("a.json", b'[{"id": 1}]\n[{"id": 2}, 7]', [3], [1, 2]),
        ("a.csv", b"id,review\n1,a\n2\n3,c\n4,d,e\n", [3, 5], [2, 4]),
        ("a.csv", b'id,review\n1,a\n2,"b"x\n3,c\n', [3], [2, 4]),
        ("a.csv", b'id,review\n1,"a\nb"\n2,"c\nd\n3,"f"\n4,"g\nh"\n', [3], [2, 4, 5]),
        ("a.csv", b'diff,id,review\n"a\nb",1,c\n"a\nb,2,d\n"a\nb",3,e\n', [3], [2, 4]),
        ("a.csv", b'id,review\n1,a\n2,"b\nc\nd\n', [3], [2]),
        ("a.csv", b'id,review\n1,a\n2,"b\n"c", d", e"\nf\n3,g\n', [3], [2, 4]),
        ("a.csv", b'id,review\n1,a\n2,"b\nc",d,\ne\nf\n3,g\n', [3], [2, 4]),
        ("a.csv", b"id,review\n1,\xff\n2,b\n", [2], [3]),
        ("a.csv", b"\n\nid,review\n1,a\n2,b,c\n", [5], [4]),
    ],
)
def test_a_bad_row_is_rejected_with_its_number(
    name: str, content: bytes, rejected: list[int], kept: list[int], tmp_path: Path
) -> None:
    (tmp_path / name).write_bytes(content)
    rows = list(raw_rows(tmp_path / name))
    bad = [row for row in rows if isinstance(row, RejectedRow)]
    assert [row.row for row in bad] == rejected
    assert all(row.reason for row in bad)
    assert [row[0] for row in rows if not isinstance(row, RejectedRow)] == kept


@pytest.mark.parametrize("name", ["a.jsonl", "a.json", "a.csv"])
def test_a_row_that_is_too_long_is_rejected(name: str, tmp_path: Path) -> None:
    long = "x" * (MAX_ROW + 1)
    with (tmp_path / name).open("w") as file:
        if name == "a.csv":
            file.write(f"id,review\n1,a\n2,{long}\n3,c\n")
        else:
            lines = [json.dumps({"id": number, "review": text}) for number, text in
                     enumerate(("a", long, "c"))]  # fmt: skip
            file.write("\n".join(lines) if name == "a.jsonl" else f"[{','.join(lines)}]")
    rows = list(raw_rows(tmp_path / name))
    assert [isinstance(row, RejectedRow) for row in rows] == [False, True, False]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.csv", b""),
        ("a.csv", b"review\na\n"),
        ("a.csv", b"<html><td>diff</td>,<td>review</td></html>"),
        ("a.json", b"[" * (MAX_ROW + 2)),
        ("a.json", b'{"a":' * 1_000_000),
        ("a.json", b"[" + b"[]," * 1_000_000),
        ("a.json", b'{"a": [' + b"[]," * 400_000),
        ("a.json", b'[{"id": 1}, {"id": 2'),
        ("a.json", b'[{"id": 1}'),
        ("a.jsonl", "é\n".encode("utf-16") + b"\n"),
        ("a.csv", b"\x1f\x8b\x08\x00"),
        ("a.gz", gzip.compress(CSV.encode(), mtime=0)[:40]),
        ("a.gz", gzip.compress(gzip.compress(CSV.encode(), mtime=0), mtime=0)),
        ("a.xls", b"\xd0\xcf\x11\xe0 an old workbook"),
        ("a.csv", b"\xfd7zXZ\x00"),
        ("a.tar", b"a.csv".ljust(257, b"\0") + b"ustar\0".ljust(255, b"\0") + CSV.encode()),
        ("a.json", b'{"data": []}'),
        ("a.csv", b'"id,review\n1,a\n'),
        ("a.xlsx", b"PK\x03\x04 and no more"),
        ("a.parquet", b"PAR1 and no more"),
        ("a.parquet", b"not at all"),
        ("a.bin", b"\x7fELF\x02\x01\0,\0a,b\n\0"),
        ("a.csv", b"id,review\n" + b"1,a\n" * 1_000 + bytes(20)),
        ("a.jsonl", b"\x89PNG\r\n\x1a\n\0\0"),
        ("a.gz", gzip.compress(bytes(range(256)) * 9, mtime=0)),
        ("missing.csv", None),
    ],
)
def test_rejects_files_that_cannot_be_read(
    name: str, content: bytes | None, tmp_path: Path
) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(InputError, match=name):
        list(raw_rows(tmp_path / name))


def workbook(path: Path, rows: str, more: str = "", dimension: str = "A1") -> Path:
    """Write a workbook with the XML of its rows, and one more part."""
    Workbook().save(path)
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name).decode() for name in archive.namelist()}
    parts["more.xml"] = more
    parts["xl/worksheets/sheet1.xml"] = (
        parts["xl/worksheets/sheet1.xml"]
        .replace("<sheetData>", f"<sheetData>{rows}")
        .replace("A1:A1", dimension)
    )
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return path


def row(number: int, **texts: str) -> str:
    """The XML of a row with texts by column."""
    cells = (
        f'<c r="{column}{number}" t="inlineStr"><is><t>{text}</t></is></c>'
        for column, text in texts.items()
    )
    return f'<row r="{number}">{"".join(cells)}</row>'


STYLED = "".join(f'<row r="{n}" s="1"><c r="A{n}" s="1"/><c r="XFD{n}"/></row>' for n in (2, 9))


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (row(1, A="a", XFD="z") + row(1048576, XFD="x"),
         [(1048576, {"a": "", "z": "x"})]),
        (row(1, A="a") + STYLED + row(11, A="x"),
         [(11, {"a": "x"})]),
        (row(3, C="a") + row(5, C="x", D="y"),
         [(5, {"a": "x", "column 4": "y"})]),
        (row(1, A="a", B="a") + '<row r="2"><c r="A2"><v>7</v></c></row>',
         [(2, {"a": 7, "a (2)": ""})]),
    ],
)  # fmt: skip
def test_a_workbook_has_only_its_filled_cells(
    rows: str, expected: list[tuple[int, dict[str, object]]], tmp_path: Path
) -> None:
    path = workbook(tmp_path / "a.xlsx", rows, dimension="A1:XFD1048576")
    tracemalloc.start()
    try:
        assert list(raw_rows(path)) == [RawRow(*one) for one in expected]
        assert tracemalloc.get_traced_memory()[1] < 50_000_000
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    ("rows", "more"),
    [
        ("<row/>" * 18_000_000, ""),
        ("", "<si><t/></si>" * 9_000_000),
        (row(1, A="x") + row(99999999999999, A="x"), ""),
        (row(1, ZZZZZZ="x"), ""),
    ],
)
def test_rejects_workbooks_that_are_too_large(rows: str, more: str, tmp_path: Path) -> None:
    path = workbook(tmp_path / "a.xlsx", rows, more)
    assert path.stat().st_size < 1_000_000
    with pytest.raises(InputError, match=r"a\.xlsx"):
        list(raw_rows(path))


@pytest.mark.parametrize(("limit", "size"), [("MAX_ROWS", 3), ("MAX_CELLS", 6)])
def test_a_sheet_has_a_maximum_size(
    limit: str, size: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    FRAME.to_excel(tmp_path / "a.xlsx", index=False)
    monkeypatch.setattr(sheet_reader, limit, size)
    assert cells_of(tmp_path / "a.xlsx") == ROWS
    monkeypatch.setattr(sheet_reader, limit, size - 1)
    with pytest.raises(InputError, match=f"a.xlsx.*more than .*{size - 1} .*; save it as CSV"):
        cells_of(tmp_path / "a.xlsx")


def test_files_are_packed_in_every_format_that_is_read() -> None:
    assert {ending.lstrip(".") for ending in PACKERS} == PACKED.keys()


@pytest.mark.parametrize("path", ["/dev/zero", "/"])
def test_rejects_what_is_not_a_file(path: str) -> None:
    with pytest.raises(InputError):
        list(raw_rows(Path(path)))


def test_rejects_damaged_pages_of_parquet(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    pd.DataFrame({"review": [str(n) for n in range(5000)]}).to_parquet(path, compression="gzip")
    content = bytearray(path.read_bytes())
    content[200:2000] = b"\xff" * 1800
    path.write_bytes(content)
    with pytest.raises(InputError):
        list(raw_rows(path))


def test_columns_with_one_name_are_told_apart(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("diff,review,x,x (5),x\n1,2,3,4,5\n", encoding="utf-8")
    assert [[*cells.values()] for cells in cells_of(path)] == [["1", "2", "3", "4", "5"]]
    table = pd.DataFrame([["1", "2", "3"]], columns=["diff", "review", "Review"])
    sheets(tmp_path / "a.xlsx", {"March": table})
    assert [[*cells.values()] for cells in cells_of(tmp_path / "a.xlsx")] == [["1", "2", "3"]]
