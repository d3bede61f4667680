import json

import pytest

from analyzers.batches import GarbageError
from analyzers.javascript.jshint import outcomes
from analyzers.tool import Finding, Unread

TEXTS = {"source0.js": "\topen();\nclose();\n", "source1.js": ""}
FINDING = {
    "code": "W075",
    "message": "Duplicate key 'size'.",
    "row": 1,
    "character": 5,
    "names": ["key", "size"],
    "scope": [1, 2],
}


def report(*findings: object, file: object = "source0.js") -> str:
    return json.dumps({"file": file, "findings": findings})


EMPTY = report(file="source1.js")


def test_a_report_is_read() -> None:
    error = json.dumps({"file": "source1.js", "error": "too deep"})
    found, unread = outcomes(f"{report(FINDING)}\n{error}\n", TEXTS)
    place = 1, 2, 1, 2
    message = "Duplicate key 'size'."
    assert found == [Finding("W075", message, *place, ("size", "key"), None, (1, 2))]
    assert unread == Unread("too deep")


def test_a_measure_is_among_the_names() -> None:
    finding = {**FINDING, "code": "W119", "names": ["class", "6"]}
    (found, _) = outcomes(f"{report(finding)}\n{EMPTY}\n", TEXTS)
    assert not isinstance(found, Unread)
    assert (found[0].names, found[0].measure) == (("class", "6"), 6)


def test_line_separators_inside_a_line_are_none() -> None:
    finding = {**FINDING, "message": "a\u2028b"}
    line = json.dumps({"file": "source0.js", "findings": [finding]}, ensure_ascii=False)
    (found, _) = outcomes(f"{line}\n{EMPTY}\n", TEXTS)
    assert not isinstance(found, Unread)
    assert found[0].message == "a\u2028b"


CHANGES: list[dict[str, object]] = [
    {"row": 0},
    {"row": 4},
    {"row": 10**30},
    {"row": "1"},
    {"row": None},
    {"character": None},
    {"names": None},
    {"names": []},
    {"code": "W119", "names": ["class", "six"]},
    {"code": "W119", "names": ["class"]},
    {"scope": None},
    {"scope": [1]},
    {"scope": [1, "2"]},
]


@pytest.mark.parametrize(
    "output",
    [
        "",
        "\n",
        "All fine!\n",
        "[]\n[]\n",
        "null\nnull\n",
        "[" * 100_000 + "\n" + EMPTY,
        report(),
        f"{report()}\n",
        f"{report()}\n{EMPTY}\n{EMPTY}\n",
        f"{EMPTY}\n{report()}\n",
        f"{report()}\n{EMPTY[:-5]}",
        f"{report(file='/etc/passwd')}\n{EMPTY}\n",
        f"{report(file=0)}\n{EMPTY}\n",
        f"{json.dumps({'file': 'source0.js'})}\n{EMPTY}\n",
        f"{json.dumps({'file': 'source0.js', 'findings': None})}\n{EMPTY}\n",
        f"{json.dumps({'file': 'source0.js', 'findings': {}})}\n{EMPTY}\n",
        f"{report(None)}\n{EMPTY}\n",
        f"{report({})}\n{EMPTY}\n",
        *(f"{report({**FINDING, **change})}\n{EMPTY}\n" for change in CHANGES),
    ],
    ids=lambda value: value[:40],
)
def test_anything_else_is_garbage(output: str) -> None:
    with pytest.raises(GarbageError):
        outcomes(output, TEXTS)
