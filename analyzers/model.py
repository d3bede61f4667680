"""What goes into an analyzer and what comes out."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

__all__ = ["Analyzer", "AnalyzerResult", "Fragment", "Smell", "SourceFile", "Status"]


class Status(StrEnum):
    """How much of a file an analyzer could look at.

    `NOT_ANALYSED` always comes with a reason and is never the same as "no smells".
    """

    ANALYSED = "analysed"
    FRAGMENT = "fragment"
    NOT_ANALYSED = "not_analysed"


@dataclass(frozen=True, slots=True)
class Fragment:
    """Consecutive lines of the new file; `first_line` numbers the first of them, from 1.

    `heading` is what the diff shows after the hunk's `@@`: most often the line that opens
    the function, class or text the hunk lies in. It helps to read the fragment, no more.
    """

    first_line: int
    text: str
    heading: str | None = None


@dataclass(frozen=True, slots=True)
class SourceFile:
    """The new side of one changed file.

    `path` is a label to show and never becomes a path of this machine. `fragments` holds
    the whole file as its one element when `is_whole`, else the new side of each hunk.
    `changed_lines` are the 1-based numbers, in the new file, of added or altered lines.
    `old_fragments` holds the same of the old file, as far as it is known: smells of functions
    and classes that it had already are not the change's.
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

    `rule` is the tool's name for it, `source` the tool, `line` a line of the new file.
    """

    text: str
    rule: str
    source: str
    path: str | None
    line: int


@dataclass(frozen=True, slots=True)
class AnalyzerResult:
    """What one analyzer has to say of one file."""

    name: str
    version: str | None
    path: str | None
    status: Status
    reason: str | None = None
    smells: tuple[Smell, ...] = ()


class Analyzer(Protocol):
    """A static analyzer; `name` is what its results and smells call it."""

    @property
    def name(self) -> str:
        """The tool's name, the same in every result."""
        ...

    def analyze(self, files: Sequence[SourceFile]) -> list[AnalyzerResult]:
        """Return one result for each of `files`, in their order.

        Never raises because of what a file holds: a file that the tool cannot read, and a
        tool that is missing, crashes, hangs or prints garbage, give `NOT_ANALYSED`.
        """
        ...
