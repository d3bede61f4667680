"""Rows of files: every format and its odd variants, damage, and limits."""

import bz2
import gzip
import io
import json
import tracemalloc
import zipfile
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pytest
from openpyxl import Workbook

from crscore_core.errors import InputError
from crscore_eval.table import sheets as sheet_reader
from crscore_eval.table.cells import MAX_ROW, RawRow, RejectedRow
from crscore_eval.table.files import raw_rows

ROWS = [{"id": "1", "review": "rename ä"}, {"id": "2", "review": 'say "no",\nthen stop'}]
PAIRS = [{"diff": "d", "review": "r"}]
FRAME = pd.DataFrame(ROWS)
CSV = 'id,review\n1,rename ä\n2,"say ""no"",\nthen stop"\n'
JSON_LINES = "".join(f"{json.dumps(row)}\n" for row in ROWS)
LISTS = f"[{json.dumps(ROWS[0])}][{json.dumps(ROWS[1])}]"
HUNK = {"body": "Why?", "diffHunk": "@@ -1 +1 @@\n-a\n+b"}
NOTE = {"body": "Why?", "author": {"username": "ann"}, "system": False}
DIFF = "@@ -1,2 +1,2 @@\n-a, b\n+c, d\n e, f"
ROW = f'"{DIFF}","why, then?",ann\n'
UNKNOWN, USUAL = ["delta", "remark", "who"], ["diff", "review", "who"]
READ_ME = [["Read me", "by Ann", "March"], ["column", "content"], ["delta", "the change"],
           ["remark", "what was said"]]  # fmt: skip
NAMED = [["Reviews of March"], ["diff", "review"], ["a", "b"]]
LEFT_OUT = {"sheet (not read: Read me)": "Reviews"}
HIDDEN = {"sheet (not read: Read me (hidden))": "Reviews"}
ONE: dict[str, str] = {}
LONG = "x" * (MAX_ROW + 1)
STYLED = "".join(f'<row r="{n}" s="1"><c r="A{n}" s="1"/><c r="XFD{n}"/></row>' for n in (2, 9))


def cells_of(path: Path) -> list[dict[str, object]]:
    """The cells of all rows, none of which may be rejected."""
    rows = list(raw_rows(path))
    cells = [row[1] for row in rows if not isinstance(row, RejectedRow)]
    assert len(cells) == len(rows)
    return cells


def write(path: Path, content: object) -> Path:
    """Write bytes, text, the output of a function, or otherwise JSON."""
    if callable(content):
        content(path)
    elif isinstance(content, bytes):
        path.write_bytes(content)
    else:
        path.write_text(
            content if isinstance(content, str) else json.dumps(content, indent=1), encoding="utf-8"
        )
    return path


def zipped(content: bytes) -> bytes:
    """A zip archive of one file, as a Mac makes it."""
    return archive({"march/reviews.txt": content, "__MACOSX/march/._reviews.txt": b"x"})


def archive(files: Mapping[str, bytes]) -> bytes:
    """A zip archive."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as opened:
        for name, content in files.items():
            opened.writestr(name, content)
    return file.getvalue()


def zstd(content: bytes) -> bytes:
    """A file compressed with Zstandard."""
    sink = pa.BufferOutputStream()
    with pa.CompressedOutputStream(sink, "zstd") as stream:
        stream.write(content)
    return bytes(sink.getvalue().to_pybytes())


PACKERS: dict[str, Callable[[bytes], bytes]] = {
    ".gz": gzip.compress, ".bz2": bz2.compress, ".zst": zstd, ".zip": zipped
}  # fmt: skip


def sheets(path: Path, tables: dict[str, pd.DataFrame]) -> None:
    """Write a workbook with several sheets."""
    with pd.ExcelWriter(path) as book:
        for name, table in tables.items():
            table.to_excel(book, sheet_name=name, index=False)


@pytest.mark.parametrize(("name", "content"), [
    *((f"a.{ending}", JSON_LINES) for ending in ("jsonl", "txt", "json")),
    *(("a.jsonl", JSON_LINES.replace("\n", end)) for end in ("\r\n\r\n", ",\n", "\n\x1e")),
    *(("a.jsonl", text) for text in (f"\ufeff{JSON_LINES}", JSON_LINES.encode("utf-16"))),
    ("a.json", json.dumps(ROWS)),
    *((f"a.{ending}", json.dumps(ROWS, indent=2)) for ending in ("json", "jsonl")),
    *(("paginate.json", LISTS.replace("][", f"]{end}[")) for end in ("", "\n")),
    ("slurp.json", json.dumps([ROWS[:1], ROWS[1:]])),
    ("data.json", json.dumps({"data": ROWS, "next": None, "count": 2}, indent=4)),
    ("data.json", json.dumps({"data": {"reviews": {"nodes": ROWS}}})),
    ("results.json", "".join(json.dumps({"results": [row]}) for row in ROWS)),
    ("slurp.json", json.dumps([{"data": {"nodes": [row]}} for row in ROWS])),
    ("a.jsonl", "".join(f'{json.dumps({"data": [row]})}\n' for row in ROWS)),
    ("guard.json", f")]}}'\n{json.dumps(ROWS)}"),
    ("sheet.json", {"values": [["id", "review"], *([*row.values()] for row in ROWS)]}),
    ("table.json", {"columns": ["id", "review"], "nrows": 2,
                    "data": [[*row.values()] for row in ROWS]}),
    *((f"{orient}.json", FRAME.to_json(orient=orient))
      for orient in ("records", "columns", "index", "split")),
    *(("a.csv", text) for text in (CSV, f"\ufeff{CSV}", CSV.encode("utf-16"),
        CSV.replace("\n", "\n\n", 1), CSV.encode("cp1252"))),
    *(("title.csv", f"{title}\n{CSV}") for title in (
        "Reviews of March", "\nReviews of March,\n,\n", "Reviews, March, team A",
        '"Reviews, March, team A"\n"by Ann, Bo"', '"Reviews,\nMarch"\n',
        "sep=,\nReviews, March, team A")),
    *((f"a.csv{ending}", pack(CSV.encode())) for ending, pack in PACKERS.items()),
    *((name, pack(text.encode())) for name, text in (("a.csv", CSV), ("a.jsonl", JSON_LINES))
      for pack in PACKERS.values()),
    ("excel.csv", 'sep=;\r\nid;review\r\n1;rename ä\n2;"say ""no"",\nthen stop"\n'),
    ("a.csv", '"id";"review"\n1;rename ä\n2;"say ""no"",\nthen stop"\n'),
    ("a.csv", 'id;review\n1;rename ä;\n2;"say ""no"",\nthen stop";;\n'),
    ("a.tsv", 'id\treview\n1\trename ä\n2\t"say ""no"",\nthen stop"\n'),
    ("a.md", 'id|review\n---|:-:\n1|rename ä\n2|"say ""no"",\nthen stop"\n'),
    ("a.parquet", FRAME.to_parquet),
    *(("a.xlsx", partial(FRAME.to_excel, index=False, startrow=row)) for row in (0, 2)),
    ("a.xlsx", lambda path: sheets(path, {"Empty": pd.DataFrame(), "March": FRAME})),
], ids=lambda value: value if isinstance(value, str) and value[1] == "." else "")  # fmt: skip
def test_reads_rows_of_each_format(name: str, content: object, tmp_path: Path) -> None:
    assert cells_of(write(tmp_path / name, content)) == ROWS


UNCLEAR = [
    ({"old": PAIRS, "new": PAIRS, "n": 1}, r"\.old, \.new.*jq '\.old'"),
    ([{"a-b": {"c": PAIRS}, "d": PAIRS}], r"jq '\[\.\[\]\.\"a-b\"\.c\[\]\]'"),
    ({"changes": [{"id": 1, "diff": "d"}], "comments": ROWS}, "a diff and a review each"),
    ({"a": [{"x": 1}], "b": [{"y": 1}]}, r"\.a, \.b; give one list"),
]
"""JSON whose list of rows is unclear, and the path of the key that the error names."""


def thread(*comments: Mapping[str, object], **fields: object) -> dict[str, object]:
    """A node of a GraphQL answer with comments."""
    return {"isResolved": False, **fields, "comments": {"nodes": [*comments]}}


OBJECTS: list[dict[str, object]] = [
    {},
    {"diff": "@@ -1 +1 @@\n-a\n+b", "claims": [{"text": "a rather long claim about a change"}]},
    {"review": "a review that is longer than its labels", "labels": [{"id": 1}, {"id": 2}]},
    {"review": "rename", "claims": ["it renames a"]},
]
"""Rows, some of which have lists of their own."""


@pytest.mark.parametrize(("value", "expected"), [
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
    ({"source": {"name": "lint"}, "diagnostics": [{"message": "Unused"}]}, [{"message": "Unused"}]),
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
    ({"a": PAIRS, "b": PAIRS * 2, "c": []}, [{"key": of, **PAIRS[0]} for of in ("a", "b", "b")]),
    ({"diff": "d", "by": {"ann": {"said": "Why is it?"}, "bo": {"said": "Is it tested?"}}},
     [{"diff": "d", "key": "ann", "said": "Why is it?"},
      {"diff": "d", "key": "bo", "said": "Is it tested?"}]),
    ({"title": "x", "diff": "a", "comments": [{"body": "y"}]},
     [{"title": "x", "diff": "a", "body": "y"}]),
    ({"diff": [DIFF] * 2, "review": ["x", "y"]},
     [{"diff": DIFF, "review": "x"}, {"diff": DIFF, "review": "y"}]),
    ({"columns": 1, "index": 2, "data": 3}, [{"columns": 1, "index": 2, "data": 3}]),
    ([{"author": {"login": "a"}, "diff": "d", "comments": [{"body": "x", "author": None}]}],
     [{"enclosing.author.login": "a", "diff": "d", "body": "x", "author": None}]),
    ([{"title": "A title of four", "diff": "d", "reviews": [{"text": "Why is it b?"}]}],
     [{"title": "A title of four", "diff": "d", "text": "Why is it b?"}]),
    ({"data": [{**HUNK, "replies": [{"body": "x"}]}]}, [{**HUNK, "replies": [{"body": "x"}]}]),
    ({"id": 1, "user": {"login": "x"}}, [{"id": 1, "user.login": "x"}]),
    ([{"user": {"login": "a"}}, {"user": {"login": "b"}}],
     [{"user.login": "a"}, {"user.login": "b"}]),
    *((row, [row]) for row in OBJECTS),
    *(([row], [row]) for row in OBJECTS),
    ({"items": [{"delta": "x", "bemerkung": "y"}], "page": 1}, [{"delta": "x", "bemerkung": "y"}]),
    # Answers in the lists of annotation tools:
    ([{**PAIRS[0], "useful": [{"rating": 4}], "label": ["right"], "tags": ["a", "b"]}],
     [{**PAIRS[0], "useful": 4, "label": "right", "tags": ["a", "b"]}]),
    ([{**PAIRS[0], "scores": [{"name": name, "value": 4} for name in ("use", "right", "use")]}],
     [{**PAIRS[0], "scores.use 1": 4, "scores.use 2": 4, "scores.right": 4}]),
    ([{"data": PAIRS[0], "annotations": [{"completed_by": rater, "result": [
        {"from_name": "useful", "value": {"rating": 4}},
        {"from_name": "right", "value": {"choices": ["No"]}}]} for rater in ({"id": 1}, 2)]}],
     [{"data.diff": "d", "data.review": "r",
       "annotations.1.completed_by.id": 1, "annotations.1.result.useful": 4,
       "annotations.1.result.right": "No", "annotations.2.completed_by": 2,
       "annotations.2.result.useful": 4, "annotations.2.result.right": "No"}]),
    ([{**PAIRS[0], "useful": [{"value": 4, "user_id": who} for who in "ab"]}],
     [{**PAIRS[0], "useful.a": 4, "useful.b": 4}]),
    ([{"fields": PAIRS[0], "responses": [{"user_id": "u", "values": {"useful": {"value": 4}}}]}],
     [{"fields.diff": "d", "fields.review": "r", "responses.u.user_id": "u",
       "responses.u.values.useful": 4}]),
])  # fmt: skip
def test_rows_are_found_deep_inside(
    value: object, expected: list[dict[str, object]], tmp_path: Path
) -> None:
    assert cells_of(write(tmp_path / "a.json", value)) == expected


@pytest.mark.parametrize(("above", "header"), [
    ("Comments, March\n", UNKNOWN),
    ("Comments, March\nteam A, B\n", UNKNOWN),
    ('"Comments, March, ours"\n', UNKNOWN),
    ('"Comments, March, ours"\nby team, month, year, place\n', UNKNOWN),
    ("Comments; March\n", UNKNOWN),
    ("diff, review, in March, by team\n", USUAL),
    ("", UNKNOWN),
    ("", ["0", "1", "2"]),
    ("", ["delta", "review", "true"]),
    ("Comments, March, 2024\n", ["delta", "remark", "no"]),
    ("Change,,Author\n", ["Delta", "Remark", "Who"]),
    ("", ["x" * 70, "y" * 70, "z"]),
])  # fmt: skip
def test_the_header_is_found_below_titles(above: str, header: list[str], tmp_path: Path) -> None:
    content = f"{above}{','.join(header)}\n{ROW * 3}"
    expected = [dict(zip(header, (DIFF, "why, then?", "ann"), strict=True))] * 3
    assert cells_of(write(tmp_path / "a.csv", content)) == expected


def torn(mark: str, name: str = "nr") -> bytes:
    """Eight rows with this delimiter, the second without the quote that opens its diff."""
    rows = "".join(f'{n}{mark}"{DIFF}"{mark}why, then?\n' for n in range(8))
    rows = rows.replace(f'1{mark}"', f"1{mark}", 1)
    return f"{name}{mark}delta{mark}remark\n{rows}".encode()


@pytest.mark.parametrize(("notes", "reviews", "sheet"), [
    (READ_ME, NAMED, LEFT_OUT),
    ([], NAMED, ONE),
    (READ_ME[:1], [["delta", "remark"], ["a", "b"], ["c", "d"]], LEFT_OUT),
    (READ_ME[1:], [["delta", "remark"], [DIFF, "Why?"]], LEFT_OUT),
    (READ_ME[:1], [["Reviews", "March"], ["delta", "remark", "who"], [DIFF, "Why?", "ann"]],
     LEFT_OUT),
    (READ_ME[1:], [["delta", "remark", "who"], *([["a", "b", "c"]] * 3)], LEFT_OUT),
    ([["the diff", "review", "diff"]], [["delta", "remark"], [DIFF, "Why?"]], LEFT_OUT),
    ([["diff", "review"]], NAMED, {"sheet": "Reviews"}),
    (NAMED, NAMED, {"sheet": "Reviews"}), (NAMED, NAMED, HIDDEN),
    ([["review", "diff"], ["b", "a"]], NAMED, {"sheet": "Reviews"}),
    ([["Review", "Diff"], ["b", "a"]], NAMED, None),
    ([], [["diff", None, "review"], ["MR", "delta", "remark", "who"],
          *([["7", DIFF, "Why?", "ann"]] * 2)], ONE),
    ([], [UNKNOWN, *([[DIFF, "Is it?"]] * 3), [DIFF, "Why?", "b"]], ONE),
    (READ_ME[1:3], READ_ME[2:], None),
    (NAMED, [["diff", "review", "rating"], ["a", "b", 4]], None),
])  # fmt: skip
def test_the_sheet_with_reviews_is_read_or_the_sheets_are_named(
    notes: list[list[str]], reviews: list[Any], sheet: dict[str, str] | None, tmp_path: Path
) -> None:
    book = Workbook()
    for name, cells in (("Read me", notes), ("Reviews", reviews)):
        page = book.create_sheet(name)
        for cells_of_row in cells:
            page.append(cells_of_row)
    book["Read me"].sheet_state = "hidden" if sheet is HIDDEN else "visible"
    book.save(tmp_path / "a.xlsx")
    if sheet is None:
        with pytest.raises(InputError, match=r"Read me, Reviews; .*header"):
            cells_of(tmp_path / "a.xlsx")
    else:
        last = cells_of(tmp_path / "a.xlsx")[-1]
        assert [*last.values()][len(sheet) :] == reviews[-1]
        assert {name: last[name] for name in last if name.startswith("sheet")} == sheet


def test_text_that_looks_like_a_formula_is_read(tmp_path: Path) -> None:
    rows = [["@@ -1 +1 @@", "== on strings"], ["@@ -1 +1 @@", "Why?"]]
    pd.DataFrame(rows, columns=["diff", "review"]).to_excel(tmp_path / "a.xlsx", index=False)
    assert [row["review"] for row in cells_of(tmp_path / "a.xlsx")] == ["== on strings", "Why?"]


def test_sheets_with_the_same_header_are_one_table(tmp_path: Path) -> None:
    march, april = FRAME, pd.DataFrame({"review": ["c", "d"], "id": ["3", "4"]})
    path, notes = tmp_path / "a.xlsx", pd.DataFrame({"note": ["x"]})
    sheets(path, {"March": march, "Notes": notes, "April": april[:1], "May": april[1:]})
    rows = [row for row in raw_rows(path) if isinstance(row, RawRow)]
    assert [row.row for row in rows] == [2, 3, 5, 7]
    places = ["March, row 2", "March, row 3", "April, row 2", "May, row 2"]
    assert [row.place for row in rows] == [row.rejected("").place for row in rows] == places
    assert [row.cells["id"] for row in rows] == [*"1234"]
    assert [row.cells["sheet (not read: Notes)"] for row in rows] == [
        "March", "March", "April", "May"
    ]  # fmt: skip


def test_rejects_files_that_unpack_to_too_much(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("crscore_eval.table.files.MAX_UNPACKED", 2**21)
    (tmp_path / "a.csv").write_bytes(gzip.compress(b"x" * 2**24))
    with pytest.raises(InputError, match="unpacks to more than"):
        cells_of(tmp_path / "a.csv")
    sheets(tmp_path / "a.xlsx", {f"sheet {number}": pd.DataFrame(ROWS) for number in range(12)})
    monkeypatch.setattr("crscore_eval.table.sheets._MAX_PARTS", 12)
    with pytest.raises(InputError, match="or 12 parts"):
        cells_of(tmp_path / "a.xlsx")


@pytest.mark.parametrize(("name", "content", "rejected", "kept"), [
    ("a.jsonl", b'{"id": 1}\n{"id": \n{"id": 3}\n', [2], [1, 3]),
    ("a.jsonl", b'{"id": 1}\n[1]\n\n7\n{"id": 5}\n', [2, 4], [1, 5]),
    ("a.jsonl", b'{"id": 1}\n{"id": "\xff"}\n', [2], [1]),
    ("a.jsonl", b'{"id": 1}\n{"id": ' + b"[" * 100_000 + b"\n", [2], [1]),
    ("a.json", b'[{"id": 1}, 7, {"id": 3}]', [2], [1, 3]),
    ("a.json", b'[{"id": 1}]\n[{"id": 2}, 7]', [3], [1, 2]),
    ("a.json", json.dumps([[DIFF, "Why?"], [DIFF, "So?"]]).encode(), [1, 2, 3, 4], []),
    ("a.csv", b"id,review\n1,a\n2\n3,c\n4,d,e\n", [3, 5], [2, 4]),
    ("a.csv", b'id,review\n1,a\n2,"b"x\n3,c\n', [3], [2, 4]),
    ("a.csv", b'id,review\n1,"a\nb"\n2,"c\nd\n3,"f"\n4,"g\nh"\n', [3], [2, 4, 5]),
    ("a.csv", b'diff,id,review\n"a\nb",1,c\n"a\nb,2,d\n"a\nb",3,e\n', [3], [2, 4]),
    ("a.csv", b'id,review\n1,a\n2,"b\nc\nd\n', [3], [2]),
    ("a.csv", b'id,review\n1,a\n2,"b\n"c", d", e"\nf\n3,g\n', [3], [2, 4]),
    ("a.csv", b'id,review\n1,a\n2,"b\nc",d,\ne\nf\n3,g\n', [3], [2, 4]),
    ("a.csv", "id,review\n1,ä\n2,".encode() + b"\xff\n", [3], [2]),
    ("a.csv", "id,review\n1,Почему\n".encode("cp1251"), [2], []),
    ("a.csv", b"\n\nid,review\n1,a\n2,b,c\n", [5], [4]),
    ("a.csv", b"id,review\n1,a\n2,b\0c\n", [], [2, 3]),
    ("a.csv", f"id,review\n1,a\n2,{LONG}\n3,c\n".encode(), [3], [2, 4]),
    ("a.json", json.dumps([{"a": 1}, {"a": LONG}, {}]).encode(), [2], [1, 3]),
    ("a.csv", b"id,review\n" + b"1,a\n" * 1_000 + bytes(20), [1002], [*range(2, 1002)]),
    ("a.csv", b"diff,review\n1,2,3\n1,2,3\n1,2,3\n", [2, 3, 4], []),  # not under a title
    *(("a.csv", torn(mark, name), [3, 4, 5, 6], [2, *range(7, 13)])
      for mark in ";\t|" for name in ("nr", "true", "5")),
])  # fmt: skip
def test_bad_rows_are_rejected(
    name: str, content: bytes, rejected: list[int], kept: list[int], tmp_path: Path
) -> None:
    rows = list(raw_rows(write(tmp_path / name, content)))
    bad = [row for row in rows if isinstance(row, RejectedRow)]
    assert [row.row for row in bad] == rejected
    assert all(row.reason for row in bad)
    assert [row[0] for row in rows if not isinstance(row, RejectedRow)] == kept


def damaged_parquet(path: Path) -> None:
    """Write a Parquet file with damaged pages."""
    pd.DataFrame({"review": [str(n) for n in range(5000)]}).to_parquet(path, compression="gzip")
    content = path.read_bytes()
    path.write_bytes(content[:200] + b"\xff" * 1800 + content[2000:])


@pytest.mark.parametrize(("name", "content", "words"), [
    *(("a.json", value, words) for value, words in UNCLEAR),
    ("a.json", '[{"id": 1},\n {"id" 2}]', "line 2"),
    ("a.json", ')]}\'\n[\n{\n"id" 2}]', "line 4"),
    ("a.zip", archive({"a.csv": CSV.encode(), "b.csv": CSV.encode()}), r"a\.csv, b\.csv"),
    *((*one, one[0]) for one in (("a.csv", b""), ("a.csv", b"review\na\n"),
        ("a.csv", b"<html><td>diff</td>,<td>review</td></html>"),
        ("git lfs pull", b"version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 9\n"),
        ("a.json", b"[" * (MAX_ROW + 2)),
        ("a.json", b'{"a":' * 1_000_000),
        ("a.json", b'{"a": [' + b"[]," * 400_000),
        ("a.json", b'[{"id": 1}, {"id": 2'),
        ("a.jsonl", "é\n".encode("utf-16") + b"\n"),
        ("a.csv", b"\x1f\x8b\x08\x00"),
        ("a.gz", gzip.compress(CSV.encode(), mtime=0)[:40]),
        ("a.gz", gzip.compress(gzip.compress(CSV.encode(), mtime=0), mtime=0)),
        ("a.xls", b"\xd0\xcf\x11\xe0 an old workbook"),
        ("a.tar", b"a.csv".ljust(257, b"\0") + b"ustar\0".ljust(255, b"\0") + CSV.encode()),
        ("a.yaml", b"- diff: x\n  review: y, z\n"), ("a.csv", b'"id,review\n1,a\n'),
        ("a.csv", f"{ROW}{ROW}".encode()),
        ("a.xlsx", b"PK\x03\x04 and no more"),
        ("a.parquet", b"PAR1 and no more"), ("a.parquet", b"not at all"),
        ("a.bin", b"\x7fELF\x02\x01\0,\0a,b\n\0"),
        ("a.jsonl", b"\x89PNG\r\n\x1a\n\0\0"),
        ("a.gz", gzip.compress(bytes(range(256)) * 9, mtime=0)),
        ("a.parquet", damaged_parquet), ("missing.csv", lambda _: None),
    )),
    *((name, lambda _: None, words) for name, words in (("/dev/zero", "zero"), ("/", "file"))),
])  # fmt: skip
def test_rejects_unreadable_files(name: str, content: object, words: str, tmp_path: Path) -> None:
    write(tmp_path / name, content)  # an absolute path stays as it is
    with pytest.raises(InputError, match=words):
        list(raw_rows(tmp_path / name))


def workbook(path: Path, rows: str, more: str = "", dimension: str = "A1") -> Path:
    """Write a workbook with the XML of its rows, and one more part."""
    Workbook().save(path)
    with zipfile.ZipFile(path) as book:
        parts = {name: book.read(name).decode() for name in book.namelist()}
    parts["more.xml"] = more
    parts["xl/worksheets/sheet1.xml"] = (
        parts["xl/worksheets/sheet1.xml"]
        .replace("<sheetData>", f"<sheetData>{rows}")
        .replace("A1:A1", dimension)
    )
    path.write_bytes(archive({name: content.encode() for name, content in parts.items()}))
    return path


def row(number: int, **texts: str) -> str:
    """The XML of a row with strings keyed by column."""
    cell = '<c r="{}{}" t="inlineStr"><is><t>{}</t></is></c>'
    cells = (cell.format(column, number, text) for column, text in texts.items())
    return f'<row r="{number}">{"".join(cells)}</row>'


@pytest.mark.parametrize(("rows", "expected"), [
    (row(1, A="a", XFD="z") + row(1048576, XFD="x"), [(1048576, {"a": "", "z": "x"})]),
    (row(1, A="a") + STYLED + row(11, A="x"), [(11, {"a": "x"})]),
    (row(3, C="a") + row(5, C="x", D="y"), [(5, {"a": "x", "unnamed 4": "y"})]),
    (row(1, A="a", B="a") + '<row r="2"><c r="A2"><v>7</v></c></row>',
     [(2, {"a": 7, "a (2)": ""})]),
])  # fmt: skip
def test_only_filled_cells_are_read(
    rows: str, expected: list[tuple[int, dict[str, object]]], tmp_path: Path
) -> None:
    path = workbook(tmp_path / "a.xlsx", rows, dimension="A1:XFD1048576")
    tracemalloc.start()
    try:
        assert list(raw_rows(path)) == [RawRow(*one) for one in expected]
        assert tracemalloc.get_traced_memory()[1] < 50_000_000
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(("rows", "more"), [
    ("<row/>" * 18_000_000, ""),
    ("", "<si><t/></si>" * 9_000_000),
    (row(1, A="x") + row(99999999999999, A="x"), ""),
    (row(1, ZZZZZZ="x"), ""), (row(1, A=LONG), ""),
])  # fmt: skip
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


def test_objects_in_cells_of_csv_are_read(tmp_path: Path) -> None:
    path = write(
        tmp_path / "a.csv",
        'diff,output,n,claims\nd,"{""body"": ""r"", 1: 2}","[{""rating"": 4}]","[\'a\', ""b""]"\n',
    )
    cells = {"diff": "d", "output.body": "r", "output.1": 2, "n": 4, "claims": ["a", "b"]}
    assert cells_of(path) == [cells]
