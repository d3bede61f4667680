"""Timing a call several times, and printing what came out."""

import statistics
import time
from collections.abc import Callable

__all__ = ["report", "seconds"]


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
