"""Print what it takes to score whole corpora, in tables of Markdown.

Rates of one run, and ratios of them, are of one machine at one time, which the first line names.
"""

import argparse
import importlib.util
import tempfile
from collections.abc import Callable, Sequence
from itertools import cycle, islice
from pathlib import Path
from statistics import median

from crscore_core.corpus.run.finished import FinishedRun
from crscore_core.validity.thresholds import sweep_thresholds

from benchmarks.batch.corpora import (
    REVIEWS_A_CHANGE,
    Row,
    rated_rows,
    recombined,
    write_rows,
)
from benchmarks.batch.throughput import time_throughput
from benchmarks.measuring import (
    Measured,
    in_child,
    machine,
    measured,
    print_table,
    seconds,
)
from crscore_core.scoring.metric import TAUS
from tests.crscore_core.scoring.tiny_model import write_tiny_model

_RATED_IN_THE_PAPER = 2_619
_PLAIN = 200
_BY_ENGINES = 2_000
_REPEATS = 5
_WORKERS = 2
_LONGEST = 256  # tokens that the tiny encoder reads


_TINY = ("--no-analyzers", "--tau", "0.5", "--encoder")
"""Options of a run by the tiny encoder, whose folder comes next."""


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
    """Seconds of a command; one that writes a run gets `run` to write to."""
    return measured(*arguments, *([run] if arguments[-1] == "-o" else [])).seconds


def time_sweep(reviews: int) -> None:
    """Print seconds for all scores and correlations of `reviews` rated reviews at 101 taus.

    The rated reviews are taken over and over until they are so many.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        rows = islice(cycle(rated_rows()), reviews)
        corpus, run = write_rows(folder / "corpus.jsonl", rows), folder / "run.parquet"
        measured("batch", corpus, "-o", run, "--no-analyzers")
        maxima = FinishedRun.open(run).reviews()
    times = seconds(lambda: sweep_thresholds(maxima, TAUS), _REPEATS)
    print_table(
        f"{TAUS.size} taus over {maxima.system.size:,} rated reviews: means, and Spearman's and "
        "Kendall's correlations with people.",
        [f"repeat {number}, s" for number in range(1, _REPEATS + 1)],
        [[f"{time:.3f}" for time in times]],
    )


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


def time_growth(sizes: Sequence[int]) -> None:
    """Print seconds and memory of runs over corpora of each of `sizes`, the smallest first.

    Then those of commands that read the largest run, which has no text twice.
    """
    rows = rated_rows()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        encoder = folder / "encoder"
        in_child(write_tiny_model, encoder, 1, _LONGEST)
        _print_growth(
            "The embedded encoder, sentences of the rated reviews: every text is met again, so "
            "that ever more of them are encoded already.",
            [_run(folder, rows, size, "--no-analyzers") for size in sizes],
            sizes,
        )
        _print_growth(
            "A tiny encoder, no text twice: what everything but an encoder takes.",
            [_run(folder, rows, size, *_TINY, encoder, is_distinct=True) for size in sizes],
            sizes,
        )
        _time_finished(folder / f"{sizes[-1]}.parquet", sizes[-1])


def _run(
    folder: Path, rows: Sequence[Row], size: int, *options: str | Path, is_distinct: bool = False
) -> Measured:
    corpus = write_rows(folder / "corpus.jsonl", recombined(rows, size, is_distinct=is_distinct))
    name = f"{size}.parquet" if is_distinct else f"{size}-met-again.parquet"
    return measured("batch", corpus, "-o", folder / name, *options)


def _print_growth(title: str, found: Sequence[Measured], sizes: Sequence[int]) -> None:
    """A row a size; how far the time is from growing as the corpus does, against the one before."""
    linear = [
        "",
        *(
            f"{one.seconds / before.seconds / (size / smaller):.2f}"
            for one, before, size, smaller in zip(found[1:], found, sizes[1:], sizes, strict=False)
        ),
    ]
    print_table(
        f"{title} {REVIEWS_A_CHANGE} reviews a change, claims given, no analyzers; empty caches.",
        ("reviews", "seconds", "reviews/s", "against linear growth", "peak MiB"),
        (
            (
                f"{size:,}",
                f"{one.seconds:.1f}",
                f"{size / one.seconds:.0f}",
                ratio,
                f"{one.peak_mib:.0f}",
            )
            for size, one, ratio in zip(sizes, found, linear, strict=True)
        ),
    )


def _time_finished(run: Path, size: int) -> None:
    again = run.with_name("rescored.parquet")
    commands = {
        "`rescore --tau 0.6 -o OUT`": measured("rescore", run, "--tau", "0.6", "-o", again),
        "`sweep`, 101 taus": measured("sweep", run),
    }
    print_table(
        f"The run of {size:,} reviews, finished.",
        ("command", "seconds", "peak MiB"),
        ((name, f"{one.seconds:.1f}", f"{one.peak_mib:.0f}") for name, one in commands.items()),
    )


SECTIONS: dict[str, Callable[[int], None]] = {
    "starts": lambda _: time_starts(),
    "sweep": lambda most: time_sweep(min(most, _RATED_IN_THE_PAPER)),
    "engines": lambda most: time_engines(min(most, _BY_ENGINES)),
    "throughput": lambda most: in_child(time_throughput, most, min(most, _PLAIN)),
    "growth": lambda most: time_growth((most // 100, most // 10, most)),
}
"""The measurements by name, each with at most so many reviews."""


def main() -> None:
    """Measure and print."""
    arguments = _arguments()
    print(in_child(machine))
    print("data: the human study, development part", flush=True)
    for section in arguments.sections or SECTIONS:
        SECTIONS[section](arguments.reviews)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.batch", description=__doc__)
    parser.add_argument(
        "sections",
        nargs="*",
        metavar="SECTION",
        help=f"{', '.join(SECTIONS)}; all by default",
    )
    parser.add_argument(
        "--reviews", type=int, default=100_000, help="of the largest corpus [default: 100,000]"
    )
    arguments = parser.parse_args()
    if unknown := [name for name in arguments.sections if name not in SECTIONS]:
        parser.error(f"no section {unknown[0]!r}; choose {', '.join(SECTIONS)}")
    return arguments


if __name__ == "__main__":
    main()
