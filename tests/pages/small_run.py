"""A small rated run in a folder, made by hand: nothing is embedded."""

from pathlib import Path

from crscore_eval.run.folder import write_part, write_settings
from crscore_eval.table import HUMAN, Run, RunSettings
from tests.pages.synthetic_run import SyntheticReview, synthetic_run

CHANGES, SYSTEMS = 18, ("good", "middling", "bad")
_COSINE = {"good": 0.9, "middling": 0.5, "bad": 0.1}
_RATING = {"good": 5.0, "middling": 3.0, "bad": 1.0}


def small_run(*, is_rated: bool = True) -> Run:
    """Return a review of each change by each system; `bad` is rated 5 once, `good` 1 once.

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
