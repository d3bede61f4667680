"""Run JSHint on many texts at once; trust a report only if it proves that JSHint ran."""

import json
import shutil
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import accumulate
from pathlib import Path
from typing import Any, ClassVar

from crscore_core.analyzers.javascript.credible import CONFIGURATION, jshint_options, keep_credible
from crscore_core.analyzers.sandbox import MEMORY_BYTES, run_tool
from crscore_core.analyzers.tool import (
    HOW_TO_INSTALL,
    NODE_MODULES,
    Finding,
    NotAnalysedError,
    Outcome,
    Rule,
    Tool,
    read_rules,
    reading_output,
)

# The position of the most informative name of a finding, for rules where it is not the first.
_MAIN_NAMES = {"E049": 1, "E057": 1, "W027": 1, "W075": 1}
# The position of the name that is the number in the sentence.
_MEASURES = {"W073": 0, "W104": 1, "W119": 1}
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
    needs_old_side: ClassVar[bool] = False

    @cached_property
    def version(self) -> str | None:
        """Version of the package."""
        try:
            package = json.loads((_PACKAGE / "package.json").read_text(encoding="utf-8"))
            return str(package["version"])
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def rule(self, finding: Finding) -> Rule | None:
        """Return the rule of `finding`, which may depend on its first name."""
        by_name = f"{finding.rule} {finding.names[0]}" if finding.names else finding.rule
        return self.rules.get(by_name) or self.rules.get(finding.rule)

    def run_once(self, texts: Sequence[str]) -> list[Outcome]:
        """Return the credible findings in each text."""
        sources = {f"source{index}.js": text for index, text in enumerate([*texts, _CONTROL])}
        request = {
            **CONFIGURATION,
            "seconds": _TEXT_SECONDS,
            "files": [
                {"file": name, "options": jshint_options(text)} for name, text in sources.items()
            ],
        }
        output = run_tool(
            [*self.command(), "request.json"],
            {**sources, "request.json": json.dumps(request)},
            seconds=_START_SECONDS + _TEXT_SECONDS * len(texts),
            memory_bytes=None,
        )
        with reading_output():
            reports = [json.loads(line) for line in output.splitlines()]
            *outcomes, control = [
                _outcome(report, name, text)
                for report, (name, text) in zip(reports, sources.items(), strict=True)
            ]
        if isinstance(control, NotAnalysedError) or _CONTROL_RULE not in {
            finding.rule for finding in control
        }:
            raise NotAnalysedError("it missed a smell that every run must report")
        return [
            outcome if isinstance(outcome, NotAnalysedError) else keep_credible(text, outcome)
            for text, outcome in zip(texts, outcomes, strict=True)
        ]

    def command(self) -> tuple[str, ...]:
        """Return the command that runs `run_jshint.cjs` with the package in `analyzers`.

        Raises:
            NotAnalysedError: Node.js or JSHint is not installed.
        """
        node = shutil.which("node")
        if node is None or self.version is None:
            raise NotAnalysedError(f"not installed ({HOW_TO_INSTALL})")
        return (node, *_NODE_OPTIONS, str(_RUNNER), str(_PACKAGE))


def _outcome(report: Mapping[str, Any], name: str, text: str) -> Outcome:
    if report["file"] != name:
        raise ValueError(name)
    if "error" in report:
        return NotAnalysedError(str(report["error"]))
    lines = text.split("\n")
    return [_finding(entry, lines) for entry in report["findings"]]


def _finding(entry: Mapping[str, Any], lines: Sequence[str]) -> Finding:
    rule, row, names = str(entry["code"]), int(entry["row"]), [*map(str, entry["names"])]
    measure = int(names[_MEASURES[rule]]) if rule in _MEASURES else None
    if rule in _MAIN_NAMES:
        names.insert(0, names.pop(_MAIN_NAMES[rule]))
    column = _column(lines[row - 1], int(entry["character"]))
    first, last = entry["scope"]
    place = row, column, row, column
    texts = tuple(filter(None, names))
    return Finding(rule, str(entry["message"]), *place, texts, measure, (int(first), int(last)))


def _column(line: str, character: int) -> int:
    """Convert JSHint's column, which counts UTF-16 units and wide tabs, to characters."""
    widths = (_TAB_WIDTH if char == "\t" else 1 + (char > "\uffff") for char in line)
    starts = [*accumulate(widths, initial=1)]
    return min(bisect_left(starts, character), len(starts) - 1) + 1
