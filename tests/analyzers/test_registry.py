"""Analyzers of each language: results for every file, in parallel, though one may fail."""

import signal
import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain
from queue import Queue

import pytest

from crscore_core.analyzers import AnalyzerResult, Fragment, SourceFile, Status, analyze_files
from crscore_core.analyzers.registry import find_smells
from crscore_core.analyzers.sandbox import run_tool
from crscore_core.analyzers.tool import NotAnalysedError

Files = Sequence[SourceFile]
BAD = SourceFile("2", "python", (Fragment(1, "x = 1\n"),), frozenset({1}))


@dataclass(frozen=True)
class Fake:
    """An analyzer that calls `act` on its files, and finds nothing if `act` returns None."""

    name: str
    act: Callable[[Files], object] = lambda _: None

    def analyze(self, files: Files) -> list[AnalyzerResult]:
        clean = [AnalyzerResult(self.name, "1", file.path, Status.ANALYSED) for file in files]
        answer = self.act(files)
        return clean if answer is None else answer  # type: ignore[return-value]


def source(path: str, language: str | None = "python") -> SourceFile:
    return SourceFile(path or None, language, (Fragment(1, "x = 1\n"),), frozenset({1}))


def test_each_file_gets_its_own_results_or_a_reason() -> None:
    asked: list[list[str | None]] = []
    first = Fake("a", lambda files: asked.append([file.path for file in files]))
    registry = {"python": (first, Fake("b")), "go": (Fake("c"),), "php": ()}
    unchanged = SourceFile("6.py", "python", (Fragment(1, "x\n"),), frozenset())
    hidden = SourceFile("7.png", None, (), frozenset({1}))
    nameless = source("", None)
    files = [source("1.py"), source("2", None), source("3.go", "go"), source("4.php", "php"),
             source("5.py"), unchanged, hidden, nameless]  # fmt: skip
    of_each = analyze_files(files, registry)
    by_change = find_smells([files[:4], [], files[4:]], registry)
    assert by_change == [[*chain(*of_each[:4])], [], [*chain(*of_each[4:])]]
    assert asked == [["1.py", "5.py"]] * 2  # once for all changes
    assert analyze_files([], registry) == []
    assert [[(one.path, one.name, one.reason) for one in results] for results in of_each] == [
        [("1.py", "a", None), ("1.py", "b", None)],
        [("2", "none", "its name does not identify a language, or it is a link or submodule")],
        [("3.go", "c", None)],
        [("4.php", "none", "no analyzer is used for its language")],
        [("5.py", "a", None), ("5.py", "b", None)],
        [("6.py", "none", "the change adds no line to it")],
        [("7.png", "none", "the diff shows no line of the new file")],
        [(None, "none", "language unknown (specify it)")],
    ]
    for results in of_each:
        assert all((one.status is Status.NOT_ANALYSED) is bool(one.reason) for one in results)


def test_an_interrupt_kills_the_children() -> None:
    reasons = Queue[str]()

    def hang(_: Files) -> None:
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
        try:
            run_tool([sys.executable, "-c", "import time; time.sleep(600)"], {}, seconds=600)
        except NotAnalysedError as error:
            reasons.put(error.reason)

    earlier = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            analyze_files([source("a.py")], {"python": (Fake("a", hang),)})
    finally:
        signal.signal(signal.SIGINT, earlier)
    assert reasons.get(timeout=240) == "it was stopped"


def test_analyzers_run_in_parallel() -> None:
    both_here = threading.Barrier(2)

    def wait(_: Files) -> None:
        both_here.wait(timeout=240)

    fakes = Fake("a", wait), Fake("b", wait)
    (results,) = analyze_files([source("1.py")], {"python": fakes})
    assert [result.status for result in results] == [Status.ANALYSED] * 2


def raising(error: BaseException) -> Callable[[object], object]:
    def act(_: object) -> object:
        raise error

    return act


@pytest.mark.parametrize(("act", "reason"), [
    (raising(NotAnalysedError("no such tool")), "bad: no such tool"),
    (raising(ValueError("oh")), "ValueError: oh"),
    (raising(RecursionError()), "RecursionError"),
    (raising(SystemExit(3)), "SystemExit: 3"),
    (lambda _: [], "one result for each file"),
    (lambda files: [None for _ in files], "one result for each file"),
    (lambda _: [AnalyzerResult("bad", None, "other", Status.ANALYSED)], "with the file's path"),
    (lambda _: 3, "TypeError"),
])  # fmt: skip
def test_a_failing_analyzer_affects_no_other(act: Callable[[Files], object], reason: str) -> None:
    registry = {"python": (Fake("bad", lambda f: act(f) if BAD in f else None), Fake("good"))}
    files = [source("1"), BAD, source("3")]
    for file, (found, good) in zip(files, analyze_files(files, registry), strict=True):
        status = Status.NOT_ANALYSED if file is BAD else Status.ANALYSED
        assert (found.name, found.status, found.path) == ("bad", status, file.path)
        assert file is not BAD or reason in str(found.reason)
        assert (good.name, good.status, good.path) == ("good", Status.ANALYSED, file.path)


@pytest.mark.parametrize("error", [KeyboardInterrupt, MemoryError])
def test_an_error_that_no_file_would_survive_is_raised(error: type[BaseException]) -> None:
    with pytest.raises(error):
        analyze_files([source("1"), BAD], {"python": (Fake("bad", raising(error())),)})
