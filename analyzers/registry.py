"""The analyzers of each language, and a function that runs them all."""

import os
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, wait
from functools import lru_cache
from threading import BoundedSemaphore, Event, Thread

from analyzers.java.pmd import PMD
from analyzers.java.rulesets import QUICKSTART
from analyzers.javascript.configurations import CONFIGURATIONS, MODERN
from analyzers.javascript.jshint import JSHint
from analyzers.linter import Linter
from analyzers.lizard import LANGUAGES, Lizard
from analyzers.model import Analyzer, AnalyzerResult, SourceFile, Status
from analyzers.process import STOP
from analyzers.python.reading import PYTHON
from analyzers.python.ruff import Ruff
from analyzers.python.structure import PythonStructure
from analyzers.syntax.reading import READERS

JSHINT_CONFIGURATIONS = tuple(CONFIGURATIONS)
"""Named configurations of JSHint, the default first."""


def analyzers_with(
    pmd_rulesets: tuple[str, ...] = (), jshint: str = MODERN
) -> Mapping[str, Sequence[Analyzer]]:
    """Return the analyzers of each language, with the given rule sets and JSHint configuration.

    Raises:
        ValueError: a rule set or the configuration is unknown.
    """
    return _registry(pmd_rulesets or (QUICKSTART,), jshint)


@lru_cache(maxsize=16)
def _registry(pmd_rulesets: tuple[str, ...], jshint: str) -> Mapping[str, Sequence[Analyzer]]:
    registry: dict[str, tuple[Analyzer, ...]] = {
        language: (Linter(Lizard(language), READERS[language]),) for language in LANGUAGES
    }
    pmd, jshint_tool = PMD(pmd_rulesets), JSHint(jshint)
    registry["python"] = Linter(Ruff(), PYTHON), Linter(PythonStructure(), PYTHON)
    registry["java"] = Linter(pmd, READERS["java"]), *registry["java"]
    registry["javascript"] = Linter(jshint_tool, READERS["javascript"]), *registry["javascript"]
    return registry


ANALYZERS: Mapping[str, Sequence[Analyzer]] = analyzers_with()
"""The analyzers of each language, with their default rules."""

_SECONDS_TO_STOP = 1.0
_turns = BoundedSemaphore(max(2, min(os.cpu_count() or 2, 4)))  # few at a time, to limit memory


def analyze_each(
    files: Sequence[SourceFile], analyzers: Mapping[str, Sequence[Analyzer]] = ANALYZERS
) -> list[list[AnalyzerResult]]:
    """Run every analyzer of each file's language; return the results for each of `files`.

    A file has one result per analyzer of its language. A file without an analyzer or without
    changed lines has a single `NOT_ANALYSED` result named "none", with the reason. The analyzers
    run in parallel, up to a limit, each on all of its files at once. If one fails unexpectedly,
    only its own results are `NOT_ANALYSED`. An interrupt stops their children at once.
    """
    reasons = [_nothing_to_ask(file, analyzers) for file in files]
    tasks: dict[tuple[str, int], list[int]] = {}
    for index, file in enumerate(files):
        if reasons[index] is None and file.language is not None:
            for position in range(len(analyzers[file.language])):
                tasks.setdefault((file.language, position), []).append(index)

    results: list[list[AnalyzerResult]] = [
        [] if reason is None else [_not_analysed("none", file, reason)]
        for file, reason in zip(files, reasons, strict=True)
    ]
    stop = Event()
    pending: dict[Future[list[AnalyzerResult]], list[int]] = {}
    try:
        for (language, position), indices in tasks.items():
            asked = [files[index] for index in indices]
            pending[_started(analyzers[language][position], asked, stop)] = indices
        for future, indices in pending.items():
            for index, result in zip(indices, future.result(), strict=True):
                results[index].append(result)
    except BaseException:
        stop.set()
        wait(pending, _SECONDS_TO_STOP)
        raise
    return results


def _started(
    analyzer: Analyzer, files: list[SourceFile], stop: Event
) -> Future[list[AnalyzerResult]]:
    """Run the analyzer in a daemon thread, which does not delay the exit as a pool would."""
    future: Future[list[AnalyzerResult]] = Future()

    def ask() -> None:
        STOP.set(stop)
        try:
            with _turns:
                future.set_result([] if stop.is_set() else _ask(analyzer, files))
        except BaseException as error:  # noqa: BLE001 - raised again by `Future.result`
            future.set_exception(error)

    Thread(target=ask, daemon=True).start()
    return future


def _nothing_to_ask(file: SourceFile, analyzers: Mapping[str, Sequence[Analyzer]]) -> str | None:
    if not file.fragments:
        return "the diff shows no line of the new file"
    if not file.changed_lines:
        return "the change only removes lines"
    if file.language is None:
        return "unknown language"
    if not analyzers.get(file.language):
        return f"no analyzer for {file.language}"
    return None


def _ask(analyzer: Analyzer, files: list[SourceFile]) -> list[AnalyzerResult]:
    try:
        results = analyzer.analyze(files)
        if len(results) == len(files):
            return results
        reason = f"{analyzer.name} returned {len(results)} results for {len(files)} files"
    except Exception as error:  # noqa: BLE001 - a failing analyzer must not fail the score
        reason = f"{analyzer.name} failed unexpectedly: {type(error).__name__}: {error}"
    return [_not_analysed(analyzer.name, file, reason) for file in files]


def _not_analysed(name: str, file: SourceFile, reason: str) -> AnalyzerResult:
    return AnalyzerResult(name, None, file.path, Status.NOT_ANALYSED, reason)
