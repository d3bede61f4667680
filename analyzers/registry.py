"""The analyzers of each language, and a function that runs them all."""

import os
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, wait
from threading import BoundedSemaphore, Event, Thread

from crscore_core.analyzers.java.pmd import PMD
from crscore_core.analyzers.javascript.jshint import JSHint
from crscore_core.analyzers.linter import Linter
from crscore_core.analyzers.lizard import LANGUAGES, Lizard, token_reader
from crscore_core.analyzers.model import Analyzer, AnalyzerResult, SourceFile, Status
from crscore_core.analyzers.python.ast_reader import PYTHON
from crscore_core.analyzers.python.ruff import Ruff
from crscore_core.analyzers.python.structure import PythonStructure
from crscore_core.analyzers.sandbox import STOP
from crscore_core.analyzers.tree_sitter_reader import JAVA, JAVASCRIPT

_LIZARD = {language: Linter(Lizard(language), token_reader(language)) for language in LANGUAGES}

ANALYZERS: Mapping[str, Sequence[Analyzer]] = {
    "python": (Linter(Ruff(), PYTHON), Linter(PythonStructure(), PYTHON)),
    **{language: (lizard,) for language, lizard in _LIZARD.items()},
    "java": (Linter(PMD(), JAVA), _LIZARD["java"]),
    "javascript": (Linter(JSHint(), JAVASCRIPT), _LIZARD["javascript"]),
}
"""The analyzers of each language."""

_slots = BoundedSemaphore(max(2, min(os.cpu_count() or 2, 4)))  # few at a time, to limit memory


def analyze_files(
    files: Sequence[SourceFile], analyzers: Mapping[str, Sequence[Analyzer]] = ANALYZERS
) -> list[list[AnalyzerResult]]:
    """Run every analyzer of each file's language; return the results for each of `files`.

    A file has one result per analyzer of its language. A file without an analyzer or without
    changed lines has a single `NOT_ANALYSED` result named "none", with the reason. The analyzers
    run in parallel, up to a limit, each on all of its files at once. If one fails unexpectedly
    for a file, only its own result for that file is `NOT_ANALYSED`. An interrupt stops their
    children at once.
    """
    reasons = [_reason_to_skip(file, analyzers) for file in files]
    results: list[list[AnalyzerResult]] = [
        [] if reason is None else [_not_analysed("none", file, reason)]
        for file, reason in zip(files, reasons, strict=True)
    ]
    by_language: dict[str, list[int]] = {}
    for index, file in enumerate(files):
        if reasons[index] is None and file.language is not None:
            by_language.setdefault(file.language, []).append(index)
    stop = Event()
    pending: list[tuple[Analyzer, list[int], Future[list[AnalyzerResult]]]] = [
        (analyzer, indices, Future())
        for language, indices in by_language.items()
        for analyzer in analyzers[language]
    ]
    try:
        for analyzer, indices, future in pending:
            _start(analyzer, [files[index] for index in indices], stop, future)
        for _, indices, future in pending:
            while wait([future], timeout=1).not_done:
                pass  # a wait without a limit can miss an interrupt
            for index, result in zip(indices, future.result(), strict=True):
                results[index].append(result)
    except BaseException:
        stop.set()
        wait((future for *_, future in pending), timeout=1)  # for their children to be killed
        raise
    return results


def _start(
    analyzer: Analyzer, files: list[SourceFile], stop: Event, future: Future[list[AnalyzerResult]]
) -> None:
    """Start the analyzer in a daemon thread, which does not delay the exit as a pool would."""

    def run() -> None:
        STOP.set(stop)
        try:
            with _slots:
                future.set_result([] if stop.is_set() else _analyze(analyzer, files))
        except BaseException as error:  # noqa: BLE001 - raised where the results are awaited
            future.set_exception(error)

    Thread(target=run, daemon=True).start()


def _reason_to_skip(file: SourceFile, analyzers: Mapping[str, Sequence[Analyzer]]) -> str | None:
    if not file.fragments:
        return "the diff shows no line of the new file"
    if not file.changed_lines:
        return "the change adds no line to it"
    if file.language is None:
        return "its language is unknown; give it for a hunk without a file name"
    if not analyzers.get(file.language):
        return f"no analyzer for {file.language}"
    return None


def _analyze(analyzer: Analyzer, files: list[SourceFile]) -> list[AnalyzerResult]:
    """Return a result for each file; if the analyzer fails, it gets one file after another."""
    try:
        results = analyzer.analyze(files)
        if [type(result) for result in results] == [AnalyzerResult] * len(files):
            return results
        reason = f"{analyzer.name} did not return one result for each file"
    except (KeyboardInterrupt, MemoryError):
        raise
    except (Exception, SystemExit) as error:  # noqa: BLE001 - a failure must not fail the score
        reason = f"{analyzer.name} failed unexpectedly: {type(error).__name__}: {error}"
    if len(files) == 1:
        return [_not_analysed(analyzer.name, files[0], reason)]
    return [result for file in files for result in _analyze(analyzer, [file])]


def _not_analysed(name: str, file: SourceFile, reason: str) -> AnalyzerResult:
    return AnalyzerResult(name, None, file.path, Status.NOT_ANALYSED, reason)
