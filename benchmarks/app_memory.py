"""Measure the app's memory while a person rates a run: it must hold the run once.

`python -m benchmarks.app_memory [rate|heatmap]` writes a run of 50 MB, opens the page, and gives
ten ratings, opening the page again after each. It prints the resident memory.
"""

import argparse
import gc
import os
import tempfile
from pathlib import Path

from streamlit.testing.v1 import AppTest

from benchmarks.measuring import memory_mib
from crscore_eval.data.ratings import Question, Ratings
from crscore_eval.data.shipped import shipped_run
from crscore_eval.run.folder import write_part, write_settings
from crscore_eval.table.roles import WORTH

_SIZE, _N_RATINGS = 50 * 10**6, 10
_PAGES = Path(__file__).resolve().parents[1] / "pages"


def write_run(folder: Path, size: int = _SIZE) -> list[str]:
    """Write copies of the shipped run until the folder has `size` bytes; return ids of reviews."""
    run, ids = shipped_run(), list[str]()
    while sum(path.stat().st_size for path in folder.iterdir()) < size:
        number = len(ids) // len(run.reviews)
        reviews, changes = (table.copy() for table in (run.reviews, run.changes))
        for table, column in ((reviews, "id"), (reviews, "change"), (changes, "change")):
            table[column] = f"{number}/" + table[column]
        write_part(folder, number, reviews, changes)
        ids.extend(reviews["id"])
    write_settings(folder, {**run.settings, "n_reviews": len(ids)})
    return ids


def main() -> None:
    """Write a run, rate it, and print the figures."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.app_memory", description=__doc__)
    parser.add_argument("page", nargs="?", default="rate", choices=["rate", "heatmap"])
    page = AppTest.from_file(_PAGES / f"{parser.parse_args().page}.py", default_timeout=600)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        ids = write_run(folder)
        os.environ["CRSCORE_RUN"] = name
        page.session_state["data"] = "given"
        page.session_state["rater"] = "ann"
        memory = []
        for review in ids[: _N_RATINGS + 1]:
            if errors := page.run().exception:
                raise RuntimeError(errors[0].value)
            gc.collect()
            memory.append(memory_mib())
            Ratings(folder).give("ann", Question(review, WORTH, ()), 4)
    print(f"{memory[0]:.0f} MiB before {_N_RATINGS} ratings, {memory[-1]:.0f} MiB after")
    print("after each:", *(f"{each:.0f}" for each in memory))


if __name__ == "__main__":
    main()
