"""Measure calls and commands, and print the figures."""

import importlib.metadata
import os
import platform
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

COMMAND = (sys.executable, "-m", "crscore_cli")
"""The command `crscore` of this checkout."""

_SUCCESSES = (0, 3)  # 3: some rows have no scores
_KIB, _GIB = 2**10, 2**30


class Measured(NamedTuple):
    """Duration of a command, and its peak memory."""

    seconds: float
    peak_mib: float


def seconds(call: Callable[[], object], repeats: int) -> list[float]:
    """Return the wall-clock seconds of each of `repeats` calls."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return times


def measured(*arguments: str | Path) -> Measured:
    """Run `crscore` with `arguments`, and return its duration and peak memory.

    Linux includes the memory of the parent process in a child's peak, so call this from a small
    process.

    Raises:
        subprocess.CalledProcessError: the command failed.
    """
    command = [*COMMAND, *map(str, arguments)]
    start = time.perf_counter()
    process = subprocess.Popen(  # noqa: S603 - our own words
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    _, status, usage = os.wait4(process.pid, 0)
    duration = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in _SUCCESSES:
        raise subprocess.CalledProcessError(process.returncode, command)
    return Measured(duration, usage.ru_maxrss / _KIB)


def print_table(title: str, head: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print a Markdown table, each row as soon as it is computed."""
    print(f"\n{title}\n")
    for cells in (head, ["---"] * len(head)):
        print(f"| {' | '.join(cells)} |")
    for row in rows:
        print(f"| {' | '.join(row)} |", flush=True)


def machine() -> str:
    """Return one line about the machine, the library and today's date."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / _GIB
    return (
        f"{platform.machine()}, {os.cpu_count()} cores, {memory:.0f} GiB, "
        f"load {os.getloadavg()[0]:.1f}, torch {importlib.metadata.version('torch')}, "
        f"{datetime.now(UTC):%d %B %Y}"
    )


def memory_mib() -> float:
    """Return the resident memory of this process; Linux only."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20
