"""From a tool's findings to smells on changed lines of files and hunks."""

import dataclasses
from collections.abc import Callable, Sequence

import pytest

from crscore_core.analyzers import AnalyzerResult, Fragment, Smell, SourceFile, Status, reader
from crscore_core.analyzers.linter import Linter
from crscore_core.analyzers.reader import Block, BlockKind, ParsedCode, Passage, Reader
from crscore_core.analyzers.tool import Finding, NotAnalysedError, Outcome, Rule, Tool
from tests.analyzers.sources import hunk, whole

TEXT = "class A {\n  f() {\n    g(x);\n  }\n}\n"
CLASS = Block(BlockKind.CLASS, "A", 1, 5, is_end_shown=True)
FUNCTION = Block(BlockKind.FUNCTION, "f", 2, 4, is_end_shown=True)
ABOUT_DEFINITION = Rule("Odd.", about_definition=True)
OLD = Fragment(1, "old\n")
CHANGED = dataclasses.replace(whole(TEXT), old_fragments=(OLD,))


class FakeTool(Tool):
    """Answers each text with `answer`; records the texts of each run in `asked`."""

    name = "fake"
    version = "1"

    def __init__(self, answer: Callable[[str], Outcome], rule: Rule) -> None:
        self.answer = answer
        self.asked: list[list[str]] = []
        self.by_name = {"R": rule, "S": rule}

    def rule(self, finding: Finding) -> Rule | None:
        return self.by_name.get(finding.rule)

    def lint(self, texts: Sequence[str]) -> list[Outcome]:
        self.asked.append(list(texts))
        return [self.answer(text) for text in texts]


def plain_reader(*blocks: Block) -> Reader:
    """Return a reader that keeps text as it is and always finds the same blocks."""

    def parse(fragment: Fragment) -> ParsedCode:
        return ParsedCode.of(Passage.from_lines(reader.fragment_lines(fragment)), blocks)

    return Reader(parse, lambda fragment, _: parse(fragment))


def at(row: int, *names: str, measure: int = 0, rule: str = "R") -> Finding:
    return Finding(rule, f"message {row}", row, 5, row, 9, names, measure)


def analyzed(rule: Rule, answer: Outcome, file: SourceFile, *blocks: Block) -> AnalyzerResult:
    (result,) = Linter(FakeTool(lambda _: answer, rule), plain_reader(*blocks)).analyze([file])
    return result


@pytest.mark.parametrize(("sentence", "finding", "text"), [
    ("{0}, {code}, {line}{where}: {measure}.", at(3, "x", "y", measure=7),
     "`x`, `g(x)`, `g(x);` in `f`: 7."),
    ("In no function{where}.", at(1), "In no function."),
    ("In one of two{where}.", at(5), "In one of two."),
    ("The name {0} is odd.", at(3), "message 3."),
    ("It has {measure}.", at(3), "message 3."),
])  # fmt: skip
def test_a_sentence_names_what_was_found(sentence: str, finding: Finding, text: str) -> None:
    g, h = (Block(BlockKind.FUNCTION, name, 5, 5, is_end_shown=True) for name in "gh")
    result = analyzed(Rule(sentence), [finding], whole(TEXT), CLASS, FUNCTION, g, h)
    assert result.smells == (Smell(text, "R", "fake", "app.py", finding.first_row),)


def test_code_and_messages_are_short_lines_of_visible_characters() -> None:
    (smell,) = analyzed(Rule("Why `` ` `` here: {line}?"), [at(1)], whole("f(``a``)\n")).smells
    assert smell.text == "Why `` ` `` here: ``` f(``a``) ```?"  # a longer run encloses it
    finding = dataclasses.replace(at(1), message="a\nb\u202ec" + "d" * 1000)
    (smell,) = analyzed(Rule("{message}"), [finding], whole(TEXT)).smells
    assert smell.text.startswith("a b cddd")
    assert len(smell.text) <= 301


def test_a_rule_that_excepts_interfaces_ignores_stubs_and_packages() -> None:
    names = "my__init__.py __init__.py conftest.py _compat.py door.pyi".split()
    paths = [None, *(f"shop/{name}" for name in names)]
    rule = Rule("Odd.", except_interfaces=True)
    found = [path for path in paths if analyzed(rule, [at(3)], whole(TEXT, path=path)).smells]
    assert found == [None, "shop/my__init__.py"]


def test_a_smell_of_a_definition_counts_if_any_of_its_lines_changes() -> None:
    for row, changed, is_found in ((2, 3, True), (2, 5, False), (1, 5, True), (3, 2, False)):
        file = whole(TEXT, changed)
        found = analyzed(ABOUT_DEFINITION, [at(row)], file, CLASS, FUNCTION).smells
        assert bool(found) is is_found


@pytest.mark.parametrize(("old", "new", "found"), [
    ([], [at(2, measure=9)], [2]),
    ([at(2, measure=9)], [at(2, measure=9)], []),
    ([at(2, measure=9)], [at(2, measure=10)], [2]),
    (NotAnalysedError("no"), [at(2)], [2]),
    ([at(2, measure=9, rule="S")], [at(2, measure=9)], [2]),
    ([at(1, measure=9)], [at(2, measure=9)], [2]),  # one in the class, the other in its function
    ([at(4, "h", measure=9)], [at(3, "k", measure=9)], [3]),
    # Two functions share a name: each old finding excuses one new finding.
    ([at(4, "h", measure=9)], [at(3, "h", measure=7), at(4, "h", measure=9)], [3]),
    ([at(3, "h", measure=7), at(4, "h", measure=9)], [at(3, "h", measure=9)], []),
])  # fmt: skip
def test_smells_must_be_new_or_worse(old: Outcome, new: list[Finding], found: list[int]) -> None:
    tool = FakeTool(lambda text: old if text == OLD.text else new, ABOUT_DEFINITION)
    (result,) = Linter(tool, plain_reader(CLASS, FUNCTION)).analyze([CHANGED])
    assert result.status is Status.ANALYSED
    assert [smell.line for smell in result.smells] == found
    assert tool.asked == [[TEXT, OLD.text]]


def test_hunks_that_the_reader_and_the_tool_cannot_read_are_counted_together() -> None:
    odd = Rule("Odd.")
    tool = FakeTool(lambda text: NotAnalysedError("no") if text == "b\n" else [at(1)], odd)

    def read(fragment: Fragment, _changed: frozenset[int]) -> ParsedCode:
        if fragment.text == "c\n":
            raise NotAnalysedError("torn")
        return plain_reader().whole(fragment)

    linter = Linter(tool, Reader(plain_reader().whole, read))
    fragments = Fragment(1, "a\n"), Fragment(10, "b\n"), Fragment(20, "c\n")
    (result,) = linter.analyze([SourceFile("a.py", "python", fragments, frozenset({1, 10, 20}))])
    assert (result.status, str(result.reason)[:13]) == (Status.FRAGMENT, "2 of 3 hunks:")
    assert [smell.line for smell in result.smells] == [1]
    (unread,) = linter.analyze([SourceFile("a.py", "python", fragments[2:], frozenset({20}))])
    assert (unread.status, unread.reason) == (Status.NOT_ANALYSED, "line 20: torn")
    assert len(tool.asked) == 1  # not started for a file without a readable part
    unknown = analyzed(odd, NotAnalysedError("no such word", 2), hunk("a\nb\n", 40))
    assert (unknown.status, unknown.reason) == (Status.NOT_ANALYSED, "line 41: no such word")


@pytest.mark.parametrize(("old", "n_smells"), [(TEXT.upper(), 1), (TEXT.replace("x", "y"), 0)])
def test_a_longer_finding_counts_if_its_first_line_differs(old: str, n_smells: int) -> None:
    loop = dataclasses.replace(at(2), last_row=4)
    file = dataclasses.replace(whole(TEXT, 3), old_fragments=(Fragment(1, old),))
    assert len(analyzed(Rule("Odd."), [loop], file).smells) == n_smells
