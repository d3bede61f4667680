"""JSHint on odd, silenced and large texts, and where it is missing."""

from pathlib import Path

import pytest

from analyzers import AnalyzerResult, SourceFile, Status
from analyzers.batches import package_version
from analyzers.javascript import jshint as module
from analyzers.javascript.configurations import CONFIGURATIONS, MODERN, ORIGINAL
from analyzers.javascript.jshint import JSHint
from analyzers.linter import Linter
from analyzers.syntax.reading import READERS
from analyzers.tool import Unread
from tests.analyzers import sources

LINTER = Linter(JSHint(), READERS["javascript"])
SMELLY = "open(size == 3);\n"
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


def test_lines_of_a_hunk_are_those_of_the_new_file() -> None:
    assert found(hunk("        open();\n    }\n    debugger;\n", 120)) == [("W087", 122)]


def test_files_keep_their_order_and_their_own_findings() -> None:
    files = [whole(f"open(a {'==' if i % 2 else '==='} {i});\n") for i in range(250)]
    results = Linter(JSHint(), READERS["javascript"]).analyze(files)
    assert [len(result.smells) for result in results] == [i % 2 for i in range(250)]


def test_what_is_said_of_a_line_twice_is_a_smell_once() -> None:
    text = "open(a == b, c == d);\nopen(a == b);\n"
    assert found(whole(text)) == [("W116", 1), ("W116", 2)]


def test_without_node_it_is_said_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    results = LINTER.analyze([whole(SMELLY), whole("open();\n")])
    assert {result.status for result in results} == {Status.NOT_ANALYSED}
    assert {result.reason for result in results} == {
        "Node.js was not found: install it (for instance `apt-get install nodejs`)"
    }


@pytest.mark.parametrize("about", [None, "", "{", "[]", "{}"])
def test_without_the_package_it_is_said_how_to_get_it(
    about: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if about is not None:
        (tmp_path / "jshint").mkdir()
        (tmp_path / "jshint" / "package.json").write_text(about)
    monkeypatch.setattr("analyzers.batches.NODE_MODULES", tmp_path)
    (result,) = LINTER.analyze([whole(SMELLY)])
    assert result.status is Status.NOT_ANALYSED
    assert result.reason is not None
    assert result.reason.startswith("JSHint is not installed: ")
    assert "npm ci --prefix analyzers" in result.reason
    assert result.version is None


def test_a_package_of_another_make_does_not_pass(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that says that all is fine, and one without the parts that we take hold of."""
    (tmp_path / "index.js").write_text("exports.JSHINT = () => true; exports.JSHINT.errors = [];")
    monkeypatch.setattr(module, "_PACKAGE", tmp_path)
    (broken,) = LINTER.analyze([whole(SMELLY)])
    for name, exported in {"lex": "Lexer", "state": "state", "vars": "vars"}.items():
        (tmp_path / "src").mkdir(exist_ok=True)
        (tmp_path / "src" / f"{name}.js").write_text(
            f"exports.{exported} = class {{ scanComments() {{}} }};"
            + "".join(f"exports.{one} = {{}};" for one in CONFIGURATIONS["modern"].environments)
        )
    (silent,) = LINTER.analyze([whole(SMELLY)])
    assert {broken.status, silent.status} == {Status.NOT_ANALYSED}
    assert "JSHint failed with status 1" in str(broken.reason)
    assert silent.reason == "JSHint did not report what it has to report in every run"


SLOW = f"rooms = [{'1, ' * 300_000}];\n"  # grows with the square of their number


def test_a_text_that_takes_too_long_costs_the_others_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "_TEXT_SECONDS", 1)
    before, slow, after = LINTER.analyze([whole(SMELLY), whole(SLOW), whole(SMELLY)])
    assert (slow.status, slow.smells) == (Status.NOT_ANALYSED, ())
    assert slow.reason == "JSHint took more than 1 seconds and was stopped"
    assert before.smells[0].rule == after.smells[0].rule == "W116"


@pytest.mark.parametrize(
    "text",
    [
        f"size = {'(' * 6_000}1{')' * 6_000};\n",
        f"size = {'- ' * 100_000}1;\n",
        f"{'{' * 50_000}{'}' * 50_000}\n",
        f"{'if (a) ' * 20_000}open();\n",
        f"size = {'a => ' * 20_000}1;\n",
        f"{'function f() {' * 5_000}{'}' * 5_000}\n",
    ],
    ids=lambda text: text[:20],
)
def test_deep_nesting_is_not_a_clean_file(text: str) -> None:
    deep, other = JSHint().lint([f"debugger; {text}", SMELLY])
    assert deep == Unread("nested too deeply for JSHint")
    assert not isinstance(other, Unread)


@pytest.mark.parametrize("text", ["[" * 100_000, "size = " + "[" * 100_000 + "]" * 100_000])
def test_many_brackets_are_not_a_clean_file(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_TEXT_SECONDS", 1)
    (result,) = JSHint().lint([text])
    assert isinstance(result, Unread)


def test_fifty_thousand_findings_are_kept() -> None:
    (result,) = JSHint().lint(["open(a == b);\n" * 50_000])
    assert not isinstance(result, Unread)
    assert len(result) == 50_000
