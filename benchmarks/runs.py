"""How long it takes to read a file of many reviews, to keep them as a run, and to hand them on."""

import json
import tempfile
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.timing import report, seconds
from crscore_core.corpus.comparison import CorpusComparison
from crscore_core.corpus.html_report import html_report
from crscore_core.corpus.reading import guess_mapping, import_corpus, read_table
from crscore_core.corpus.run.compare import compare_runs
from crscore_core.corpus.run.store import RunStore

__all__ = ["time_runs"]

_REPEATS = 3
_TAU = 0.5


def time_runs(comparison: CorpusComparison, base: float) -> None:
    """Print seconds, and their ratio to `base`, of everything that is done with a whole corpus."""
    size = f"{len(comparison.reviews):,} reviews"

    def time(name: str, call: Callable[[], object]) -> None:
        report(f"{name}, {size}", seconds(call, _REPEATS), base)

    content = _json_lines(comparison)
    table = read_table(content, "reviews.jsonl")
    time("read JSON Lines", lambda: read_table(content, "reviews.jsonl"))
    mapping = guess_mapping(table.columns)
    time("import", lambda: import_corpus(table, mapping, "reviews.jsonl"))
    with tempfile.TemporaryDirectory() as folder:
        store = RunStore(Path(folder))
        run = store.save("run", comparison)
        time("save a run", lambda: store.save("run", comparison))
        time("load a run", lambda: store.load(run.id))
    time("compare two runs", lambda: compare_runs(comparison, comparison, _TAU, _TAU))
    now = datetime.now(UTC)
    time("HTML report", lambda: html_report(comparison, _TAU, "run", note="", scored_at=now))


def _json_lines(comparison: CorpusComparison) -> bytes:
    """A line a review, with its change, as people give them."""
    rows = (
        {
            "id": review.id,
            "diff": comparison.changes[review.change].diff,
            "review": review.text,
            "system": review.system,
            "claims": list(review.references),
            "relevance": review.ratings.relevance,
        }
        for review in comparison.reviews
    )
    return b"".join(json.dumps(row).encode() + b"\n" for row in rows)
