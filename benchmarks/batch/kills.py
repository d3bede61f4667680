"""Whether a run that was killed again and again ends as one that nobody disturbed."""

import random
import tempfile
from pathlib import Path

from benchmarks.batch.commands import in_child, killed_after, measured
from benchmarks.batch.growth import TINY
from benchmarks.batch.output import print_table
from benchmarks.batch.rows import rated_rows, recombined, write_rows
from benchmarks.batch.tiny_encoder import write_tiny_encoder

__all__ = ["check_kills"]

_KILLS = 3
_LOCK = "_lock"


def check_kills(reviews: int) -> None:
    """Print when a run was killed, and whether its files are those of one that was not.

    Each time it is killed after up to half the time that the whole run takes undisturbed.
    """
    chance = random.Random()  # noqa: S311 - other moments every time
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        encoder, cache = folder / "encoder", folder / "cache"
        in_child(write_tiny_encoder, encoder)
        corpus = write_rows(
            folder / "corpus.jsonl", recombined(rated_rows(), reviews, is_distinct=True)
        )
        whole, killed = folder / "whole.parquet", folder / "killed.parquet"
        options = (*TINY, encoder)
        undisturbed = measured("batch", corpus, "-o", whole, *options).seconds
        again = ("batch", corpus, "-o", killed, *options, "--resume")
        kills = []
        for number in range(1, _KILLS + 1):
            moment = chance.uniform(0, undisturbed / 2)
            was_at_work = killed_after(moment, *again, cache=cache)
            parts = sum(1 for _ in killed.glob("part-*.parquet"))
            kills.append(
                (f"{number}", f"{moment:.1f}", "yes" if was_at_work else "no", f"{parts:,}")
            )
        measured(*again, cache=cache)
        is_equal = _contents(killed) == _contents(whole)
    print_table(
        f"A run of {reviews:,} reviews, {undisturbed:.1f} s undisturbed, killed and resumed.",
        ("kill", "after seconds", "still at work", "parts there"),
        kills,
    )
    print(f"\nThe same files, byte by byte (all but {_LOCK}): {'yes' if is_equal else 'no'}")


def _contents(run: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in run.iterdir() if path.name != _LOCK}
