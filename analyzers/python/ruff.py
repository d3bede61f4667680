"""Python smells found by ruff."""

import importlib.metadata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from analyzers.model import AnalyzerResult, Smell, SourceFile, Status
from analyzers.process import Limits
from analyzers.python.context import Context
from analyzers.python.parsing import ParsedPassage
from analyzers.python.reading import Reading, read
from analyzers.python.ruff_command import RuffCommand
from analyzers.python.ruff_output import Finding
from analyzers.python.rules import RULES, Rule
from analyzers.wording import quoted

__all__ = ["Ruff"]

_SYNTAX_ERROR = "invalid-syntax"


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
        texts = [parsed.passage.text for reading in readings for parsed in reading.passages]
        outcomes = iter(RuffCommand(self.command, self.limits).lint(texts))
        return [
            self._result(file, reading, [next(outcomes) for _ in reading.passages])
            for file, reading in zip(files, readings, strict=True)
        ]

    def _result(
        self, file: SourceFile, reading: Reading, outcomes: list[list[Finding] | str]
    ) -> AnalyzerResult:
        smells: list[Smell] = []
        failures: list[str] = []
        for parsed, outcome in zip(reading.passages, outcomes, strict=True):
            if isinstance(outcome, str):
                failures.append(outcome)
            elif error := _syntax_error(parsed, outcome):
                failures.append(error)
            else:
                smells += self._smells(file, parsed, outcome)
        status, reason = reading.status, reading.reason
        if failures and len(failures) == len(outcomes):
            status, reason = Status.NOT_ANALYSED, failures[0]
        elif failures:
            lost = f"{len(failures)} of {len(outcomes)} hunks could not be analysed: {failures[0]}"
            reason = f"{reason}; {lost}" if reason else lost
        version = _version() if self.command is None else None
        return AnalyzerResult(self.name, version, file.path, status, reason, tuple(smells))

    def _smells(
        self, file: SourceFile, parsed: ParsedPassage, findings: list[Finding]
    ) -> Iterator[Smell]:
        passage = parsed.passage
        context = Context.of(parsed)
        for finding in findings:
            rule = RULES.get(finding.rule)
            line = passage.line(finding.first_row)
            if rule is None or line is None:
                continue
            rows = finding.first_row, finding.last_row
            if rule.of_definition:
                rows = context.definition_rows(finding.first_row) or rows
            if not passage.shows(*rows, file.changed_lines):
                continue
            if file.is_whole or context.sight(finding.first_row) >= rule.sight:
                text = _sentence(rule, finding, context)
                yield Smell(text, finding.rule, self.name, file.path, line)


def _syntax_error(parsed: ParsedPassage, findings: list[Finding]) -> str | None:
    """What ruff cannot accept in a text that Python's own parser let pass."""
    for finding in findings:
        if finding.rule == _SYNTAX_ERROR:
            line = parsed.passage.line(finding.first_row)
            return f"line {line}: {finding.message}" if line else finding.message
    return None


def _sentence(rule: Rule, finding: Finding, context: Context) -> str:
    name = quoted(finding.names[0]) if finding.names else None
    function = context.function(finding.first_row)
    where = f" in {quoted(function.name)}" if function else ""
    if name is None and "{0}" in rule.sentence:
        return f"{finding.message.rstrip('.')}."
    code, line = quoted(context.code(finding)), quoted(context.line(finding.first_row))
    return rule.sentence.format(name, code=code, line=line, where=where)


def _version() -> str | None:
    try:
        return importlib.metadata.version("ruff")
    except importlib.metadata.PackageNotFoundError:
        return None
