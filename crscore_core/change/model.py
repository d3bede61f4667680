"""The data model of a code change; one side of a file can be derived from the other."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from crscore_core.change.language import NOT_CODE
from crscore_core.errors import InputError, quoted


class LineKind(StrEnum):
    """Kind of a line in a hunk; the value is its first character in the diff."""

    CONTEXT = " "
    ADDED = "+"
    REMOVED = "-"


class FileStatus(StrEnum):
    """Effect of a change on a whole file."""

    MODIFIED = "modified"
    ADDED = "added"
    DELETED = "deleted"
    RENAMED = "renamed"
    COPIED = "copied"


@dataclass(frozen=True, slots=True)
class ChangedLine:
    """One line of a hunk.

    text: the line without its `+`, `-` or space and its line feed, but with any carriage return
        that belongs to the file.
    old, new: the line numbers in the old and new file, from 1; None if that file lacks the line.
    position: the line number in the diff, from 1.
    """

    kind: LineKind
    text: str
    old: int | None
    new: int | None
    position: int


@dataclass(frozen=True, slots=True)
class Hunk:
    """One hunk: its lines, their ranges in the two files, and the text after the second `@@`."""

    old_start: int
    old_count: int
    new_start: int
    new_count: int
    section: str
    lines: tuple[ChangedLine, ...]

    @property
    def new_text(self) -> str:
        """The lines of the new file that the hunk shows, changed or not."""
        return "\n".join(line.text for line in self.lines if line.kind is not LineKind.REMOVED)

    @property
    def old_text(self) -> str:
        """The lines of the old file that the hunk shows, changed or not."""
        return "\n".join(line.text for line in self.lines if line.kind is not LineKind.ADDED)


@dataclass(frozen=True, slots=True)
class FileChange:
    """One file of a change.

    Paths are labels from the diff, never paths on this machine. A path is None if the file does
    not exist on that side (`/dev/null`); both are None if the diff does not name the file.
    Modes are git's, such as `100644`, or None if the diff states none.
    """

    old_path: str | None
    new_path: str | None
    status: FileStatus
    hunks: tuple[Hunk, ...]
    language: str | None
    is_binary: bool = False
    old_mode: str | None = None
    new_mode: str | None = None

    @property
    def path(self) -> str | None:
        """The path to show: the new one, or the old one of a deleted file."""
        return self.new_path if self.new_path is not None else self.old_path

    def lines(self) -> Iterator[ChangedLine]:
        """All lines of all hunks, in order."""
        for hunk in self.hunks:
            yield from hunk.lines

    @property
    def added(self) -> tuple[ChangedLine, ...]:
        """Lines that only the new file has."""
        return tuple(line for line in self.lines() if line.kind is LineKind.ADDED)

    @property
    def removed(self) -> tuple[ChangedLine, ...]:
        """Lines that only the old file had."""
        return tuple(line for line in self.lines() if line.kind is LineKind.REMOVED)


@dataclass(frozen=True, slots=True)
class CodeChange:
    """A parsed change, and warnings about how it was read."""

    files: tuple[FileChange, ...]
    warnings: tuple[str, ...] = ()

    @property
    def language(self) -> str:
        """The language of the first code file, else the first known language; "" if none."""
        languages = [file.language for file in self.files if file.language]
        return next((one for one in languages if one not in NOT_CODE), (*languages, "")[0])


def other_side(file: FileChange, text: str, *, is_new: bool) -> str:
    """Derive the old side of a file from its new side if `is_new`, else the new from the old.

    Lines end only at line feeds, as in a diff; a carriage return before one is ignored. Raise an
    InputError if a line of the text differs from the hunk.
    """
    lines = text.split("\n")
    other: list[str] = []
    position = 0
    for hunk in file.hunks:
        start, count = hunk.old_start, hunk.old_count
        if is_new:
            start, count = hunk.new_start, hunk.new_count
        start -= count > 0  # the header of an empty side gives the line before it
        other += lines[position:start]
        position = start + count
        given_lines = iter(lines[start:position])
        for line in hunk.lines:
            number = line.new if is_new else line.old
            given = line.text if number is None else next(given_lines, None)
            if given is None or start > len(lines) or _bare(given) != _bare(line.text):
                side, when = ("new", "after") if is_new else ("old", "before")
                raise InputError(
                    f"line {number or start + 1} of the {side} file given for "
                    f"{quoted(file.path or 'the hunk')} differs from the diff",
                    f"give the version {when} the change",
                )
            if number is None or line.kind is LineKind.CONTEXT:
                other.append(given)
    return "\n".join([*other, *lines[position:]])


def _bare(line: str) -> str:
    """Strip a byte order mark and a carriage return, which file readers may also strip."""
    return line.removeprefix("\ufeff").rstrip("\r")
