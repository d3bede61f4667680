"""Open data by name: `study`, `kinds`, the folder of a run, or a file of reviews."""

from collections.abc import Mapping
from pathlib import Path

from crscore_core.errors import InputError, quoted
from crscore_core.scoring.scorer import Progress, ignore_progress
from crscore_eval.data.ratings import Ratings, with_ratings
from crscore_eval.data.shipped import SHIPPED, SHIPPED_RUN
from crscore_eval.data.study import SYSTEM_TITLES
from crscore_eval.run.batch import score_file
from crscore_eval.run.folder import SETTINGS, open_run
from crscore_eval.run.parts import BatchOptions
from crscore_eval.table import GROUND_TRUTH, Run

KINDS = SHIPPED.with_name("kinds") / "kinds.jsonl"
"""Six kinds of reviews of each of 24 commits, with labels for right or wrong and for worth."""

SHIPPED_DATA = {"study": SHIPPED_RUN, "kinds": KINDS}
"""Data that come with this project, by name."""


def data_path(name: str) -> Path:
    """Return the path of shipped data by its name, or else the path `name`.

    Raises:
        InputError: no run or file has this name, or both shipped data and a run in this folder
            have it.
    """
    if name in SHIPPED_DATA and (Path(name) / SETTINGS).is_file():
        raise InputError(f"{name!r} is shipped data and a run here", f"for the run, give ./{name}")
    path = SHIPPED_DATA.get(name, Path(name))
    if not (path.is_dir() or path.is_file()):
        names = " or ".join(SHIPPED_DATA)
        raise InputError(
            f"{quoted(name)} is neither a run nor a file", f"give a run, a file, {names}"
        )
    return path


def open_data(
    name: str | Path,
    on_progress: Progress = ignore_progress,
    columns: Mapping[str, str] | None = None,
) -> Run:
    """Return data as a run, with the ratings that people gave in the app.

    A file is scored with the defaults, and `columns` as in `decide_layout`; `on_progress` receives
    the progress.

    Raises:
        InputError: there is no run or file with this name, or it cannot be read.
    """
    path = data_path(str(name))
    if path.is_dir():
        if columns:
            raise InputError("a run's columns are as scored", "score its file again with --column")
        return with_ratings(open_run(path), Ratings(path).answers())
    return score_file(path, BatchOptions(columns=columns or {}), on_progress)


def with_titles(run: Run, name: str) -> Run:
    """Return a run with the paper's names of its systems if `name` names the human study."""
    if name != "study":
        return run
    titles = {system: title for system, title in SYSTEM_TITLES.items() if system != GROUND_TRUTH}
    return run._replace(reviews=run.reviews.replace({"system": titles}))
