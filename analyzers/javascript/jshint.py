"""Run JSHint on many texts at once; trust a report only if it proves that JSHint ran."""

import json
import shutil
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import ClassVar

from analyzers.batches import (
    HOW_TO_INSTALL,
    NODE_MODULES,
    Failure,
    GarbageError,
    failure_of,
    lint_in_batches,
    objects,
    package_version,
    workspace,
)
from analyzers.javascript.configurations import CONFIGURATIONS, MODERN, Configuration
from analyzers.process import MEMORY_BYTES, Limits, run
from analyzers.tool import Finding, Outcome, Rule, Unread, read_rules

RULES = read_rules(Path(__file__).with_name("rules.txt"))
"""Rules by code, or by code and first name if the sentence depends on the name."""
TELLING = {"E001": 1, "E049": 1, "E057": 1, "W027": 1, "W075": 1}
"""Index of the most informative name of a finding, for rules where it is not the first."""
MEASURED = {"W071": 0, "W072": 0, "W073": 0, "W074": 0, "W104": 1, "W119": 1}
"""Index of the name of a finding that is the number in the sentence."""

_PACKAGE = NODE_MODULES / "jshint"
_RUNNER = Path(__file__).with_name("run_jshint.cjs")
_NO_NODE = "Node.js was not found: install it (for instance `apt-get install nodejs`)"
_NODE_OPTIONS = (f"--max-old-space-size={MEMORY_BYTES >> 20}", "--no-addons")
_REQUEST = "request.json"
# JSHint has to report this statement last in every run, despite any directive in a comment.
_CONTROL = "/* jshint debug: true */\n/* jshint ignore:start */\ndebugger;\n"
_OBEDIENT_CONTROL = "debugger;\n"
_CONTROL_RULE = "W087"
_MAX_TEXTS = 100  # in one start
_START_SECONDS = 20
_TEXT_SECONDS = 10
_TAB_WIDTH = 4  # columns that JSHint counts for a tab


@dataclass(frozen=True, slots=True)
class JSHint:
    """Runs JSHint once for many texts, in one of `CONFIGURATIONS`.

    `command` takes the name of a request file and answers like `run_jshint.cjs`; the default is
    that script, run by Node.js. Without `limits` the time limit grows with the number of texts;
    only the text that takes too long is given up.

    Raises:
        ValueError: the configuration is unknown.
    """

    configuration: str = MODERN
    command: tuple[str, ...] | None = None
    limits: Limits | None = None
    name: ClassVar[str] = "jshint"
    compares: ClassVar[bool] = False

    def __post_init__(self) -> None:
        if self.configuration not in CONFIGURATIONS:
            known = ", ".join(CONFIGURATIONS)
            raise ValueError(f"unknown JSHint configuration {self.configuration!r}: use {known}")

    @property
    def version(self) -> str | None:
        """Version of the package and the configuration; None if `command` replaces it."""
        number = package_version("jshint")
        if self.command is not None or number is None:
            return None
        return number if self.configuration == MODERN else f"{number} {self.configuration}"

    def rule(self, finding: Finding) -> Rule | None:
        """Return the rule of `finding`; None if the configuration leaves it out."""
        if finding.rule in self._settings.left_out:
            return None
        by_name = f"{finding.rule} {finding.names[0]}" if finding.names else finding.rule
        return RULES.get(by_name) or RULES.get(finding.rule)

    def lint(self, texts: Sequence[str]) -> list[Outcome]:
        """Return the credible findings in each text, or why there are none."""
        return [
            report if isinstance(report, Unread) else self._settings.judged(text, report)
            for text, report in zip(texts, self.report(texts), strict=True)
        ]

    def report(self, texts: Sequence[str]) -> list[Outcome]:
        """Return all of JSHint's findings in each text, in its order."""
        return lint_in_batches(self, texts, self._report_once, _MAX_TEXTS)

    @property
    def _settings(self) -> Configuration:
        return CONFIGURATIONS[self.configuration]

    def _report_once(self, texts: Sequence[str]) -> list[Outcome] | Failure:
        command = self.command or _installed()
        if isinstance(command, Failure):
            return command
        seconds = _START_SECONDS + _TEXT_SECONDS * len(texts)
        limits = self.limits or Limits(seconds=seconds, memory_bytes=None)
        control = _OBEDIENT_CONTROL if self._settings.obeys_comments else _CONTROL
        with workspace([*texts, control], ".js") as space:
            text_by_name = dict(zip(space.names, [*texts, control], strict=True))
            (space.folder / _REQUEST).write_text(self._request(text_by_name))
            completed = run([*command, _REQUEST], space.folder, limits)
        if failure := failure_of(completed, "JSHint", frozenset({0})):
            return failure
        try:
            *found, control_found = outcomes(completed.stdout, text_by_name)
        except GarbageError as error:
            return Failure(f"JSHint gave unreadable output: {error}", depends_on_text=True)
        if isinstance(control_found, Unread) or not any(
            finding.rule == _CONTROL_RULE for finding in control_found
        ):
            return Failure("JSHint missed the control finding that every run must report")
        return found

    def _request(self, texts: Mapping[str, str]) -> str:
        settings = self._settings
        return json.dumps(
            {
                "obeysComments": settings.obeys_comments,
                "environments": settings.environments,
                "knownNames": settings.known_names,
                "seconds": _TEXT_SECONDS,
                "files": [
                    {"file": name, "options": settings.options(text)}
                    for name, text in texts.items()
                ],
            }
        )


def _installed() -> tuple[str, ...] | Failure:
    """Return the command that runs our script, with only the package installed next to it."""
    node = shutil.which("node")
    if node is None:
        return Failure(_NO_NODE)
    if package_version("jshint") is None:
        return Failure(f"JSHint is not installed: {HOW_TO_INSTALL}")
    return (node, *_NODE_OPTIONS, str(_RUNNER), str(_PACKAGE))


def outcomes(output: str, texts: Mapping[str, str]) -> list[Outcome]:
    """Read the output of `run_jshint.cjs`; return the outcome for each of `texts`, in order.

    Raises:
        GarbageError: `output` is not one line of JSON for each text.
    """
    lines = output.removesuffix("\n").split("\n")
    if len(lines) != len(texts):
        raise GarbageError("not one line for each file")
    try:
        return [
            _outcome(json.loads(line), name, _Columns(text))
            for line, (name, text) in zip(lines, texts.items(), strict=True)
        ]
    except (LookupError, TypeError, ValueError, AttributeError, RecursionError):
        raise GarbageError("not a report on these files") from None


class _Columns:
    """Convert JSHint's columns, which count UTF-16 units and wide tabs, to characters."""

    def __init__(self, text: str) -> None:
        self._lines = text.split("\n")
        self._starts: dict[int, list[int]] = {}

    def column(self, row: int, character: int) -> int:
        if not 0 < row <= len(self._lines):
            raise ValueError(row)
        if row not in self._starts:
            self._starts[row] = [*accumulate(map(_width, self._lines[row - 1]), initial=1)]
        starts = self._starts[row]
        return min(bisect_left(starts, character), len(starts) - 1) + 1


def _width(character: str) -> int:
    return _TAB_WIDTH if character == "\t" else 1 + (character > "\uffff")


def _outcome(report: Mapping[str, object], name: str, columns: _Columns) -> Outcome:
    if report["file"] != name:
        raise ValueError(name)
    if "error" in report:
        return Unread(str(report["error"]))
    return [_finding(entry, columns) for entry in objects(report["findings"])]


def _finding(entry: Mapping[str, object], columns: _Columns) -> Finding:
    rule, row = str(entry["code"]), _number(entry["row"])
    names = [str(name) for name in _list(entry["names"])]
    measure = int(names[MEASURED[rule]]) if rule in MEASURED else None
    if rule in TELLING:
        names.insert(0, names.pop(TELLING[rule]))
    column = columns.column(row, _number(entry["character"]))
    first, last = map(_number, _list(entry["scope"]))
    place = row, column, row, column
    message = str(entry["message"])
    return Finding(rule, message, *place, tuple(filter(None, names)), measure, (first, last))


def _list(value: object) -> list[object]:
    if not isinstance(value, list):
        raise TypeError
    return value


def _number(value: object) -> int:
    if not isinstance(value, int):
        raise TypeError
    return value
