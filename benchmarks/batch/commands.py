"""Commands as a person gives them, each in a process of its own with caches of its own."""

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import ParamSpec, TypeVar

__all__ = ["Measured", "in_child", "killed_after", "measured"]

_CRSCORE = str(Path(sys.executable).with_name("crscore"))
_FINE = (0, 3)  # 3: some rows have no scores
_MIB_IN_KIB = 2**10

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Measured:
    """How long a command took, and the most memory that it held."""

    seconds: float
    peak_mib: float


def measured(*arguments: str | Path, cache: Path | None = None) -> Measured:
    """Run `crscore` with `arguments`; `cache` is where it finds caches, empty ones without it.

    Linux counts the memory of whoever starts a process into its peak, so call this from a
    process that is small.

    Raises:
        subprocess.CalledProcessError: the command failed.
    """
    with tempfile.TemporaryDirectory() as empty:
        start = time.perf_counter()
        process = _started(arguments, cache or Path(empty))
        _, status, usage = os.wait4(process.pid, 0)
        spent = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in _FINE:
        raise subprocess.CalledProcessError(process.returncode, [*map(str, arguments)])
    return Measured(spent, usage.ru_maxrss / _MIB_IN_KIB)


def killed_after(seconds: float, *arguments: str | Path, cache: Path) -> bool:
    """Run `crscore` and kill it after some time; whether it was still at work then."""
    process = _started(arguments, cache)
    with suppress(subprocess.TimeoutExpired):
        process.wait(seconds)
    process.kill()
    return process.wait() == -signal.SIGKILL


def in_child(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """What `function` gives in a process of its own, so that its memory is not this one's."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(function, *args, **kwargs).result()


def _started(arguments: tuple[str | Path, ...], cache: Path) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(  # noqa: S603 - our own words
        [_CRSCORE, *map(str, arguments)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "XDG_CACHE_HOME": str(cache)},
    )
