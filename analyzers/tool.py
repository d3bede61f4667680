"""Findings of a tool, sentences for its rules, and the protocol of tools."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from typing import Generic, Protocol, TypeVar

_MAX_CODE = 60
_MAX_MESSAGE = 300
_MAX_READ = 3_000  # a file may be one long line, which every smell on it quotes
_Measured = TypeVar("_Measured")


class Sight(IntEnum):
    """The part of a file that must be visible for a finding to be credible."""

    LINE = 1
    BLOCK = 2  # the `if`, loop, handler, function or class around it, to its end
    FUNCTION = 3  # the function around it, from its header to its end
    FILE = 4


@dataclass(frozen=True, slots=True)
class Rule:
    """A template for a sentence about a finding.

    `{0}` is the first name in the finding, `{code}` the code it points to, `{line}` the line of
    that code, `{measure}` its measure, `{message}` the tool's message, `{where}` " in `function`"
    or empty. A rule `of_definition` is about a whole function or class: a finding counts if a
    changed line is anywhere in it and the old side was not as bad.
    """

    sentence: str
    sight: Sight = Sight.LINE
    of_definition: bool = False


def read_rules(path: Path) -> dict[str, Rule]:
    """Read rules by name from lines of `name | sight | sentence`.

    `sight` is the name of a `Sight`, followed by `definition` for a rule about a definition.
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
    """The largest acceptable value of a `measure`, and the sentence for a larger one.

    `sentence` is a `Rule` template that may also use `{most}`; its `{message}` is `said(measure)`.
    """

    measure: Callable[[_Measured], int]
    most: int
    sentence: str
    sight: Sight = Sight.LINE
    said: Callable[[int], str] = str

    def rule(self, *, of_definition: bool) -> Rule:
        """Return the rule that a measure above the limit violates."""
        return Rule(self.sentence.replace("{most}", str(self.most)), self.sight, of_definition)


PARAMETERS = (6, "The function {0} takes too many parameters: {measure}, more than {most}.")
COMPLEXITY = (10, "The function {0} is too complex: its cyclomatic complexity is {measure}.")
"""Limits from the paper's Table 14 that apply to every language, each with its sentence.

Complexity rank C, the first that the paper reports, starts at 11.
"""


@dataclass(frozen=True, slots=True)
class Finding:
    """A tool's report on a place in a text.

    Rows and columns count from 1, in characters; the last column is exclusive. `names` are the
    names that the tool reports, most informative first. A higher `measure` is worse; None for
    rules without a degree. `scope` is the first and last row of the enclosing function, (0, 0)
    outside functions, None if the tool does not report it.
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
    """The reason why a tool could not read a text, and the row, from 1, if known."""

    reason: str
    row: int | None = None


Outcome = list[Finding] | Unread
"""The result of a tool for one text."""


class Tool(Protocol):
    """A program or function that reports on texts."""

    @property
    def name(self) -> str:
        """The source shown on results and smells."""
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
        """Return the rule of the finding; None if no reviewer would raise it."""
        ...

    def lint(self, texts: Sequence[str]) -> list[Outcome]:
        """Return the outcome for each of `texts`, in order; never raise because of them."""
        ...


def quoted(code: str) -> str:
    """Put `code` in backticks, on one short line, without invisible characters."""
    return f"`{_shortened(one_line(code).replace('`', chr(39)), _MAX_CODE)}`"


def one_line(text: str) -> str:
    """Put `text` on one line, without invisible characters."""
    visible = "".join(char if char.isprintable() else " " for char in text.lstrip()[:_MAX_READ])
    return _shortened(" ".join(visible.split()), _MAX_MESSAGE)


def _shortened(text: str, length: int) -> str:
    return text if len(text) <= length else text[: length - 1].rstrip() + "…"
