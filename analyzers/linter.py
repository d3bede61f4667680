"""Turn the findings of any tool into smells on changed lines."""

import hashlib
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from threading import Lock

from cachetools import LRUCache

from analyzers.model import AnalyzerResult, Smell, SourceFile, Status
from analyzers.reading import Context, Reader, Reading
from analyzers.tool import Finding, Outcome, Rule, Tool, Unread, one_line, quoted

_MAX_KEPT_SMELLS = 20_000


@dataclass(frozen=True, slots=True)
class Linter:
    """An analyzer built from a tool and a reader for its language.

    Recent results are cached by the tool's version and the contents of the file, except for
    files that the tool failed on.
    """

    tool: Tool
    reader: Reader
    _kept: "LRUCache[bytes, AnalyzerResult]" = field(
        default_factory=lambda: LRUCache(_MAX_KEPT_SMELLS, lambda result: 1 + len(result.smells)),
        repr=False,
    )
    _lock: Lock = field(default_factory=Lock, repr=False)

    @property
    def name(self) -> str:
        """The source shown on results and smells."""
        return self.tool.name

    def analyze(self, files: Sequence[SourceFile]) -> list[AnalyzerResult]:
        """Return one result for each of `files`, in their order."""
        version = self.tool.version
        contents = [repr((version, file)).encode("utf-8", "backslashreplace") for file in files]
        keys = [hashlib.blake2b(content).digest() for content in contents]
        with self._lock:
            known = {key: result for key in keys if (result := self._kept.get(key)) is not None}
        new = {key: file for key, file in zip(keys, files, strict=True) if key not in known}
        for key, result, is_complete in self._analyze(new, version):
            known[key] = result
            if is_complete and len(result.smells) < _MAX_KEPT_SMELLS:
                with self._lock:
                    self._kept[key] = result
        return [known[key] for key in keys]

    def _analyze(
        self, files: dict[bytes, SourceFile], version: str | None
    ) -> Iterator[tuple[bytes, AnalyzerResult, bool]]:
        """Yield each result with its key, and True if the tool failed on no part of the file."""
        readings = [self.reader.read(file) for file in files.values()]
        sides = [
            (*reading.contexts, *(reading.old if self.tool.compares else ()))
            for reading in readings
        ]
        texts = [context.passage.text for contexts in sides for context in contexts]
        outcomes = iter(self.tool.lint(texts) if texts else [])
        for (key, file), reading, contexts in zip(files.items(), readings, sides, strict=True):
            of_file = [next(outcomes) for _ in contexts]
            new_count = len(reading.contexts)
            result = self._result(file, reading, of_file[:new_count], of_file[new_count:], version)
            yield key, result, not any(isinstance(outcome, Unread) for outcome in of_file)

    def _result(
        self,
        file: SourceFile,
        reading: Reading,
        outcomes: list[Outcome],
        old_outcomes: list[Outcome],
        version: str | None,
    ) -> AnalyzerResult:
        smells: list[Smell] = []
        failures: list[str] = []
        known = _known(
            self.tool,
            list(zip(reading.contexts, outcomes, strict=True)),
            list(zip(reading.old, old_outcomes, strict=False)),
        )
        for context, outcome in zip(reading.contexts, outcomes, strict=True):
            if isinstance(outcome, Unread):
                failures.append(_reason(outcome, context))
            else:
                smells += self._smells(file, context, outcome, known)
        status, reason = reading.status, reading.reason
        if failures and len(failures) == len(outcomes):
            status, reason = Status.NOT_ANALYSED, failures[0]
        elif failures:
            lost = f"{len(failures)} of {len(outcomes)} hunks could not be analysed: {failures[0]}"
            reason = f"{reason}; {lost}" if reason else lost
        return AnalyzerResult(self.name, version, file.path, status, reason, tuple(smells))

    def _smells(
        self, file: SourceFile, context: Context, findings: list[Finding], known: set[int]
    ) -> Iterator[Smell]:
        passage = context.passage
        for finding in findings:
            rule = self.tool.rule(finding)
            line = passage.line(finding.first_row)
            if rule is None or line is None or id(finding) in known:
                continue
            rows = finding.first_row, finding.last_row
            if rule.of_definition:
                definition = context.definitions.get(finding.first_row)
                rows = (rows[0], definition[0].last_row) if definition else rows
            if not passage.shows(*rows, file.changed_lines):
                continue
            if file.is_whole or context.sight(finding) >= rule.sight:
                text = _sentence(rule, finding, context)
                yield Smell(text, finding.rule, self.name, file.path, line)


_Read = Sequence[tuple[Context, Outcome]]


def _known(tool: Tool, new: _Read, old: _Read) -> set[int]:
    """Return the `id`s of new findings that the old side had to at least the same degree.

    Each finding on the old side excuses one new finding.
    """
    measures: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
    for identity, finding in _comparable(tool, old):
        measures[identity].append(finding.measure or 0)
    known: set[int] = set()
    # Worst first, so that each is matched with its own old finding.
    by_degree = sorted(_comparable(tool, new), key=lambda pair: pair[1].measure or 0, reverse=True)
    for identity, finding in by_degree:
        as_bad = [known for known in measures[identity] if known >= (finding.measure or 0)]
        if as_bad:
            measures[identity].remove(min(as_bad))
            known.add(id(finding))
    return known


def _comparable(tool: Tool, read: _Read) -> Iterator[tuple[tuple[str, str], Finding]]:
    """Yield findings of definitions, which may predate the change, with their identity."""
    for context, outcome in read:
        for finding in outcome if not isinstance(outcome, Unread) else ():
            rule = tool.rule(finding)
            if rule is not None and (rule.of_definition or finding.last_row > finding.first_row):
                yield (finding.rule, _place(rule, finding, context)), finding


def _place(rule: Rule, finding: Finding, context: Context) -> str:
    """Return the name of the finding's definition, or its first line of code."""
    if rule.of_definition and finding.first_row in context.definitions:
        return context.definitions[finding.first_row][1]
    if rule.of_definition and finding.names:
        return finding.names[0]
    return context.line(finding.first_row).strip()


def _reason(outcome: Unread, context: Context) -> str:
    line = context.passage.line(outcome.row) if outcome.row is not None else None
    return f"line {line}: {outcome.reason}" if line is not None else outcome.reason


def _sentence(rule: Rule, finding: Finding, context: Context) -> str:
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
