"""Analyzers of each language: results for every file, in parallel, though one may fail."""

import signal
import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pytest

from crscore_core.analyzers import (
    Analyzer,
    AnalyzerResult,
    Fragment,
    SourceFile,
    Status,
    analyze_files,
)
from crscore_core.analyzers.sandbox import run_tool
from crscore_core.analyzers.tool import NotAnalysedError

ONE_LINE = (Fragment(1, "x = 1\n"),)
CHANGED = frozenset({1})


@dataclass(frozen=True)
class Fake:
    """An analyzer that answers with `answer`."""

    name: str
    answer: Callable[[Sequence[SourceFile]], list[AnalyzerResult]]

    def analyze(self, files: Sequence[SourceFile]) -> list[AnalyzerResult]:
        return self.answer(files)


def clean(name: str) -> Fake:
    def answer(files: Sequence[SourceFile]) -> list[AnalyzerResult]:
        return [AnalyzerResult(name, "1", file.path, Status.ANALYSED) for file in files]

    return Fake(name, answer)


def source(path: str, language: str | None = "python") -> SourceFile:
    return SourceFile(path, language, ONE_LINE, CHANGED)


@pytest.mark.parametrize(
    ("file", "reason"),
    [
        (source("A.java", "java"), "no analyzer for java"),
        (source("x", None), "its language is unknown; give it for a hunk without a file name"),
        (SourceFile("a.py", "python", ONE_LINE, frozenset()), "the change adds no line to it"),
        (SourceFile("a.png", None, (), CHANGED), "the diff shows no line of the new file"),
    ],
)
def test_files_that_are_not_analysed_have_a_reason(file: SourceFile, reason: str) -> None:
    registry: dict[str, tuple[Analyzer, ...]] = {"python": (clean("a"),)}
    expected = AnalyzerResult("none", None, file.path, Status.NOT_ANALYSED, reason)
    assert analyze_files([file], registry) == [[expected]]


def test_an_interrupt_kills_the_children_before_it_is_raised() -> None:
    started, reasons = threading.Event(), list[str]()

    def hang(_files: Sequence[SourceFile]) -> list[AnalyzerResult]:
        started.set()
        try:
            run_tool([sys.executable, "-c", "import time; time.sleep(600)"], {}, seconds=600)
        except NotAnalysedError as error:
            reasons.append(error.reason)
        return []

    def interrupt() -> None:
        started.wait()
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)

    earlier = signal.signal(signal.SIGINT, signal.default_int_handler)
    threading.Thread(target=interrupt).start()
    try:
        with pytest.raises(KeyboardInterrupt):
            analyze_files([source("a.py")], {"python": (Fake("a", hang),)})
    finally:
        signal.signal(signal.SIGINT, earlier)
    assert reasons == ["it was stopped"]


def test_each_file_gets_its_own_results() -> None:
    asked: list[list[str | None]] = []

    def answer(files: Sequence[SourceFile]) -> list[AnalyzerResult]:
        asked.append([file.path for file in files])
        return clean("a").analyze(files)

    registry = {"python": (Fake("a", answer), clean("b")), "go": (clean("c"),), "php": ()}
    files = [
        source("1.py"),
        source("2", None),
        source("3.go", "go"),
        source("4.php", "php"),
        source("5.py"),
        SourceFile("6.py", "python", ONE_LINE, frozenset()),
    ]
    of_each = analyze_files(files, registry)
    assert asked == [["1.py", "5.py"]]
    assert analyze_files([], registry) == []
    assert [[(result.path, result.name) for result in results] for results in of_each] == [
        [("1.py", "a"), ("1.py", "b")],
        [("2", "none")],
        [("3.go", "c")],
        [("4.php", "none")],
        [("5.py", "a"), ("5.py", "b")],
        [("6.py", "none")],
    ]
    assert of_each == [analyze_files([file], registry)[0] for file in files]


def test_analyzers_run_in_parallel() -> None:
    both_here = threading.Barrier(2)

    def answer(files: Sequence[SourceFile]) -> list[AnalyzerResult]:
        both_here.wait(timeout=240)
        return clean("a").analyze(files)

    (results,) = analyze_files([source("1.py")], {"python": (Fake("a", answer), Fake("b", answer))})
    assert [result.status for result in results] == [Status.ANALYSED] * 2


BAD = source("2")


def raising(error: BaseException) -> Callable[[object], list[AnalyzerResult]]:
    def answer(_: object) -> list[AnalyzerResult]:
        raise error

    return answer


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (raising(ValueError("oh")), "ValueError: oh"),
        (raising(RecursionError()), "RecursionError"),
        (lambda _: [], "one result for each file"),
        (lambda files: [None for _ in files], "one result for each file"),
        (lambda _: None, "TypeError"),
        (raising(SystemExit(3)), "SystemExit: 3"),
    ],
)
def test_a_failing_analyzer_affects_neither_others_nor_other_files(
    answer: Callable[[Sequence[SourceFile]], list[AnalyzerResult]], reason: str
) -> None:
    bad = Fake("bad", lambda files: (answer if BAD in files else clean("bad").analyze)(files))
    files = [source("1"), BAD, source("3")]
    for file, (found, good) in zip(
        files, analyze_files(files, {"python": (bad, clean("good"))}), strict=True
    ):
        status = Status.NOT_ANALYSED if file is BAD else Status.ANALYSED
        assert (found.name, found.status, found.path) == ("bad", status, file.path)
        assert file is not BAD or reason in str(found.reason)
        assert (good.name, good.status, good.path) == ("good", Status.ANALYSED, file.path)


@pytest.mark.parametrize("error", [KeyboardInterrupt, MemoryError])
def test_what_no_other_file_would_survive_is_raised(error: type[BaseException]) -> None:
    with pytest.raises(error):
        analyze_files([source("1"), BAD], {"python": (Fake("bad", raising(error())),)})
