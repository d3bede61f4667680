"""Scores of reviews of one change: an example, or the user's diff and reviews."""

import streamlit as st

from pages.components.guide import PICTURE
from pages.components.score_example import choose_example, show_example
from pages.components.score_form import show_form
from pages.components.score_run import offer_change_of_run
from pages.components.url import choose_view

_EXAMPLE = "example"
_TITLES = {_EXAMPLE: "Example", "own": "Score your own"}

st.write(
    "How much of a code change each review covers, and how much of the review is about the change. "
    "No score says whether a review is right or worth saying."
)
with st.container(horizontal=True, vertical_alignment="center"):
    view = choose_view("View", _TITLES, "view")
    example = choose_example() if view == _EXAMPLE else None
    with st.popover("How it is scored", icon=":material/schema:", width="content"):
        st.code(PICTURE, language=None)
offer_change_of_run()
if example is None:
    show_form()
else:
    show_example(example)
