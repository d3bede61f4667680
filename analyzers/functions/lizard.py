"""Long functions, long parameter lists and complex functions in nine languages, by lizard."""

import importlib.metadata
import json
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path

from analyzers.batches import Failure, failure_of, lint_in_batches, workspace
from analyzers.process import Limits, run
from analyzers.tool import COMPLEXITY, PARAMETERS, Finding, Limit, Outcome, Rule, Unread

__all__ = ["LANGUAGES", "LIMITS", "Lizard"]


@dataclass(frozen=True, slots=True)
class _Language:
    """The suffix by which lizard knows a language, and code with one function named `control`."""

    suffix: str
    control: str


LANGUAGES = {
    "java": _Language(".java", "class A { void control() { } }\n"),
    "javascript": _Language(".js", "function control() { }\n"),
    "typescript": _Language(".ts", "function control(): void { }\n"),
    "c": _Language(".c", "void control(void) { }\n"),
    "cpp": _Language(".cpp", "void control() { }\n"),
    "csharp": _Language(".cs", "class A { void control() { } }\n"),
    "go": _Language(".go", "func control() { }\n"),
    "php": _Language(".php", "<?php\nfunction control() { }\n"),
    "ruby": _Language(".rb", "def control\nend\n"),
}
"""The languages that are measured, by the names that source files carry."""


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
        lambda function: function.lines,
        50,  # the paper's number of statements, taken for lines of code
        "The function {0} is too long: it has {measure} lines of code, more than {most}.",
    ),
    "long-parameter-list": Limit(lambda function: function.parameters, *PARAMETERS),
    "cyclomatic-complexity": Limit(lambda function: function.complexity, *COMPLEXITY),
}
"""What is smelly, with the limits of the paper's Table 14."""

_RULES = {name: limit.rule(of_definition=True) for name, limit in LIMITS.items()}
# Lizard writes it as in C++, and after a nested class may take the wrong one.
_CLASS_BEFORE = re.compile(r".*::(?=.)")
_CHILD = Path(__file__).with_name("measure.py")
_MAX_TEXTS = 500  # in one start


@dataclass(frozen=True, slots=True)
class Lizard:
    """Runs lizard once for many texts of one of `LANGUAGES`.

    It reads tokens, not grammar, so that it copes with macros and with torn ends; what a hunk
    hides of a function can only make it longer, so a measure over its threshold holds for
    fragments too. `command` takes file names and answers as `analyzers/functions/measure.py`
    does; by default it is just that.
    """

    language: str
    command: tuple[str, ...] | None = None
    limits: Limits = field(default_factory=Limits)

    @property
    def name(self) -> str:
        """What results and smells call this tool."""
        return "lizard"

    @property
    def version(self) -> str | None:
        """That of the installed package; unknown for another command."""
        if self.command is not None:
            return None
        try:
            return importlib.metadata.version("lizard")
        except importlib.metadata.PackageNotFoundError:
            return None

    @property
    def compares(self) -> bool:
        """All rules are about whole functions."""
        return True

    def rule(self, finding: Finding) -> Rule | None:
        """What the rule of `finding` means to a reviewer."""
        return _RULES.get(finding.rule)

    def lint(self, texts: Sequence[str]) -> list[Outcome]:
        """What is over a threshold in each text, or why nothing is known."""
        return lint_in_batches(texts, self._lint_once, _MAX_TEXTS)

    def _lint_once(self, texts: Sequence[str]) -> list[Outcome] | Failure:
        language = LANGUAGES[self.language]
        command = self.command or (sys.executable, "-I", str(_CHILD))
        with workspace([*texts, language.control], language.suffix) as space:
            completed = run([*command, *space.names], space.folder, self.limits)
        if failure := failure_of(completed, self.name, frozenset({0})):
            return failure
        lines = completed.stdout.splitlines()
        if len(lines) != len(space.names):
            return Failure("lizard did not report on every file", is_of_a_text=True)
        try:
            *found, control = [
                _functions(line, name) for line, name in zip(lines, space.names, strict=True)
            ]
        except (ValueError, KeyError, TypeError, RecursionError):
            return Failure("lizard gave unreadable output", is_of_a_text=True)
        if isinstance(control, Unread) or not any("control" in one.name for one in control):
            return Failure("lizard did not report what it has to report in every run")
        return [
            functions if isinstance(functions, Unread) else [*_findings(functions)]
            for functions in found
        ]


def _functions(line: str, name: str) -> list[_Function] | Unread:
    report = json.loads(line)
    if report["file"] != name:
        raise ValueError(name)
    if "error" in report:
        return Unread(f"lizard could not get through it ({str(report['error'])[:60]})")
    return [
        _Function(str(one["name"]), *(int(one[field.name]) for field in fields(_Function)[1:]))
        for one in report["functions"]
    ]


def _findings(functions: Sequence[_Function]) -> Iterator[Finding]:
    for function in functions:
        is_named = function.name not in {"", "(anonymous)"}
        names = (_CLASS_BEFORE.sub("", function.name),) if is_named else ()
        for rule, limit in LIMITS.items():
            measure = limit.measure(function)
            if measure > limit.most:
                sentence = _RULES[rule].sentence.replace("The function {0}", "This function")
                message = sentence.format(measure=measure)
                rows = function.first_row, 1, function.last_row, 1
                yield Finding(rule, message, *rows, names=names, measure=measure)
