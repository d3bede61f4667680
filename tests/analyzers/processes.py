"""Whether processes have ended."""

import time
from collections.abc import Sequence
from pathlib import Path

_PATIENCE_SECONDS = 10


def are_gone(pids: Sequence[int]) -> bool:
    """Whether none of `pids` runs any more; a zombie that nobody has collected is gone."""
    deadline = time.monotonic() + _PATIENCE_SECONDS
    while any(_runs(pid) for pid in pids):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True


def _runs(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state not in {"Z", "X"}
