"""Run ruff on many texts at once; trust a report only if it proves that ruff ran."""

import json
import os
import re
import shutil
import sys
import sysconfig
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePath
from typing import Any, ClassVar

from crscore_core.analyzers.rejected import credible, read_rejections
from crscore_core.analyzers.sandbox import run_tool
from crscore_core.analyzers.tool import (
    Finding,
    NotAnalysedError,
    Outcome,
    Rule,
    Tool,
    read_rules,
    reading_output,
)

_RULES = read_rules(Path(__file__).with_name("rules.txt"))
_REJECTED = read_rejections(Path(__file__).with_name("rejected.txt"))
_NAME = re.compile(r"`([^`]+)`|\"([^\"]+)\"")
_MEASURE = re.compile(r"\((\d+) > \d+\)")
# Ruff must report this unused import in every run; otherwise its output is not trusted.
_CONTROL = "import os\n"
_CONTROL_RULE = "F401"
_OPTIONS = (
    "--isolated",
    "--ignore-noqa",
    "--no-cache",
    "--no-fix",
    "--output-format=json",
    # Syntax newer than the running Python is not an error in the reviewed code.
    "--target-version=py314",
    # The limit of the paper's Table 14, like the default numbers of branches and statements.
    "--config=lint.pylint.max-args=6",
    f"--select={','.join(_RULES)}",
)
_SYNTAX_ERROR = "invalid-syntax"


class Ruff(Tool):
    """Runs ruff once for many texts, with the rules that a reviewer would raise."""

    name: ClassVar[str] = "ruff"
    rules: ClassVar[Mapping[str, Rule]] = _RULES

    def lint(self, texts: Sequence[str]) -> list[Outcome]:
        """Return the findings in each text."""
        files = {f"source{index}.py": text for index, text in enumerate([*texts, _CONTROL])}
        output = run_tool([*self.command(), "check", *_OPTIONS, *files], files, ok_statuses={0, 1})
        findings: dict[str, list[Finding]] = {name: [] for name in files}
        with reading_output():
            for entry in json.loads(output):
                findings[PurePath(str(entry["filename"])).name].append(_finding(entry))
        *by_text, control = findings.values()
        if not any(finding.rule == _CONTROL_RULE for finding in control):
            raise NotAnalysedError("it missed a smell that every run must report")
        return [
            _syntax_error(findings) or credible(findings, text, _REJECTED)
            for findings, text in zip(by_text, texts, strict=True)
        ]

    def command(self) -> tuple[str, ...]:
        """Return the executable of the running Python's environment, never one on the search path.

        Raises:
            NotAnalysedError: ruff is not installed.
        """
        folders = [str(Path(sys.executable).parent), sysconfig.get_path("scripts")]
        executable = shutil.which("ruff", path=os.pathsep.join(folders))
        if executable is None:
            raise NotAnalysedError("not installed (pip install ruff)")
        return (executable,)


def _syntax_error(findings: list[Finding]) -> NotAnalysedError | None:
    """Return a syntax error that ruff reports although Python's parser accepts the text."""
    for finding in findings:
        if finding.rule == _SYNTAX_ERROR:
            return NotAnalysedError(finding.message, finding.first_row)
    return None


def _finding(entry: Mapping[str, Any]) -> Finding:
    first, last = (
        (int(place["row"]), int(place["column"]))
        for place in (entry["location"], entry["end_location"])
    )
    message = str(entry["message"])
    names = tuple(match[1] or match[2] for match in _NAME.finditer(message))
    measure = _MEASURE.search(message)
    return Finding(
        str(entry["code"]), message, *first, *last, names, int(measure[1]) if measure else 0
    )
