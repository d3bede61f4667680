"""Starting ruff on many texts at once, and believing it only where it proves that it ran."""

import os
import shutil
import sys
import sysconfig
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from analyzers.process import Completed, Limits, run
from analyzers.python.ruff_output import Finding, GarbageError, findings_by_file
from analyzers.python.rules import RULES
from analyzers.workspace import workspace

__all__ = ["RuffCommand"]

# Ruff has to find this unused import in every run: output without it is no output of ruff's.
_CONTROL = "import os\n"
_CONTROL_RULE = "F401"
_MAX_TEXTS = 1_000  # in one start; a command line has its limits
_OPTIONS = (
    "--isolated",
    "--ignore-noqa",
    "--no-cache",
    "--no-fix",
    "--output-format=json",
    # Newer syntax than that of the running Python is not an error of the reviewed code.
    "--target-version=py314",
    f"--select={','.join(RULES)}",
)
_FOUND_OR_CLEAN = frozenset({0, 1})


@dataclass(frozen=True, slots=True)
class _Failure:
    """Why a start gave nothing; `is_of_a_text` where one of the texts may be to blame."""

    reason: str
    is_of_a_text: bool = False


@dataclass(frozen=True, slots=True)
class RuffCommand:
    """`command` starts ruff; None stands for the executable of our own environment."""

    command: tuple[str, ...] | None
    limits: Limits

    def lint(self, texts: Sequence[str]) -> list[list[Finding] | str]:
        """The findings in each text, or in words why there are none.

        A text that makes ruff crash or flood must not cost the others their findings: as long as
        ruff runs at all, the texts are halved until that one stands alone.
        """
        outcomes: list[list[Finding] | str] = []
        for start in range(0, len(texts), _MAX_TEXTS):
            outcomes += self._lint_some(texts[start : start + _MAX_TEXTS])
        return outcomes

    def _lint_some(self, texts: Sequence[str]) -> list[list[Finding] | str]:
        outcome = self._lint_once(texts)
        if not isinstance(outcome, _Failure):
            return [*outcome]
        if (
            outcome.is_of_a_text
            and len(texts) > 1
            and not isinstance(self._lint_once([]), _Failure)
        ):
            half = len(texts) // 2
            return [*self._lint_some(texts[:half]), *self._lint_some(texts[half:])]
        return [outcome.reason] * len(texts)

    def _lint_once(self, texts: Sequence[str]) -> list[list[Finding]] | _Failure:
        command = self.command or _installed_ruff()
        if command is None:
            return _Failure("ruff is not installed (pip install ruff)")
        with workspace([*texts, _CONTROL], ".py") as space:
            arguments = [*command, "check", *_OPTIONS, *space.names]
            completed = run(arguments, space.folder, self.limits)
        if failure := _failure(completed):
            return failure
        try:
            *found, control = findings_by_file(completed.stdout, space.names)
        except GarbageError as error:
            return _Failure(f"ruff gave unreadable output: {error}")
        if not any(finding.rule == _CONTROL_RULE for finding in control):
            return _Failure("ruff did not report what it has to report in every run")
        return found


def _failure(completed: Completed) -> _Failure | None:
    if completed.error is not None:
        return _Failure(completed.error)
    if completed.timed_out:
        return _Failure("ruff took too long and was stopped")
    if completed.truncated:
        return _Failure("ruff wrote more than could be taken and was stopped", is_of_a_text=True)
    if completed.returncode not in _FOUND_OR_CLEAN:
        last = completed.stderr.strip().splitlines()[-1:]
        said = f": {last[0][:200]}" if last else ""
        return _Failure(f"ruff failed with status {completed.returncode}{said}", is_of_a_text=True)
    return None


def _installed_ruff() -> tuple[str, ...] | None:
    """The executable beside our Python, never one that merely is on the search path."""
    folders = [str(Path(sys.executable).parent), sysconfig.get_path("scripts")]
    executable = shutil.which("ruff", path=os.pathsep.join(folders))
    return (executable,) if executable else None
