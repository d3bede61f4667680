"""Run JSHint on many texts at once; trust a report only if it proves that JSHint ran."""

import json
import re
import shutil
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

from crscore_core.analyzers.rejected import credible, read_rejections
from crscore_core.analyzers.sandbox import MEMORY_BYTES, run_tool
from crscore_core.analyzers.tool import (
    NODE_MODULES,
    NOT_INSTALLED,
    Finding,
    NotAnalysedError,
    Outcome,
    Rule,
    Tool,
    one_line,
    read_rules,
    reading_output,
)

CONFIGURATION: dict[str, Any] = json.loads(
    Path(__file__).with_name("configuration.json").read_text(encoding="utf-8")
)
"""Options, known names and rules for unreadable code; JSHint reads ECMAScript up to 2020."""
# Rules whose findings show that JSHint did not understand the code and did not read all of it.
_UNREADABLE = frozenset(" ".join(CONFIGURATION["unreadable"]).split())
_EXPECTED_BY_STYLE = frozenset({"===", "!==", "{"})
_OTHER_ROW = re.compile(r" from line \d+")
_REJECTED = read_rejections(Path(__file__).with_name("rejected.txt"))
# For each rule with a measure, the index in `names` of the number that the sentence shows.
_MEASURES = {"W073": 0, "W104": 1, "W119": 1}
_PACKAGE = NODE_MODULES / "jshint"
_RUNNER = Path(__file__).with_name("run_jshint.cjs")
_NODE_OPTIONS = (f"--max-old-space-size={MEMORY_BYTES >> 20}", "--no-addons")
# JSHint must report this statement in every run, despite any directive in a comment.
_CONTROL = "/* jshint debug: true */\n/* jshint ignore:start */\ndebugger;\n"
_CONTROL_RULE = "W087"
_START_SECONDS, _TEXT_SECONDS = 20, 10


class JSHint(Tool):
    """Runs JSHint once for many texts, with the fixed configuration of `configuration.json`."""

    name: ClassVar[str] = "jshint"
    rules: ClassVar[Mapping[str, Rule]] = read_rules(Path(__file__).with_name("rules.txt"))

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

    def lint(self, texts: Sequence[str]) -> list[Outcome]:
        """Return the credible findings in each text."""
        sources = {f"source{index}.js": text for index, text in enumerate([*texts, _CONTROL])}
        request = {**CONFIGURATION, "seconds": _TEXT_SECONDS, "files": [*sources]}
        output = run_tool(
            [*self.command(), "request.json"],
            {**sources, "request.json": json.dumps(request)},
            seconds=_START_SECONDS + _TEXT_SECONDS * len(texts),
            memory_bytes=None,
        )
        with reading_output():
            reports = [json.loads(line) for line in output.splitlines()]
            *outcomes, control = [
                _outcome(report, name) for report, name in zip(reports, sources, strict=True)
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
            raise NotAnalysedError(NOT_INSTALLED)
        return (node, *_NODE_OPTIONS, str(_RUNNER), str(_PACKAGE))


def _outcome(report: Mapping[str, Any], name: str) -> Outcome:
    if report["file"] != name:
        raise ValueError(name)
    if "error" in report:
        return NotAnalysedError(str(report["error"]))
    return [_finding(entry) for entry in report["findings"]]


def _finding(entry: Mapping[str, Any]) -> Finding:
    rule, names = str(entry["code"]), [*map(str, entry["names"])]
    measure = int(names[_MEASURES[rule]]) if rule in _MEASURES else 0
    first, last = entry["scope"]
    place = int(entry["row"]), int(entry["column"])
    texts = tuple(filter(None, names))
    scope = int(first), int(last)
    return Finding(rule, str(entry["message"]), *place, *place, texts, measure, scope)


def keep_credible(text: str, findings: Sequence[Finding]) -> Outcome:
    """Return the findings that a reviewer would agree with, if JSHint could read all of `text`.

    A finding that repeats another on the same line is dropped.
    """
    for finding in findings:
        if _is_unreadable(finding):
            message = one_line(_OTHER_ROW.sub("", finding.message).rstrip("."))
            reason = f"JSHint, which supports JavaScript up to ES2020, cannot read this: {message}"
            return NotAnalysedError(reason, finding.first_row)
    kept = credible(findings, text, _REJECTED)
    return [*{(one.rule, one.first_row, one.names): one for one in kept}.values()]


def _is_unreadable(finding: Finding) -> bool:
    """Return True if JSHint did not understand the code here."""
    if finding.rule == "W116":
        return _EXPECTED_BY_STYLE.isdisjoint(finding.names[:1])
    return finding.rule in _UNREADABLE
