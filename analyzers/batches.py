"""Run a tool on many texts in few starts; one bad text does not spoil the others."""

import fcntl
import importlib.metadata
import json
import os
import re
import shutil
import tempfile
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from threading import Lock
from typing import ClassVar

from cachetools import TTLCache

from analyzers.process import MEMORY_BYTES, Completed, Limits
from analyzers.tool import Finding, Outcome, Rule, Unread

NODE_MODULES = Path(__file__).resolve().parent / "node_modules"
HOW_TO_INSTALL = "install Node.js with npm and run: npm ci --prefix analyzers --ignore-scripts"
# Last words of Rust, Python, Java and Node.js when memory runs out.
_NO_MEMORY = re.compile(r"memory allocation|MemoryError|OutOfMemoryError|heap out of memory")
_WORKSPACE = "analysis-"
_SECONDS_TO_LOCK = 60
_SECONDS_TO_HALVE = 300.0
_PAUSE_SECONDS = 60
_hung: TTLCache[tuple[Hashable, str], str] = TTLCache(100, _PAUSE_SECONDS)
_hung_lock = Lock()


def package_version(name: str) -> str | None:
    """Return the version of an installed npm package; None if it is missing or damaged."""
    try:
        about = json.loads((NODE_MODULES / name / "package.json").read_text(encoding="utf-8"))
        return str(about["version"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


@dataclass(frozen=True, slots=True)
class Workspace:
    """A folder with texts: `names[i]` is the file in `folder` that holds the i-th text."""

    folder: Path
    names: tuple[str, ...]


@contextmanager
def workspace(texts: Sequence[str], suffix: str) -> Iterator[Workspace]:
    """Write `texts` to a temporary folder, which is removed on exit.

    File names are a counter and `suffix`: no text from a change becomes part of a path.
    Characters that UTF-8 cannot encode (lone surrogates) become question marks.
    """
    _remove_abandoned(Path(tempfile.gettempdir()))
    with (
        tempfile.TemporaryDirectory(prefix=_WORKSPACE, ignore_cleanup_errors=True) as folder,
        _locked(folder),
    ):
        root = Path(folder)
        names = tuple(f"source{index}{suffix}" for index in range(len(texts)))
        for name, text in zip(names, texts, strict=True):
            (root / name).write_bytes(text.encode("utf-8", "replace"))
        yield Workspace(root, names)


@contextmanager
def _locked(folder: str | Path) -> Iterator[bool]:
    """Try to lock a folder, as long as this process lives at most; True if no other one has."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_NOFOLLOW)
    try:
        is_locked = False
        with suppress(OSError):
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            is_locked = True
        yield is_locked
    finally:
        os.close(descriptor)


@cache
def _remove_abandoned(folder: Path) -> None:
    """Remove workspaces whose process was killed: nobody holds them any more."""
    for place in folder.glob(f"{_WORKSPACE}*"):
        with suppress(OSError):
            found = place.lstat()
            is_old = time.time() - found.st_mtime > _SECONDS_TO_LOCK
            if is_old and found.st_uid == os.getuid():
                with _locked(place) as is_abandoned:
                    if is_abandoned:
                        shutil.rmtree(place)


@dataclass(frozen=True, slots=True)
class Failure:
    """The reason why a run failed; `depends_on_text` if a text may have caused it."""

    reason: str
    depends_on_text: bool = False
    is_hang: bool = False


class GarbageError(Exception):
    """The output of a tool is not a complete report on the files it was given."""


_LintOnce = Callable[[Sequence[str]], Sequence[Outcome] | Failure]


def lint_in_batches(
    tool: Hashable, texts: Sequence[str], lint_once: _LintOnce, most: int
) -> list[Outcome]:
    """Lint `texts`, at most `most` of them in one run of `tool`.

    If a run fails in a way that a text may have caused, and the tool works without texts
    (`lint_once([])`), halve the texts until the harmful one is isolated or time runs out.
    After a hang, neither the tool nor the text that hung it is tried again for a minute.
    """
    reasons = [_paused(tool, text) for text in texts]
    awake = [text for text, reason in zip(texts, reasons, strict=True) if reason is None]
    found: list[Outcome] = []
    deadline = time.monotonic() + _SECONDS_TO_HALVE
    for start in range(0, len(awake), most):
        found += _lint_some(tool, awake[start : start + most], lint_once, deadline)
    outcomes = iter(found)
    return [next(outcomes) if reason is None else Unread(reason) for reason in reasons]


def _lint_some(
    tool: Hashable, texts: Sequence[str], lint_once: _LintOnce, deadline: float
) -> list[Outcome]:
    if reason := _paused(tool):
        return [Unread(reason)] * len(texts)
    outcome = lint_once(texts)
    if not isinstance(outcome, Failure):
        return [*outcome]
    is_doubtful = outcome.is_hang or (outcome.depends_on_text and len(texts) > 1)
    control = lint_once([]) if is_doubtful else outcome
    if not isinstance(control, Failure) and len(texts) > 1 and time.monotonic() < deadline:
        half = len(texts) // 2
        return [
            *_lint_some(tool, texts[:half], lint_once, deadline),
            *_lint_some(tool, texts[half:], lint_once, deadline),
        ]
    if isinstance(control, Failure) and control.is_hang:
        _pause(tool, "", control.reason)
    elif outcome.is_hang and len(texts) == 1:
        _pause(tool, texts[0], outcome.reason)
    return [Unread(outcome.reason)] * len(texts)


def _pause(tool: Hashable, text: str, reason: str) -> None:
    with _hung_lock:
        _hung[tool, text] = f"{reason}; it will be tried again in {_PAUSE_SECONDS} seconds"


def _paused(tool: Hashable, text: str = "") -> str | None:
    """Return why `tool` (without `text`) or `text` is not tried at the moment, if so."""
    with _hung_lock:
        return _hung.get((tool, text))


class PackagedTool(ABC):
    """A tool from an installed Python package; `command` replaces its executable."""

    __slots__ = ()
    name: ClassVar[str]
    compares: ClassVar[bool] = True
    rules: ClassVar[Mapping[str, Rule]]
    most_texts: ClassVar[int]  # in one start
    command: tuple[str, ...] | None
    limits: Limits

    @property
    def version(self) -> str | None:
        """Version of the installed package; None if `command` replaces it."""
        if self.command is not None:
            return None
        try:
            return importlib.metadata.version(self.name)
        except importlib.metadata.PackageNotFoundError:
            return None

    def rule(self, finding: Finding) -> Rule | None:
        """Return the rule of `finding`."""
        return self.rules.get(finding.rule)

    def lint(self, texts: Sequence[str]) -> list[Outcome]:
        """Return the findings in each text, or why there are none."""
        return lint_in_batches(self, texts, self._lint_once, self.most_texts)

    @abstractmethod
    def _lint_once(self, texts: Sequence[str]) -> list[Outcome] | Failure: ...


def failure_of(completed: Completed, name: str, fine: frozenset[int]) -> Failure | None:
    """Return how a run of the tool `name` failed; None if its exit status is in `fine`."""
    if completed.error is not None:
        return Failure(completed.error)
    if completed.timed_out:
        return Failure(f"{name} took too long and was stopped", depends_on_text=True, is_hang=True)
    if completed.truncated:
        return Failure(f"{name} wrote too much output and was stopped", depends_on_text=True)
    if completed.returncode not in fine:
        if _NO_MEMORY.search(completed.stderr) or _NO_MEMORY.search(completed.stdout[-200:]):
            limit = f"{MEMORY_BYTES >> 20:,} MB of memory"
            return Failure(f"{name} needed more than {limit}", depends_on_text=True)
        last = completed.stderr.strip().splitlines()[-1:]
        said = f": {last[0][:200]}" if last else ""
        return Failure(
            f"{name} failed with status {completed.returncode}{said}", depends_on_text=True
        )
    return None


def parsed(output: str) -> object:
    """Parse the JSON that a tool has printed.

    Raises:
        GarbageError: `output` is not JSON.
    """
    try:
        return json.loads(output)
    except (ValueError, RecursionError):
        raise GarbageError("not JSON") from None


def objects(value: object) -> list[dict[str, object]]:
    """Return `value` if it is a list of JSON objects.

    Raises:
        TypeError: it is not.
    """
    if not isinstance(value, list) or not all(isinstance(entry, dict) for entry in value):
        raise TypeError
    return value
