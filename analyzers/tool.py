"""Findings of a tool, sentences for its rules, and the base class of tools."""

import importlib.metadata
import json
import os
import re
import shlex
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from typing import ClassVar

_HERE = Path(__file__).resolve().parent
_DATA = os.environ.get("XDG_DATA_HOME") or f"{os.environ.get('HOME', '')}/.local/share"
_TOOLS = Path(_DATA, "crscore")
"""A user's folder of tools; in a checkout, `make` installs them next to this file."""

NODE_MODULES = max(_HERE / "node_modules", _TOOLS / "node_modules", key=Path.is_dir)
NOT_INSTALLED = "not installed; crscore doctor shows how to install it"
"""Reason why a Node tool did not run, for users who may be on another machine."""

_PACKAGES = json.loads((_HERE / "package.json").read_text(encoding="utf-8"))["dependencies"]
HOW_TO_INSTALL = (
    "install Node.js with npm and run: npm install --ignore-scripts --prefix "
    + shlex.join([str(_TOOLS), *(f"{name}@{version}" for name, version in _PACKAGES.items())])
)
_MAX_CODE = 60
_MAX_MESSAGE = 300
_MAX_READ = 3_000  # characters; a file may be one long line, which every smell on it quotes


class NotAnalysedError(Exception):
    """Text was not analysed; `reason` says why and `row`, from 1, where, if that is known."""

    def __init__(self, reason: str, row: int | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.row = row


class Extent(IntEnum):
    """The part of a file that must be visible to make a finding credible."""

    LINE = 1
    BLOCK = 2  # the `if`, loop, handler, function or class around it, to its end
    FUNCTION = 3  # the function around it, from its header to its end
    FILE = 4


@dataclass(frozen=True, slots=True)
class Rule:
    """A template for a sentence about a finding.

    `{0}`: the first name in the finding.
    `{code}`, `{line}`: the code that the finding points to, and its line.
    `{measure}`, `{message}`: the measure and the message of the tool.
    `{where}`: " in `function`" or empty.

    A rule `about_definition` is about a whole function or class: a finding counts if a changed line
    is anywhere in it and the old side was not as bad. A rule `except_interfaces` does not apply to
    stubs and modules that exist to offer names to others, such as `__init__.py`.
    """

    sentence: str
    extent: Extent = Extent.LINE
    about_definition: bool = False
    except_interfaces: bool = False


def read_rules(path: Path) -> dict[str, Rule]:
    """Read rules by name from lines of `name | extent | sentence`.

    `extent` is the name of an `Extent`, followed by `definition` for a rule `about_definition`, or
    by `private` for a rule `except_interfaces`.
    """
    rules: dict[str, Rule] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            name, extent, sentence = line.split(" | ", 2)
            size, _, scope = extent.partition(" ")
            rules[name] = Rule(
                sentence, Extent[size.upper()], scope == "definition", scope == "private"
            )
    return rules


@dataclass(frozen=True, slots=True)
class Finding:
    """A tool's report on one place in a text.

    Rows and columns count from 1, in characters; the last column is exclusive.

    names: the names that the tool reports, most informative first.
    measure: higher is worse; 0 for rules without a measure.
    scope: the first and last row of the enclosing function; (0, 0) outside functions; None if
        the tool does not report it.
    """

    rule: str
    message: str
    first_row: int
    first_column: int
    last_row: int
    last_column: int
    names: tuple[str, ...] = ()
    measure: int = 0
    scope: tuple[int, int] | None = None


Outcome = list[Finding] | NotAnalysedError
"""The result of a tool for one text."""


class Tool(ABC):
    """A program or function that reports on texts.

    rules: its rules, keyed by name; findings of other rules are ignored.
    """

    name: ClassVar[str]
    rules: ClassVar[Mapping[str, Rule]]

    @property
    def version(self) -> str | None:
        """The version of the Python package named after the tool; None if it is not installed."""
        try:
            return importlib.metadata.version(self.name)
        except importlib.metadata.PackageNotFoundError:
            return None

    @abstractmethod
    def lint(self, texts: Sequence[str]) -> list[Outcome]:
        """Return the outcome for each of `texts`, in order, from one start of the tool.

        Raises:
            NotAnalysedError: the run failed, or its output does not prove that the tool worked.
        """

    def rule(self, finding: Finding) -> Rule | None:
        """Return the rule of `finding`; None if no reviewer would raise it."""
        return self.rules.get(finding.rule)


@contextmanager
def reading_output() -> Iterator[None]:
    """Raise NotAnalysedError if the block cannot read the output of a tool."""
    try:
        yield
    except (LookupError, TypeError, ValueError, AttributeError, RecursionError):
        raise NotAnalysedError("its output is unreadable") from None


def in_backticks(code: str) -> str:
    """Put `code` in backticks, on one short line, without invisible characters.

    A longer run of backticks surrounds code that contains one, as in Markdown.
    """
    text = one_line(code, _MAX_CODE)
    marks = "`" * (1 + max(map(len, re.findall("`+", text)), default=0))
    return f"{marks} {text} {marks}" if "`" in text else f"`{text}`"


def one_line(text: str, length: int = _MAX_MESSAGE) -> str:
    """Put `text` on one line of at most `length` characters, without invisible ones."""
    visible = "".join(char if char.isprintable() else " " for char in text.lstrip()[:_MAX_READ])
    line = " ".join(visible.split())
    return line if len(line) <= length else line[: length - 1].rstrip() + "…"
