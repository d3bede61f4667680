"""JSHint on odd, suppressed and large texts, and when it is missing."""

from pathlib import Path

import pytest
from analyzers.javascript.configurations import CONFIGURATIONS, MODERN, ORIGINAL
from analyzers.syntax.reading import READERS

from analyzers import AnalyzerResult, SourceFile, Status
from analyzers.javascript import jshint as module
from analyzers.javascript.jshint import JSHint
from analyzers.linter import Linter
from analyzers.tool import Unread
from tests.analyzers import sources
from tests.analyzers.kits import at
from tests.analyzers.test_examples import examples

SMELLY = "open(size == 3);\n"
ES6 = "import { size } from './size';\nconst twice = () => 2 * size;\nexport default twice;\n"


def whole(text: str, *changed: int) -> SourceFile:
    return sources.whole(text, *changed, path="app.js", language="javascript")


def analyse(*files: SourceFile, configuration: str = MODERN) -> list[AnalyzerResult]:
    return Linter(JSHint(configuration), READERS["javascript"]).analyze(files)


def original(text: str, *changed: int) -> list[tuple[str, int]]:
    (result,) = analyse(whole(text, *changed), configuration=ORIGINAL)
    return at(result)


def test_modern_javascript_is_accepted_only_by_the_modern_configuration() -> None:
    assert [at(result) for result in analyse(whole(ES6))] == [[]]
    assert original(ES6) == [("W119", 1), ("W104", 2), ("W119", 2), ("W119", 3)]


def test_the_original_configuration_obeys_comments() -> None:
    silenced = [code for name, code, _ in examples("javascript/files.txt") if "silenced" in name]
    assert len(silenced) == 11
    for text in silenced:
        assert ("W087", 3) not in original(text)
    assert ("W087", 3) in original("open();\n\ndebugger;\n")


def test_unreadable_code_is_a_finding_in_the_original_configuration() -> None:
    text = "debugger;\nif () { open(); }\ndebugger;\n"
    assert original(text) == [("W087", 1), ("E030", 2), ("E041", 2)]
    assert original(text, 3) == [("E041", 2)]
    assert original(text, 1) == [("W087", 1)]
    assert original(f"{'open() = 1;' * 60}\ndebugger;\n", 2) == [("E043", 1)]
    # Findings that are no errors in the language are not counted.
    assert original(f"{'size;' * 60}\ndebugger;\n", 2) == [("W087", 2)]


def test_long_texts_are_read_line_by_line() -> None:
    texts = [
        "size = '" + "x" * 500_000 + "';\ndebugger;\n",
        "open();\n" * 19_000 + "debugger;\n",
        " ".join(["open();"] * 70_000) + "\ndebugger;\n",
    ]
    for text, result in zip(texts, analyse(*map(whole, texts)), strict=True):
        assert dict(at(result))["W087"] == text.count("\n")
    (hopeless,) = analyse(whole("open() = 1;" * 60))
    assert hopeless.status is Status.NOT_ANALYSED


def test_columns_are_characters() -> None:
    texts = ["\t\tdebugger;", "'\U0001f600\U0001f600';\tdebugger;", "'ä'; debugger;"]
    for text, outcome in zip(texts, JSHint().report(texts), strict=True):
        assert not isinstance(outcome, Unread)
        (finding,) = [finding for finding in outcome if finding.rule == "W087"]
        assert text[finding.first_column - 1 :] == "debugger;"


def test_a_different_package_is_rejected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package that reports no findings, and one without the internals that we use."""
    (tmp_path / "index.js").write_text("exports.JSHINT = () => true; exports.JSHINT.errors = [];")
    monkeypatch.setattr(module, "_PACKAGE", tmp_path)
    (broken,) = JSHint().lint([SMELLY])
    for name, exported in {"lex": "Lexer", "state": "state", "vars": "vars"}.items():
        (tmp_path / "src").mkdir(exist_ok=True)
        (tmp_path / "src" / f"{name}.js").write_text(
            f"exports.{exported} = class {{ scanComments() {{}} }};"
            + "".join(f"exports.{one} = {{}};" for one in CONFIGURATIONS["modern"].environments)
        )
    (silent,) = JSHint().lint([SMELLY])
    assert isinstance(broken, Unread)
    assert "JSHint failed with status 1" in broken.reason
    assert silent == Unread("JSHint missed the control finding that every run must report")


SLOW = f"rooms = [{'1, ' * 300_000}];\n"  # grows with the square of their number


def test_a_slow_text_does_not_affect_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "_TEXT_SECONDS", 1)
    before, slow, after = JSHint().lint([SMELLY, SLOW, SMELLY])
    assert slow == Unread("JSHint took more than 1 seconds and was stopped")
    assert isinstance(before, list)
    assert before == after
    assert "W116" in {finding.rule for finding in before}


def test_deep_nesting_is_not_a_clean_file() -> None:
    deep = [
        f"size = {'(' * 6_000}1{')' * 6_000};",
        f"size = {'- ' * 100_000}1;",
        f"{'{' * 50_000}{'}' * 50_000}",
        f"{'if (a) ' * 20_000}open();",
        f"size = {'a => ' * 20_000}1;",
        f"{'function f() {' * 5_000}{'}' * 5_000}",
    ]
    *outcomes, other = JSHint().lint([*(f"debugger; {text}\n" for text in deep), SMELLY])
    assert outcomes == [Unread("nested too deeply for JSHint")] * len(deep)
    assert isinstance(other, list)


@pytest.mark.parametrize("text", ["[" * 100_000, "size = " + "[" * 100_000 + "]" * 100_000])
def test_many_brackets_are_not_a_clean_file(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_TEXT_SECONDS", 1)
    (result,) = JSHint().lint([text])
    assert isinstance(result, Unread)


def test_fifty_thousand_findings_are_kept() -> None:
    (result,) = JSHint().lint(["open(a == b);\n" * 50_000])
    assert not isinstance(result, Unread)
    assert len(result) == 50_000
