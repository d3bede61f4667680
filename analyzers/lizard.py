"""Long functions, long parameter lists and complex functions in nine languages, by lizard."""

import importlib.metadata
import json
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import ClassVar

from analyzers.batches import Failure, failure_of, lint_in_batches, workspace
from analyzers.process import Limits, run
from analyzers.tool import COMPLEXITY, PARAMETERS, Finding, Limit, Outcome, Rule, Unread


@dataclass(frozen=True, slots=True)
class _Language:
    """A language's file suffix for lizard, and code with one function named `control`."""

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
"""The limits of the paper's Table 14 for functions."""

_RULES = {name: limit.rule(of_definition=True) for name, limit in LIMITS.items()}
# Lizard writes it as in C++, and after a nested class may take the wrong one.
_CLASS_BEFORE = re.compile(r".*::(?=.)")
_CHILD = Path(__file__).with_name("run_lizard.py")
_MAX_TEXTS = 500  # in one start


@dataclass(frozen=True, slots=True)
class Lizard:
    """Runs lizard once for many texts of one of `LANGUAGES`.

    Lizard reads tokens, not grammar, and so copes with macros and torn ends. A hunk can only hide
    more of a function, so a measure over its limit holds for fragments too. `command` takes
    file names and answers as `run_lizard.py` does; that script is the default.
    """

    language: str
    command: tuple[str, ...] | None = None
    limits: Limits = field(default_factory=Limits)
    name: ClassVar[str] = "lizard"
    compares: ClassVar[bool] = True

    @property
    def version(self) -> str | None:
        """Version of the installed package; None for another command."""
        if self.command is not None:
            return None
        try:
            return importlib.metadata.version("lizard")
        except importlib.metadata.PackageNotFoundError:
            return None

    def rule(self, finding: Finding) -> Rule | None:
        """Return the rule of `finding`."""
        return _RULES.get(finding.rule)

    def lint(self, texts: Sequence[str]) -> list[Outcome]:
        """Return what is over a limit in each text, or why nothing is known."""
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
            *outcomes, control = [
                _functions(line, name) for line, name in zip(lines, space.names, strict=True)
            ]
        except (ValueError, KeyError, TypeError, RecursionError):
            return Failure("lizard gave unreadable output", is_of_a_text=True)
        if isinstance(control, Unread) or not any(
            "control" in function.name for function in control
        ):
            return Failure("lizard did not report what it has to report in every run")
        return [
            functions if isinstance(functions, Unread) else [*_findings(functions)]
            for functions in outcomes
        ]


def _functions(line: str, name: str) -> list[_Function] | Unread:
    report = json.loads(line)
    if report["file"] != name:
        raise ValueError(name)
    if "error" in report:
        return Unread(f"lizard could not get through it ({str(report['error'])[:60]})")
    return [
        _Function(str(entry["name"]), *(int(entry[field.name]) for field in fields(_Function)[1:]))
        for entry in report["functions"]
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
