"""Corpora made of a few templates, and runs over them by a model small enough to be made here."""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from crscore_core.corpus.run import BatchJob, LocalEngine, Recipe, RunDocument, run_batch

JobOf = Callable[..., BatchJob]
"""A function of rows, and by name of `folder` and of what `job_over` takes."""

TAU = 0.4
SYSTEMS = ("first", "second", "third")


def diff_of(number: int) -> str:
    """A change of a Python file, of which no two are the same."""
    return (
        f"--- a/cache_{number}.py\n+++ b/cache_{number}.py\n@@ -1,4 +1,6 @@\n"
        f" def session_{number}(cache):\n-    return cache.get({number})\n"
        f"+    if cache is None:\n+        return None\n+    return cache.get({number + 1})\n"
        f" \n # end of {number}\n"
    )


def rows_of(changes: int) -> list[dict[str, Any]]:
    """Three reviews of each change, by as many systems; some say nothing."""
    texts = (
        "The cache is checked for null in {}. Retry {} is long.",
        "Why is session {} of the cache null? A retry is long.\nCheck {}",
        "",
    )
    return [
        {
            "id": f"change {number}",
            "diff": diff_of(number),
            "system": system,
            "review": text.format(number, number % 7),
            "relevance": number % 5 + 1,
        }
        for number in range(changes)
        for system, text in zip(SYSTEMS, texts, strict=True)
    ]


def write_rows(path: Path, rows: Sequence[Mapping[str, Any] | str]) -> Path:
    """Write JSON Lines; a text is a line as it stands."""
    lines = (row if isinstance(row, str) else json.dumps(row) for row in rows)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def job_over(corpus: Path, folder: Path, encoder: Path, **others: Any) -> BatchJob:  # noqa: ANN401
    """A run over a corpus; `others` are of the recipe, or `resume`, `columns` or `labels`."""
    of_job = {name: others.pop(name) for name in ("resume", "columns", "labels") if name in others}
    recipe = Recipe(**{"tau": TAU, "encoder": str(encoder), "analyzers": False, **others})
    return BatchJob(corpus, folder, recipe, **of_job)


def run(job: BatchJob) -> RunDocument:
    """Score a corpus in this process."""
    return run_batch(job, LocalEngine())


def contents(folder: Path) -> dict[str, bytes]:
    """The files of a run by name, without its lock."""
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.name != "_lock"}
