"""The run of the sidebar on the Score page, which shows examples and own changes only."""

import streamlit as st

from crscore_core.change import LANGUAGE_TITLES
from crscore_core.errors import InputError
from crscore_eval.run.folder import read_settings
from crscore_eval.table import Run
from pages.components.current_run import STUDY, current_key, load_run, run_path
from pages.components.jobs import is_running
from pages.components.score_fields import fill_fields
from pages.components.score_form import forget_scores
from pages.components.text import escape_markdown

_MAX_REVIEWS = 20
"""Maximum number of reviews that fill the form."""


def offer_change_of_run() -> None:
    """Say that this page does not show the run; offer to edit its change if it has only one."""
    key = current_key()
    if key == STUDY or is_running(key):
        return
    try:
        settings = read_settings(run_path(key))
        has_one = settings.get("n_changes") == 1
        is_small = has_one and settings.get("n_reviews", 0) <= _MAX_REVIEWS
        run = load_run(key) if is_small else None
    except InputError:
        return  # the other pages show the reason
    name = escape_markdown(settings["name"] or "the chosen run")
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(
            f"This page shows examples and own changes only; the other pages show {name}.",
            width="content",
        )
        if run is not None and run.changes["diff"].iat[0] not in {"", st.session_state.get("diff")}:
            st.button(
                "Edit its change here",
                icon=":material/edit:",
                on_click=_fill_form,
                args=(run,),
                help="Fills the form with its diff and reviews. Score makes its pseudo-references "
                "anew.",
            )


def _fill_form(run: Run) -> None:
    """Fill the form with the only change of a run and its reviews; a callback."""
    change = run.changes.iloc[0]
    reviews = zip(run.reviews["system"], run.reviews["review"], strict=True)
    fill_fields(change["diff"], list(reviews))
    language = change["language"]
    st.session_state["language"] = language if language in LANGUAGE_TITLES else None
    st.session_state["view"] = "own"
    forget_scores()
