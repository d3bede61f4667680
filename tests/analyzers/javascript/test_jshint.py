import pytest

from analyzers import AnalyzerResult, SourceFile, Status
from analyzers.batches import package_version
from analyzers.javascript.configurations import MODERN, ORIGINAL
from analyzers.javascript.jshint import JSHint
from analyzers.linter import Linter
from analyzers.syntax.reading import READERS
from analyzers.tool import Unread
from tests.analyzers import sources

UNUSED = "function load() {\n    const retryCount = 3;\n    return 1;\n}\nload();\n"
ES6 = "import { size } from './size';\nconst twice = () => 2 * size;\nexport default twice;\n"


def whole(text: str, *changed: int) -> SourceFile:
    return sources.whole(text, *changed, path="app.js", language="javascript")


def hunk(text: str, first_line: int = 1, *changed: int) -> SourceFile:
    return sources.hunk(text, first_line, *changed, language="javascript")


def analyse(file: SourceFile, configuration: str = MODERN) -> AnalyzerResult:
    (result,) = Linter(JSHint(configuration), READERS["javascript"]).analyze([file])
    return result


def found(file: SourceFile, configuration: str = MODERN) -> list[tuple[str, int]]:
    return [(smell.rule, smell.line) for smell in analyse(file, configuration).smells]


def test_a_finding_says_what_where_and_who() -> None:
    result = analyse(whole(UNUSED))
    (smell,) = result.smells
    assert smell.text == "`retryCount` is defined but never used."
    assert (smell.rule, smell.source, smell.path, smell.line) == ("W098", "jshint", "app.js", 2)
    assert (result.name, result.status, result.reason) == ("jshint", Status.ANALYSED, None)
    assert result.version == package_version("jshint") == "2.13.6"


def test_a_configuration_is_part_of_the_version() -> None:
    assert JSHint(ORIGINAL).version == "2.13.6 original"


def test_an_unknown_configuration_is_refused_with_those_there_are() -> None:
    with pytest.raises(ValueError, match=r"no configuration 'strict' .* modern, original"):
        JSHint("strict")


@pytest.mark.parametrize(
    ("text", "changed", "expected"),
    [
        (UNUSED, (2,), [("W098", 2)]),
        (UNUSED, (1, 3), []),
        ("if (a == 1) { b(); }\nif (a == 2) { b(); }\n", (2,), [("W116", 2)]),
    ],
)
def test_only_what_is_on_a_changed_line_counts(
    text: str, changed: tuple[int, ...], expected: list[tuple[str, int]]
) -> None:
    assert found(whole(text, *changed)) == expected


def test_todays_language_is_fine_and_was_not_to_the_original_study() -> None:
    assert found(whole(ES6)) == []
    assert found(whole(ES6), ORIGINAL) == [("W119", 1), ("W104", 2), ("W119", 2), ("W119", 3)]
    assert [smell.text for smell in analyse(whole(ES6, 2), ORIGINAL).smells] == [
        "`const` needs ECMAScript 6, which old browsers do not support.",
        "`arrow function syntax (=>)` needs ECMAScript 6, which old browsers do not support.",
    ]


# Each of them makes JSHint say nothing of the `debugger` statement, or nothing at all.
SILENCING = [
    "/* jshint ignore:start */\ndebugger;\n/* jshint ignore:end */",
    "/* jshint ignore: start */\ndebugger;",
    "//jshint ignore:start\ndebugger;",
    "\ndebugger; // jshint ignore:line",
    "\ndebugger; /* jshint ignore:line */",
    "/* jshint -W087 */\ndebugger;",
    "/*jshint -W087*/\ndebugger;",
    "// jshint -W087\ndebugger;",
    "/* jshint debug: true */\ndebugger;",
    "/*jslint debug: true*/\ndebugger;",
    "/*\tjshint debug: true */\ndebugger;",
    "/* jshint maxerr: 1 */a()=1;\ndebugger;",
]


@pytest.mark.parametrize("text", SILENCING)
def test_comments_in_the_code_silence_nothing(text: str) -> None:
    result = analyse(whole(f"open();\n{text}\n"))
    if result.status is Status.ANALYSED:
        assert [(smell.rule, smell.line) for smell in result.smells] == [("W087", 3)]
    else:
        assert result.reason == (
            "line 2: JSHint, which knows JavaScript up to ES2020, cannot read this: Bad assignment"
        )


@pytest.mark.parametrize("text", SILENCING)
def test_in_the_original_study_comments_counted(text: str) -> None:
    assert ("W087", 3) not in found(whole(f"open();\n{text}\n"), ORIGINAL)
    assert ("W087", 3) in found(whole("open();\n\ndebugger;\n"), ORIGINAL)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("/* global house */\nhouse.paint(require('x'));\n", []),
        ("/* global house */\nhut.paint(require('x'));\n", [("W117", 2)]),
        ("/* exported house */\nconst house = require('x');\n", []),
        ("/* exported hut */\nconst house = require('x');\n", [("W098", 2)]),
        ("/* members size */\nhouse.paint();\n", []),
        ("/* jshint nothing: true */\nopen();\n", []),
        ("/* jshint unused: true */\n'/* jshint ignore:start */';\ndebugger;\n", [("W087", 3)]),
    ],
    ids=["global", "other", "exported", "other export", "members", "unknown", "in a string"],
)
def test_comments_may_only_add_names(text: str, expected: list[tuple[str, int]]) -> None:
    assert [smell for smell in found(whole(text)) if smell[0] != "W030"] == expected


def test_code_in_strings_is_not_code_of_the_file() -> None:
    assert found(whole("\nsetTimeout('if (a ==', 10);\n")) == [("W066", 2)]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("open();\nconst page = <div/>;\n", 2),
        ("class House {\n    size = 3;\n}\n", 2),
        ("open();\nsize ||= 3;\n", 2),
        ("open();\n\nsize = 1_000;\n", 3),
        ("function open() {\n    close(;\n}\n", 2),
        ("open();\nsize = 'three\n", 2),
        ("open();\nsize = `three\n", 2),
        ("open();\n/* never\n", 2),
        ("open();\nenum = 3;\n", 2),
    ],
)
def test_what_jshint_cannot_read_is_not_analysed(text: str, line: int) -> None:
    result = analyse(whole(f"{text}debugger;\n"))
    assert (result.status, result.smells) == (Status.NOT_ANALYSED, ())
    assert result.reason is not None
    assert result.reason.startswith(f"line {line}: JSHint, which knows JavaScript up to ES2020")


def test_what_it_cannot_read_in_original_is_a_finding_and_covers_the_rest() -> None:
    text = "debugger;\nif () { open(); }\ndebugger;\n"
    assert found(whole(text), ORIGINAL) == [("W087", 1), ("E030", 2), ("E041", 2)]
    assert found(whole(text, 3), ORIGINAL) == [("E041", 2)]
    assert found(whole(text, 1), ORIGINAL) == [("W087", 1)]


def test_too_many_errors_are_not_a_clean_rest() -> None:
    text = f"{'open() = 1;' * 60}\ndebugger;\n"
    assert found(whole(text, 2), ORIGINAL) == [("E043", 1)]
    assert analyse(whole(text, 2)).status is Status.NOT_ANALYSED
    # Findings that are no errors in the language are not counted.
    assert found(whole(f"{'size;' * 60}\ndebugger;\n", 2), ORIGINAL) == [("W087", 2)]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("{\n    open();\n    debugger;\n}\n", 3),
        ("// rooms\n[1, 2].forEach(paint);\ndebugger;\n", 2),
        ("#!/usr/bin/env node\ndebugger;\n", 2),
        ("\ufeffopen();\ndebugger;\n", 2),
        ("open();\r\ndebugger;\r\n", 2),
        ("size = 1;\rsize = 2;\ndebugger;\n", 2),
        ("size = 'a\u2028b\u2029c'; // d\u2028e\ndebugger;\n", 2),
        ("size = 'a\x0b\x0c\x85';\ndebugger;\n", 2),
        ("size = '\ud800';\ndebugger;\n", 2),
        ("size = '\0';\ndebugger;\n", 2),
        ("size = `\n\n`;\ndebugger;\n", 4),
        ("'use strict';\ndebugger;\n", 2),
        ("size = '" + "x" * 500_000 + "';\ndebugger;\n", 2),
        ("open();\n" * 50_000 + "debugger;\n", 50_001),
        (" ".join(["open();"] * 100_000) + "\ndebugger;\n", 2),
    ],
    ids=lambda value: repr(value)[:30],
)
def test_lines_are_those_of_the_diff(text: str, line: int) -> None:
    rules = dict(found(whole(text)))
    line = line if not text.startswith("//") else 3
    assert rules["W087"] == line


def test_columns_are_characters() -> None:
    texts = ["\t\tdebugger;", "'\U0001f600\U0001f600';\tdebugger;", "'ä'; debugger;"]
    for text, outcome in zip(texts, JSHint().report(texts), strict=True):
        assert not isinstance(outcome, Unread)
        (finding,) = [finding for finding in outcome if finding.rule == "W087"]
        assert text[finding.first_column - 1 :] == "debugger;"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # What lies outside a hunk may use, define or end things.
        ("import { open } from './door';\npaint(size);\n", []),
        (UNUSED, [("W098", 2)]),
        ("function load() {\n    const retryCount = 3;\n    return 1;\n", []),
        ("    const retryCount = 3;\n    return 1;\n}\n", []),
        ("const ids = rooms.map((room) => room.id);\n", []),
        ("const open = (door) => {\n    return 1;\n};\n", [("W098", 1)]),
        ("    const ids = rooms.map((room) => room.id);\n}\n", []),
        ("} else {\n", []),
        ("} else {\n}\nopen();\n", [("W035", 1)]),
        ("} catch (error) {\n    close(error);\n", []),
        ("    return open();\n  } catch (error) {}\n}());\n\nclose();\n", []),
        ("    return open\n", []),
        ("    size;\n    paint();\n", []),
        ("    break;\n    case 2:\n", []),
        ("    continue;\n", []),
        ("        throw new Error('no');\n    open();\n", []),
        ("    return this.size == 3;\n", [("W116", 1)]),
        ("    size: 3,\n    open() {\n        debugger;\n    },\n", [("W087", 3)]),
        ("    get size() { return 3; }\n    set size(size) { this.x = size; }\n", []),
        ("    set size(size) { this.x = size; }\n", []),
        ("    } else {\n        debugger;\n", [("W087", 2)]),
        ("    'a',\n    'b' == c,\n", [("W116", 2)]),
        ("  , 'a'\n  , 'b'\n", []),
        ("    super(size);\n    debugger;\n", [("W087", 2)]),
        ("    await paint();\n    yield size;\n    debugger;\n", [("W087", 3)]),
        ("});\n\nit('opens', () => {\n    debugger;\n", [("W087", 4)]),
        ("};\n\nHouse.prototype.open = function () {\n    debugger;\n", [("W087", 4)]),
        ("import { open } from './door';\n\nexport const size = 3;\ndebugger;\n", [("W087", 4)]),
    ],
)
def test_a_fragment_gives_what_it_shows_enough_of(
    text: str, expected: list[tuple[str, int]]
) -> None:
    result = analyse(hunk(text))
    assert result.status is Status.FRAGMENT
    assert [(smell.rule, smell.line) for smell in result.smells] == expected


def test_lines_of_a_hunk_are_those_of_the_new_file() -> None:
    assert found(hunk("        open();\n    }\n    debugger;\n", 120)) == [("W087", 122)]


def test_files_keep_their_order_and_their_own_findings() -> None:
    files = [whole(f"open(a {'==' if i % 2 else '==='} {i});\n") for i in range(250)]
    results = Linter(JSHint(), READERS["javascript"]).analyze(files)
    assert [len(result.smells) for result in results] == [i % 2 for i in range(250)]


def test_no_files_need_no_jshint() -> None:
    jshint = JSHint(command=("no such command",))
    assert Linter(jshint, READERS["javascript"]).analyze([]) == []
