"""Run ruff on many texts at once; trust a report only if it proves that ruff ran."""

import os
import re
import shutil
import sys
import sysconfig
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from typing import ClassVar

from analyzers.batches import (
    Failure,
    GarbageError,
    PackagedTool,
    failure_of,
    objects,
    parsed,
    workspace,
)
from analyzers.process import Limits, run
from analyzers.tool import Finding, Outcome, Rule, Unread, read_rules

RULES = read_rules(Path(__file__).with_name("rules.txt"))
"""Ruff rules that a reviewer would raise."""

_NAME = re.compile(r"`([^`]+)`|\"([^\"]+)\"")
# Ruff has to report this unused import in every run; otherwise its output is not trusted.
_CONTROL = "import os\n"
_CONTROL_RULE = "F401"
_OPTIONS = (
    "--isolated",
    "--ignore-noqa",
    "--no-cache",
    "--no-fix",
    "--output-format=json",
    # Syntax newer than the running Python is not an error in the reviewed code.
    "--target-version=py314",
    f"--select={','.join(RULES)}",
)
_FOUND_OR_CLEAN = frozenset({0, 1})
_SYNTAX_ERROR = "invalid-syntax"


@dataclass(frozen=True, slots=True)
class Ruff(PackagedTool):
    """Runs ruff once for many texts, with `RULES`.

    `command` starts ruff; the default is the executable of the installed package.
    """

    command: tuple[str, ...] | None = None
    limits: Limits = field(default_factory=Limits)
    name: ClassVar[str] = "ruff"
    rules: ClassVar[Mapping[str, Rule]] = RULES
    most_texts: ClassVar[int] = 1_000  # the length of a command line is limited

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
            *found, control = _findings_by_file(completed.stdout, space.names)
        except GarbageError as error:
            return Failure(f"ruff gave unreadable output: {error}", depends_on_text=True)
        if not any(finding.rule == _CONTROL_RULE for finding in control):
            return Failure("ruff missed the control finding that every run must report")
        return [_syntax_error(findings) or findings for findings in found]


def _syntax_error(findings: list[Finding]) -> Unread | None:
    """Return a syntax error that ruff reports although Python's parser accepts the text."""
    for finding in findings:
        if finding.rule == _SYNTAX_ERROR:
            return Unread(finding.message, finding.first_row)
    return None


def _installed_ruff() -> tuple[str, ...] | None:
    """Return the executable next to our Python, never another one on the search path."""
    folders = [str(Path(sys.executable).parent), sysconfig.get_path("scripts")]
    executable = shutil.which("ruff", path=os.pathsep.join(folders))
    return (executable,) if executable else None


def _findings_by_file(output: str, names: Sequence[str]) -> list[list[Finding]]:
    """Parse the findings in each of the files `names`, in order.

    Raises:
        GarbageError: `output` is not ruff's JSON report on these files.
    """
    findings: dict[str, list[Finding]] = {name: [] for name in names}
    try:
        for entry in objects(parsed(output)):
            findings[PurePath(str(entry["filename"])).name].append(_finding(entry))
    except (KeyError, TypeError, ValueError):
        raise GarbageError("an entry lacks its file, rule, location or message") from None
    return list(findings.values())


def _finding(entry: dict[str, object]) -> Finding:
    first = _place(entry["location"])
    last = _place(entry["end_location"])
    message = str(entry["message"])
    names = tuple(match[1] or match[2] for match in _NAME.finditer(message))
    return Finding(str(entry["code"]), message, *first, *last, names=names)


def _place(value: object) -> tuple[int, int]:
    if not isinstance(value, dict):
        raise TypeError
    return int(value["row"]), int(value["column"])
