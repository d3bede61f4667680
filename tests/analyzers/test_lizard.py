"""Lizard on functions in nine languages, and the definitions that its findings refer to."""

import dataclasses
from dataclasses import dataclass

import pytest

from crscore_core.analyzers import AnalyzerResult, Fragment, Status
from crscore_core.analyzers.linter import Linter
from crscore_core.analyzers.lizard import LANGUAGES, LIMITS, Lizard, token_reader
from crscore_core.analyzers.tool import NotAnalysedError
from tests.analyzers.sources import hunk, whole


@dataclass(frozen=True, slots=True)
class FunctionText:
    """A function `work` in a language: its header, statements and end."""

    head: str
    parameter: str
    statement: str = "step();\n"
    decision: str = "if (x) { step(); }\n"
    end: str = "}\n"
    head_rows: int = 1

    def text(self, statements: int = 0, parameters: int = 0, decisions: int = 0) -> str:
        """Return the function; header, statements, decisions and end take a line each."""
        names = ", ".join(self.parameter.format(index) for index in range(parameters))
        body = self.statement * statements + self.decision * decisions
        return f"{self.head.format(names)}{body}{self.end}"


FUNCTIONS = {
    "java": FunctionText("class Shop {{ int work({}) {{\n", "int a{}", end="} }\n"),
    "javascript": FunctionText("function work({}) {{\n", "a{}"),
    "typescript": FunctionText("export function work({}): void {{\n", "a{}: number"),
    "c": FunctionText("int work({}) {{\n", "int a{}", decision="if (x) step();\n"),
    "cpp": FunctionText("int Shop::work({}) const {{\n", "std::vector<int> a{}"),
    "csharp": FunctionText("class Shop {{ int work({}) {{\n", "int a{}", end="} }\n"),
    "go": FunctionText(
        "func (s *Shop) work({}) error {{\n", "a{} int", "step()\n", "if x { step() }\n"
    ),
    "php": FunctionText(
        "<?php\nfunction work({}) {{\n", "$a{}", decision="if ($x) { step(); }\n", head_rows=2
    ),
    "ruby": FunctionText("def work({})\n", "a{}", "step\n", "if x then step end\n", "end\n"),
}


def at(result: AnalyzerResult) -> list[tuple[str, int]]:
    return [(smell.rule, smell.line) for smell in result.smells]


def found(language: str, *texts: str) -> list[list[tuple[str, int | None]]]:
    """Return rules and measures in each text, from one start of lizard."""
    outcomes = Lizard(language).lint(texts)
    read = [outcome for outcome in outcomes if not isinstance(outcome, NotAnalysedError)]
    assert len(read) == len(texts)
    return [[(finding.rule, finding.measure) for finding in outcome] for outcome in read]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_function_just_over_a_threshold_is_reported(language: str) -> None:
    function = FUNCTIONS[language]
    most = {rule: limit.maximum for rule, limit in LIMITS.items()}
    texts = [
        text
        for over in (0, 1)
        for text in (
            function.text(statements=most["long-function"] + over - 2),
            function.text(parameters=most["long-parameter-list"] + over),
            function.text(decisions=most["cyclomatic-complexity"] + over - 1),
        )
    ]
    smells = [[(rule, limit + 1)] for rule, limit in most.items()]
    assert found(language, *texts) == [[], [], [], *smells]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_finding_names_the_function_and_its_rows(language: str) -> None:
    function = FUNCTIONS[language]
    (outcome,) = Lizard(language).lint([function.text(statements=3, parameters=9)])
    assert not isinstance(outcome, NotAnalysedError)
    (finding,) = outcome
    assert "work" in finding.names[0]
    assert finding.first_row == function.head_rows
    assert finding.last_row == function.head_rows + 4


C = FUNCTIONS["c"].text(parameters=9)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("// #lizard forgives\n", ""),
        ("/* #lizard forgives */\n", ""),
        ("// #lizard forgive global\n", ""),
        ("// GENERATED CODE\n", ""),
        ("", "// #lizard forgives(parameter_count)\n"),
    ],
)
def test_directives_and_notes_in_comments_have_no_effect(before: str, after: str) -> None:
    text = before + C.replace("{\n", "{\n" + after)
    assert found("c", text) == [[("long-parameter-list", 9)]]


@pytest.mark.parametrize("language", LANGUAGES)
def test_comments_do_not_count_as_lines(language: str) -> None:
    function = FUNCTIONS[language]
    comment = "# if so\n" if language == "ruby" else "// if so\n/* if\nso */\n"
    text = function.text(statements=3).replace(
        function.statement, function.statement + comment * 30
    )
    assert found(language, text) == [[]]


@pytest.mark.parametrize(
    ("language", "text", "row", "message"),
    [
        ("c", f"/* one\n two\n three */\n// four\n{C}", 5, "takes too many parameters: 9"),
        ("javascript", "go(function (a, b, c, d, e, f, g) { });\n", 1,
         "This function takes too many parameters: 7, more than 6."),
    ],
)  # fmt: skip
def test_comments_keep_the_rows_and_a_function_without_a_name_is_described(
    language: str, text: str, row: int, message: str
) -> None:
    (outcome,) = Lizard(language).lint([text])
    assert not isinstance(outcome, NotAnalysedError)
    (finding,) = outcome
    assert finding.first_row == row
    assert message in finding.message


_HARMS = ["(" * 6_000, "{" * 100_000, "'" * 999, "\x0c\u2028\r", "\0", "\udcff", "\ufeff", "/*"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_unreadable_text_does_not_affect_other_texts(language: str) -> None:
    smelly = FUNCTIONS[language].text(parameters=9)
    texts = [part for harm in [*_HARMS, "`", "<<A"] for part in (f"{smelly}\n{harm}\n", smelly)]
    for after in Lizard(language).lint(texts)[1::2]:
        assert not isinstance(after, NotAnalysedError)
        assert [finding.rule for finding in after] == ["long-parameter-list"]


def of_hunks(language: str, *texts: str) -> list[list[tuple[str, int]]]:
    analyzer = Linter(Lizard(language), token_reader(language))
    results = analyzer.analyze([hunk(text, 100, language=language) for text in texts])
    assert {result.status for result in results} == {Status.FRAGMENT}
    return [at(result) for result in results]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_hunk_must_show_a_whole_function(language: str) -> None:
    function = FUNCTIONS[language]
    text = function.text(decisions=10).removeprefix("<?php\n")
    without_end, without_head = text.removesuffix(function.end), text.partition("\n")[2]
    found_in = of_hunks(language, function.end + text, without_end, without_head)
    assert found_in == [[("cyclomatic-complexity", 101)], [], []]


@pytest.mark.parametrize("language", ["c", "cpp", "csharp"])
@pytest.mark.parametrize("head", ["if (x)", "    while (f(a, b, c, d, e, f, g))", "    EACH(x, y)"])
def test_a_statement_in_a_hunk_is_not_a_function(language: str, head: str) -> None:
    block = f"{head} {{\n{FUNCTIONS[language].decision * 50}    }}\n"
    assert of_hunks(language, f"{block}}}\n{block}") == [[]]


PARAMETERS = [
    ("go", "func f(fn func(a, b, c, d, e int) error, x, y int) {\n}\n", 3),
    ("go", "func f(a, b, c int, d map[string]func(int, int, int, int)) {\n}\n", 4),
    ("go", "func (s *S) f(xs []int, g func(a, b, c, d, e, f int)) error {\n}\n", 2),
    ("ruby", "def f(a, list = [1, 2, 3, 4, 5, 6, 7])\nend\n", 2),
    ("ruby", "def f(a, o = {a: 1, b: 2, c: 3, d: 4, e: 5, f: 6, g: 7})\nend\n", 2),
    ("cpp", "int f(Opts o = {1, 2, 3, 4, 5, 6, 7}) {\n}\n", 1),
    ("cpp", "int f(std::vector<P<int, int>> v = {{1, 2}, {3, 4}, {5, 6}}, int x = 0) {\n}\n", 2),
    ("cpp", "int f(int a, int b = x < y, int c = z > w) {\n}\n", 3),
    ("cpp", "void f(std::function<void(int, int, int, int, int, int, int)> g) {\n}\n", 1),
    ("cpp", "template <class A, class B> A f(std::tuple<A, B, A, B, A, B, A> t, B b) {\n}\n", 2),
    ("c", "void f(int (*g)(int, int, int, int, int, int, int), int x) {\n}\n", 2),
    (
        "csharp",
        "class A { void f(Func<int, int, int, int, int, int> g, int x = 1) {\n} }\n",
        2,
    ),
    ("csharp", "class A { void f((int a, int b, int c, int d, int e, int f, int g) t) {\n} }\n", 1),
    ("csharp", "class A { void f(int a, params int[] xs) {\n} }\n", 2),
    ("java", "class A { void f(Map<A, Map<B, Map<C, Map<D, Map<E, F>>>>> m, int x) {\n} }\n", 2),
    ("java", "class A { void f(@X({1, 2, 3, 4, 5, 6, 7}) int x) {\n} }\n", 1),
    ("javascript", "function f(a, o = {a: 1, b: 2, c: 3, d: 4, e: 5, f: 6, g: 7}) {\n}\n", 2),
    ("javascript", "function f({a, b, c, d, e, f, g}) {\n}\n", 1),
    ("javascript", "const f = (a, g = (b, c, d, e, f, g) => [1, 2]) => {\n};\n", 2),
    ("typescript", "function f(g: (a: A, b: B, c: C, d: D, e: E, f: F) => void, x?: X) {\n}\n", 2),
    ("typescript", "const f = (m: Map<A, Record<B, C>>, t: [a, b, c, d, e, f, g]) => {\n};\n", 2),
    ("php", "<?php\nfunction f($a, array $b = array(1, 2, 3, 4, 5, 6, 7)) {\n}\n", 2),
]


@pytest.mark.parametrize(("language", "text", "count"), PARAMETERS)
def test_parameters_are_counted_at_the_top_level(
    language: str, text: str, count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rule = "long-parameter-list"
    monkeypatch.setitem(LIMITS, rule, dataclasses.replace(LIMITS[rule], maximum=-1))
    (outcome,) = Lizard(language).lint([text])
    assert not isinstance(outcome, NotAnalysedError)
    counts = [one.measure for one in outcome if one.rule == rule and one.names]
    assert counts == [count]


def test_a_method_that_grows_too_complex_is_a_smell_where_only_its_body_changes() -> None:
    branch = "        if (a && b) { step(); }\n"
    text = "package shop;\nclass Shop {\n    void big() {\n" + "{}" + "    }\n}\n"
    file = dataclasses.replace(
        whole(text.replace("{}", branch * 8), 5, language="java"),
        old_fragments=(Fragment(1, text.replace("{}", branch)),),
    )
    (result,) = Linter(Lizard("java"), token_reader("java")).analyze([file])
    assert at(result) == [("cyclomatic-complexity", 3)]


@pytest.mark.parametrize(
    ("language", "body"),
    [
        ("javascript", "const is = (s) => /^[`|~'\"]+$/.test(s);\n" + "go();\n" * 60),
        ("typescript", "const is = (s: string): boolean => /`/.test(s);\n" + "go();\n" * 60),
        ("typescript", "function f(a) { let b: " + "X extends Y ? 1 : " * 12 + "2; return a; }\n"),
        ("cpp", "void f(Pair<" + "A&&, " * 12 + "B> a) { g<" + "A&&, " * 12 + "B>(a); }\n"),
        ("csharp", "class A { int? F(int? a) { return a" + "?.b" * 12 + "; } }\n"),
        ("php", "<?php\nfunction f(" + ", ".join(f"?int $a{i}" for i in range(6)) + ") { }\n"),
    ],
)
def test_types_and_regular_expressions_are_no_decisions_or_strings(
    language: str, body: str
) -> None:
    assert found(language, body) == [[]]
