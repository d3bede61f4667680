"""The language of a changed file is recognised, and a guess is marked as such."""

from pathlib import Path

import pytest

from crscore_core.change import (
    LANGUAGES,
    LanguageSource,
    normalise_language,
    parse_change,
)
from crscore_core.change.language import LONGEST_LANGUAGE, guess_language, language_of_name
from crscore_core.errors import InputError
from tests.cases import cases

SHORT_HUNKS = {
    language: text.splitlines()
    for _, text, language in cases(Path(__file__).with_name("short_hunks.txt"))
}


def _bare(lines: list[str]) -> str:
    return f"@@ -0,0 +1,{len(lines)} @@\n" + "".join(f"+{line}\n" for line in lines)


def _named(name: str) -> str:
    return f"--- a/{name}\n+++ b/{name}\n@@ -1 +1 @@\n-import os\n+import sys\n"


def _told(
    diff: str, language: str | None = None, *, guess: bool = True
) -> tuple[str | None, LanguageSource]:
    (file,) = parse_change(diff, language=language, guess=guess).files
    return file.language, file.language_source


@pytest.mark.parametrize("language", LANGUAGES)
def test_added_lines_removed_lines_and_the_section_count_for_a_guess(language: str) -> None:
    first, *rest = SHORT_HUNKS[language]
    removed = "".join(f"-{line}\n" for line in rest)
    for diff in (_bare(SHORT_HUNKS[language]), f"@@ -1,{len(rest)} +0,0 @@ {first}\n{removed}"):
        assert _told(diff) == (language, LanguageSource.GUESS)


def test_each_guessed_language_is_reported_once() -> None:
    hunks = [_bare(SHORT_HUNKS[language]) for language in ("go", "ruby", "go")]
    assert parse_change("\n".join(hunks)).warnings == (
        "the language of a hunk without file name is a guess: go; declare it to be sure",
        "the language of a hunk without file name is a guess: ruby; declare it to be sure",
    )


GO, NO_SIGN = _bare(SHORT_HUNKS["go"]), "@@ -1 +1 @@\n-a\n+b\n"
TOLD: dict[str, tuple[str, str | None, tuple[str | None, LanguageSource]]] = {
    "no sign of any language": (NO_SIGN, None, (None, LanguageSource.UNKNOWN)),
    "declared": (GO, " C++ ", ("cpp", LanguageSource.DECLARED)),
    "a name tells more than a declaration": (
        _named("src/Main.java"),
        "python",
        ("java", LanguageSource.FILE_NAME),
    ),
    "a name that does not tell": (
        _named("bin/tool"),
        "python",
        ("python", LanguageSource.DECLARED),
    ),
    "a named file is not guessed": (_named("bin/tool"), None, (None, LanguageSource.UNKNOWN)),
    "the new name of a renamed file": (
        "diff --git a/x.js b/x.ts\nrename from x.js\nrename to x.ts\n",
        None,
        ("typescript", LanguageSource.FILE_NAME),
    ),
    "a link holds no code": (
        "diff --git a/x.py b/x.py\nindex 1..2 120000\n" + _named("x.py"),
        "python",
        (None, LanguageSource.UNKNOWN),
    ),
    "a submodule holds no code": (
        "diff --git a/x.py b/x.py\nindex 1..2 160000\n" + _named("x.py"),
        "python",
        (None, LanguageSource.UNKNOWN),
    ),
}


@pytest.mark.parametrize(("diff", "declared", "expected"), TOLD.values(), ids=TOLD)
def test_the_source_of_a_language(
    diff: str, declared: str | None, expected: tuple[str | None, LanguageSource]
) -> None:
    assert _told(diff, declared) == expected
    assert parse_change(diff, language=declared).warnings == ()


def test_without_guessing_only_names_determine_the_language() -> None:
    assert _told(f"--- a/x.rb\n+++ b/x.rb\n{GO}", guess=False)[0] == "ruby"
    assert _told(GO, guess=False) == (None, LanguageSource.UNKNOWN)
    assert guess_language([]) is None


NAMES = {
    "python": ["x.py", "x.PYI"], "java": ["a.b/x.java"], "javascript": ["x.test.jsx", "x.mjs"],
    "typescript": ["x.d.ts", "x.tsx"], "c": ["x.c", "x.h"], "cpp": ["x.hpp", "x.cc"],
    "csharp": ["x.cs"], "go": ["x.go"], "php": ["x.phtml"],
    "ruby": ["x.gemspec", "Rakefile", "C:\\src\\x.rb"], "kotlin": ["x.kt"],
    "docker": ["dir/Dockerfile"], "yaml": ["x.yml"],
    None: [".gitignore", "py", "x.", "x.py/readme", ""],
}  # fmt: skip
SPELLINGS = {
    "python": ["py", ".py"], "javascript": ["js", "node"], "typescript": ["ts", "tsx"],
    "cpp": ["cc"], "csharp": ["C#", ".cs"], "go": ["Golang"], "ruby": [" rb\n"],
}  # fmt: skip


def test_names_and_spellings() -> None:
    for language, names in NAMES.items():
        assert [language_of_name(name) for name in names] == [language] * len(names)
    for language, shown in LANGUAGES.items():
        spellings = [language, shown.upper(), *SPELLINGS.get(language, [])]
        assert [normalise_language(name) for name in spellings] == [language] * len(spellings)


KEPT = {
    "Rust": "rust", " Objective-C++\n": "objective-c++", "Visual\tBasic  .NET": "visual basic .net",
    ".NET": "net", "..py": "python", "KT": "kotlin", "\ud800\0": "\ufffd\ufffd",
    "/../../tmp/evil": "/../../tmp/evil", "x" * LONGEST_LANGUAGE: "x" * LONGEST_LANGUAGE,
}  # fmt: skip


@pytest.mark.parametrize(("given", "kept"), KEPT.items())
def test_other_languages_are_kept_on_one_line(given: str, kept: str) -> None:
    assert normalise_language(given) == normalise_language(kept) == kept
    assert _told(NO_SIGN, given) == (kept, LanguageSource.DECLARED)


@pytest.mark.parametrize(
    ("bad", "message"), [("", "blank"), (" . ", "blank"), ("x" * 10_000, "longer than 100")]
)
def test_blank_and_long_languages_raise(bad: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        parse_change(NO_SIGN, language=bad)
    assert len(str(caught.value)) < 100
