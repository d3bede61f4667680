"""Python smells found by ruff."""

import importlib.metadata
import os
import shutil
import sys
import sysconfig
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from analyzers.model import AnalyzerResult, Smell, SourceFile, Status
from analyzers.process import Completed, Limits, run
from analyzers.python.context import Context
from analyzers.python.reading import ParsedPassage, Reading, read
from analyzers.python.ruff_output import Finding, GarbageError, findings_by_file
from analyzers.python.rules import RULES, Rule, Sight
from analyzers.wording import quoted
from analyzers.workspace import Workspace, workspace

__all__ = ["Ruff"]

# Ruff has to find this unused import in every run: output without it is no output of ruff's.
_CONTROL = "import os\n"
_CONTROL_RULE = "F401"
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


@dataclass(frozen=True, slots=True)
class Ruff:
    """Runs ruff once for many files; see `RULES` for what it looks for.

    `command` starts ruff; by default it is the executable of the installed package.
    """

    command: tuple[str, ...] | None = None
    limits: Limits = field(default_factory=Limits)

    @property
    def name(self) -> str:
        """What results and smells call this analyzer."""
        return "ruff"

    def analyze(self, files: Sequence[SourceFile]) -> list[AnalyzerResult]:
        """Return one result for each of `files`, in their order."""
        readings = [read(file) for file in files]
        parts = [parsed for reading in readings for parsed in reading.passages]
        outcomes = iter(self._lint(parts) if parts else [])
        return [
            self._result(file, reading, [next(outcomes) for _ in reading.passages])
            for file, reading in zip(files, readings, strict=True)
        ]

    def _result(
        self, file: SourceFile, reading: Reading, outcomes: list[list[Finding] | str]
    ) -> AnalyzerResult:
        status, reason = reading.status, reading.reason
        smells: list[Smell] = []
        for parsed, outcome in zip(reading.passages, outcomes, strict=True):
            if isinstance(outcome, str):
                status, reason, smells = Status.NOT_ANALYSED, outcome, []
                break
            smells += self._smells(file, parsed, outcome)
        return AnalyzerResult(self.name, _version(), file.path, status, reason, tuple(smells))

    def _lint(self, parts: list[ParsedPassage]) -> list[list[Finding] | str]:
        """The findings of each part, or why there are none.

        One part that makes ruff crash must not cost the others their findings: the parts
        are then halved until it stands alone.
        """
        texts = [parsed.passage.text for parsed in parts]
        with workspace([*texts, _CONTROL], ".py") as space:
            completed = self._run(space)
            failure = _failure(completed)
            if failure is None:
                try:
                    found = findings_by_file(completed.stdout, space.names)
                    if any(finding.rule == _CONTROL_RULE for finding in found[-1]):
                        return [*found[:-1]]
                    failure = "ruff did not report what it has to report in every run"
                except GarbageError as error:
                    failure = f"ruff gave unreadable output: {error}"
        if len(parts) > 1 and _is_crash(completed):
            half = len(parts) // 2
            return [*self._lint(parts[:half]), *self._lint(parts[half:])]
        return [failure] * len(parts)

    def _run(self, space: Workspace) -> Completed:
        command = self.command or _installed_ruff()
        if command is None:
            return Completed(None, error="ruff is not installed (pip install ruff)")
        return run([*command, "check", *_OPTIONS, *space.names], space.folder, self.limits)

    def _smells(
        self, file: SourceFile, parsed: ParsedPassage, findings: list[Finding]
    ) -> Iterator[Smell]:
        passage = parsed.passage
        context = Context.of(parsed)
        sight_of_passage = Sight.FILE if file.is_whole else None
        for finding in findings:
            rule = RULES.get(finding.rule)
            line = passage.line(finding.first_row)
            if rule is None or line is None:
                continue
            if not passage.shows(finding.first_row, finding.last_row, file.changed_lines):
                continue
            if (sight_of_passage or context.sight(finding.first_row)) >= rule.sight:
                text = _sentence(rule, finding, context)
                yield Smell(text, finding.rule, self.name, file.path, line)


def _sentence(rule: Rule, finding: Finding, context: Context) -> str:
    names = [quoted(name) for name in finding.names]
    function = context.function(finding.first_row)
    where = f" in {quoted(function.name)}" if function else ""
    places = rule.sentence.count("{1}") + 1 if "{0}" in rule.sentence else 0
    if len(names) < places:
        return f"{finding.message.rstrip('.')}."
    return rule.sentence.format(*names, code=quoted(context.code(finding)), where=where)


def _failure(completed: Completed) -> str | None:
    if completed.error is not None:
        return completed.error
    if completed.timed_out:
        return "ruff took too long and was stopped"
    if completed.truncated:
        return "ruff wrote more than could be taken and was stopped"
    if completed.returncode not in _FOUND_OR_CLEAN:
        last = completed.stderr.strip().splitlines()[-1:]
        said = f": {last[0][:200]}" if last else ""
        return f"ruff failed with status {completed.returncode}{said}"
    return None


def _is_crash(completed: Completed) -> bool:
    return completed.returncode not in {None, *_FOUND_OR_CLEAN} and not completed.timed_out


def _installed_ruff() -> tuple[str, ...] | None:
    """The executable of our own environment, never one that merely is on the search path."""
    folders = [str(Path(sys.executable).parent), sysconfig.get_path("scripts")]
    executable = shutil.which("ruff", path=os.pathsep.join(folders))
    return (executable,) if executable else None


def _version() -> str | None:
    try:
        return importlib.metadata.version("ruff")
    except importlib.metadata.PackageNotFoundError:
        return None
