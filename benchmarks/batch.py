"""Print the time and memory that it takes to score whole corpora.

`python -m benchmarks.batch [throughput|growth|python] [--reviews N] [--engine local|ray]`. Seconds
depend on the machine; ratios within a run also hold elsewhere. `throughput` alternates between runs
over the reviews of the shipped study and the encoder alone on the same texts. `growth` scores
corpora of recombined sentences, with up to `--reviews` reviews, ten per change. `python` scores 20
changes in three ways.
"""

import argparse
import json
import random
import re
import statistics
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain
from operator import truediv
from pathlib import Path
from typing import Any

import pandas as pd

from benchmarks.measuring import machine, measured, print_table, seconds
from crscore_core import ChangeInput, CRScorer
from crscore_core.scoring import load_encoder, read_review
from crscore_eval.data.shipped import shipped_run
from crscore_eval.run.batch import run_batch
from crscore_eval.run.folder import open_run
from crscore_eval.run.parts import BatchOptions, score_table
from crscore_eval.table import Run

_TURNS = 3
_REVIEWS_PER_CHANGE = 10
_CHANGED_LINE = re.compile(r"^[+-](?![+-]).*$", re.MULTILINE)

Row = dict[str, Any]
"""A review with its change, as `crscore batch` reads it."""


def rated_rows() -> list[Row]:
    """Return the reviews of the shipped study, with people's pseudo-references as claims."""
    run = shipped_run()
    changes = run.changes[run.changes["left_out"].isna()]
    claims = changes["references"].map(lambda references: [claim["text"] for claim in references])
    table = run.reviews.merge(
        changes[["change", "diff"]].assign(claims=claims), on="change", validate="m:1"
    )
    names = ["id", "system", "language", "review", "diff", "claims"]
    rows = (dict(zip(names, row, strict=True)) for row in table[names].to_numpy())
    return [row | {"claims": list(row["claims"])} for row in rows]


def recombined(rows: Sequence[Row], reviews: int) -> Iterator[Row]:
    """Yield reviews made of sentences of all reviews, ten per change; no text occurs twice."""
    generator = random.Random(1)  # noqa: S311 - the same corpus every time
    sentences = sorted({part for row in rows for part in read_review(row["review"]).sentences})
    change: Row = {}
    for number in range(reviews):
        if number % _REVIEWS_PER_CHANGE == 0:
            row = generator.choice(rows)
            comment = f" # {number}" if row["language"] == "python" else f" // {number}"
            diff = _CHANGED_LINE.sub(rf"\g<0>{comment}", row["diff"], count=1)
            claims = [f"In {number}, {claim}" for claim in row["claims"]]
            change = {"language": row["language"], "diff": diff, "claims": claims}
        sample = generator.sample(sentences, generator.randint(1, 4))
        review = "\n".join(f"In {number}, {sentence}" for sentence in sample)
        system = f"system {number % _REVIEWS_PER_CHANGE}"
        yield {"id": f"review {number}", "system": system, "review": review, **change}


def write_rows(path: Path, rows: Iterable[Row]) -> Path:
    """Write a corpus as JSON Lines."""
    with path.open("w", encoding="utf-8") as file:
        file.writelines(f"{json.dumps(row)}\n" for row in rows)
    return path


def time_throughput(reviews: int) -> None:
    """Print how much longer runs take than the encoder alone on the same texts."""
    rows = rated_rows()[:reviews]
    encoder = load_encoder()
    variants = {
        "claims given": BatchOptions(analyzers=False),
        "symbolic claims": BatchOptions(analyzers=False),
        "symbolic claims, and analyzers": BatchOptions(),
    }
    spent: dict[str, tuple[list[float], list[float]]] = {name: ([], []) for name in variants}
    with tempfile.TemporaryDirectory() as folder:
        without_claims = [{name: row[name] for name in row if name != "claims"} for row in rows]
        given = write_rows(Path(folder, "given.jsonl"), rows)
        bare = write_rows(Path(folder, "bare.jsonl"), without_claims)
        texts = {}
        for turn in range(_TURNS + 1):  # turn 0 loads models for the others
            for name, options in variants.items():
                source, out = given if name == "claims given" else bare, Path(folder, "run")
                times = seconds(partial(_run, source, out, options), 1)
                texts[name] = _texts(open_run(out))
                encoder_times = seconds(partial(encoder.encode, texts[name]), 1)
                if turn:
                    spent[name][0].extend(times)
                    spent[name][1].extend(encoder_times)
    print_table(
        f"{len(rows):,} reviews; models are loaded; medians of {_TURNS} turns",
        ("run", "distinct texts", "reviews/s", "time over the encoder alone"),
        (
            (
                name,
                f"{len(texts[name]):,}",
                f"{len(rows) / statistics.median(times):.1f}",
                f"{statistics.median(map(truediv, times, encoder_times)):.3f}",
            )
            for name, (times, encoder_times) in spent.items()
        ),
    )


def time_growth(reviews: int, engine: str) -> None:
    """Print seconds and memory of `crscore batch` at a hundredth, a tenth and all of `reviews`."""
    rows = rated_rows()
    table = []
    with tempfile.TemporaryDirectory() as folder:
        for size in (reviews // 100, reviews // 10, reviews):
            corpus = write_rows(Path(folder, "corpus.jsonl"), recombined(rows, size))
            out = Path(folder, f"{size}")
            spent = measured("batch", corpus, "-o", out, "--no-analyzers", "--engine", engine)
            table.append((f"{size:,}", f"{spent.seconds:.1f}", f"{spent.peak_mib:.0f}"))
    print_table(
        f"No text twice, claims given, no analyzers, engine {engine}; peak memory of the command "
        "without Ray's workers",
        ("reviews", "seconds", "peak MiB"),
        table,
    )


def time_python() -> None:
    """Print the time for 20 changes in a loop and in one call, relative to a table of them."""
    rows = pd.DataFrame(rated_rows()).drop(columns="claims")
    changes = rows.drop_duplicates("diff")[:20].assign(change=lambda table: table["id"])
    reviews = rows.merge(changes[["diff", "change"]], on="diff").drop(columns="diff")
    groups = reviews.groupby("change")["review"]
    table = changes[["change", "language", "diff"]]
    inputs = [
        ChangeInput(row["diff"], groups.get_group(row["change"]).to_list(), row["language"])
        for row in table.to_dict("records")
    ]
    scorer = CRScorer()
    calls: dict[str, Callable[[], object]] = {
        "`score_table`": partial(score_table, reviews, table, scorer=scorer),
        "`CRScorer.score_changes`": partial(scorer.score_changes, inputs),
        "`CRScorer.score_many` in a loop": lambda: [
            scorer.score_many(str(change.diff), change.reviews, language=change.language)
            for change in inputs
        ],
    }
    turns = [{name: seconds(call, 1)[0] for name, call in calls.items()} for _ in range(_TURNS + 1)]
    times = {name: [turn[name] for turn in turns[1:]] for name in calls}
    base = statistics.median(times["`score_table`"])
    print_table(
        f"{len(inputs)} changes with {len(reviews)} reviews; medians of {_TURNS} turns",
        ("call", "seconds", "time over `score_table`"),
        (
            (name, f"{statistics.median(spent):.1f}", f"{statistics.median(spent) / base:.2f}")
            for name, spent in times.items()
        ),
    )


def _run(source: Path, out: Path, options: BatchOptions) -> None:
    for path in out.glob("*"):
        path.unlink()
    run_batch(source, out, options)


def _texts(run: Run) -> list[str]:
    """Return the distinct texts that a run embeds: pseudo-references, wordings and sentences."""
    claims = list(chain.from_iterable(run.changes["references"]))
    texts = (text for claim in claims for text in (claim["text"], *(claim["wordings"] or ())))
    sentences = chain.from_iterable(run.reviews["sentences"])
    return pd.unique(pd.Series([*texts, *sentences], dtype=object)).tolist()


def main() -> None:
    """Print the chosen tables."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.batch", description=__doc__)
    parser.add_argument("section", nargs="?", choices=("throughput", "growth", "python"))
    parser.add_argument("--reviews", type=int)
    parser.add_argument("--engine", choices=("local", "ray"), default="local")
    chosen = parser.parse_args()
    print(machine())
    if chosen.section in {None, "python"}:
        time_python()
    if chosen.section in {None, "throughput"}:
        time_throughput(chosen.reviews or 2_000)
    if chosen.section in {None, "growth"}:
        time_growth(chosen.reviews or 100_000, chosen.engine)


if __name__ == "__main__":
    main()
