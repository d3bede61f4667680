import json

import pytest

from analyzers import SourceFile, Status
from analyzers.batches import GarbageError
from analyzers.linter import Linter
from analyzers.python.reading import PYTHON
from analyzers.python.ruff import Ruff, _findings_by_file
from analyzers.tool import Finding
from tests.analyzers.sources import whole

UNUSED = "def load():\n    retry_count = 3\n    return 1\n"


def found(file: SourceFile) -> list[tuple[str, int]]:
    (result,) = Linter(Ruff(), PYTHON).analyze([file])
    return [(smell.rule, smell.line) for smell in result.smells]


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
