"""How the language of a changed file is known, and that a guess is told as one."""

import pytest

from crscore_core.change import (
    LANGUAGES,
    FileChange,
    LanguageSource,
    normalise_language,
    parse_change,
)
from crscore_core.change.language import guess_language, language_of_name
from crscore_core.errors import LanguageError

SHORT_HUNKS = {
    "python": ["def load(path):", "    if path is None:", "        return []"],
    "java": [
        "    public List<String> names() {",
        "        final String first = user.getName();",
        "        return List.of(first);",
    ],
    "javascript": [
        "const fs = require('fs');",
        "module.exports = function load(path) {",
        "  if (path === undefined) return [];",
    ],
    "typescript": [
        "export interface User {",
        "  name: string;",
        "  const age: number = user.age;",
    ],
    "c": [
        "#include <stdlib.h>",
        "static int grow(struct list *l)",
        "    l->items = malloc(l->size * sizeof(int));",
        "    if (l->items == NULL)",
    ],
    "cpp": [
        "std::vector<int> Reader::read(const std::string& path) {",
        "  auto file = std::make_unique<File>(path);",
        "  if (file == nullptr) return {};",
    ],
    "csharp": [
        "using System.Linq;",
        "    public string Name { get; set; }",
        "    var names = users.Select(u => u.Name).ToList();",
    ],
    "go": [
        "func (s *Store) Load(path string) error {",
        "\tdata, err := os.ReadFile(path)",
        "\tif err != nil {",
        "\t\treturn nil, err",
    ],
    "php": [
        "    public function load($path)",
        "        $this->items = array();",
        "        foreach ($items as $item) {",
    ],
    "ruby": [
        "  def load(path)",
        "    return [] unless path",
        "    items.each do |item|",
        "    end",
    ],
}


def _bare(lines: list[str]) -> str:
    return f"@@ -0,0 +1,{len(lines)} @@\n" + "".join(f"+{line}\n" for line in lines)


def _named(name: str) -> str:
    return f"--- a/{name}\n+++ b/{name}\n@@ -1 +1 @@\n-import os\n+import sys\n"


def _only_file(diff: str, language: str | None = None) -> FileChange:
    (file,) = parse_change(diff, language=language).files
    return file


def test_every_language_has_a_short_hunk_here() -> None:
    assert set(SHORT_HUNKS) == set(LANGUAGES)


@pytest.mark.parametrize("language", SHORT_HUNKS)
def test_short_hunk_is_guessed(language: str) -> None:
    change = parse_change(_bare(SHORT_HUNKS[language]))
    assert change.files[0].language == language
    assert change.files[0].language_source is LanguageSource.GUESS
    assert change.warnings == (
        f"the language of a hunk without file name is a guess: {language}; declare it to be sure",
    )


@pytest.mark.parametrize("language", SHORT_HUNKS)
def test_removed_lines_and_the_section_count_for_a_guess(language: str) -> None:
    first, *rest = SHORT_HUNKS[language]
    removed = "".join(f"-{line}\n" for line in rest)
    file = _only_file(f"@@ -1,{len(rest)} +0,0 @@ {first}\n{removed}")
    assert (file.language, file.language_source) == (language, LanguageSource.GUESS)


def test_guesses_are_told_once_for_each_language() -> None:
    hunks = [_bare(SHORT_HUNKS[language]) for language in ("go", "ruby", "go")]
    assert parse_change("\n".join(hunks)).warnings == (
        "the language of a hunk without file name is a guess: go; declare it to be sure",
        "the language of a hunk without file name is a guess: ruby; declare it to be sure",
    )


def test_no_sign_of_a_language_is_no_guess() -> None:
    change = parse_change("@@ -1 +1 @@\n-a\n+b\n")
    assert change.files[0].language is None
    assert change.files[0].language_source is LanguageSource.UNKNOWN
    assert change.warnings == ()


def test_without_guessing_the_language_stays_unknown_and_names_still_tell() -> None:
    bare = _bare(SHORT_HUNKS["go"])
    change = parse_change(f"--- a/x.rb\n+++ b/x.rb\n{bare}", guess=False)
    assert change.files[0].language == "ruby"
    change = parse_change(bare, guess=False)
    assert change.files[0].language is None
    assert change.files[0].language_source is LanguageSource.UNKNOWN
    assert change.warnings == ()


def test_guess_of_nothing() -> None:
    assert guess_language([]) is None


def test_a_declared_language_is_no_guess() -> None:
    change = parse_change(_bare(SHORT_HUNKS["go"]), language=" C++ ")
    assert change.files[0].language == "cpp"
    assert change.files[0].language_source is LanguageSource.DECLARED
    assert change.warnings == ()


def test_a_file_name_tells_more_than_a_declaration() -> None:
    file = _only_file(_named("src/Main.java"), language="python")
    assert (file.language, file.language_source) == ("java", LanguageSource.FILE_NAME)


def test_a_name_that_does_not_tell_leaves_it_to_the_declaration() -> None:
    file = _only_file(_named("bin/tool"), language="python")
    assert (file.language, file.language_source) == ("python", LanguageSource.DECLARED)


def test_a_named_file_is_not_guessed() -> None:
    file = _only_file(_named("bin/tool"))
    assert (file.language, file.language_source) == (None, LanguageSource.UNKNOWN)


def test_the_new_name_of_a_renamed_file_tells() -> None:
    file = _only_file("diff --git a/x.js b/x.ts\nrename from x.js\nrename to x.ts\n")
    assert file.language == "typescript"


@pytest.mark.parametrize("mode", ["120000", "160000"])
def test_links_and_submodules_hold_no_code(mode: str) -> None:
    header = f"diff --git a/x.py b/x.py\nindex 1..2 {mode}\n"
    file = _only_file(header + _named("x.py"), language="python")
    assert (file.language, file.language_source) == (None, LanguageSource.UNKNOWN)


@pytest.mark.parametrize(
    ("name", "language"),
    [
        ("x.py", "python"),
        ("x.PYI", "python"),
        ("a.b/x.java", "java"),
        ("x.test.jsx", "javascript"),
        ("x.mjs", "javascript"),
        ("x.d.ts", "typescript"),
        ("x.tsx", "typescript"),
        ("x.c", "c"),
        ("x.h", "c"),
        ("x.hpp", "cpp"),
        ("x.cc", "cpp"),
        ("x.cs", "csharp"),
        ("x.go", "go"),
        ("x.phtml", "php"),
        ("x.gemspec", "ruby"),
        ("Rakefile", "ruby"),
        ("x.kt", "kotlin"),
        ("dir/Dockerfile", "docker"),
        ("C:\\src\\x.rb", "ruby"),
        ("x.yml", "yaml"),
        (".gitignore", None),
        ("py", None),
        ("x.", None),
        ("x.py/readme", None),
        ("", None),
    ],
)
def test_language_of_name(name: str, language: str | None) -> None:
    assert language_of_name(name) == language


@pytest.mark.parametrize(
    ("spelling", "language"),
    [(name, name) for name in LANGUAGES]
    + [(shown.upper(), name) for name, shown in LANGUAGES.items()]
    + [
        ("py", "python"),
        (".py", "python"),
        ("js", "javascript"),
        ("node", "javascript"),
        ("ts", "typescript"),
        ("tsx", "typescript"),
        ("cc", "cpp"),
        ("C#", "csharp"),
        (".cs", "csharp"),
        ("Golang", "go"),
        (" rb\n", "ruby"),
    ],
)
def test_spellings(spelling: str, language: str) -> None:
    assert normalise_language(spelling) == language


@pytest.mark.parametrize("unknown", ["", " ", "kotlin", "pyt hon", "..py", "c/c++", "x" * 10_000])
def test_unknown_languages_raise(unknown: str) -> None:
    with pytest.raises(LanguageError, match="unknown language") as caught:
        parse_change("@@ -1 +1 @@\n-a\n+b\n", language=unknown)
    assert all(language in str(caught.value) for language in LANGUAGES)
    assert len(str(caught.value)) < 300
