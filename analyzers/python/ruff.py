"""Ruff on many texts at once, believed only where it proves that it ran."""

import importlib.metadata
import os
import shutil
import sys
import sysconfig
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from analyzers.batches import Failure, Outcome, Unread, failure_of, lint_in_batches
from analyzers.finding import Finding
from analyzers.process import Limits, run
from analyzers.python.ruff_output import GarbageError, findings_by_file
from analyzers.python.rules import RULES
from analyzers.rule import Rule
from analyzers.workspace import workspace

__all__ = ["Ruff"]

# Ruff has to find this unused import in every run: output without it is no output of ruff's.
_CONTROL = "import os\n"
_CONTROL_RULE = "F401"
_MAX_TEXTS = 1_000  # in one start; a command line has its limits
_OPTIONS = (
    "--isolated",
    "--ignore-noqa",
    "--no-cache",
    "--no-fix",
    "--output-format=json",
    # Newer syntax than that of the running Python is not an error of the reviewed code.
    "--target-version=py314",
    f"--select={','.join(RULES)}",
)
_FOUND_OR_CLEAN = frozenset({0, 1})
_SYNTAX_ERROR = "invalid-syntax"


@dataclass(frozen=True, slots=True)
class Ruff:
    """Runs ruff once for many texts; see `RULES` for what it looks for.

    `command` starts ruff; by default it is the executable of the installed package.
    """

    command: tuple[str, ...] | None = None
    limits: Limits = field(default_factory=Limits)

    @property
    def name(self) -> str:
        """What results and smells call this tool."""
        return "ruff"

    @property
    def version(self) -> str | None:
        """That of the installed package; unknown for another command."""
        if self.command is not None:
            return None
        try:
            return importlib.metadata.version("ruff")
        except importlib.metadata.PackageNotFoundError:
            return None

    @property
    def compares(self) -> bool:
        """Some rules are about whole functions and classes."""
        return True

    def rule(self, finding: Finding) -> Rule | None:
        """What the rule of `finding` means to a reviewer."""
        return RULES.get(finding.rule)

    def lint(self, texts: Sequence[str]) -> list[Outcome]:
        """The findings in each text, or why there are none."""
        return lint_in_batches(texts, self._lint_once, _MAX_TEXTS)

    def _lint_once(self, texts: Sequence[str]) -> list[Outcome] | Failure:
        command = self.command or _installed_ruff()
        if command is None:
            return Failure("ruff is not installed (pip install ruff)")
        with workspace([*texts, _CONTROL], ".py") as space:
            arguments = [*command, "check", *_OPTIONS, *space.names]
            completed = run(arguments, space.folder, self.limits)
        if failure := failure_of(completed, self.name, _FOUND_OR_CLEAN):
            return failure
        try:
            *found, control = findings_by_file(completed.stdout, space.names)
        except GarbageError as error:
            return Failure(f"ruff gave unreadable output: {error}", is_of_a_text=True)
        if not any(finding.rule == _CONTROL_RULE for finding in control):
            return Failure("ruff did not report what it has to report in every run")
        return [_syntax_error(findings) or findings for findings in found]


def _syntax_error(findings: list[Finding]) -> Unread | None:
    """What ruff cannot accept in a text that Python's own parser let pass."""
    for finding in findings:
        if finding.rule == _SYNTAX_ERROR:
            return Unread(finding.message, finding.first_row)
    return None


def _installed_ruff() -> tuple[str, ...] | None:
    """The executable beside our Python, never one that merely is on the search path."""
    folders = [str(Path(sys.executable).parent), sysconfig.get_path("scripts")]
    executable = shutil.which("ruff", path=os.pathsep.join(folders))
    return (executable,) if executable else None
