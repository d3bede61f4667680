"""The engine of this process against workers of Ray on this machine."""

import importlib.util
import tempfile
from pathlib import Path

from benchmarks.batch.commands import measured
from benchmarks.batch.output import print_table
from benchmarks.batch.rows import rated_rows, recombined, write_rows

__all__ = ["time_engines"]

_WORKERS = 2


def time_engines(reviews: int) -> None:
    """Print seconds of the same run by either engine; Ray is left out where it is not there."""
    if importlib.util.find_spec("ray") is None:
        print("\nRay is not installed: engines are not compared")
        return
    options = {
        "`--engine local`": (),
        f"`--engine ray --workers {_WORKERS}`": ("--engine", "ray", "--workers", str(_WORKERS)),
    }
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        corpus = write_rows(
            folder / "corpus.jsonl", recombined(rated_rows(), reviews, is_distinct=True)
        )
        spent = {
            engine: measured(
                "batch", corpus, "-o", folder / f"{number}.parquet", "--no-analyzers", *chosen
            ).seconds
            for number, (engine, chosen) in enumerate(options.items())
        }
    print_table(
        f"{reviews:,} reviews, no text twice, claims given, the embedded encoder; starting Ray "
        "is part of it.",
        ("engine", "seconds", "reviews/s"),
        ((engine, f"{time:.1f}", f"{reviews / time:.1f}") for engine, time in spent.items()),
    )
