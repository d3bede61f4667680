"""Reviews a second: a plain loop, a run, and the encoder alone, in one process by turns."""

import os
import random
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import mean

import numpy as np

from benchmarks.batch.output import print_table
from benchmarks.batch.plain_loop import PlainLoop, PlainScore
from benchmarks.batch.rows import Row, rated_rows, without_claims, write_rows
from benchmarks.timing import seconds
from crscore_core.corpus.run import BatchJob, LocalEngine, Recipe, run_batch
from crscore_core.corpus.run.finished import FinishedRun
from crscore_core.scoring import (
    DEFAULT_ENCODER,
    Precision,
    fastest_precision,
    load_encoder,
    resolve_tau,
    split_sentences,
)

__all__ = ["time_throughput"]

_TAU = resolve_tau(None, DEFAULT_ENCODER)
_TURNS = 2
_MILLION = 1_000_000
_SECONDS_AN_HOUR = 3600


@dataclass(frozen=True, slots=True)
class _Variant:
    """A way to run: what it is called, and what differs from given claims in float32."""

    name: str
    precision: Precision = Precision.FLOAT32
    has_claims: bool = True
    analyzers: bool = False


def time_throughput(reviews: int, plain_reviews: int) -> None:
    """Print the rates over `reviews` reviews; the plain loop takes some of them, by chance."""
    rows = rated_rows()[:reviews]
    compared = [row for row in rows if split_sentences(row["review"])]
    chosen = random.Random(1).sample(compared, min(plain_reviews, len(compared)))  # noqa: S311
    encoder, plain = load_encoder(), PlainLoop(_TAU)
    texts = _distinct_texts(rows)
    fastest = fastest_precision(DEFAULT_ENCODER)
    variants = [_Variant("a run, claims given")]
    if fastest is not Precision.FLOAT32:
        load_encoder(precision=fastest)
        variants.append(_Variant(f"a run, claims given, {fastest}", fastest))
    variants += [
        _Variant("a run, claims given, and analyzers", analyzers=True),
        _Variant("a run, symbolic claims", has_claims=False),
        _Variant("a run, symbolic claims, and analyzers", has_claims=False, analyzers=True),
    ]
    calls: dict[str, Callable[[], object]] = {
        "the plain loop": lambda: _plain_scores(plain, chosen),
        "the encoder alone": lambda: encoder.encode(texts),
    }
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        given = write_rows(folder / "given.jsonl", rows)
        bare = write_rows(folder / "bare.jsonl", without_claims(rows))
        for one in variants:
            calls[one.name] = partial(_run, given if one.has_claims else bare, one)
        spent = {name: mean(times) for name, times in _by_turns(calls).items()}
        difference, others = _difference(given, rows, chosen, _plain_scores(plain, chosen))
    rate = {name: len(rows) / time for name, time in spent.items()}
    rate["the plain loop"] = len(chosen) / spent["the plain loop"]
    alone = rate["the encoder alone"]
    print_table(
        f"{len(rows):,} reviews of {len({row['diff'] for row in rows}):,} changes, {len(texts):,} "
        f"distinct texts; the plain loop: {len(chosen):,} of the reviews. Models are loaded "
        f"before, caches are empty; means of {_TURNS} turns.",
        (
            "what",
            "reviews/s",
            "times the plain loop",
            "time over the encoder alone",
            "hours for a million",
        ),
        (
            (
                name,
                f"{one:.1f}",
                f"{one / rate['the plain loop']:.2f}",
                f"{alone / one:.2f}",
                f"{_MILLION / one / _SECONDS_AN_HOUR:.1f}",
            )
            for name, one in rate.items()
        ),
    )
    print(
        f"\nThe plain loop's cosines and those of a run differ by {difference:.1e} at most, and "
        f"{others} of {len(chosen):,} Rel are others."
    )


def _by_turns(calls: dict[str, Callable[[], object]]) -> dict[str, list[float]]:
    """Seconds of every call, all of them once in order and then backwards."""
    times: dict[str, list[float]] = {name: [] for name in calls}
    for turn in range(_TURNS):
        for name in list(calls) if turn % 2 == 0 else reversed(calls):
            times[name] += seconds(calls[name], 1)
    return times


def _distinct_texts(rows: Sequence[Row]) -> list[str]:
    texts = dict.fromkeys(claim for row in rows for claim in row["claims"])
    return list(
        texts | dict.fromkeys(text for row in rows for text in split_sentences(row["review"]))
    )


def _plain_scores(plain: PlainLoop, rows: Sequence[Row]) -> list[PlainScore]:
    return [plain.score(row["claims"], split_sentences(row["review"])) for row in rows]


def _run(corpus: Path, variant: _Variant) -> None:
    with tempfile.TemporaryDirectory() as name, _empty_caches():
        recipe = Recipe(_TAU, analyzers=variant.analyzers, precision=variant.precision)
        run_batch(BatchJob(corpus, Path(name) / "run", recipe), LocalEngine(recipe))


@contextmanager
def _empty_caches() -> Iterator[None]:
    before = os.environ.get("XDG_CACHE_HOME")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_CACHE_HOME"] = folder
        try:
            yield
        finally:
            if before is None:
                del os.environ["XDG_CACHE_HOME"]
            else:
                os.environ["XDG_CACHE_HOME"] = before


def _difference(
    corpus: Path, rows: Sequence[Row], chosen: Sequence[Row], scores: Sequence[PlainScore]
) -> tuple[float, int]:
    """The largest difference of a cosine between a run and `scores`, and how many Rel differ."""
    recipe = Recipe(_TAU, analyzers=False)
    folder = corpus.with_name("compared")
    with _empty_caches():
        run_batch(BatchJob(corpus, folder, recipe), LocalEngine(recipe))
    found = [
        one
        for part in FinishedRun.open(folder).parts(["similarity", "relevance"])
        for one in part.to_pylist()
    ]
    of_row = {row["id"]: one for row, one in zip(rows, found, strict=True)}
    pairs = [(of_row[row["id"]], score) for row, score in zip(chosen, scores, strict=True)]
    return (
        max(
            float(np.abs(np.array(one["similarity"]) - score.similarity.ravel()).max())
            for one, score in pairs
        ),
        sum(one["relevance"] != score.relevance for one, score in pairs),
    )
