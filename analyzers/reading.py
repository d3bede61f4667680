"""The parts of a file that a tool can read: the new side, and the old one where it is known."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from threading import Lock

from cachetools import LRUCache

from analyzers.context import Context
from analyzers.model import Fragment, SourceFile, Status
from analyzers.passage import source_lines

__all__ = ["MAX_CHARACTERS", "Reader", "Reading", "UnparsableError"]

MAX_CHARACTERS = 1_000_000
_MAX_KEPT = 64
_SECONDS_A_FILE = 20.0


class UnparsableError(Exception):
    """`line` is where, from 1, and `reason` why, in a few words."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(f"line {line}: {reason}")
        self.line = line
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Reading:
    """What of a file can be analysed, how far `status` reaches, and `reason` for what cannot.

    `old` is what is known of the file before the change.
    """

    contexts: tuple[Context, ...]
    status: Status
    reason: str | None = None
    old: tuple[Context, ...] = ()


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads files of one language; the last ones stay known, as several tools ask for them.

    `whole` reads a whole file, `part` a hunk, none of whose changed lines it may leave out.
    Both raise `UnparsableError`.
    """

    whole: Callable[[Fragment], Context]
    part: Callable[[Fragment, frozenset[int]], Context]
    _kept: "LRUCache[SourceFile, Reading]" = field(
        default_factory=lambda: LRUCache(_MAX_KEPT), repr=False
    )
    _lock: Lock = field(default_factory=Lock, repr=False)

    def read(self, file: SourceFile) -> Reading:
        """Read a whole file as it is, or each hunk with changed lines in its scaffold."""
        with self._lock:
            reading = self._kept.get(file)
        if reading is None:
            reading = self._read(file)
            with self._lock:
                self._kept[file] = reading
        return reading

    def _read(self, file: SourceFile) -> Reading:
        if sum(len(fragment.text) for fragment in file.fragments) > MAX_CHARACTERS:
            return _unread(f"larger than {MAX_CHARACTERS:,} characters")
        if sum(len(fragment.text) for fragment in file.old_fragments) > MAX_CHARACTERS:
            file = replace(file, old_fragments=())
        return self._read_whole(file) if file.is_whole else self._read_hunks(file)

    def _read_whole(self, file: SourceFile) -> Reading:
        try:
            context = self.whole(file.fragments[0])
        except UnparsableError as error:
            return _unread(str(error))
        old: list[Context] = []
        for fragment in file.old_fragments:
            try:
                old.append(self.whole(fragment))
            except UnparsableError:
                continue  # what is not known of the old side makes nothing older than it is
        return Reading((context,), Status.ANALYSED, old=tuple(old))

    def _read_hunks(self, file: SourceFile) -> Reading:
        hunks = _changed(file.fragments, file.changed_lines)
        if not hunks:
            return _unread("no changed line is shown")
        contexts, errors = self._read_parts(hunks, file.changed_lines)
        # All of the old side counts as context: what of it cannot be read tells nothing.
        old, _ = self._read_parts(file.old_fragments, frozenset())
        if not errors:
            return Reading(tuple(contexts), Status.FRAGMENT, old=tuple(old))
        if len(hunks) == 1:
            return _unread(f"the hunk could not be parsed: {errors[0]}")
        reason = f"{len(errors)} of {len(hunks)} hunks could not be parsed: {errors[0]}"
        if not contexts:
            return _unread(reason)
        return Reading(tuple(contexts), Status.FRAGMENT, reason, tuple(old))

    def _read_parts(
        self, hunks: Sequence[Fragment], changed_lines: frozenset[int]
    ) -> tuple[list[Context], list[UnparsableError]]:
        contexts: list[Context] = []
        errors: list[UnparsableError] = []
        deadline = time.monotonic() + _SECONDS_A_FILE
        for hunk in hunks:
            if time.monotonic() > deadline:
                errors.append(UnparsableError(hunk.first_line, "reading the file took too long"))
                continue
            try:
                contexts.append(self.part(hunk, changed_lines))
            except UnparsableError as error:
                errors.append(error)
        return contexts, errors


def _changed(fragments: Sequence[Fragment], changed_lines: frozenset[int]) -> list[Fragment]:
    return [fragment for fragment in fragments if _is_changed(fragment, changed_lines)]


def _is_changed(fragment: Fragment, changed_lines: frozenset[int]) -> bool:
    count = len(source_lines(fragment.text))
    return any(n in changed_lines for n in range(fragment.first_line, fragment.first_line + count))


def _unread(reason: str) -> Reading:
    return Reading((), Status.NOT_ANALYSED, reason)
