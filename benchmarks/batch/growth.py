"""How time and memory grow with a corpus."""

import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks.batch.commands import Measured, in_child, measured
from benchmarks.batch.output import print_table
from benchmarks.batch.rows import REVIEWS_A_CHANGE, Row, rated_rows, recombined, write_rows
from benchmarks.batch.tiny_encoder import write_tiny_encoder

__all__ = ["TINY", "time_growth"]

TINY = ("--no-analyzers", "--tau", "0.5", "--encoder")
"""Options of a run by the tiny encoder, whose folder comes next."""


def time_growth(sizes: Sequence[int]) -> None:
    """Print seconds and memory of runs over corpora of each of `sizes`, the smallest first.

    Then those of commands that read the largest run, which has no text twice.
    """
    rows = rated_rows()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        encoder = folder / "encoder"
        in_child(write_tiny_encoder, encoder)
        _print_growth(
            "The embedded encoder, sentences of the rated reviews: every text is met again, so "
            "that ever more of them are encoded already.",
            [_run(folder, rows, size, "--no-analyzers") for size in sizes],
            sizes,
        )
        _print_growth(
            "A tiny encoder, no text twice: what everything but an encoder takes.",
            [_run(folder, rows, size, *TINY, encoder, is_distinct=True) for size in sizes],
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
        "`rescore --tau 0.6`": measured("rescore", run, "--tau", "0.6"),
        "`sweep`, 101 taus": measured("sweep", run),
    }
    print_table(
        f"The run of {size:,} reviews, finished.",
        ("command", "seconds", "peak MiB"),
        ((name, f"{one.seconds:.1f}", f"{one.peak_mib:.0f}") for name, one in commands.items()),
    )
