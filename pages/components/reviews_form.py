"""The part of the Score page's form that holds the reviews."""

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

__all__ = ["NamedReview", "fill_reviews", "reviews_form"]

_NUMBERS = "review_numbers"


@dataclass(frozen=True, slots=True)
class NamedReview:
    """A review and the name it goes by."""

    name: str
    text: str


def reviews_form() -> tuple[NamedReview, ...]:
    """Show a field for each review, and return what they hold."""
    numbers: list[int] = st.session_state.setdefault(_NUMBERS, [1])
    reviews = []
    for position, number in enumerate(numbers, start=1):
        text = st.text_area(
            f"Review {position}", key=f"review_{number}", persist_state="session", height=110
        )
        name = st.text_input(
            f"Name of review {position}",
            key=f"name_{number}",
            persist_state="session",
            placeholder=f"Name, else Review {position}",
            label_visibility="collapsed",
        )
        reviews.append(NamedReview(name or f"Review {position}", text or ""))
    with st.container(horizontal=True):
        st.button("Add a review", icon=":material/add:", on_click=_add)
        st.button(
            "Remove the last",
            icon=":material/remove:",
            on_click=_remove,
            disabled=len(numbers) == 1,
        )
    return tuple(reviews)


def fill_reviews(reviews: Sequence[NamedReview]) -> None:
    """Put reviews into the form; only before the form is shown in this run."""
    st.session_state[_NUMBERS] = list(range(1, len(reviews) + 1))
    for number, review in enumerate(reviews, start=1):
        _fill(number, review)


def _add() -> None:
    numbers: list[int] = st.session_state[_NUMBERS]
    number = numbers[-1] + 1
    _fill(number, NamedReview("", ""))
    numbers.append(number)


def _remove() -> None:
    st.session_state[_NUMBERS].pop()


def _fill(number: int, review: NamedReview) -> None:
    st.session_state[f"name_{number}"] = review.name
    st.session_state[f"review_{number}"] = review.text
