"""Hostile and huge changes: claims and wordings are bounded, clean and deterministic."""

import unicodedata
from collections.abc import Iterable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crscore_core.change import CodeChange, FileChange, LineKind
from crscore_core.claims import ClaimSet
from crscore_core.claims.symbolic import SymbolicClaims
from crscore_core.claims.symbolic.generator import MAX_CLAIMS, MAX_FILES, MAX_LINES
from tests.crscore_core.changes import file_of

LANGUAGES = [
    "python", "java", "javascript", "typescript", "c", "cpp", "csharp", "go", "php", "ruby",
    "kotlin", "rust", "shell", "sql", "yaml", "toml", "json", "html", "css", "markdown", "klingon",
    None,
]  # fmt: skip
INVISIBLE = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}

Rows = list[tuple[LineKind, str]]


def added(lines: Iterable[str]) -> Rows:
    return [(LineKind.ADDED, line) for line in lines]


def replaced(old: str, new: str) -> Rows:
    return [(LineKind.REMOVED, old), *added([new])]


def checked(*files: FileChange) -> ClaimSet:
    """Return the claims about a change after checking properties that hold for any change."""
    found = SymbolicClaims().generate(CodeChange(files))
    assert bool(found.claims) == any(file.added or file.removed for file in files)
    sentences = [claim.text for claim in found.claims]
    assert len(set(sentences)) == len(sentences)
    assert len(sentences) <= (MAX_CLAIMS if len(files) == 1 else 2 * MAX_CLAIMS)
    last = {file.path: max([1, *(line.new or 0 for line in file.lines())]) for file in files}
    for claim in found.claims:
        assert claim.source == "symbolic"
        assert len(claim.wordings) <= 50
        for text in (claim.text, *claim.wordings):
            assert text == " ".join(text.split())
            assert 0 < len(text) < 1000
            assert not {unicodedata.category(c) for c in text} & INVISIBLE
        assert claim.line is None or 1 <= claim.line <= last[claim.path]
    return found


CODE = st.one_of(
    st.text(st.characters(exclude_characters="\n"), max_size=60),
    st.sampled_from(
        ["if x:", "} else {", "return f(a, b)", "def f(a, b=1):", '"""', "/*", "*/", "x = [", "]",
         "foo(", ")", "@Override", "import x", "throw new E();", "// TODO x", "", "  ", "}",
         "try {", "} catch (E e) {", "a: b,", "'x',", "-- x", "<a>b</a>", "(", "=", ": =>", "else:",
         ".then(x => y)", "# emit no claims", "case 1:", "for (;;) {", "import {", "} from 'x'",
         "{}", "class A:", "x += {}", "total = f(`a`)", "    go(x)", "        go(x)", "#define X 1"]
    ),
)  # fmt: skip
ROWS = st.lists(st.tuples(st.sampled_from(LineKind), CODE), min_size=1, max_size=40)
FILES = st.lists(st.tuples(ROWS, st.sampled_from(LANGUAGES), st.integers(1, 3)), max_size=4)


@given(FILES)
def test_any_change_is_described_within_bounds(parts: list[tuple[Rows, str | None, int]]) -> None:
    files = [
        file_of(rows, f"src/f{index}", language, hunks)
        for index, (rows, language, hunks) in enumerate(parts)
    ]
    assert checked(*files) == checked(*files)


_PIECES = st.sampled_from(
    (
        "if for while return throw raise new await yield not in is null None nil && || ! == != < > "
        "( ) [ ] { } . , ; : :: -> => ?. ?? ? = += ++ -- & * << >> + - 'a' \"b\" `c` ${d} #{e} "
        "f(x) user.name items[0] 42 0x1F # // /* */ @it $x class def function func const let var "
        "int String List<int> case switch match with import from end do |x| lambda ... \\ enum"
    ).split(" ")
)
STATEMENT = st.lists(_PIECES, min_size=1, max_size=25).map(" ".join)


@settings(max_examples=100)
@given(STATEMENT, STATEMENT, st.sampled_from(LANGUAGES))
def test_any_statement_may_become_another(old: str, new: str, language: str | None) -> None:
    checked(file_of(replaced(old, new), language=language))


@pytest.mark.parametrize("language", ["python", "cpp", "ruby", None])
@pytest.mark.parametrize("line", [
    "(" * 50_000, "-" * 50_000, '"' + "\\" * 50_000, "'" * 50_000, "a." * 25_000,
    "f(" * 25_000, "/*" * 25_000, "x = " + "y + " * 25_000, "<" * 50_000, "# " + "a" * 9_999,
    " " * 50_000 + "x", "if (" + "a && " * 25_000, "@a(" * 20_000, "é" * 50_000, "``" * 9_000,
    "x = " + "(" * 300 + "1" + ")" * 290, "x = " + "f(" * 55 + ")" * 55, "a: " * 25_000,
    "return " + "!" * 500 + "done;", "List" + "<List" * 100 + ">" * 100 + " x;", "{" * 500,
    "x = " + "y ? 1 : " * 60 + "2", "[]" * 250 + "int x;", "x = " + "a" * 200_000,
    'it("' + "\\" * 500, 'test "' + "\\" * 500 + " do",
])  # fmt: skip
def test_a_huge_or_deep_line_is_examined_only_in_part(line: str, language: str | None) -> None:
    for rows in (replaced(line, line + "z"), replaced(line, "z" + line), added([line])):
        checked(file_of(rows, language=language))


@pytest.mark.parametrize("template", ["value_{0} = compute_{0}({0})", '"key{0}": {0},', "f{0}("])
def test_a_hunk_over_the_limit_of_lines_is_examined_in_part(template: str) -> None:
    new = added(template.format(index) for index in range(MAX_LINES + 100))
    old = [(LineKind.REMOVED, text.replace("1", "2")) for _, text in new]
    deep = added("    " * index + text for index, (_, text) in enumerate(new[:400]))
    for rows in (new, old, [*old, *new], [*deep, *new]):
        warnings = checked(file_of(rows)).warnings
        assert any("lines not examined" in warning for warning in warnings)


def test_a_small_file_is_examined_although_another_is_huge() -> None:
    small = file_of(replaced("x = 1", "x = 2"), "b.py")
    for size in (MAX_LINES - 2, 20 * MAX_LINES):
        found = checked(file_of(added(f"v{i} = f_{i}({i})" for i in range(size))), small)
        assert any("not examined" in warning for warning in found.warnings) == (size > MAX_LINES)
        assert "`x` is now `2` instead of `1`" in [claim.text for claim in found.claims]


def test_a_change_with_very_many_files_is_bounded_with_a_warning() -> None:
    files = [file_of(added([f"x{i} = f()"]), f"src/module_{i}.py") for i in range(10_000)]
    warnings = checked(*files).warnings
    n_left_out = len(files) - MAX_FILES
    assert any("left out as minor" in warning for warning in warnings)
    assert any(f"lines not examined for claims: {n_left_out:,} " in text for text in warnings)
    assert "changed files without a claim: 9,976" in warnings


@pytest.mark.parametrize("mark", ["\0", "\u202e", "\x1b[31m", "\ud800", "\u2028", "\r"])
def test_invisible_characters_do_not_reach_a_claim(mark: str) -> None:
    for language in ("python", "markdown", "yaml", None):
        lines = [f"total{mark} = compute({mark}'a{mark}b')", f"# x{mark}y", f"a{mark}: b"]
        assert checked(file_of(added(lines), "a", language)).claims
