"""Measuring calls and commands, and printing the figures."""

import importlib.metadata
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from multiprocessing import get_context
from pathlib import Path
from typing import ParamSpec, TypeVar

CRSCORE = str(Path(sys.executable).with_name("crscore"))
_FINE = (0, 3)  # 3: some rows have no scores
_KIB, _GIB = 2**10, 2**30

P = ParamSpec("P")
T = TypeVar("T")


def seconds(call: Callable[[], object], repeats: int) -> list[float]:
    """Wall-clock seconds of each of `repeats` calls."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return times


def report(name: str, times: list[float], base: float) -> None:
    """Print minimum, median and maximum in seconds, and the median relative to `base`."""
    median = statistics.median(times)
    print(
        f"{name:<58}{min(times):8.3f}{median:8.3f}{max(times):8.3f}{median / base:9.2f}x",
        flush=True,
    )


def print_table(title: str, heads: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print a table of Markdown."""
    print(f"\n{title}\n")
    for cells in (heads, ["---"] * len(heads), *rows):
        print(f"| {' | '.join(cells)} |", flush=True)


@dataclass(frozen=True, slots=True)
class Measured:
    """Duration of a command, and the most memory that it held."""

    seconds: float
    peak_mib: float


def measured(*arguments: str | Path) -> Measured:
    """Run `crscore` with `arguments` and empty caches.

    Linux counts the memory of the parent process into a child's peak, so call this from a small
    process.

    Raises:
        subprocess.CalledProcessError: the command failed.
    """
    with tempfile.TemporaryDirectory() as cache:
        start = time.perf_counter()
        process = subprocess.Popen(  # noqa: S603 - our own words
            [CRSCORE, *map(str, arguments)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "XDG_CACHE_HOME": cache},
        )
        _, status, usage = os.wait4(process.pid, 0)
        spent = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in _FINE:
        raise subprocess.CalledProcessError(process.returncode, [*map(str, arguments)])
    return Measured(spent, usage.ru_maxrss / _KIB)


def in_child(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Call `function` in a process of its own, so that its memory is not this one's."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(function, *args, **kwargs).result()


def machine() -> str:
    """One line about the machine, its libraries and today's date."""
    import torch

    from crscore_core.scoring import load_encoder

    load_encoder()  # which sets the threads
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / _GIB
    gpu = torch.cuda.get_device_name() if torch.cuda.is_available() else "no GPU"
    return (
        f"{_cpu()}, {os.cpu_count()} cores, {memory:.0f} GiB, {gpu}, "
        f"torch {importlib.metadata.version('torch')} with {torch.get_num_threads()} threads and "
        f"{torch.backends.cpu.get_cpu_capability()}, "
        f"{datetime.now(UTC):%d %B %Y}"
    )


def _cpu() -> str:
    lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    named = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(named, "a CPU without a name")
