"""The input and the output of analyzers."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol


class Status(StrEnum):
    """Extent to which an analyzer could read a file.

    `NOT_ANALYSED` always comes with a reason and never means "no smells".
    """

    ANALYSED = "analysed"
    FRAGMENT = "fragment"
    NOT_ANALYSED = "not_analysed"


@dataclass(frozen=True, slots=True)
class Fragment:
    """Consecutive lines of the new file; `first_line` is the number of the first, from 1.

    `heading` is the text after the hunk's `@@`, most often the line that opens the function,
    class or text around the hunk. It only helps to read the fragment.
    """

    first_line: int
    text: str
    heading: str | None = None


@dataclass(frozen=True, slots=True)
class SourceFile:
    """The new side of one changed file.

    `path` is a label to show and never becomes a path of this machine. `fragments` holds
    the whole file as its one element if `is_whole`, else the new side of each hunk.
    `changed_lines` are the numbers, from 1, of added or altered lines of the new file.
    `old_fragments` are known parts of the old file: smells of functions and classes that the
    old file had already are not the change's.
    """

    path: str | None
    language: str | None
    fragments: tuple[Fragment, ...]
    changed_lines: frozenset[int]
    is_whole: bool = False
    old_fragments: tuple[Fragment, ...] = ()


@dataclass(frozen=True, slots=True)
class Smell:
    """An issue on a changed line, in a sentence that a reviewer could have written.

    `rule` is the tool's name for the issue, `source` the tool, `line` a line of the new file.
    """

    text: str
    rule: str
    source: str
    path: str | None
    line: int


@dataclass(frozen=True, slots=True)
class AnalyzerResult:
    """The result of one analyzer for one file."""

    name: str
    version: str | None
    path: str | None
    status: Status
    reason: str | None = None
    smells: tuple[Smell, ...] = ()


class Analyzer(Protocol):
    """A static analyzer."""

    @property
    def name(self) -> str:
        """The name that results and smells show."""
        ...

    def analyze(self, files: Sequence[SourceFile]) -> list[AnalyzerResult]:
        """Return one result for each of `files`, in their order.

        Never raise because of a file's contents: a file that the tool cannot read, and a tool
        that is missing, crashes, hangs or prints garbage, give `NOT_ANALYSED`.
        """
        ...
