"""The fields of the form of the Score page: a change and reviews of it."""

from typing import Any, NamedTuple

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from crscore_core.claims import DEFAULT_CLAIMS
from crscore_eval.data.examples import load_examples
from pages.components.controls import two_columns
from pages.components.score_draft import restore_draft, save_draft

_EXAMPLE = "exchange-rate-cache"
_EXAMPLE_REVIEWS = (1, 3)
_DIFF_HEIGHT, _REVIEW_HEIGHT = 290, 95  # pixels
_N_REVIEWS = "number_of_reviews"
_IN_DRAFT, _DEFAULTS = ("language", "claims", "given_claims"), (None, "", DEFAULT_CLAIMS)
"""Keys of the options that a draft keeps, and their default values, which it leaves out."""


class FormFields(NamedTuple):
    """The fields of the form; `reviews` has pairs of a name, which may be empty, and a text."""

    diff: str
    reviews: list[list[str]]
    button_place: DeltaGenerator


def show_fields() -> FormFields:
    """Show the fields of the diff and its reviews, which start with an example or a draft."""
    if _N_REVIEWS not in st.session_state:
        _fill(_example())
    if (draft := restore_draft()) is not None:
        _fill(draft)
    _drop_example_reviews()
    left, right = two_columns()
    with left:
        diff = st.text_area(
            "Diff",
            key="diff",
            persist_state="session",
            height=_DIFF_HEIGHT,
            placeholder="The output of `git diff`, or a hunk that starts with @@",
        )
    with right:
        entries = _show_reviews()
        with st.container(horizontal=True):
            button_place = st.container(width="content")
            st.button("Add a review", icon=":material/add:", on_click=_add_review)
            if len(entries) > 1:
                st.button("Remove the last", on_click=_remove_review)
            st.button(
                "Clear",
                icon=":material/backspace:",
                on_click=_fill,
                args=({},),
                help="Empties the diff and the reviews.",
            )
    draft = {"diff": diff, "reviews": entries}
    if draft == _example():
        st.caption("This is an example: replace it with your change and your reviews.")
    options = {key: st.session_state.get(key) for key in _IN_DRAFT}
    if options := {key: value for key, value in options.items() if value not in _DEFAULTS}:
        draft["options"] = options
    save_draft(draft, _example())
    return FormFields(diff, entries, button_place)


@st.cache_data(show_spinner=False)
def _example() -> dict[str, Any]:
    """Return the draft that the form starts with."""
    example = load_examples()[_EXAMPLE]
    texts = list(example.reviews.values())
    return {"diff": example.diff, "reviews": [["", texts[index]] for index in _EXAMPLE_REVIEWS]}


def _fill(draft: dict[str, Any]) -> None:
    """Fill the form from a draft; an empty draft clears it. Also a callback."""
    reviews = draft.get("reviews") or [["", ""]]
    st.session_state["diff"] = draft.get("diff", "")
    st.session_state[_N_REVIEWS] = len(reviews)
    for number, (name, text) in enumerate(reviews, start=1):
        st.session_state[f"name_{number}"] = name
        st.session_state[f"review_{number}"] = text
    st.session_state.update(draft.get("options", {}))


def _drop_example_reviews() -> None:
    """Remove the example's reviews if its diff was replaced, which the first line shows."""
    state, example = st.session_state, _example()
    if str(state["diff"]).startswith(example["diff"].partition("\n")[0]):
        return
    reviews = [
        [state.get(f"{field}_{number}", "") for field in ("name", "review")]
        for number in range(1, state[_N_REVIEWS] + 1)
    ]
    kept = [review for review in reviews if review not in example["reviews"]]
    if len(kept) < len(reviews):
        _fill({"diff": state["diff"], "reviews": kept})


def _show_reviews() -> list[list[str]]:
    """Show two fields for each review; return its name, empty for a single review, and its text."""
    count: int = st.session_state[_N_REVIEWS]
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
        reviews.append([name or "", text or ""])
    return reviews


def _add_review() -> None:
    number = st.session_state[_N_REVIEWS] = st.session_state[_N_REVIEWS] + 1
    for field in ("name", "review"):  # they may have the text of a removed review
        st.session_state[f"{field}_{number}"] = ""


def _remove_review() -> None:
    st.session_state[_N_REVIEWS] -= 1
