import importlib.metadata
import json

import pytest

from analyzers import Fragment, SourceFile, Status
from analyzers.batches import GarbageError
from analyzers.linter import Linter
from analyzers.python.reading import PYTHON
from analyzers.python.ruff import Ruff, _findings_by_file
from analyzers.tool import Finding
from tests.analyzers.sources import hunk, whole

UNUSED = "def load():\n    retry_count = 3\n    return 1\n"


def found(file: SourceFile) -> list[tuple[str, int]]:
    (result,) = Linter(Ruff(), PYTHON).analyze([file])
    return [(smell.rule, smell.line) for smell in result.smells]


def test_a_finding_says_what_where_and_who() -> None:
    (result,) = Linter(Ruff(), PYTHON).analyze([whole(UNUSED)])
    (smell,) = result.smells
    assert smell.text == "The variable `retry_count` is assigned but never used."
    assert (smell.rule, smell.source, smell.path, smell.line) == ("F841", "ruff", "app.py", 2)
    assert (result.name, result.status, result.reason) == ("ruff", Status.ANALYSED, None)
    assert result.version == importlib.metadata.version("ruff")


@pytest.mark.parametrize(
    ("text", "changed", "expected"),
    [
        (UNUSED, (2,), [("F841", 2)]),
        (UNUSED, (1, 3), []),
        ("x = [\n    1,\n]\nassert (\n    x,\n    'text',\n)\n", (5,), [("F631", 4)]),
        ("x = [\n    1,\n]\nassert (\n    x,\n    'text',\n)\n", (2,), []),
    ],
    ids=["on the line", "off the line", "in the span", "off the span"],
)
def test_only_what_touches_a_changed_line_counts(
    text: str, changed: tuple[int, ...], expected: list[tuple[str, int]]
) -> None:
    assert found(whole(text, *changed)) == expected


def test_a_smell_of_a_function_counts_when_its_body_is_touched() -> None:
    body = "".join(f"    if a == {i}:\n        return {i}\n" for i in range(8))
    text = f"def pick(a):\n{body}    return 9\n\n\ndef other():\n    pass\n"
    assert found(whole(text, 6)) == [("PLR0911", 1)]
    assert found(whole(text, 22)) == []


def test_lines_of_a_hunk_are_those_of_the_new_file() -> None:
    assert found(hunk("        pass\n    if a == None:\n        pass\n", 120)) == [("E711", 121)]


def test_every_hunk_of_a_file_is_read() -> None:
    fragments = (Fragment(5, "a == None\n"), Fragment(90, "    b != None\n"))
    file = SourceFile(None, "python", fragments, frozenset({5, 90}))
    assert found(file) == [("E711", 5), ("E711", 90)]


def test_files_keep_their_order_and_their_own_findings() -> None:
    files = [whole(f"x = y{'' if i % 2 else ' == None'}\n", path=f"{i}.py") for i in range(30)]
    results = Linter(Ruff(), PYTHON).analyze(files)
    assert [result.path for result in results] == [f"{i}.py" for i in range(30)]
    rules = [{smell.rule for smell in result.smells} for result in results]
    assert rules == [{"F821"} if i % 2 else {"F821", "E711"} for i in range(30)]


@pytest.mark.parametrize("comment", ["# noqa", "# ruff: noqa", "# flake8: noqa"])
def test_comments_in_the_code_silence_nothing(comment: str) -> None:
    assert found(whole(f"{comment}\nx = 1\ny = x == None  {comment}\n")) == [("E711", 3)]


def test_what_only_ruff_refuses_is_not_analysed() -> None:
    (result,) = Linter(Ruff(), PYTHON).analyze([whole("x = 1\n\ndef f(a, a):\n    return a\n")])
    assert result.status is Status.NOT_ANALYSED
    assert result.reason == 'line 3: Duplicate parameter "a"'


_PLACE = {"row": 1, "column": 1}
_ENTRY = {"code": "E711", "message": "no", "location": _PLACE, "end_location": _PLACE}
_NAMED = {"filename": "/somewhere/source0.py", **_ENTRY}


def test_the_entries_of_a_file_are_its_findings() -> None:
    finding = Finding("E711", "no", 1, 1, 1, 1)
    assert _findings_by_file(json.dumps([_NAMED]), ["a.py", "source0.py"]) == [[], [finding]]


@pytest.mark.parametrize(
    "entry",
    [
        None,
        {},
        _ENTRY,
        {**_NAMED, "filename": "/etc/passwd"},
        {**_NAMED, "filename": 3},
        {**_NAMED, "location": None},
        {**_NAMED, "location": {"row": "x", "column": 1}},
    ],
)
def test_no_other_entry_is_believed(entry: object) -> None:
    with pytest.raises(GarbageError, match="an entry without file, rule, place or message"):
        _findings_by_file(json.dumps([entry]), ["source0.py"])
