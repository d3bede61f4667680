"""The run that pages show: the human study, an imported file, or another run on this machine."""

import os
import secrets
from collections.abc import Set
from pathlib import Path
from typing import Any

import streamlit as st
from platformdirs import user_data_path

from crscore_core.errors import InputError, quoted
from crscore_eval.data.ratings import Ratings, with_ratings
from crscore_eval.data.shipped import SHIPPED_RUN
from crscore_eval.data.study import SYSTEM_TITLES
from crscore_eval.run.folder import list_runs, open_run, read_settings
from crscore_eval.table import Run
from pages.components.server import browser_state, is_shared
from pages.components.text import describe_error, unique_labels
from pages.components.url import choose_option

STUDY = "study"
"""Key of the human study, the default."""

CURRENT = "data"
"""Session-state key and URL parameter that hold the key of the run that pages show."""

_CREATED = "created_runs"
_DASHBOARD_RUN = "given"  # key of the run that `crscore dashboard RUN` names
_MAX_KEY = 200  # bytes; the length of file names is limited
_MAX_LISTED = 100
_MAX_OPEN = 2  # runs in memory
_TABLES, _RATINGS = frozenset({".json", ".parquet"}), frozenset({".sqlite"})  # not its journals


def runs_folder() -> Path:
    """Return the folder of this user's runs."""
    return user_data_path("crscore") / "runs"


def new_run_key() -> str:
    """Return an unguessable key for a new run."""
    key = secrets.token_urlsafe(12)
    browser_state().setdefault(_CREATED, set()).add(key)
    return key


def run_path(key: str) -> Path:
    """Return the folder of a run.

    Raises:
        InputError: the key is not the name of a folder.
    """
    if key == STUDY:
        return SHIPPED_RUN
    if key == _DASHBOARD_RUN and "CRSCORE_RUN" in os.environ:
        return Path(os.environ["CRSCORE_RUN"])
    if not key or Path(key).name != key or key.startswith(".") or len(key.encode()) > _MAX_KEY:
        raise InputError(f"there is no run called {quoted(key)}")
    return runs_folder() / key


def choose_run(*, is_shown: bool) -> None:
    """Offer the runs in the sidebar; the choice is stored in the URL as `data`.

    `is_shown` is False on a page that does not show the run.
    """
    titles = run_titles(CURRENT)
    default = _DASHBOARD_RUN if _DASHBOARD_RUN in titles else STUDY
    with st.sidebar:
        label = "Reviews shown" if is_shown else "Reviews on other pages"
        choose_option(label, titles, CURRENT, default)


def run_titles(parameter: str) -> dict[str, str]:
    """Return unique titles of the runs to choose from, keyed by run key.

    The run named by the URL parameter `parameter` is included even if it is not listed, because
    only users with the link know its key.
    """
    titles = {STUDY: "Human study"}
    if "CRSCORE_RUN" in os.environ:
        titles[_DASHBOARD_RUN] = Path(os.environ["CRSCORE_RUN"]).name
    for run in listed_runs():
        if "problem" not in run:
            titles[run["key"]] = run["name"] or run["key"]
    linked = st.query_params.get(parameter) or st.session_state.get(parameter)
    if linked and linked not in titles and linked != "none":
        titles[linked] = _run_name(linked)
    return dict(zip(titles, unique_labels(titles.values()), strict=True))


def _run_name(key: str) -> str:
    try:
        return read_settings(run_path(key))["name"] or key
    except InputError:
        return "Unknown run"


def current_key() -> str:
    """Return the key of the run that pages show."""
    return str(st.session_state.get(CURRENT) or STUDY)


def current_cache_key() -> str:
    """Return a cache key that changes when the run or its ratings change."""
    folder = run_path(current_key())
    return f"{folder} {_version(folder, _TABLES | _RATINGS)}"


def current_run() -> Run | None:
    """Return the run that pages show, with people's ratings joined.

    If the run cannot be shown, show the reason and what to do, and return None.
    """
    key = current_key()
    try:
        run = load_run(key)
    except InputError as error:
        st.error(describe_error(error))
        st.page_link("pages/data.py", label="Choose other data", icon=":material/database:")
        return None
    if run.reviews.empty:
        st.info("This run has no reviews.")
        return None
    return run


def load_run(key: str, *, has_answers: bool = True) -> Run:
    """Return a run, with people's answers joined if `has_answers`.

    Raises:
        InputError: there is no such run, or it is damaged.
    """
    folder = run_path(key)
    if not folder.is_dir():
        raise InputError(f"there is no run called {quoted(key)}")
    run = _load(folder, _version(folder, _TABLES))
    return with_ratings(run, Ratings(folder).answers()) if has_answers else run


def system_title(system: str) -> str:
    """Return the display name of a system; systems of the study have their names in the paper."""
    return SYSTEM_TITLES.get(system, system) if current_key() == STUDY else system


@st.cache_resource(max_entries=_MAX_OPEN, show_spinner="Opening the reviews")
def _load(folder: Path, version: tuple[int, ...]) -> Run:  # noqa: ARG001 - a key
    """Return a run without ratings: with them, each answer would need another copy of the run."""
    return open_run(folder)


def _version(folder: Path, endings: Set[str]) -> tuple[int, ...]:
    files = (path for path in sorted(folder.glob("*")) if path.suffix in endings)
    return tuple(path.stat().st_mtime_ns for path in files)


def listed_runs() -> list[dict[str, Any]]:
    """Return the settings of the runs to list, with their `key`, newest first; see `list_runs`.

    On a shared server, these are this browser's runs; otherwise, all runs on this machine.
    """
    created = browser_state().get(_CREATED, ())
    runs = [{**run, "key": run["path"].name} for run in list_runs(runs_folder())]
    return [run for run in runs if not is_shared() or run["key"] in created][:_MAX_LISTED]
