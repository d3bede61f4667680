"""Which analyzers look at which language, and the one function that asks them all."""

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor

from analyzers.linter import Linter
from analyzers.model import Analyzer, AnalyzerResult, SourceFile, Status
from analyzers.python.reading import PYTHON
from analyzers.python.ruff import Ruff
from analyzers.python.structure import PythonStructure

__all__ = ["ANALYZERS", "analyze"]

ANALYZERS: dict[str, tuple[Analyzer, ...]] = {
    "python": (Linter(Ruff(), PYTHON), Linter(PythonStructure(), PYTHON)),
}


def analyze(
    files: Sequence[SourceFile], analyzers: Mapping[str, Sequence[Analyzer]] = ANALYZERS
) -> list[AnalyzerResult]:
    """Ask every analyzer of each file's language; results come in the order of `files`.

    A file has one result for each analyzer of its language. Where there is none, or where
    nothing is left to look at, it has a single `NOT_ANALYSED` result named "none" that says
    why. The analyzers work side by side, each on all of its files at once; one that fails
    in an unforeseen way makes its own results `NOT_ANALYSED` and touches no other.
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
    with ThreadPoolExecutor(max_workers=max(1, len(tasks))) as pool:
        pending = [
            (indices, pool.submit(_ask, analyzers[language][position], [files[i] for i in indices]))
            for (language, position), indices in tasks.items()
        ]
        for indices, future in pending:
            for index, result in zip(indices, future.result(), strict=True):
                results[index].append(result)
    return [result for of_file in results for result in of_file]


def _nothing_to_ask(file: SourceFile, analyzers: Mapping[str, Sequence[Analyzer]]) -> str | None:
    if not file.fragments:
        return "no line of the new file is known"
    if not file.changed_lines:
        return "nothing but removed lines"
    if file.language is None:
        return "the language is not known"
    if not analyzers.get(file.language):
        return f"no analyzer for {file.language} yet"
    return None


def _ask(analyzer: Analyzer, files: list[SourceFile]) -> list[AnalyzerResult]:
    try:
        results = analyzer.analyze(files)
    except Exception as error:  # noqa: BLE001 - an analyzer's failure must not become the user's
        reason = f"{analyzer.name} failed unexpectedly: {type(error).__name__}: {error}"
        return [_not_analysed(analyzer.name, file, reason) for file in files]
    if len(results) != len(files):
        reason = f"{analyzer.name} gave {len(results)} results for {len(files)} files"
        return [_not_analysed(analyzer.name, file, reason) for file in files]
    return results


def _not_analysed(name: str, file: SourceFile, reason: str) -> AnalyzerResult:
    return AnalyzerResult(name, None, file.path, Status.NOT_ANALYSED, reason)
