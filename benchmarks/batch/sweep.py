"""How long it takes to try thresholds on a run, once its scores are read."""

import tempfile
from itertools import cycle, islice
from pathlib import Path

from benchmarks.batch.commands import measured
from benchmarks.batch.output import print_table
from benchmarks.batch.rows import rated_rows, write_rows
from benchmarks.timing import seconds
from crscore_core.corpus.run.finished import FinishedRun
from crscore_core.scoring.metric import TAUS
from crscore_core.validity.thresholds import sweep_thresholds

__all__ = ["time_sweep"]

_REPEATS = 5


def time_sweep(reviews: int) -> None:
    """Print seconds for all scores and correlations of `reviews` rated reviews at 101 taus.

    The rated reviews are taken over and over until they are so many.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        rows = islice(cycle(rated_rows()), reviews)
        corpus, run = write_rows(folder / "corpus.jsonl", rows), folder / "run.parquet"
        measured("batch", corpus, "-o", run, "--no-analyzers")
        maxima = FinishedRun.open(run).rated_maxima()
    times = seconds(lambda: sweep_thresholds(maxima, TAUS), _REPEATS)
    print_table(
        f"{TAUS.size} taus over {maxima.system.size:,} rated reviews: means, and Spearman's and "
        "Kendall's correlations with people.",
        [f"repeat {number}, s" for number in range(1, _REPEATS + 1)],
        [[f"{time:.3f}" for time in times]],
    )
