"""How long commands take that have next to nothing to do."""

import tempfile
from pathlib import Path
from statistics import median

from benchmarks.batch.commands import measured
from benchmarks.batch.output import print_table
from benchmarks.batch.rows import rated_rows, write_rows

__all__ = ["time_starts"]

_REPEATS = 5


def time_starts() -> None:
    """Print seconds of the commands' help, of a run of one review, and of reading that run."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        corpus = write_rows(folder / "corpus.jsonl", rated_rows()[:1])
        run = folder / "run.parquet"
        measured("batch", corpus, "-o", run)
        commands: dict[str, tuple[str | Path, ...]] = {
            "`crscore --help`": ("--help",),
            "`crscore batch --help`": ("batch", "--help"),
            "`crscore batch`, one review": ("batch", corpus, "-o"),
            "`crscore sweep`, a run of one review": ("sweep", run),
            "`crscore rescore`, a run of one review": ("rescore", run, "--tau", "0.5"),
        }
        times = {
            name: [_seconds(folder / str(number), arguments) for number in range(_REPEATS)]
            for name, arguments in commands.items()
        }
    print_table(
        f"Starting, {_REPEATS} times each, with empty caches.",
        ("command", "min s", "median s", "max s"),
        (
            (name, *(f"{found:.2f}" for found in (min(one), median(one), max(one))))
            for name, one in times.items()
        ),
    )


def _seconds(run: Path, arguments: tuple[str | Path, ...]) -> float:
    """Of a command; one that writes a run gets `run` to write to."""
    return measured(*arguments, *([run] if arguments[-1] == "-o" else [])).seconds
