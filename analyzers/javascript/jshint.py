"""JSHint on many texts at once, believed only where it proves that it ran."""

import json
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from analyzers.batches import Failure, Outcome, Unread, failure_of, lint_in_batches
from analyzers.finding import Finding
from analyzers.javascript.configurations import CONFIGURATIONS, MODERN, Configuration
from analyzers.javascript.jshint_output import GarbageError, outcomes
from analyzers.javascript.rules import RULES
from analyzers.npm import HOW_TO_INSTALL, NODE_MODULES, package_version
from analyzers.process import Limits, run
from analyzers.rule import Rule
from analyzers.workspace import workspace

__all__ = ["JSHint"]

_PACKAGE = NODE_MODULES / "jshint"
_RUNNER = Path(__file__).with_name("run_jshint.cjs")
_NO_NODE = "Node.js was not found: install it (for instance `apt-get install nodejs`)"
_NODE_OPTIONS = ("--max-old-space-size=1024", "--no-addons")
_REQUEST = "request.json"
# JSHint has to find this statement in every run, the last of all, whatever a comment says.
_CONTROL = "/* jshint debug: true */\n/* jshint ignore:start */\ndebugger;\n"
_OBEDIENT_CONTROL = "debugger;\n"
_CONTROL_RULE = "W087"
_MAX_TEXTS = 100  # in one start
_START_SECONDS = 20
_TEXT_SECONDS = 10


@dataclass(frozen=True, slots=True)
class JSHint:
    """Runs JSHint once for many texts, in one of `CONFIGURATIONS`.

    `command` takes the name of a file with the request and answers as `run_jshint.cjs` does;
    by default it is just that, run by Node.js. Without `limits` the time grows with the number
    of texts, each of which is given up alone where it takes too long.

    Raises:
        ValueError: there is no such configuration.
    """

    configuration: str = MODERN
    command: tuple[str, ...] | None = None
    limits: Limits | None = None

    def __post_init__(self) -> None:
        if self.configuration not in CONFIGURATIONS:
            known = ", ".join(CONFIGURATIONS)
            raise ValueError(f"no configuration {self.configuration!r} of JSHint: use {known}")

    @property
    def name(self) -> str:
        """What results and smells call this tool."""
        return "jshint"

    @property
    def version(self) -> str | None:
        """That of the installed package, and the configuration; unknown for another command."""
        number = package_version("jshint")
        if self.command is not None or number is None:
            return None
        return number if self.configuration == MODERN else f"{number} {self.configuration}"

    @property
    def compares(self) -> bool:
        """No rule is about whole functions or classes."""
        return False

    def rule(self, finding: Finding) -> Rule | None:
        """What the rule of `finding` means to a reviewer."""
        if finding.rule in self._settings.left_out:
            return None
        by_name = f"{finding.rule} {finding.names[0]}" if finding.names else finding.rule
        return RULES.get(by_name) or RULES.get(finding.rule)

    def lint(self, texts: Sequence[str]) -> list[Outcome]:
        """The findings in each text that can be believed, or why there are none."""
        judged = self._settings.judged
        return [
            report if isinstance(report, Unread) else judged(text, report)
            for text, report in zip(texts, self.report(texts), strict=True)
        ]

    def report(self, texts: Sequence[str]) -> list[Outcome]:
        """All that JSHint says of each text, in its order."""
        return lint_in_batches(texts, self._report_once, _MAX_TEXTS)

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
        given = [*texts, control]
        with workspace(given, ".js") as space:
            request = self._request(dict(zip(space.names, given, strict=True)))
            (space.folder / _REQUEST).write_text(request)
            completed = run([*command, _REQUEST], space.folder, limits)
        if failure := failure_of(completed, "JSHint", frozenset({0})):
            return failure
        try:
            *found, control_found = outcomes(
                completed.stdout, dict(zip(space.names, given, strict=True))
            )
        except GarbageError as error:
            return Failure(f"JSHint gave unreadable output: {error}", is_of_a_text=True)
        if isinstance(control_found, Unread) or not any(
            finding.rule == _CONTROL_RULE for finding in control_found
        ):
            return Failure("JSHint did not report what it has to report in every run")
        return found

    def _request(self, texts: dict[str, str]) -> str:
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
    """Node.js on our runner, with the package beside our code and none other."""
    node = shutil.which("node")
    if node is None:
        return Failure(_NO_NODE)
    if package_version("jshint") is None:
        return Failure(f"JSHint is not installed: {HOW_TO_INSTALL}")
    return (node, *_NODE_OPTIONS, str(_RUNNER), str(_PACKAGE))
