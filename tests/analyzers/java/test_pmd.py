import shutil
from pathlib import Path

import pytest

from analyzers import AnalyzerResult, Fragment, SourceFile, Status
from analyzers.java import pmd as pmd_module
from analyzers.java.pmd import PMD
from analyzers.linter import Linter
from analyzers.syntax.reading import READERS
from analyzers.tool import Unread
from tests.analyzers.sources import whole

UNUSED = "class Cache {\n    private int size;\n}\n"


def analyze(*files: SourceFile) -> list[AnalyzerResult]:
    return Linter(PMD(), READERS["java"]).analyze(files)


def java(text: str, *changed: int, path: str | None = "Cache.java") -> SourceFile:
    return whole(text, *changed, path=path, language="java")


def found(result: AnalyzerResult) -> list[tuple[str, int]]:
    return [(smell.rule, smell.line) for smell in result.smells]


def test_a_finding_says_what_where_and_who() -> None:
    (result,) = analyze(java(UNUSED, 2))
    (smell,) = result.smells
    assert smell.text == "The private field `size` is never used."
    assert (smell.rule, smell.source, smell.path, smell.line) == (
        "UnusedPrivateField",
        "pmd",
        "Cache.java",
        2,
    )
    assert (result.name, result.status, result.reason) == ("pmd", Status.ANALYSED, None)
    assert result.version == PMD().version
    assert result.version is not None


def test_files_keep_their_order_and_their_own_findings() -> None:
    files = [
        java(f"class A{i} {{\n{'    private int a;' * (i % 2)}\n}}\n", 2, path=f"{i}.java")
        for i in range(12)
    ]
    results = analyze(*files)
    assert [result.path for result in results] == [f"{i}.java" for i in range(12)]
    assert [found(result) for result in results] == [[], [("UnusedPrivateField", 2)]] * 6


_STATIC = "    static int half(int angle) {\n        return angle / 2;\n    }\n"
_ANGLES = "package a;\n\nclass Angles {\n    int size;\n\n" + _STATIC + "}\n"
_ONLY_STATIC = _ANGLES.replace("    int size;\n\n", "")


def test_a_smell_of_a_class_is_the_change_s_if_the_old_side_had_it_not() -> None:
    new = (Fragment(1, _ONLY_STATIC),), frozenset({5})
    files = [
        SourceFile(None, "java", *new, is_whole=True, old_fragments=(Fragment(1, old),))
        for old in (_ANGLES, _ONLY_STATIC)
    ]
    made, was_there = analyze(*files)
    assert found(made) == [("InstantiableUtilityClass", 3)]
    assert found(was_there) == []


def test_rules_without_a_sentence_say_what_pmd_says() -> None:
    (result,) = Linter(PMD(("category/java/codestyle.xml",)), READERS["java"]).analyze(
        [java(UNUSED, 1)]
    )
    texts = [smell.text for smell in result.smells if smell.rule == "AtLeastOneConstructor"]
    assert texts == ["Each class should declare at least one constructor."]


def test_no_texts_need_no_java() -> None:
    assert PMD(command=("no such command",)).lint([]) == []


def test_a_missing_java_is_said_with_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", "/nowhere")
    (outcome,) = PMD().lint([UNUSED])
    assert outcome == Unread(
        "Java was not found: install a Java runtime "
        "(for instance `apt-get install default-jre-headless`)"
    )


def test_a_missing_pmd_is_said_with_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(pmd_module, "_LIBRARIES", tmp_path / "lib")
    (outcome,) = PMD().lint([UNUSED])
    assert isinstance(outcome, Unread)
    assert "PMD is not installed" in outcome.reason
    assert "npm ci" in outcome.reason
    assert PMD().version is None


def test_java_home_goes_before_the_search_path(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    java_found = shutil.which("java")
    assert java_found is not None
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "java").symlink_to(Path(java_found).resolve())
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    monkeypatch.setenv("PATH", "/nowhere")
    (outcome,) = PMD().lint([UNUSED])
    assert isinstance(outcome, list)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "bin"))
    (outcome,) = PMD().lint([UNUSED])
    assert isinstance(outcome, Unread)


def test_nothing_in_the_code_silences_anything() -> None:
    comments = ["// NOPMD", "/* NOPMD: as agreed */"]
    values = ['"all"', '"unused"', '"PMD"', '"PMD.UnusedPrivateField"', '{"PMD", "rawtypes"}']
    texts = [UNUSED.replace(";", f"; {comment}") for comment in comments]
    texts += [UNUSED.replace("class", f"@SuppressWarnings({value}) class") for value in values]
    for text, result in zip(texts, analyze(*(java(text, 2) for text in texts)), strict=True):
        assert found(result) == [("UnusedPrivateField", 2)], text
