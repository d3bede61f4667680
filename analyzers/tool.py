"""Findings of a tool, the sentences for its rules, and the seam for tools."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from typing import Generic, Protocol, TypeVar

_MAX_CODE = 60
_MAX_MESSAGE = 300
_MAX_READ = 3_000  # a file may be one long line, and every smell on it shows it
_Measured = TypeVar("_Measured")


class Sight(IntEnum):
    """Part of a file that has to be in sight before a finding can be believed."""

    LINE = 1
    BLOCK = 2  # the `if`, loop, handler, function or class around it, to its end
    FUNCTION = 3  # the function around it, from its header to its end
    FILE = 4


@dataclass(frozen=True, slots=True)
class Rule:
    """A sentence with places for what a finding names.

    `{0}` is the first name of the finding, `{code}` the code it points at, `{line}` the line of
    that code, `{measure}` its measure, `{message}` the tool's message, `{where}` " in `function`"
    or nothing. A rule `of_definition` is about a whole function or class: a finding counts when
    a changed line lies anywhere in it and the old side was not as bad.
    """

    sentence: str
    sight: Sight = Sight.LINE
    of_definition: bool = False


def read_rules(path: Path) -> dict[str, Rule]:
    """Read rules by name from lines of `name | sight | sentence`.

    `sight` is a name of `Sight`, followed by `definition` for a rule of a function or class.
    """
    rules: dict[str, Rule] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            name, sight, sentence = line.split(" | ", 2)
            word, _, of = sight.partition(" ")
            rules[name] = Rule(sentence, Sight[word.upper()], of == "definition")
    return rules


@dataclass(frozen=True, slots=True)
class Limit(Generic[_Measured]):
    """The most of a `measure` that is fine, and the sentence for more.

    `sentence` is that of a `Rule`, with `{most}` besides; its `{message}` is `said(measure)`.
    """

    measure: Callable[[_Measured], int]
    most: int
    sentence: str
    sight: Sight = Sight.LINE
    said: Callable[[int], str] = str

    def rule(self, *, of_definition: bool) -> Rule:
        """Return the rule that a measure above the limit breaks."""
        return Rule(self.sentence.replace("{most}", str(self.most)), self.sight, of_definition)


PARAMETERS = (6, "The function {0} takes too many parameters: {measure}, more than {most}.")
COMPLEXITY = (10, "The function {0} is too complex: its cyclomatic complexity is {measure}.")
"""Limits of the paper's Table 14 that hold for every language, each with its sentence.

Rank C, which the paper takes for the first bad one in complexity, starts at 11.
"""


@dataclass(frozen=True, slots=True)
class Finding:
    """A tool's report on a place in a text.

    Rows and columns count from 1, in characters; the last column is the first one after.
    `names` are what the tool names, most telling first. `measure` says how bad the finding is,
    more is worse; None for rules without a degree. `scope` is the first and last row of the
    function around the finding, (0, 0) outside of any; None if the tool does not say.
    """

    rule: str
    message: str
    first_row: int
    first_column: int
    last_row: int
    last_column: int
    names: tuple[str, ...] = ()
    measure: int | None = None
    scope: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Unread:
    """The reason why a tool found nothing out about a text, and the row, from 1, if known."""

    reason: str
    row: int | None = None


Outcome = list[Finding] | Unread
"""The result of a tool for one text."""


class Tool(Protocol):
    """A program or function that reports on texts."""

    @property
    def name(self) -> str:
        """The source that results and smells show."""
        ...

    @property
    def version(self) -> str | None:
        """The version, and the configuration if it is not the default; None if unknown."""
        ...

    @property
    def compares(self) -> bool:
        """True if rules of functions and classes need the old side."""
        ...

    def rule(self, finding: Finding) -> Rule | None:
        """Return the meaning of the finding's rule; None if no reviewer would raise it."""
        ...

    def lint(self, texts: Sequence[str]) -> list[Outcome]:
        """Return the outcome of each of `texts`, in their order; never raise because of them."""
        ...


def quoted(code: str) -> str:
    """Put `code` between backticks, on one short line, without characters that do not show."""
    return f"`{_shortened(one_line(code).replace('`', chr(39)), _MAX_CODE)}`"


def one_line(text: str) -> str:
    """Put `text` on one line, without characters that do not show."""
    visible = "".join(char if char.isprintable() else " " for char in text.lstrip()[:_MAX_READ])
    return _shortened(" ".join(visible.split()), _MAX_MESSAGE)


def _shortened(text: str, length: int) -> str:
    return text if len(text) <= length else text[: length - 1].rstrip() + "…"
