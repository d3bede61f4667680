"""Turn the findings of any tool into smells on changed lines."""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from crscore_core.analyzers.model import AnalyzerResult, Smell, SourceFile, Status
from crscore_core.analyzers.reader import Block, ParsedCode, Reader, Reading
from crscore_core.analyzers.tool import (
    Finding,
    NotAnalysedError,
    Outcome,
    Rule,
    Tool,
    in_backticks,
    one_line,
)

_INTERFACES = re.compile(r"(^|/)(__init__|conftest|_?compat)\.pyi?$|\.pyi$")


class _Located(NamedTuple):
    """A finding with its rule and the code that contains it."""

    parsed: ParsedCode
    finding: Finding
    rule: Rule

    @property
    def definition(self) -> tuple[Block, str] | None:
        """The function or class that the finding is about, and its name."""
        if not self.rule.about_definition:
            return None
        return self.parsed.definitions.get(self.finding.first_row)

    @property
    def identity(self) -> tuple[str, str] | None:
        """The rule and its definition or first line; None for a one-line finding, always new."""
        finding = self.finding
        if self.definition:
            return finding.rule, self.definition[1]
        if self.rule.about_definition and finding.names:
            return finding.rule, finding.names[0]
        if self.rule.about_definition or finding.last_row > finding.first_row:
            return finding.rule, self.parsed.line(finding.first_row).strip()
        return None


@dataclass(frozen=True, slots=True)
class Linter:
    """An analyzer built from a tool and a reader for its language."""

    tool: Tool
    reader: Reader

    @property
    def name(self) -> str:
        """The source shown on results and smells."""
        return self.tool.name

    def analyze(self, files: Sequence[SourceFile]) -> list[AnalyzerResult]:
        """Return one result for each of `files`, in their order.

        Raises:
            NotAnalysedError: the tool failed, and there are several files.
        """
        readings = [self.reader.read(file) for file in files]
        parts = [part for reading in readings for part in (*reading.new, *reading.old)]
        reports: Sequence[Outcome]
        try:
            reports = self.tool.lint([part.passage.text for part in parts]) if parts else []
        except NotAnalysedError as error:
            if len(files) > 1:
                raise
            reports = [NotAnalysedError(f"{self.name}: {error.reason}")] * len(parts)
        outcomes = dict(zip(parts, reports, strict=True))
        return [
            self._result(file, reading, outcomes)
            for file, reading in zip(files, readings, strict=True)
        ]

    def _result(
        self, file: SourceFile, reading: Reading, outcomes: Mapping[ParsedCode, Outcome]
    ) -> AnalyzerResult:
        """Return the result for a file from the tool's outcome for each of its parts."""
        new, old = (self._located(parts, outcomes) for parts in (reading.new, reading.old))
        smells = [self._smell(file, located) for located in _without_preexisting(new, old)]
        failures = [_failure(part, outcomes[part]) for part in reading.new]
        errors = [*reading.errors, *filter(None, failures)]
        n_parts = len(reading.errors) + len(reading.new)
        status = Status.ANALYSED if file.is_whole else Status.FRAGMENT
        if len(errors) == n_parts:
            status = Status.NOT_ANALYSED
        count = f"{len(errors)} of {n_parts} hunks: " if n_parts > 1 else ""
        reason = f"{count}{errors[0]}" if errors else None
        return AnalyzerResult(
            self.name, self.tool.version, file.path, status, reason, tuple(filter(None, smells))
        )

    def _located(
        self, parts: Sequence[ParsedCode], outcomes: Mapping[ParsedCode, Outcome]
    ) -> list[_Located]:
        """Return the findings in parts of a file, except parts that the tool could not read."""
        return [
            _Located(part, finding, rule)
            for part in parts
            if not isinstance(outcome := outcomes[part], NotAnalysedError)
            for finding in outcome
            if (rule := self.tool.rule(finding)) is not None
        ]

    def _smell(self, file: SourceFile, located: _Located) -> Smell | None:
        """Return the smell for a finding; None if its lines are not changed or not all shown."""
        parsed, finding, rule = located
        line = parsed.passage.line(finding.first_row)
        last_row = located.definition[0].last_row if located.definition else finding.last_row
        is_changed = parsed.passage.shows(finding.first_row, last_row, file.changed_lines)
        is_credible = file.is_whole or parsed.extent(finding) >= rule.extent
        if rule.except_interfaces and _INTERFACES.search(file.path or ""):
            is_credible = False
        if line is None or not (is_changed and is_credible):
            return None
        return Smell(_sentence(located), finding.rule, self.name, file.path, line)


def _failure(part: ParsedCode, outcome: Outcome) -> str | None:
    """Return why the tool could not read a part of a file, or None if it could."""
    if not isinstance(outcome, NotAnalysedError):
        return None
    line = part.passage.line(outcome.row) if outcome.row is not None else None
    return outcome.reason if line is None else f"line {line}: {outcome.reason}"


def _without_preexisting(new: Sequence[_Located], old: Sequence[_Located]) -> list[_Located]:
    """Return the findings in `new`, except any that was at least as bad in `old`.

    Each old finding excuses one new finding.
    """
    old_measures: defaultdict[tuple[str, str] | None, list[int]] = defaultdict(list)
    for located in old:
        if located.identity is not None:
            old_measures[located.identity].append(located.finding.measure)
    preexisting: set[int] = set()
    # Worst first, so that each is matched with its own old finding.
    for index in sorted(range(len(new)), key=lambda index: -new[index].finding.measure):
        measures = old_measures[new[index].identity]
        as_bad = [measure for measure in measures if measure >= new[index].finding.measure]
        if as_bad:
            measures.remove(min(as_bad))
            preexisting.add(index)
    return [located for index, located in enumerate(new) if index not in preexisting]


def _sentence(located: _Located) -> str:
    parsed, finding, rule = located
    message = f"{one_line(finding.message).rstrip('.')}."
    name = in_backticks(finding.names[0]) if finding.names else None
    if name is None and "{0}" in rule.sentence:
        return message
    if not finding.measure and "{measure}" in rule.sentence:
        return message
    function = parsed.function(finding.first_row)
    return rule.sentence.format(
        name,
        code=in_backticks(parsed.code(finding)),
        line=in_backticks(parsed.line(finding.first_row)),
        measure=finding.measure,
        message=message,
        where=f" in {in_backticks(function.name)}" if function and function.name else "",
    )
