"""Matches of sentences and pseudo-references, which explain the score of a review."""

import streamlit as st

from crscore_core.corpus.change_matrix import change_matrix
from pages.components.heatmap_choice import choose_reviews, show_change
from pages.components.heatmap_view import show_matrix
from pages.components.source.switch import current_source, show_left_out

st.markdown(
    "Why did a review get its score? Every sentence is compared with every pseudo-reference of "
    "the change; what is above tau makes a sentence **on topic** and a pseudo-reference "
    "**covered**, and the scores are the shares of both."
)
source = current_source()
if source is not None:
    comparison = source.comparison
    choice = choose_reviews(source)
    show_change(source, choice)
    # One review is told by its own position, all of a change by the first and their number.
    shown = "-".join(str(number) for number in (choice.reviews[0], len(choice.reviews)))
    show_matrix(source, change_matrix(comparison, choice.reviews), shown)
    show_left_out(comparison.left_out)
