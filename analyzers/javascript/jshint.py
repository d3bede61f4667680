"""Run JSHint on many texts at once; trust a report only if it proves that JSHint ran."""

import json
import shutil
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import accumulate
from pathlib import Path
from typing import Any, ClassVar

from analyzers.javascript.credible import CONFIGURATION, credible, options
from analyzers.run_tool import MEMORY_BYTES, run_tool
from analyzers.tool import (
    HOW_TO_INSTALL,
    NODE_MODULES,
    Finding,
    NotAnalysedError,
    Outcome,
    Rule,
    Tool,
    read_rules,
)

# The most informative name of a finding, for rules where it is not the first.
_TELLING = {"E049": 1, "E057": 1, "W027": 1, "W075": 1}
# The name of a finding that is the number in the sentence.
_MEASURED = {"W073": 0, "W104": 1, "W119": 1}
_PACKAGE = NODE_MODULES / "jshint"
_RUNNER = Path(__file__).with_name("run_jshint.cjs")
_NODE_OPTIONS = (f"--max-old-space-size={MEMORY_BYTES >> 20}", "--no-addons")
# JSHint has to report this statement in every run, despite any directive in a comment.
_CONTROL = "/* jshint debug: true */\n/* jshint ignore:start */\ndebugger;\n"
_CONTROL_RULE = "W087"
_START_SECONDS, _TEXT_SECONDS = 20, 10
_TAB_WIDTH = 4  # columns that JSHint counts for a tab


class JSHint(Tool):
    """Runs JSHint once for many texts, with the fixed configuration of `credible.py`."""

    name: ClassVar[str] = "jshint"
    rules: ClassVar[Mapping[str, Rule]] = read_rules(Path(__file__).with_name("rules.txt"))
    compares: ClassVar[bool] = False

    @property
    def version(self) -> str | None:
        """Version of the package."""
        return _version()

    def rule(self, finding: Finding) -> Rule | None:
        """Return the rule of `finding`, which may depend on its first name."""
        by_name = f"{finding.rule} {finding.names[0]}" if finding.names else finding.rule
        return self.rules.get(by_name) or self.rules.get(finding.rule)

    def report(self, texts: Sequence[str]) -> list[Outcome]:
        """Return the credible findings in each text."""
        sources = {f"source{index}.js": text for index, text in enumerate([*texts, _CONTROL])}
        request = {
            **CONFIGURATION,
            "seconds": _TEXT_SECONDS,
            "files": [{"file": name, "options": options(text)} for name, text in sources.items()],
        }
        output = run_tool(
            [*self.command(), "request.json"],
            {**sources, "request.json": json.dumps(request)},
            seconds=_START_SECONDS + _TEXT_SECONDS * len(texts),
            memory_bytes=None,
        )
        try:
            reports = [json.loads(line) for line in output.splitlines()]
            *found, control = [
                _outcome(report, name, text)
                for report, (name, text) in zip(reports, sources.items(), strict=True)
            ]
        except (LookupError, TypeError, ValueError, AttributeError, RecursionError):
            raise NotAnalysedError("unreadable output") from None
        if isinstance(control, NotAnalysedError) or _CONTROL_RULE not in {
            finding.rule for finding in control
        }:
            raise NotAnalysedError("it missed a smell that every run must report")
        return [
            outcome if isinstance(outcome, NotAnalysedError) else credible(text, outcome)
            for text, outcome in zip(texts, found, strict=True)
        ]

    def command(self) -> tuple[str, ...]:
        """Return the command that runs our script, with only the package installed next to it.

        Raises:
            NotAnalysedError: Node.js or JSHint is not installed.
        """
        node = shutil.which("node")
        if node is None or self.version is None:
            raise NotAnalysedError(f"not installed ({HOW_TO_INSTALL})")
        return (node, *_NODE_OPTIONS, str(_RUNNER), str(_PACKAGE))


@cache
def _version() -> str | None:
    try:
        about = json.loads((_PACKAGE / "package.json").read_text(encoding="utf-8"))
        return str(about["version"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _outcome(report: Mapping[str, Any], name: str, text: str) -> Outcome:
    if report["file"] != name:
        raise ValueError(name)
    if "error" in report:
        return NotAnalysedError(str(report["error"]))
    lines = text.split("\n")
    return [_finding(entry, lines) for entry in report["findings"]]


def _finding(entry: Mapping[str, Any], lines: Sequence[str]) -> Finding:
    rule, row, names = str(entry["code"]), int(entry["row"]), [*map(str, entry["names"])]
    measure = int(names[_MEASURED[rule]]) if rule in _MEASURED else None
    if rule in _TELLING:
        names.insert(0, names.pop(_TELLING[rule]))
    column = _column(lines[row - 1], int(entry["character"]))
    first, last = entry["scope"]
    place = row, column, row, column
    named = tuple(filter(None, names))
    return Finding(rule, str(entry["message"]), *place, named, measure, (int(first), int(last)))


def _column(line: str, character: int) -> int:
    """Convert JSHint's column, which counts UTF-16 units and wide tabs, to characters."""
    widths = (_TAB_WIDTH if char == "\t" else 1 + (char > "\uffff") for char in line)
    starts = [*accumulate(widths, initial=1)]
    return min(bisect_left(starts, character), len(starts) - 1) + 1
