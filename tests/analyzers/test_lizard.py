"""Lizard on functions in nine languages, and the definitions that its findings refer to."""

from dataclasses import replace

import pytest

from crscore_core.analyzers import Fragment, Status
from crscore_core.analyzers.linter import Linter
from crscore_core.analyzers.lizard import LANGUAGES, LIMITS, Lizard, token_reader
from crscore_core.analyzers.tool import Finding, NotAnalysedError
from tests.analyzers.sources import hunk, whole

_IF, _END = "if (x) { step(); }\n", "}\n"
FUNCTIONS = {
    "java": ("class Shop {{ int work({}) {{\n", "int a{}", _IF, "} }\n"),
    "javascript": ("function work({}) {{\n", "a{}", _IF, _END),
    "typescript": ("export function work({}): void {{\n", "a{}: number", _IF, _END),
    "c": ("int work({}) {{\n", "int a{}", "if (x) step();\n", _END),
    "cpp": ("int Shop::work({}) const {{\n", "std::vector<int> a{}", _IF, _END),
    "csharp": ("class Shop {{ int work({}) {{\n", "int a{}", _IF, "} }\n"),
    "go": ("func (s *Shop) work({}) error {{\n", "a{} int", "if x { step() }\n", _END),
    "php": ("<?php function work({}) {{\n", "$a{}", "if ($x) { step(); }\n", _END),
    "ruby": ("def work({})\n", "a{}", "if x then step end\n", "end\n"),
}
"""For each language: header, a parameter, a decision and the end of a function `work`."""
_HARMS = ["(" * 6_000, "{" * 100_000, "'" * 999, "\x0c\u2028\r", "\0", "\udcff", "\ufeff", "/*"]
C = "int work(" + ", ".join(f"int a{index}" for index in range(9)) + ") {\n}\n"
_SEVEN = "(int a, int b, int c,\nint d, int e, int f, int g)"


def function(language: str, statements: int = 0, parameters: int = 0, decisions: int = 0) -> str:
    """Return the function; header, statements, decisions and end take a line each."""
    head, parameter, decision, end = FUNCTIONS[language]
    names = ", ".join(parameter.format(index) for index in range(parameters))
    return head.format(names) + "step();\n" * statements + decision * decisions + end


def lint(language: str, *texts: str) -> list[list[Finding]]:
    """Return the findings in each text, from one run of lizard."""
    outcomes = Lizard(language).lint(texts)
    read = [outcome for outcome in outcomes if not isinstance(outcome, NotAnalysedError)]
    assert len(read) == len(texts)
    return read


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_function_just_over_a_limit_is_named_with_its_rows(language: str) -> None:
    sizes = [(48, 0, 0), (0, 6, 0), (0, 0, 9), (49, 0, 0), (0, 7, 0), (0, 0, 10)]
    comment = "# if so\n" if language == "ruby" else "// if so\n/* if\nso */\n"
    commented = function(language, statements=3).replace("step();\n", "step();\n" + comment * 30)
    texts = [commented, *(function(language, *size) for size in sizes)]
    *below, long, many, complex_ = lint(language, *texts)
    assert below == [[], [], [], []]
    found = [(one.rule, one.measure, one.last_row) for one in (*long, *many, *complex_)]
    assert found == [
        ("long-function", 51, 51), ("long-parameter-list", 7, 2), ("cyclomatic-complexity", 11, 12)
    ]  # fmt: skip
    for finding in (*long, *many, *complex_):
        assert "work" in finding.names[0]


@pytest.mark.parametrize(("language", "text", "row", "message"), [
    ("c", f"/* one\n two\n three */\n// four\n{C}", 5, "takes too many parameters: 9"),
    ("c", f"/* #lizard forgives */\n{C}", 2, ": 9"),
    ("c", f"// GENERATED CODE\n{C}", 2, ": 9"),
    ("c", C.replace("\n", "\n// #lizard forgives(parameter_count)\n"), 1, ": 9"),
    ("javascript", "go(function (a, b, c, d, e, f, g) { });\n", 1,
     "This function takes too many parameters: 7, more than 6."),
    ("javascript", "a['b c'] = function () {\n" + "go();\n" * 50 + "};\n", 1,
     "This function is too long"),
])  # fmt: skip
def test_comments_leave_rows_unchanged(language: str, text: str, row: int, message: str) -> None:
    ((finding,),) = lint(language, text)
    assert finding.first_row == row
    assert message in finding.message


@pytest.mark.parametrize("language", LANGUAGES)
def test_unreadable_text_does_not_affect_other_texts(language: str) -> None:
    smelly = function(language, parameters=9)
    texts = [part for harm in [*_HARMS, "`", "<<A"] for part in (f"{smelly}\n{harm}\n", smelly)]
    for after in Lizard(language).lint(texts)[1::2]:
        assert not isinstance(after, NotAnalysedError)
        assert [finding.rule for finding in after] == ["long-parameter-list"]


def of_hunk(language: str, text: str) -> list[tuple[str, int]]:
    analyzer = Linter(Lizard(language), token_reader(language))
    (result,) = analyzer.analyze([hunk(text, 100, language=language)])
    assert result.status is Status.FRAGMENT
    return [(smell.rule, smell.line) for smell in result.smells]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_hunk_must_show_a_whole_function(language: str) -> None:
    end = FUNCTIONS[language][-1]
    text = function(language, decisions=10).removeprefix("<?php ")
    assert of_hunk(language, end + text) == [("cyclomatic-complexity", 101)]
    assert of_hunk(language, text.removesuffix(end)) == []
    assert of_hunk(language, text.partition("\n")[2]) == []


@pytest.mark.parametrize("language", ["c", "cpp", "csharp"])
@pytest.mark.parametrize("head", ["if (x)", "    while (f(a, b, c, d, e, f, g))", "    EACH(x, y)"])
def test_a_statement_in_a_hunk_is_not_a_function(language: str, head: str) -> None:
    block = f"{head} {{\n{FUNCTIONS[language][2] * 50}    }}\n"
    assert of_hunk(language, f"{block}}}\n{block}") == []


@pytest.mark.parametrize(("language", "text", "count"), [
    ("go", "func f(a, b, c int, d map[string]func(int, int, int, int)) {\n}\n", 4),
    ("go", "func (s *S) f(xs []int, g func(a, b, c, d, e, f int)) error {\n}\n", 2),
    ("ruby", "def f(a, o = {a: 1, b: 2, c: 3}, list = [1, 2, 3, 4, 5, 6, 7])\nend\n", 3),
    ("cpp", "int f(int a, int b = x < y, Opts o = {1, 2, 3, 4, 5, 6, 7}) {\n}\n", 3),
    ("cpp", "template <class A, class B> A f(std::tuple<A, B, A, B, A, B, A> t, B b) {\n}\n", 2),
    ("c", "void f(int (*g)(int, int, int, int, int, int, int), int x) {\n}\n", 2),
    ("csharp", "class A { void f(Func<int, int, int, int> g, (int a, int b, int c) t) {\n} }\n", 2),
    ("java", "class A { void f(Map<A, Map<B, Map<C, D>>> m, @X({1, 2, 3, 4}) int x) {\n} }\n", 2),
    ("javascript", "function f({a, b, c}, o = {a: 1, b: 2, c: 3, d: 4, e: 5, f: 6}) {\n}\n", 2),
    ("javascript", "const f = (a, g = (b, c, d, e, f, g) => [1, 2]) => {\n};\n", 2),
    ("typescript", "function f(g: (a: A, b: B, c: C, d: D, e: E, f: F) => void, x?: X) {\n}\n", 2),
    ("typescript", "const f = (m: Map<A, Record<B, C>>, t: [a, b, c, d, e, f, g]) => {\n};\n", 2),
    ("php", "<?php\nfunction f($a, array $b = array(1, 2, 3, 4, 5, 6, 7)) {\n}\n", 2),
])  # fmt: skip
def test_parameters_are_counted_at_the_top_level(
    language: str, text: str, count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rule = "long-parameter-list"
    monkeypatch.setitem(LIMITS, rule, -1)
    (found,) = lint(language, text)
    assert [one.measure for one in found if one.rule == rule and one.names] == [count]


def test_a_method_that_grows_too_complex_is_a_smell_where_only_its_body_changes() -> None:
    old = function("java", decisions=1)
    file = whole(function("java", decisions=11), 5, language="java")
    linter = Linter(Lizard("java"), token_reader("java"))
    (result,) = linter.analyze([replace(file, old_fragments=(Fragment(1, old),))])
    assert [(smell.rule, smell.line) for smell in result.smells] == [("cyclomatic-complexity", 1)]


@pytest.mark.parametrize(("language", "text"), [
    ("java", f"class A {{\n  int a;\n  @Override\n  void f{_SEVEN} {{ }}\n}}\n"),
    ("csharp", f"class A {{\n  override void f{_SEVEN} {{ }}\n}}\n"),
    ("cpp", f"class A {{\n  void f{_SEVEN} override {{ }}\n}};\n"),
    ("javascript", "const is = (s) => /^[`|~'\"]+$/.test(s);\n" + "go();\n" * 60),
    ("typescript", "const is = (s: string): boolean => /`/.test(s);\n" + "go();\n" * 60),
    ("typescript", "function f(a) { let b: " + "X extends Y ? 1 : " * 12 + "2; return a; }\n"),
    ("cpp", "void f(Pair<" + "A&&, " * 12 + "B> a) { g<" + "A&&, " * 12 + "B>(a); }\n"),
    ("csharp", "class A { int? F(int? a) { return a" + "?.b" * 12 + "; } }\n"),
    ("php", "<?php\nfunction f(" + ", ".join(f"?int $a{i}" for i in range(6)) + ") { }\n"),
])  # fmt: skip
def test_overrides_types_and_regular_expressions_have_no_smell(language: str, text: str) -> None:
    assert lint(language, text) == [[]]
