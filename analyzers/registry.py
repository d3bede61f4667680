"""The analyzers of each language, and functions that run them all."""

import os
import time
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import wait
from itertools import chain, islice
from threading import BoundedSemaphore

from crscore_core.analyzers.java.pmd import PMD
from crscore_core.analyzers.javascript.jshint import JSHint
from crscore_core.analyzers.linter import Linter
from crscore_core.analyzers.lizard import LANGUAGES, Lizard, token_reader
from crscore_core.analyzers.model import Analyzer, AnalyzerResult, SourceFile, Status
from crscore_core.analyzers.python.ast_reader import PYTHON
from crscore_core.analyzers.python.ruff import Ruff
from crscore_core.analyzers.python.structure import PythonStructure
from crscore_core.analyzers.sandbox import stoppable_threads
from crscore_core.analyzers.tool import NotAnalysedError, one_line
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
_MAX_FILES = 500  # in one start of a tool
_SECONDS_ALONE = 120.0


def analyze_files(
    files: Sequence[SourceFile], analyzers: Mapping[str, Sequence[Analyzer]] = ANALYZERS
) -> list[list[AnalyzerResult]]:
    """Run every analyzer of each file's language; return the results for each of `files`.

    A file has one result per analyzer of its language. A file without an analyzer or without
    changed lines has a single `NOT_ANALYSED` result named "none", with the reason. The analyzers
    run in parallel, up to a limit, each on many of its files at once. If one fails, it analyses
    these files one by one for up to two minutes; its results for files for which it fails again, or
    which it does not reach, are `NOT_ANALYSED`. An interrupt stops the running tools at once.
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
    with stoppable_threads() as pool:
        running = [
            (indices, pool.submit(_analyze, analyzer, [files[index] for index in indices]))
            for language, indices in by_language.items()
            for analyzer in analyzers[language]
        ]
        for indices, future in running:
            while wait([future], timeout=1).not_done:
                pass  # a wait without a limit can miss an interrupt
            for index, result in zip(indices, future.result(), strict=True):
                results[index].append(result)
    return results


def find_smells(
    changes: Iterable[Sequence[SourceFile]], analyzers: Mapping[str, Sequence[Analyzer]] = ANALYZERS
) -> list[list[AnalyzerResult]]:
    """Analyse the files of each change; each analyzer starts once."""
    changes = list(changes)
    results = iter(analyze_files(list(chain.from_iterable(changes)), analyzers))
    return [list(chain.from_iterable(islice(results, len(files)))) for files in changes]


def _reason_to_skip(file: SourceFile, analyzers: Mapping[str, Sequence[Analyzer]]) -> str | None:
    if not file.fragments:
        return "the diff shows no line of the new file"
    if not file.changed_lines:
        return "the change adds no line to it"
    if file.language is None and file.path:
        return "its name does not identify a language, or it is a link or submodule"
    if file.language is None:
        return "language unknown (specify it)"
    if not analyzers.get(file.language):
        return "no analyzer is used for its language"
    return None


def _analyze(analyzer: Analyzer, files: Sequence[SourceFile]) -> list[AnalyzerResult]:
    """Return a result for each file; if the analyzer fails, call it for one file at a time."""
    if len(files) > _MAX_FILES:
        first = _analyze(analyzer, files[:_MAX_FILES])
        return first + _analyze(analyzer, files[_MAX_FILES:])
    try:
        with _slots:
            results = list(analyzer.analyze(files))
        own = [result for result in results if isinstance(result, AnalyzerResult)]
        paths = [{result.path, *(smell.path for smell in result.smells)} for result in own]
        if paths == [{file.path} for file in files]:
            return results
        reason = f"{analyzer.name} did not return one result for each file, with the file's path"
    except (KeyboardInterrupt, MemoryError):
        raise
    except NotAnalysedError as error:
        reason = f"{analyzer.name}: {error.reason}"
    except (Exception, SystemExit) as error:  # noqa: BLE001 - a failure must not fail the score
        reason = (
            f"{analyzer.name} failed unexpectedly: {type(error).__name__}: {one_line(str(error))}"
        )
    results = [_not_analysed(analyzer.name, file, reason) for file in files]
    deadline = time.monotonic() + _SECONDS_ALONE
    for index, file in enumerate(files if len(files) > 1 else ()):
        if time.monotonic() < deadline:
            (results[index],) = _analyze(analyzer, [file])
    return results


def _not_analysed(name: str, file: SourceFile, reason: str) -> AnalyzerResult:
    return AnalyzerResult(name, None, file.path, Status.NOT_ANALYSED, reason)
