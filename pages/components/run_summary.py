"""Summaries on the Data page: the run that was read, and the list of all runs."""

from collections.abc import Mapping

import pandas as pd
import streamlit as st

from crscore_core.errors import InputError
from crscore_core.text import counted
from crscore_eval.formatting import format_figure
from crscore_eval.table import (
    DIMENSIONS,
    RATED,
    ColumnRole,
    Run,
    RunSettings,
    count_warnings,
    is_by_system,
    measure_values,
    run_signature,
)
from pages.components.column_roles import without_options
from pages.components.current_run import (
    current_key,
    listed_runs,
    load_run,
    runs_folder,
)
from pages.components.jobs import is_running
from pages.components.server import is_shared
from pages.components.tables import show_texts
from pages.components.text import describe_error, escape_markdown, safe_table

_COLUMNS = {"name": "name", "n_reviews": "reviews", "claims": "claims", "created": "created"}


def show_summary() -> None:
    """Show what the run has: reviews, limits, rejected rows with reasons; link to its ranking."""
    key = current_key()
    if is_running(key):
        return
    try:
        run = load_run(key)
    except InputError as error:
        st.error(describe_error(error))
        return
    settings = run.settings
    st.header(escape_markdown(settings["name"] or "This run"), anchor=False)
    reviews = run.reviews[is_by_system(run.reviews)]
    is_empty, has_score = reviews["n_sentences"] == 0, reviews["relevance"].notna()
    counts = {
        "Empty reviews": int(is_empty.sum()),
        "Reference reviews, which are not counted": len(run.reviews) - len(reviews),
    }
    st.success(
        f"{counted(len(reviews), 'review')} of {counted(len(run.changes), 'change')} by "
        f"{counted(reviews['system'].nunique(), 'system')}. {_figures(counts)}",
        icon=":material/check:",
    )
    problems = {
        "Rejected rows": settings["n_rejected"],
        "Reviews that cannot be scored": int((~is_empty & ~has_score).sum()),
    }
    if problem := _figures(problems):
        st.warning(f"{problem} The reasons are below.")
    _show_facts(reviews, settings)
    if st.button("Open the ranking", type="primary"):
        st.switch_page("pages/rankings.py")
    warnings = count_warnings(run.reviews)
    if not warnings.empty:
        st.markdown("**What limits the scores**")
        show_texts(warnings.drop(columns="warning").rename(columns={"example": "for example"}))
    _show_left_out(run, settings)
    if columns := settings["columns"]:
        st.markdown("**How the columns were read**")
        roles = [ColumnRole(**column) for column in columns]
        table = pd.DataFrame(
            {
                "column": role.column,
                "read as": role.title,
                "name": role.read_as,
                "cells": role.filled,
                "remark": without_options(role.note),
                "examples": " | ".join(role.examples),
            }
            for role in roles
        )
        st.dataframe(safe_table(table), hide_index=True)


def _figures(counts: Mapping[str, int]) -> str:
    """Return the counts that are not 0, in words."""
    return " ".join(f"{name}: {number:,}." for name, number in counts.items() if number)


def _show_facts(reviews: pd.DataFrame, settings: RunSettings) -> None:
    """Show the means of the scores, and what they and people's ratings come from."""
    with st.container(horizontal=True):
        for name in DIMENSIONS:
            mean = measure_values(reviews, name).mean()  # empty reviews count as 0
            st.metric(f"Mean {name}", format_figure(mean, missing="–"))
    counts = {kind: int(reviews[name].count()) for kind, name in RATED.items() if name in reviews}
    rated = ", ".join(f"the {kind} of {counted(n, 'review')}" for kind, n in counts.items() if n)
    rated = f"People rated {rated}." if rated else "No column was read as people's ratings."
    st.caption(escape_markdown(f"{rated} Signature of the scores: {run_signature(settings)}"))


def _show_left_out(run: Run, settings: RunSettings) -> None:
    """Show the rejected rows and the changes without scores, with reasons."""
    if rejected := settings["rejected"]:
        st.markdown("**Rejected rows**")
        st.dataframe(safe_table(pd.DataFrame(rejected)), hide_index=True)
        n_more = settings["n_rejected"] - len(rejected)
        more = f" {n_more:,} more rows are not listed." if n_more else ""
        st.caption(f"To score these rows, fix the file and upload it again.{more}")
    unscored = run.changes[run.changes["left_out"].notna()]
    if not unscored.empty:
        st.warning(f"{counted(len(unscored), 'change')} cannot be scored.")
        reasons = unscored[["change", "left_out"]].rename(columns={"left_out": "reason"})
        st.dataframe(safe_table(reasons), hide_index=True)
    for warning in settings["warnings"]:
        st.warning(escape_markdown(warning))


def show_runs() -> None:
    """List the runs that the sidebar offers."""
    st.header("Runs", anchor=False)
    runs = listed_runs()
    if not runs:
        st.write("There are no runs yet. Upload a file of reviews to create one.")
        return
    table = pd.DataFrame(runs).reindex(columns=list(_COLUMNS)).rename(columns=_COLUMNS)
    created = pd.to_datetime(table["created"], utc=True, format="ISO8601")
    table["created"] = created.dt.strftime("%d %b %Y, %H:%M").fillna("")
    if any("problem" in run for run in runs):
        table["problem"] = [run.get("problem", "") for run in runs]
    counts = st.column_config.NumberColumn(format="localized")
    st.dataframe(safe_table(table), hide_index=True, column_config={"reviews": counts})
    if not is_shared():
        st.write(f"Choose a run in the sidebar. Runs are in the folder `{runs_folder()}`.")
