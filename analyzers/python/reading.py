"""The parts of a Python file that can be read, each with its tree."""

from dataclasses import dataclass

from analyzers.model import Fragment, SourceFile, Status
from analyzers.passage import Passage, source_lines
from analyzers.python.parsing import ParsedPassage, UnparsableError, parse
from analyzers.python.repair import repair

__all__ = ["MAX_CHARACTERS", "Reading", "read"]

MAX_CHARACTERS = 1_000_000


@dataclass(frozen=True, slots=True)
class Reading:
    """What of a file can be analysed, how far `status` reaches, and `reason` for what cannot."""

    passages: tuple[ParsedPassage, ...]
    status: Status
    reason: str | None = None


def read(file: SourceFile) -> Reading:
    """Parse a whole file as it is, or each hunk with changed lines in its smallest scaffold."""
    if sum(len(fragment.text) for fragment in file.fragments) > MAX_CHARACTERS:
        return _unread(f"larger than {MAX_CHARACTERS:,} characters")
    if file.is_whole:
        return _read_whole(file.fragments[0])
    return _read_hunks(file)


def _read_whole(fragment: Fragment) -> Reading:
    lines = source_lines(fragment.text)
    passage = Passage.of_lines(enumerate(lines, fragment.first_line))
    try:
        tree = parse(passage.text)
    except UnparsableError as error:
        return _unread(str(error))
    return Reading((ParsedPassage(passage, tree),), Status.ANALYSED)


def _read_hunks(file: SourceFile) -> Reading:
    hunks = [fragment for fragment in file.fragments if _is_changed(fragment, file.changed_lines)]
    passages: list[ParsedPassage] = []
    errors: list[UnparsableError] = []
    for hunk in hunks:
        try:
            passages.append(repair(hunk, file.changed_lines))
        except UnparsableError as error:
            errors.append(error)
    if not hunks:
        return _unread("no changed line is shown")
    if not errors:
        return Reading(tuple(passages), Status.FRAGMENT)
    if len(hunks) == 1:
        return _unread(f"the hunk could not be parsed: {errors[0]}")
    reason = f"{len(errors)} of {len(hunks)} hunks could not be parsed: {errors[0]}"
    if not passages:
        return _unread(reason)
    return Reading(tuple(passages), Status.FRAGMENT, reason)


def _is_changed(fragment: Fragment, changed_lines: frozenset[int]) -> bool:
    count = len(source_lines(fragment.text))
    return any(n in changed_lines for n in range(fragment.first_line, fragment.first_line + count))


def _unread(reason: str) -> Reading:
    return Reading((), Status.NOT_ANALYSED, reason)
