"""Runs of reviews with a given relevance and given ratings."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

import numpy as np
import pandas as pd

from crscore_eval.table import Run, RunSettings

TAU = 0.5
GOOD = [0.8, 0.7, 0.9, 0.8, 0.7, 0.9, 0.8, 0.8]
WORSE = [score - 0.3 for score in GOOD]
"""Relevance of a bot's reviews of eight changes."""
RECITER: dict[str, Sequence[float]] = {"human_relevance": [1, 2, 2, 2, 1, 3, 2, 2]}
EXPERT: dict[str, Sequence[float]] = {"human_relevance": [5, 4, 4, 5, 4, 5, 4, 4]}
"""Ratings of a bot's reviews of eight changes."""
_PARTS = 20
"""Number of sentences and of pseudo-references; relevance is a multiple of its inverse."""
Value = float | None | Callable[[int], float | None]
"""A system's number for every change, or a function of the change's number."""


def bot(
    scores: Sequence[float | None],
    columns: Mapping[str, Sequence[float]] | None = None,
    **settings: object,
) -> Run:
    """Return a run of one system with one review per change."""
    rows = [
        {"system": "bot", "change": at, "score": score}
        | {name: values[at] for name, values in (columns or {}).items()}
        for at, score in enumerate(scores)
    ]
    return run_of_rows(rows, **settings)


def run_of_systems(
    systems: Mapping[str, Value],
    n_changes: int | Sequence[int],
    ratings: Mapping[str, Value] | None = None,
    swing: float = 0.0,
    **columns: Mapping[str, Value],
) -> Run:
    """Return a run in which each system reviews every change, or only the first changes.

    `systems` holds mean relevance and `ratings` mean ratings. From change to change, they alternate
    by `swing` and by a fifth of a point, which cancels out in means over an even number of changes.
    `columns` holds each system's values in other columns.
    """
    counts = [n_changes] * len(systems) if isinstance(n_changes, int) else n_changes
    rows = []
    for change in range(max(counts)):
        for number, (name, count) in enumerate(zip(systems, counts, strict=True)):
            if change < count:
                sign = (-1) ** (change + number)
                row: dict[str, Any] = {"system": name, "change": change}
                row["score"] = _at(change, systems[name], sign * swing)
                row["rating"] = _at(change, (ratings or {}).get(name), sign * 0.2)
                values = {column: of[name] for column, of in columns.items() if name in of}
                rows.append(row | {column: _at(change, of) for column, of in values.items()})
    return run_of_rows(rows)


def _at(change: int, value: Value, swing: float = 0.0) -> float | None:
    number = value(change) if callable(value) else value
    return None if number is None else number + swing


def run_of_rows(rows: Sequence[Mapping[str, Any]], **settings: object) -> Run:
    """Return a run with one review per row.

    A row has `system`, `change` (a number), and may have `score` (relevance at `TAU`, None for an
    empty review), `rating`, `review`, and columns of its own.
    """
    reviews = pd.DataFrame([_review(number, row) for number, row in enumerate(rows)])
    changes = pd.DataFrame([
        {"change": f"change {number}", "title": f"Title {number}", "language": "python",
         "diff": f"@@ -1 +1 @@\n-old_{number}\n+new_{number}\n", "references": [], "warnings": [],
         "left_out": None, "analyzers": []}
        for number in sorted({row["change"] for row in rows})
    ])  # fmt: skip
    defaults = {
        "name": "Test", "encoder": "none", "claims": "given", "with_analyzers": False,
        "analyzers": [], "tau": TAU, "version": "0", "scoring_version": 1, "claims_version": None,
        "rejected": [], "warnings": [], "created": None,
    }  # fmt: skip
    return Run(reviews, changes, cast("RunSettings", defaults | settings))


def _review(number: int, row: Mapping[str, Any]) -> dict[str, Any]:
    score = row.get("score", 0.5)
    matched = 0 if score is None else round(score * _PARTS)
    maxima = np.array([0.9] * matched + [0.1] * (_PARTS - matched), np.float32)
    if score is None:
        maxima = maxima[:0]
    own = {name: row[name] for name in row if name not in {"score", "rating", "change"}}
    return {
        "id": f"review {number}", "row": number + 1, "change": f"change {row['change']}",
        "language": "python", "review": f"A review by {row['system']}.", "warnings": [],
        "relevance": np.nan if score is None else matched / _PARTS, "tau": TAU,
        "n_pseudo_references": _PARTS, "n_sentences": len(maxima), "sentence_maxima": maxima,
        "reference_maxima": maxima, "human_relevance": row.get("rating", np.nan), **own,
    }  # fmt: skip
