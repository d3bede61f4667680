"""Summaries on the Data page: the current run, and the list of all runs."""

import shutil
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
import streamlit as st

from crscore_core.errors import InputError
from crscore_core.text import counted
from crscore_eval.data.ratings import Ratings, describe_ratings
from crscore_eval.formatting import capitalize_first
from crscore_eval.judge.judge import describe_unjudged
from crscore_eval.run.folder import MAX_NAME, rename_run
from crscore_eval.table import (
    ColumnRole,
    Run,
    RunSettings,
    count_warnings,
    is_by_system,
    judge_columns,
    run_signature,
)
from pages.components.current_run import (
    CURRENT,
    STUDY,
    current_key,
    listed_runs,
    load_run,
    runs_folder,
)
from pages.components.server import is_shared
from pages.components.tables import show_texts
from pages.components.text import describe_error, escape_markdown, safe_table
from pages.components.url import switch_page

_COLUMNS = {"name": "name", "n_reviews": "reviews", "claims": "claims", "created": "created"}


def show_summary() -> None:
    """Show the run's reviews, limits and rejected rows with reasons, and a link to its ranking."""
    try:
        run = load_run(current_key())
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
        f"{counted(reviews['system'].nunique(), 'reviewer')}. {_figures(counts)}",
        icon=":material/check:",
    )
    problems = {
        "Rejected rows": settings["n_rejected"],
        "Reviews that cannot be scored": int((~is_empty & ~has_score).sum()),
    }
    if problem := _figures(problems):
        st.warning(f"{problem} The reasons are below.")
    people = capitalize_first(describe_ratings(reviews))
    st.caption(escape_markdown(f"{people}. Signature of the scores: {run_signature(settings)}"))
    if st.button("Open the ranking", type="primary"):
        switch_page("pages/rankings.py")
    warnings = count_warnings(run.reviews)
    if not warnings.empty:
        st.markdown("**What limits the scores**")
        show_texts(warnings.drop(columns="warning").rename(columns={"example": "for example"}))
    _show_left_out(run, settings)
    roles = [ColumnRole(**column) for column in settings["columns"]]
    for role in roles:
        if role.lost:
            st.warning(escape_markdown(f"{role.column}: {role.note}"))
    if roles:
        st.markdown("**How the columns were read**")
        table = pd.DataFrame(
            {
                "column": role.column,
                "read as": role.title,
                "name": role.read_as,
                "cells": role.filled,
                "examples, remark": "\n".join(filter(None, (" | ".join(role.examples), role.note))),
            }
            for role in roles
        )
        show_texts(table)


def _figures(counts: Mapping[str, int]) -> str:
    return " ".join(f"{name}: {number:,}." for name, number in counts.items() if number)


def _show_left_out(run: Run, settings: RunSettings) -> None:
    if rejected := settings["rejected"]:
        st.markdown("**Rejected rows**")
        table = pd.DataFrame(rejected).replace("", None).dropna(axis="columns", how="all")
        st.dataframe(safe_table(table), hide_index=True)
        n_more = settings["n_rejected"] - len(rejected)
        more = f" {n_more:,} more rows are not listed." if n_more else ""
        st.caption(f"To score these rows, fix the file and upload it again.{more}")
    unscored = run.changes[run.changes["left_out"].notna()]
    if not unscored.empty:
        st.warning(f"{counted(len(unscored), 'change')} cannot be scored.")
        reasons = unscored[["change", "left_out"]].rename(columns={"left_out": "reason"})
        st.dataframe(safe_table(reasons), hide_index=True)
    judges = [name for name in judge_columns(run.reviews) if name.endswith("_worth")]
    unjudged = [describe_unjudged(run.reviews, name) for name in judges]
    for warning in [*settings["warnings"], *filter(None, unjudged)]:
        st.warning(escape_markdown(warning))


def show_runs() -> None:
    """List the runs; selecting one opens it, and offers to rename and delete it."""
    st.header("Runs", anchor=False)
    runs = listed_runs()
    if not runs:
        st.write("No run is stored here. Upload a file of reviews to create one.")
        return
    table = pd.DataFrame(runs).reindex(columns=list(_COLUMNS)).rename(columns=_COLUMNS)
    table["created"] = pd.to_datetime(table["created"], utc=True, format="ISO8601")
    if any("problem" in run for run in runs):
        table["problem"] = [run.get("problem", "") for run in runs]
    keys = [run["key"] for run in runs]
    # A selection is valid for one list only, so each list has its own key.
    key, current = f"runs_{hash(tuple(keys))}", current_key()
    rows = [keys.index(current)] if current in keys else []
    st.session_state[key] = {"selection": {"rows": rows}}
    st.dataframe(
        safe_table(table),
        key=key,
        hide_index=True,
        column_config={
            "reviews": st.column_config.NumberColumn(format="localized"),
            "created": st.column_config.DatetimeColumn(format="D MMM YYYY, HH:mm"),
        },
        on_select=lambda: _open_selected(key, keys, rows),
        selection_mode="single-row",
    )
    st.caption("Select a run to open, rename or delete it.")
    for row in rows:
        _offer_actions(runs[row])
    if not is_shared():
        st.caption(f"Runs are stored in `{runs_folder()}`.")


def _open_selected(key: str, keys: Sequence[str], opened: Sequence[int]) -> None:
    for row in {*st.session_state[key]["selection"]["rows"]}.difference(opened):
        st.session_state[CURRENT] = keys[row]


def _offer_actions(run: Mapping[str, Any]) -> None:
    name = run["name"] or "this run"
    n_answers = 0 if "problem" in run else len(Ratings(run["path"]).answers())
    with st.container(horizontal=True):
        if "problem" not in run:
            with st.popover("Rename", icon=":material/edit:"):
                st.text_input(
                    "New name, then Enter",
                    name,
                    max_chars=MAX_NAME,
                    key=f"name_of_{run['key']}",
                    on_change=_rename,
                    args=(run,),
                )
        with st.popover("Delete", icon=":material/delete:"):
            lost = f" with people's answers: {n_answers:,}" if n_answers else ""
            st.write(escape_markdown(f"{name} will be permanently deleted{lost}."))
            st.button("Delete permanently", type="primary", on_click=_delete, args=(run,))


def _rename(run: Mapping[str, Any]) -> None:
    try:
        rename_run(run["path"], st.session_state[f"name_of_{run['key']}"] or "")
    except (InputError, OSError) as error:
        st.error(escape_markdown(str(error)))


def _delete(run: Mapping[str, Any]) -> None:
    try:
        shutil.rmtree(run["path"])
    except OSError as error:
        st.error(escape_markdown(str(error)))
    st.session_state[CURRENT] = STUDY
