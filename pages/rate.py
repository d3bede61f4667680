"""People rate the reviews of a run, by the codebook of the study, and see how far they agree."""

import secrets
import time
from datetime import UTC, datetime
from pathlib import Path

import streamlit as st

from crscore_core.corpus.run.store import RunStore
from crscore_core.datasets.rated_run import RatedRun
from crscore_core.errors import InputError
from pages.components.address import restore, write_address
from pages.components.offers import choose_view
from pages.components.rate_question import ask
from pages.components.rate_results import show_results
from pages.components.source.load import run_id_of, run_key
from pages.components.source.model import Source
from pages.components.source.switch import current_source, save_shown, show_on_all_pages, shown_key
from pages.components.text import counted, escape_markdown

_RATER, _FIELD, _LONGEST = "rater", "rater_field", 40
_TYPED = "rater_typed"
_ANONYMOUS = "anonymous "
_INTRODUCTION = (
    "Rate reviews by the codebook of the study; the run then counts as rated on all pages."
)


@st.cache_resource(max_entries=2, show_spinner="Opening the run")
def _rated_run(folder: Path, run_id: str, made: datetime) -> RatedRun:  # noqa: ARG001 - of the key
    return RatedRun(RunStore(folder).run(run_id))


def _offer_run(source: Source) -> None:
    """Offer to save what is shown as a run, in whose folder ratings are kept."""
    st.info("Ratings are kept with a saved run, so that nothing is lost between two sessions.")
    if st.button("Save as a run and rate it", type="primary", icon=":material/save:"):
        show_on_all_pages(run_key(save_shown(source.label, source).id))
        st.rerun()


def _rater() -> str:
    """Return the rater's name, one that no other rater has until a person types theirs.

    A typed name is shown without its field, so that keys go to no field.
    """
    restore(_RATER, _name)
    name: str = st.session_state.get(_RATER) or f"{_ANONYMOUS}{secrets.token_hex(2)}"
    st.session_state[_RATER] = name
    if name.startswith(_ANONYMOUS):
        st.text_input(
            "Your name",
            key=_FIELD,
            max_chars=_LONGEST,
            placeholder=f"Your name, or rate as {name}",
            label_visibility="collapsed",
            on_change=_take_name,
        )
    else:
        st.markdown(f"Rater: **{escape_markdown(name)}**")
        st.button("Change", on_click=lambda: st.session_state.pop(_RATER))
    write_address(_RATER, name)
    return name


def _take_name() -> None:
    if name := _name(st.session_state[_FIELD]):
        st.session_state[_RATER] = name
        st.session_state[_TYPED] = time.time()


def _name(text: str) -> str | None:
    return " ".join(text.split()).casefold()[:_LONGEST] or None


def _say_whose_name(rated: RatedRun, rater: str) -> None:
    """Say what a name had answered before it was typed here: two people may choose the same."""
    typed: float = st.session_state.get(_TYPED, 0.0)
    before = [one.time for one in rated.answers.list() if one.rater == rater and one.time < typed]
    if before:
        last = datetime.fromtimestamp(max(before), UTC)
        st.info(
            f"{escape_markdown(rater)} has {counted(len(before), 'answer')} in this run, the last "
            f"on {last:%F at %H:%M} UTC, and you go on from there. If they are not yours, choose "
            "another name: all answers of a name count as one person's."
        )


def _show() -> None:
    """Show what raters do, or what they said, once the chosen source is a run."""
    run_id = run_id_of(shown_key())
    if run_id is None:
        st.write(_INTRODUCTION)
        if (source := current_source()) is not None:
            _offer_run(source)
        return
    rated = _rated_run(RunStore().folder, run_id, RunStore().find(run_id).created)
    with st.container(horizontal=True, vertical_alignment="center"):
        view = choose_view("View", ["Rate", "Results"], "rate_view")
        rater = _rater() if view == "Rate" else ""
    if view == "Rate":
        if rater.startswith(_ANONYMOUS):
            st.write(_INTRODUCTION)
        _say_whose_name(rated, rater)
        ask(rated, rater)
    elif (source := current_source()) is not None:
        show_results(source, rated)


try:
    _show()
except InputError as error:
    st.error(escape_markdown(str(error)))
