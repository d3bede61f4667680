"""Input and output of analyzers."""

from collections.abc import Sequence
from dataclasses import asdict
from enum import StrEnum
from typing import Annotated, Any, Protocol

from pydantic import Field
from pydantic.dataclasses import dataclass  # raises if an analyzer gives other types


class Status(StrEnum):
    """How much of a file an analyzer could read.

    `NOT_ANALYSED` always comes with a reason and never means "no smells".
    """

    ANALYSED = "analysed"
    FRAGMENT = "fragment"
    NOT_ANALYSED = "not_analysed"


@dataclass(frozen=True, slots=True)
class Fragment:
    """Consecutive lines of a file; `first_line` is the number of the first, from 1."""

    first_line: int
    text: str


@dataclass(frozen=True, slots=True)
class SourceFile:
    """The new side of one changed file.

    path: a label, never used as a path on this machine.
    fragments: the whole file as one element if `is_whole`, else the new side of each hunk.
    changed_lines: the numbers, from 1, of added or altered lines in the new file.
    old_fragments: known parts of the old file; smells of functions and classes that are already
        there are not attributed to the change.
    is_given: whether the whole file was given, rather than shown by the hunk of a new file.
    """

    path: str | None
    language: str | None
    fragments: tuple[Fragment, ...]
    changed_lines: frozenset[int]
    is_whole: bool = False
    old_fragments: tuple[Fragment, ...] = ()
    is_given: bool = False


@dataclass(frozen=True, slots=True)
class Smell:
    """An issue on a changed line, in a sentence that a reviewer could have written.

    `rule` is the tool's name for the issue, `source` the tool, `line` a line of the new file.
    """

    text: str
    rule: str
    source: str
    path: str | None
    line: Annotated[int, Field(ge=1, lt=2**31)]


@dataclass(frozen=True, slots=True)
class AnalyzerResult:
    """The result of one analyzer for one file."""

    name: str
    version: str | None
    path: str | None
    status: Status
    reason: str | None = None
    smells: tuple[Smell, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the result as a JSON object; `smells` is the number of smells."""
        return asdict(self) | {"status": self.status.value, "smells": len(self.smells)}


class Analyzer(Protocol):
    """A static analyzer."""

    @property
    def name(self) -> str:
        """The name shown on results and smells."""

    def analyze(self, files: Sequence[SourceFile]) -> list[AnalyzerResult]:
        """Return one result for each of `files`, in their order.

        If this raises, each file is analysed alone; if it raises again, it is `NOT_ANALYSED`.
        """
