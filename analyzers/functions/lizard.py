"""Long functions, long parameter lists and complex functions in nine languages, by lizard."""

import importlib.metadata
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from analyzers.batches import Failure, Outcome, Unread, failure_of, lint_in_batches
from analyzers.finding import Finding
from analyzers.process import Limits, run
from analyzers.rule import Rule
from analyzers.workspace import workspace

__all__ = ["LANGUAGES", "THRESHOLDS", "Lizard"]

# The most that is still fine: those of the paper's Table 14, with lines of code for statements.
THRESHOLDS = {"long-function": 50, "long-parameter-list": 6, "cyclomatic-complexity": 10}


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

_RULES = {
    "long-function": Rule(
        "The function {0} is too long: it has {measure} lines of code, "
        f"more than {THRESHOLDS['long-function']}.",
        of_definition=True,
    ),
    "long-parameter-list": Rule(
        "The function {0} takes too many parameters: {measure}, "
        f"more than {THRESHOLDS['long-parameter-list']}.",
        of_definition=True,
    ),
    "cyclomatic-complexity": Rule(
        "The function {0} is too complex: its cyclomatic complexity is {measure}.",
        of_definition=True,
    ),
}
_MEASURES = {
    "long-function": "lines",
    "long-parameter-list": "parameters",
    "cyclomatic-complexity": "complexity",
}
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


@dataclass(frozen=True, slots=True)
class _Function:
    name: str
    first_row: int
    last_row: int
    measures: dict[str, int]


def _functions(line: str, name: str) -> list[_Function] | Unread:
    report = json.loads(line)
    if report["file"] != name:
        raise ValueError(name)
    if "error" in report:
        return Unread(f"lizard could not get through it ({str(report['error'])[:60]})")
    return [
        _Function(
            str(one["name"]),
            int(one["first_row"]),
            int(one["last_row"]),
            {rule: int(one[measure]) for rule, measure in _MEASURES.items()},
        )
        for one in report["functions"]
    ]


def _findings(functions: Sequence[_Function]) -> Iterator[Finding]:
    for function in functions:
        is_named = function.name not in {"", "(anonymous)"}
        names = (function.name,) if is_named else ()
        for rule, value in function.measures.items():
            if value > THRESHOLDS[rule]:
                sentence = _RULES[rule].sentence.replace("The function {0}", "This function")
                message = sentence.format(measure=value)
                rows = function.first_row, 1, function.last_row, 1
                yield Finding(rule, message, *rows, names=names, measure=value)
