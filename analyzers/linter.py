"""Turn the findings of any tool into smells on changed lines."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from analyzers.model import AnalyzerResult, Smell, SourceFile, Status
from analyzers.passage import ParsedCode, Reader, Reading
from analyzers.tool import Finding, NotAnalysedError, Outcome, Rule, Tool, one_line, quoted

_Outcomes = Sequence[tuple[ParsedCode, Outcome]]


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
        """Return one result for each of `files`, in their order."""
        readings = [self.reader.read(file) for file in files]
        sides = [
            (*reading.parsed, *(reading.old if self.tool.needs_old_side else ()))
            for reading in readings
        ]
        texts = [context.passage.text for contexts in sides for context in contexts]
        outcomes = iter(self.tool.lint(texts) if texts else [])
        read = [[(context, next(outcomes)) for context in contexts] for contexts in sides]
        return [
            self._result(file, reading, contexts)
            for file, reading, contexts in zip(files, readings, read, strict=True)
        ]

    def _result(self, file: SourceFile, reading: Reading, outcomes: _Outcomes) -> AnalyzerResult:
        n_new = len(reading.parsed)
        new, old = outcomes[:n_new], outcomes[n_new:]
        preexisting = _preexisting(self.tool, new, old)
        smells: list[Smell] = []
        failures: list[str] = []
        for number, (context, outcome) in enumerate(new):
            if isinstance(outcome, NotAnalysedError):
                failures.append(_reason(outcome, context))
            else:
                added = [
                    finding
                    for index, finding in enumerate(outcome)
                    if (number, index) not in preexisting
                ]
                smells += self._smells(file, context, added)
        status, reason = reading.status, reading.reason
        if failures:
            some_failed = f"{len(failures)} of {len(new)} hunks: {failures[0]}"
            reason = failures[0] if len(failures) == len(new) else some_failed
            status = Status.NOT_ANALYSED if len(failures) == len(new) else status
        return AnalyzerResult(
            self.name, self.tool.version, file.path, status, reason, tuple(smells)
        )

    def _smells(
        self, file: SourceFile, context: ParsedCode, findings: list[Finding]
    ) -> Iterator[Smell]:
        passage = context.passage
        for finding in findings:
            rule = self.tool.rule(finding)
            line = passage.line(finding.first_row)
            if rule is None or line is None:
                continue
            rows = finding.first_row, finding.last_row
            if rule.of_definition:
                definition = context.definitions.get(finding.first_row)
                rows = (rows[0], definition[0].last_row) if definition else rows
            is_credible = file.is_whole or context.extent(finding) >= rule.extent
            if is_credible and passage.shows(*rows, file.changed_lines):
                text = _sentence(rule, finding, context)
                yield Smell(text, finding.rule, self.name, file.path, line)


def _preexisting(tool: Tool, new: _Outcomes, old: _Outcomes) -> set[tuple[int, int]]:
    """Return the new findings that the old side had to at least the same degree.

    A position is the index of a context and the index of a finding in its outcome. Each finding on
    the old side excuses one new finding.
    """
    measures: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
    for identity, measure, _ in _comparable(tool, old):
        measures[identity].append(measure)
    preexisting: set[tuple[int, int]] = set()
    # Worst first, so that each is matched with its own old finding.
    by_degree = sorted(_comparable(tool, new), key=lambda entry: entry[1], reverse=True)
    for identity, measure, position in by_degree:
        as_bad = [old_measure for old_measure in measures[identity] if old_measure >= measure]
        if as_bad:
            measures[identity].remove(min(as_bad))
            preexisting.add(position)
    return preexisting


def _comparable(
    tool: Tool, outcomes: _Outcomes
) -> Iterator[tuple[tuple[str, str], int, tuple[int, int]]]:
    """Yield identity, measure and position of findings that may predate the change."""
    for number, (context, outcome) in enumerate(outcomes):
        for index, finding in enumerate([] if isinstance(outcome, NotAnalysedError) else outcome):
            rule = tool.rule(finding)
            if rule is not None and (rule.of_definition or finding.last_row > finding.first_row):
                identity = (finding.rule, _place(rule, finding, context))
                yield identity, finding.measure or 0, (number, index)


def _place(rule: Rule, finding: Finding, context: ParsedCode) -> str:
    """Return the name of the finding's definition, or its first line of code."""
    if rule.of_definition and finding.first_row in context.definitions:
        return context.definitions[finding.first_row][1]
    if rule.of_definition and finding.names:
        return finding.names[0]
    return context.line(finding.first_row).strip()


def _reason(error: NotAnalysedError, context: ParsedCode) -> str:
    line = context.passage.line(error.row) if error.row is not None else None
    return f"line {line}: {error.reason}" if line is not None else error.reason


def _sentence(rule: Rule, finding: Finding, context: ParsedCode) -> str:
    message = f"{one_line(finding.message).rstrip('.')}."
    name = quoted(finding.names[0]) if finding.names else None
    if name is None and "{0}" in rule.sentence:
        return message
    if finding.measure is None and "{measure}" in rule.sentence:
        return message
    function = context.function(finding.first_row)
    return rule.sentence.format(
        name,
        code=quoted(context.code(finding)),
        line=quoted(context.line(finding.first_row)),
        measure=finding.measure,
        message=message,
        where=f" in {quoted(function.name)}" if function and function.name else "",
    )
