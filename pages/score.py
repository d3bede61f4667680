"""Score reviews of one change: an example first, then a diff and reviews of one's own."""

import streamlit as st

from pages.components.address import restore_choice, write_address
from pages.components.score_example import choose_example, show_example
from pages.components.score_own import show_form
from pages.components.text import keep_options

_VIEW, _EXAMPLE, _OWN = "view", "example", "own"
_LABELS = {_EXAMPLE: "Example", _OWN: "Score your own"}

restore_choice(_VIEW, _EXAMPLE)
keep_options(_VIEW, _LABELS)
st.session_state.setdefault(_VIEW, _EXAMPLE)
st.write(
    "A change becomes **points** that a review could address. How many does the review cover, and "
    "how much of it is about the change?"
)
with st.container(horizontal=True, vertical_alignment="center"):
    view = st.segmented_control(
        "View",
        list(_LABELS),
        format_func=_LABELS.__getitem__,
        key=_VIEW,
        required=True,
        persist_state="session",
        label_visibility="collapsed",
    )
    example = choose_example() if view == _EXAMPLE else None
write_address(_VIEW, None if view == _EXAMPLE else view)
if example is None:
    show_form()
else:
    show_example(example)
