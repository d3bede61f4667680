"""Find long functions, long parameter lists and complex functions in nine languages with lizard."""

import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from crscore_core.analyzers.brackets import find_unmatched
from crscore_core.analyzers.model import Fragment
from crscore_core.analyzers.reader import ParsedCode, Passage, Reader, fragment_lines
from crscore_core.analyzers.sandbox import SECONDS, run_tool
from crscore_core.analyzers.tool import (
    Finding,
    NotAnalysedError,
    Outcome,
    Rule,
    Tool,
    read_rules,
    reading_output,
)

LANGUAGES = {
    "java": (".java", "class A { void control() { } }\n"),
    "javascript": (".js", "function control() { }\n"),
    "typescript": (".ts", "function control(): void { }\n"),
    "c": (".c", "void control(void) { }\n"),
    "cpp": (".cpp", "void control() { }\n"),
    "csharp": (".cs", "class A { void control() { } }\n"),
    "go": (".go", "func control() { }\n"),
    "php": (".php", "<?php\nfunction control() { }\n"),
    "ruby": (".rb", "def control\nend\n"),
}
"""For each supported language: a file suffix for lizard, and code with a function `control`."""

LIMITS = {"long-function": 50, "long-parameter-list": 6, "cyclomatic-complexity": 10}
"""The largest acceptable measures of a function, from the paper's Table 14."""

# Lizard prefixes the class name as in C++, and may name the wrong one after a nested class.
_CLASS_BEFORE = re.compile(r".*::(?=.)")
# Statements that lizard mistakes for functions if a hunk hides the code around them.
_STATEMENTS = frozenset("catch do else for foreach if lock switch using while with".split())
# Languages in which a call before a block, usually a macro call, looks like a function.
_WITHOUT_KEYWORD = frozenset({"c", "cpp", "csharp"})
_CALL = re.compile(r"[ \t]+((return|new|else|case|await)[ \t]+)?[\w.:]+[ \t]*\(")
# A method must take the same parameters as the method that it overrides.
_OVERRIDE = re.compile(r"\A(.*\n)?[^{;]*\b[Oo]verride\b")
_SCRIPT = Path(__file__).with_name("measure_functions.py")


class Lizard(Tool):
    """Runs lizard once for many texts in one of `LANGUAGES`.

    Lizard reads tokens, not a grammar, and so copes with macros and incomplete code. Length and
    complexity count only for functions that a fragment shows from start to end.
    """

    name: ClassVar[str] = "lizard"
    rules: ClassVar[Mapping[str, Rule]] = read_rules(Path(__file__).with_name("lizard.txt"))

    def __init__(self, language: str) -> None:
        self._language = language

    def lint(self, texts: Sequence[str]) -> list[Outcome]:
        """Return the measures over a limit in each text."""
        suffix, control_text = LANGUAGES[self._language]
        all_texts = [*texts, control_text]
        files = {f"source{index}{suffix}": text for index, text in enumerate(all_texts)}
        seconds = SECONDS + len(texts) / 10
        output = run_tool([*self.command(), *files], files, seconds=seconds)
        is_doubtful = self._language in _WITHOUT_KEYWORD
        with reading_output():
            reports = [json.loads(line) for line in output.splitlines()]
            if [report["file"] for report in reports] != [*files]:
                raise NotAnalysedError("its report omits a file")
            if not reports[-1]["functions"][0]["name"].endswith("control"):
                raise NotAnalysedError("it missed the function that every run must report")
            return [
                NotAnalysedError(f"lizard could not process it ({report['error']})")
                if "error" in report
                else [*_findings(report["functions"], text, is_doubtful=is_doubtful)]
                for report, text in zip(reports[:-1], texts, strict=True)
            ]

    def command(self) -> tuple[str, ...]:
        """Return the command that measures files."""
        return sys.executable, "-I", str(_SCRIPT)


def _findings(
    functions: Sequence[Mapping[str, Any]], text: str, *, is_doubtful: bool
) -> Iterator[Finding]:
    """Yield measures over a limit; if `is_doubtful`, a call may look like a function."""
    lines = text.split("\n")
    for function in functions:
        over = [rule for rule, maximum in LIMITS.items() if function[rule] > maximum]
        if not over or function["name"] in _STATEMENTS:
            continue
        first, last = function["first_row"], function["last_row"]
        head = "\n".join(lines[max(0, first - 2) : first + 20])
        name = _CLASS_BEFORE.sub("", function["name"])
        names = (name,) if name and name in head else ()  # lizard joins the words of a string
        is_call = is_doubtful and any(map(_CALL.match, lines[first - 1 : first]))
        scope = (0, 0) if is_call else (first, last)
        if _OVERRIDE.match(head):
            over = [rule for rule in over if rule != "long-parameter-list"]
        for rule in over:
            sentence = Lizard.rules[rule].sentence.replace("The function {0}", "This function")
            message = sentence.format(measure=function[rule])
            yield Finding(rule, message, first, 1, last, 1, names, function[rule], scope)


def token_reader(language: str) -> Reader:
    """Return the reader of `language` for lizard, which reads tokens and thus any hunk.

    The braces that a hunk closes are opened before it; an added row ends its open functions.
    """
    opening = {"php": "<?php ", "java": "class __ "}.get(language, "")

    def read_whole(fragment: Fragment) -> ParsedCode:
        return ParsedCode.of(Passage.from_lines(fragment_lines(fragment)), ())

    def read_hunk(fragment: Fragment, _changed_lines: frozenset[int]) -> ParsedCode:
        closers = sum(bracket == "}" for bracket, _ in find_unmatched(fragment.text).closers)
        head = ("" if "<?" in fragment.text else opening) + "{" * closers
        return ParsedCode.of(
            Passage.from_lines([(None, head), *fragment_lines(fragment), (None, ";")]), ()
        )

    return Reader(read_whole, read_hunk)
