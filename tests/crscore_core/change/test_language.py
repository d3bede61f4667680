"""The language of a changed file: by its name, or as declared for hunks without one."""

import pytest

from crscore_core.change import LANGUAGE_TITLES, normalise_language, parse_change
from crscore_core.errors import InputError

HUNK = "@@ -1 +1 @@\n-import os\n+import sys\n"
NAMES = {
    "python": ["x.py", "x.PYI", "a.b/x.pyw"], "java": ["a.b/x.java"],
    "javascript": ["x.test.jsx", "x.mjs", "x.cjs"], "typescript": ["x.d.ts", "x.tsx", "x.mts"],
    "c": ["x.c", "x.h"], "cpp": ["x.hpp", "x.cc", "x.hh"], "csharp": ["x.cs"], "go": ["x.go"],
    "php": ["x.phtml", "x.inc"], "ruby": ["x.gemspec", "Rakefile", "C:\\src\\x.rb"],
    "objective-c++": ["x.mm"], "gas": ["x.S"], "kotlin": ["x.kt"], "docker": ["dir/Dockerfile"],
    "make": ["Makefile"], "shell": ["x.sh"], "yaml": ["x.yml"], "sql": ["x.sql"], "perl": ["x.pl"],
    "css": ["x.scss"], "text": ["x.txt"],
    None: [
        ".gitignore", "py", "x.", "x.py/readme", "VERSION", "requirements.in", ".env", "LICENSE",
        "a.csv", "a.ipynb", "bin/tool", "go.mod", "BUILD", "x.bzl",
    ],
}  # fmt: skip
SPELLINGS = {
    "python": ["py", ".py", "python3"], "javascript": ["js", "node"], "typescript": ["ts", "tsx"],
    "cpp": ["cc", "c++"], "csharp": ["C#", ".cs"], "go": ["Golang"], "ruby": [" rb\n"],
    "kotlin": ["KT"], "shell": ["bash", "sh"], "visual basic 6": ["Visual\tBasic  6"],
    "/../../tmp/evil": ["/../../tmp/evil"], "x" * 100: ["x" * 100],
}  # fmt: skip


def named(*names: str) -> str:
    return "".join(f"--- a/{name}\n+++ b/{name}\n{HUNK}" for name in names)


@pytest.mark.parametrize("declared", [None, "python"])
@pytest.mark.parametrize(("language", "names"), NAMES.items())
def test_a_named_file_has_the_language_of_its_name(
    language: str | None, names: list[str], declared: str | None
) -> None:
    files = [parse_change(named(name), language=declared).files[0] for name in names]
    assert [file.language for file in files] == [language] * len(names)


@pytest.mark.parametrize(("names", "language"), [
    (["History.md", "lib/x.js"], "javascript"), (["a.yml", "a.md"], "yaml"), (["VERSION"], ""),
])  # fmt: skip
def test_a_change_has_the_language_of_its_first_code_file(names: list[str], language: str) -> None:
    assert parse_change(named(*names)).language == language


def test_hunks_without_a_name_have_the_declared_language() -> None:
    diff = f"{HUNK}\n--- \n+++ \n{HUNK}\n```\n{HUNK}"
    files = parse_change(diff, language=" C++ ").files
    assert [(file.path, file.language) for file in files] == [(None, "cpp")] * 3
    assert parse_change(HUNK).files[0].language is None


def test_an_unknown_language_gives_one_warning_where_it_is_used() -> None:
    (warning,) = parse_change(HUNK * 2, language="Klingon").warnings
    assert "'klingon'" in warning
    assert parse_change(HUNK, language="rust").warnings == ()
    assert parse_change(named("x.py"), language="Klingon").warnings == ()


@pytest.mark.parametrize("mode", ["120000", "160000"])
def test_links_and_submodules_have_no_language(mode: str) -> None:
    diff = f"diff --git a/x.py b/x.py\nindex 1..2 {mode}\n{named('x.py')}"
    assert parse_change(diff, language="python").files[0].language is None


def test_spellings_of_a_language() -> None:
    for language, shown in LANGUAGE_TITLES.items():
        assert normalise_language(language) == normalise_language(shown.upper()) == language
    for language, spellings in SPELLINGS.items():
        assert [normalise_language(each) for each in spellings] == [language] * len(spellings)


@pytest.mark.parametrize("bad", ["", " . ", "x" * 10_000, "a\0b", "\ud800"])
def test_rejects_values_that_are_not_names(bad: str) -> None:
    with pytest.raises(InputError, match=r"^.{,120}$"):
        parse_change(HUNK, language=bad)
