"""Long functions, long parameter lists and complex functions in nine languages, by lizard."""

import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, ClassVar

from crscore_core.analyzers.brackets import find_unmatched
from crscore_core.analyzers.model import Fragment
from crscore_core.analyzers.reader import ParsedCode, Passage, Reader, fragment_lines
from crscore_core.analyzers.sandbox import SECONDS, run_tool
from crscore_core.analyzers.tool import (
    Extent,
    Finding,
    Limit,
    NotAnalysedError,
    Outcome,
    Rule,
    Tool,
    complexity_limit,
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


@dataclass(frozen=True, slots=True)
class _Function:
    name: str
    first_row: int
    last_row: int
    lines: int
    parameters: int
    complexity: int


LIMITS: dict[str, Limit[_Function]] = {
    "long-function": Limit(
        "The function {0} is too long: it has {measure} lines of code, more than 50.",
        Extent.FUNCTION,
        compute=lambda function: function.lines,
        maximum=50,  # the paper's limit for statements
    ),
    "long-parameter-list": Limit(
        "The function {0} takes too many parameters: {measure}, more than 6.",
        compute=lambda function: function.parameters,
        maximum=6,
    ),
    "cyclomatic-complexity": complexity_limit(lambda function: function.complexity),
}
"""Limits for functions, from the paper's Table 14."""

# Lizard writes the class as in C++, and may name the wrong one after a nested class.
_CLASS_BEFORE = re.compile(r".*::(?=.)")
# Statements that lizard takes for functions if a hunk hides the code around them.
_STATEMENTS = frozenset("catch do else for foreach if lock switch using while with".split())
# Languages in which a call before a block, most often of a macro, looks like a function.
_WITHOUT_KEYWORD = frozenset({"c", "cpp", "csharp"})
_CALL = re.compile(r"[ \t]+((return|new|else|case|await)[ \t]+)?[\w.:]+[ \t]*\(")
# A method that overrides another one has to take its parameters.
_OVERRIDE = re.compile(r"\A(.*\n)?[^{;]*\b[Oo]verride\b")
_SCRIPT = Path(__file__).with_name("measure_functions.py")


class Lizard(Tool):
    """Runs lizard once for many texts in one of `LANGUAGES`.

    Lizard reads tokens, not a grammar, and so copes with macros and incomplete code. Length and
    complexity count only for functions that a fragment shows from start to end.
    """

    name: ClassVar[str] = "lizard"
    rules: ClassVar[Mapping[str, Rule]] = LIMITS

    def __init__(self, language: str) -> None:
        self._language = language

    def run_once(self, texts: Sequence[str]) -> list[Outcome]:
        """Return the measures over a limit in each text."""
        suffix, control_text = LANGUAGES[self._language]
        all_texts = enumerate([*texts, control_text])
        files = {f"source{index}{suffix}": text for index, text in all_texts}
        seconds = SECONDS + len(texts) / 10
        output = run_tool([*self.command(), *files], files, seconds=seconds)
        with reading_output():
            *reports, control = [
                _functions(json.loads(line), name)
                for line, name in zip(output.splitlines(), files, strict=True)
            ]
        names = (
            [] if isinstance(control, NotAnalysedError) else [function.name for function in control]
        )
        if not any(name.endswith("control") for name in names):
            raise NotAnalysedError("it missed the function that every run must report")
        is_doubtful = self._language in _WITHOUT_KEYWORD
        return [
            functions
            if isinstance(functions, NotAnalysedError)
            else [*_findings(functions, text, is_doubtful=is_doubtful)]
            for functions, text in zip(reports, texts, strict=True)
        ]

    def command(self) -> tuple[str, ...]:
        """Return the command that measures files."""
        return sys.executable, "-I", str(_SCRIPT)


def _functions(report: Mapping[str, Any], name: str) -> list[_Function] | NotAnalysedError:
    if report["file"] != name:
        raise ValueError(name)
    if "error" in report:
        return NotAnalysedError(f"lizard could not process it ({str(report['error'])[:60]})")
    return [
        _Function(str(entry["name"]), *(int(entry[field.name]) for field in fields(_Function)[1:]))
        for entry in report["functions"]
    ]


def _findings(functions: Sequence[_Function], text: str, *, is_doubtful: bool) -> Iterator[Finding]:
    """Yield measures over a limit; if `is_doubtful`, a call may look like a function."""
    lines = text.split("\n")
    for function in functions:
        over = [rule for rule, limit in LIMITS.items() if limit.compute(function) > limit.maximum]
        if not over or function.name in _STATEMENTS:
            continue
        first, last = function.first_row, function.last_row
        head = "\n".join(lines[max(0, first - 2) : first + 20])
        name = _CLASS_BEFORE.sub("", function.name)
        names = (name,) if name and name in head else ()  # lizard joins the words of a string
        is_call = is_doubtful and any(map(_CALL.match, lines[first - 1 : first]))
        scope = (0, 0) if is_call else (first, last)
        if _OVERRIDE.match(head):
            over = [rule for rule in over if rule != "long-parameter-list"]
        for rule in over:
            measure = LIMITS[rule].compute(function)
            sentence = LIMITS[rule].sentence.replace("The function {0}", "This function")
            message = sentence.format(measure=measure)
            yield Finding(rule, message, first, 1, last, 1, names, measure, scope)


def token_reader(language: str) -> Reader:
    """Return the reader of `language` for lizard, which reads tokens and thus any hunk.

    A hunk is read after the braces that it closes; an added row ends its open functions.
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
