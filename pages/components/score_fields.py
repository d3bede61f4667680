"""The fields of the form of the Score page: a change and reviews of it."""

from collections.abc import Sequence
from typing import NamedTuple

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

_DIFF_HEIGHT, _REVIEW_HEIGHT = 290, 95  # pixels
_N_REVIEWS = "number_of_reviews"


class FormFields(NamedTuple):
    """The fields of the form; `reviews` has pairs of a name, which may be empty, and a text."""

    diff: str
    reviews: list[tuple[str, str]]
    button_place: DeltaGenerator


def show_fields() -> FormFields:
    """Show the fields of the diff and its reviews."""
    left, right = st.columns(2)
    with left:
        diff = st.text_area(
            "Diff",
            key="diff",
            persist_state="session",
            height=_DIFF_HEIGHT,
            placeholder="The output of `git diff`, or a hunk that starts with @@",
        )
    with right:
        reviews = _show_reviews(st.session_state.setdefault(_N_REVIEWS, 1))
        with st.container(horizontal=True):
            button_place = st.container(width="content")
            st.button("Add a review", icon=":material/add:", on_click=_add_review)
            if len(reviews) > 1:
                st.button("Remove the last", on_click=_remove_review)
            st.button(
                "Clear",
                icon=":material/backspace:",
                on_click=_clear,
                help="Empties the diff and the reviews.",
            )
    return FormFields(diff or "", reviews, button_place)


def fill_fields(diff: str, reviews: Sequence[tuple[str, str]]) -> None:
    """Fill the fields with a diff and with names and texts of reviews; a callback."""
    st.session_state["diff"] = diff
    st.session_state[_N_REVIEWS] = len(reviews)
    for number, (name, text) in enumerate(reviews, start=1):
        st.session_state[f"name_{number}"] = name
        st.session_state[f"review_{number}"] = text


def _show_reviews(count: int) -> list[tuple[str, str]]:
    """Show two fields for each review; return its name, empty for a single review, and its text."""
    reviews = []
    for number in range(1, count + 1):
        text = st.text_area(
            f"Review {number}",
            key=f"review_{number}",
            persist_state="session",
            height=_DIFF_HEIGHT - 58 if count == 1 else _REVIEW_HEIGHT,
        )
        name: str | None = ""
        if count > 1:
            name = st.text_input(
                f"Name of review {number}",
                key=f"name_{number}",
                persist_state="session",
                placeholder=f"Name (default: Review {number})",
                label_visibility="collapsed",
            )
        reviews.append((name or "", text or ""))
    return reviews


def _add_review() -> None:
    number = st.session_state[_N_REVIEWS] = st.session_state[_N_REVIEWS] + 1
    _empty_review(number)  # it may have the text of a removed review


def _remove_review() -> None:
    st.session_state[_N_REVIEWS] -= 1


def _clear() -> None:
    fill_fields("", [("", "")])


def _empty_review(number: int) -> None:
    for field in ("name", "review"):
        st.session_state[f"{field}_{number}"] = ""
