"""Many texts through few starts of a tool, without one text costing the others theirs."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from analyzers.finding import Finding
from analyzers.process import Completed

__all__ = ["Failure", "Outcome", "Unread", "failure_of", "lint_in_batches"]


_SECONDS_TO_HALVE = 300.0


@dataclass(frozen=True, slots=True)
class Unread:
    """Why a tool found nothing out about a text; `row` is where in it, from 1, where known."""

    reason: str
    row: int | None = None


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a start gave nothing; `is_of_a_text` where one of the texts may be to blame."""

    reason: str
    is_of_a_text: bool = False


Outcome = list[Finding] | Unread
"""What a tool found in one text."""


def lint_in_batches(
    texts: Sequence[str],
    lint_once: Callable[[Sequence[str]], Sequence[Outcome] | Failure],
    most: int,
) -> list[Outcome]:
    """Lint `texts` with at most `most` of them in one start.

    Where a start fails because of what one of its texts may hold, and the tool runs at all
    (`lint_once([])`), the texts are halved until that one stands alone, or time is up.
    """
    outcomes: list[Outcome] = []
    deadline = time.monotonic() + _SECONDS_TO_HALVE
    for start in range(0, len(texts), most):
        outcomes += _lint_some(texts[start : start + most], lint_once, deadline)
    return outcomes


def _lint_some(
    texts: Sequence[str],
    lint_once: Callable[[Sequence[str]], Sequence[Outcome] | Failure],
    deadline: float,
) -> list[Outcome]:
    outcome = lint_once(texts)
    if not isinstance(outcome, Failure):
        return [*outcome]
    may_halve = outcome.is_of_a_text and len(texts) > 1 and time.monotonic() < deadline
    if may_halve and not isinstance(lint_once([]), Failure):
        half = len(texts) // 2
        halves = texts[:half], texts[half:]
        return [one for some in halves for one in _lint_some(some, lint_once, deadline)]
    return [Unread(outcome.reason)] * len(texts)


def failure_of(completed: Completed, name: str, fine: frozenset[int]) -> Failure | None:
    """What went wrong in a run of the tool `name`, which is `fine` with these exit statuses."""
    if completed.error is not None:
        return Failure(completed.error)
    if completed.timed_out:
        return Failure(f"{name} took too long and was stopped", is_of_a_text=True)
    if completed.truncated:
        return Failure(f"{name} wrote more than could be taken and was stopped", is_of_a_text=True)
    if completed.returncode not in fine:
        last = completed.stderr.strip().splitlines()[-1:]
        said = f": {last[0][:200]}" if last else ""
        return Failure(f"{name} failed with status {completed.returncode}{said}", is_of_a_text=True)
    return None
