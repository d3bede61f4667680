"""Tables in Markdown, and the machine that they were measured on."""

import importlib.metadata
import os
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path

__all__ = ["machine", "print_table"]

_GIB = 2**30


def print_table(title: str, heads: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print a table that can be pasted into a page."""
    print(f"\n{title}\n")
    for cells in (heads, ["---"] * len(heads), *rows):
        print(f"| {' | '.join(cells)} |", flush=True)


def machine() -> str:
    """The machine, what computes on it, and today's date, in a line."""
    import torch

    from crscore_core.scoring import load_encoder
    from crscore_core.scoring.precision import computes_bfloat16

    load_encoder()  # which sets the threads
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / _GIB
    gpu = torch.cuda.get_device_name() if torch.cuda.is_available() else "no GPU"
    return (
        f"{_cpu()}, {os.cpu_count()} cores, {memory:.0f} GiB, {gpu}, "
        f"torch {importlib.metadata.version('torch')} with {torch.get_num_threads()} threads and "
        f"{torch.backends.cpu.get_cpu_capability()}, "
        f"bfloat16 {'native' if computes_bfloat16() else 'not native'}, "
        f"{datetime.now(UTC):%d %B %Y}"
    )


def _cpu() -> str:
    lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    named = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(named, "a CPU without a name")
