"""Runs with given similarity matrices, in memory and in folders: nothing is embedded."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from crscore_eval.run.folder import write_part, write_settings
from crscore_eval.table import HUMAN, Run, RunSettings, scores_at

TAU = 0.4
CHANGES, SYSTEMS = 18, ("good", "middling", "bad")
_COSINE = {"good": 0.9, "middling": 0.5, "bad": 0.1}
_RATING = {"good": 5.0, "middling": 3.0, "bad": 1.0}


class SyntheticReview(NamedTuple):
    """A review: its change, its system, its matrix by rows, ratings (Con, Comp, Rel), its text."""

    change: int
    system: str
    similarity: Sequence[Sequence[float]]
    ratings: tuple[float, float, float] | None = None
    text: str = "A review."


def synthetic_run(*reviews: SyntheticReview, diff: str = "@@ -1 +1 @@\n-old\n+new\n") -> Run:
    """Return a run of these reviews, with ids such as `0/one/2`: change, system, number."""
    table = pd.DataFrame([_row(number, review) for number, review in enumerate(reviews)])
    n_references = {review.change: len(review.similarity) for review in reviews}
    changes = pd.DataFrame([
        {"change": f"{change}", "title": "", "language": "python", "diff": diff, "warnings": [],
         "references": [_reference(at) for at in range(n_references[change])],
         "left_out": None if n_references[change] else "no reason", "analyzers": []}
        for change in sorted(n_references)
    ])  # fmt: skip
    settings: RunSettings = {"name": "Synthetic", "encoder": "all-MiniLM-L6-v2", "claims": "given",
                "with_analyzers": False, "analyzers": [], "tau": TAU, "version": "0",
                "scoring_version": 1, "claims_version": None}  # fmt: skip
    scores = scores_at(table, TAU).assign(no_threshold=scores_at(table, None)["relevance"])
    return Run(table.assign(**scores), changes, settings)


def _reference(at: int) -> dict[str, Any]:
    return {"text": f"Reference {at}.", "kind": "claim", "source": "given", "path": None,
            "line": at + 1, "wordings": []}  # fmt: skip


def _row(number: int, review: SyntheticReview) -> dict[str, Any]:
    matrix = np.array(review.similarity, dtype=np.float32)
    rows, columns = matrix.shape
    return {
        "id": f"{review.change}/{review.system}/{number}", "row": number + 1,
        "change": f"{review.change}", "system": review.system, "language": "python",
        "review": review.text if columns else "", "warnings": [],
        "tau": TAU, "n_pseudo_references": rows, "n_sentences": columns,
        "sentences": [f"Sentence {at}." for at in range(columns)], "similarity": matrix.ravel(),
        "sentence_maxima": matrix.max(axis=0, initial=-1),
        "reference_maxima": matrix.max(axis=1) if columns else matrix.ravel(),
        **dict(zip(HUMAN.values(), review.ratings or [np.nan] * 3, strict=True)),
    }  # fmt: skip


def small_run(*, is_rated: bool = True) -> Run:
    """Return reviews of each change by each system; `bad` is rated 5 once, `good` 1 once.

    The columns `topic` and `a=b` are own columns of the file: `net` on even changes, else `io`.
    """
    synthetic = []
    for change in range(CHANGES):
        for system in SYSTEMS:
            rating = {("bad", 0): 5.0, ("good", 1): 1.0}.get((system, change), _RATING[system])
            cosine = _COSINE[system] + change / 1000
            text = f"{system.capitalize()} review of `value_{change}`."
            matrix = [[cosine, 0.1], [0.2, cosine - 0.05]]
            synthetic.append(
                SyntheticReview(change, system, matrix, (rating,) * 3 if is_rated else None, text)
            )
    run = synthetic_run(*synthetic, diff="@@ -1 +1 @@\n-value = 1\n+value = 2\n")
    topic = run.reviews["change"].map(lambda name: "io" if int(name) % 2 else "net")
    reviews = run.reviews.assign(**{"topic": topic, "a=b": topic})
    if not is_rated:
        reviews = reviews.drop(columns=list(HUMAN.values()))
    return run._replace(reviews=reviews)


def write_run(folder: Path, run: Run) -> Path:
    """Write a run where pages read it."""
    folder.mkdir(parents=True)
    write_part(folder, 0, run.reviews, run.changes)
    counts: RunSettings = {"n_reviews": len(run.reviews), "n_changes": len(run.changes)}
    write_settings(folder, {**run.settings, **counts, "is_finished": True})
    return folder
