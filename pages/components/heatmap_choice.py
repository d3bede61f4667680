"""The change and the reviews that the heatmap shows."""

from dataclasses import dataclass
from functools import partial

import numpy as np
import streamlit as st

from crscore_core.corpus.reviews import (
    ComparedChange,
    ComparedReview,
    Reviews,
)
from crscore_core.corpus.search import (
    Found,
    find_changes,
    find_reviews,
    position_of_change,
    position_of_review,
)
from crscore_core.text import unseen_as_codes
from pages.components.case_view import show_warnings
from pages.components.markup import diff_view, plain_text
from pages.components.names import distinct, system_name
from pages.components.review_choice import walk
from pages.components.source.model import Source
from pages.components.text import escape_markdown, shorten

CELL = "cell"
"""The parameter of the URL that names a pair, such as `2-3`: row and column, from 1."""

_REVIEW, _CHANGE = "review", "change"
_LAST = "heatmap_last"
_CHANGE_BOX, _REVIEW_BOX = "heatmap_of_change", "heatmap_of_review"
_ALL = -1
_MOST_OPTIONS = 300
_MOST_REVIEWS = 30
_NAME_WIDTH, _TITLE_WIDTH = 90, 60


@dataclass(frozen=True, slots=True)
class Choice:
    """Positions in the comparison: a change, and those of its reviews that are shown.

    `left_out` counts the reviews that the change has beyond them, where all are meant.
    """

    change: int
    reviews: tuple[int, ...]
    left_out: int = 0


def choose_reviews(source: Source) -> Choice:
    """Choose a change and one of its reviews, or all; the URL has the id of either.

    A bound widget would write its labels there, and forget an id that is gone without a word.
    The source has at least one review.
    """
    comparison = source.comparison
    first = comparison[0].change, 0
    change, review = _from_url(comparison) or _remembered(comparison) or first
    st.session_state[_CHANGE_BOX] = change
    st.session_state[_REVIEW_BOX] = review
    with st.container(horizontal=True, vertical_alignment="bottom"):
        words = _search("changes", len(comparison.changes), "heatmap_find")
        changes = find_changes(comparison, words, _MOST_OPTIONS)
        listed = _with(change, changes)
        names = [_change_name(comparison.changes[position]) for position in listed]
        st.selectbox(
            "Change",
            listed,
            format_func=dict(zip(listed, distinct(names), strict=True)).__getitem__,
            key=_CHANGE_BOX,
            on_change=_change_chosen,
            args=(comparison,),
        )
        of_change = find_reviews(comparison, change, "", _MOST_OPTIONS)
        words = _search("reviews", of_change.total, "heatmap_find_review")
        reviews = find_reviews(comparison, change, words, _MOST_OPTIONS) if words else of_change
        listed = _with(None if review == _ALL else review, reviews)
        names = [f"All {of_change.total:,} reviews, side by side"]
        names += [_review_name(source, comparison[position]) for position in listed]
        listed = [_ALL, *listed]
        st.selectbox(
            "Review",
            listed,
            format_func=dict(zip(listed, distinct(names), strict=True)).__getitem__,
            key=_REVIEW_BOX,
            on_change=_review_chosen,
            args=(comparison,),
        )
        with st.container(horizontal=True, vertical_alignment="center", width="content"):
            position = None if review == _ALL else review
            walk(comparison, np.arange(len(comparison)), position, partial(_go, comparison))
    _say_cut("changes", changes)
    _say_cut("reviews", reviews)
    _write(comparison, change, review)
    if review != _ALL:
        return Choice(change, (review,))
    shown = of_change.positions[:_MOST_REVIEWS]
    return Choice(change, shown, of_change.total - len(shown))


def show_change(source: Source, choice: Choice) -> None:
    """Show the diff, and the review where one is chosen, folded, and warnings of reviews."""
    comparison = source.comparison
    change = comparison.changes[choice.change]
    is_one = len(choice.reviews) == 1
    with st.expander("The change and its review" if is_one else "The change"):
        if is_one:
            plain_text(comparison[choice.reviews[0]].text)
        if change.diff:
            diff_view(change.diff, change.language or None)
        else:
            st.caption("The diff is not known.")
    show_warnings(source, [comparison[position] for position in choice.reviews])
    if choice.left_out:
        st.info(
            f"The first {len(choice.reviews)} reviews are side by side; the change has "
            f"{choice.left_out:,} more."
        )


def _from_url(comparison: Reviews) -> tuple[int, int] | None:
    """Return change and review of the address; None, and why, where the source lacks them."""
    review_id, change_id = st.query_params.get(_REVIEW), st.query_params.get(_CHANGE)
    if review_id is not None:
        review = position_of_review(comparison, review_id)
        if review is not None:
            return comparison[review].change, review
        st.warning(
            f"No review {escape_markdown(repr(review_id[:80]))} is among those that are scored "
            "here: another source may have it, or its change was left out."
        )
    elif change_id is not None:
        change = position_of_change(comparison, change_id)
        if change is not None:
            return change, _ALL
        reasons = [left_out.reason for left_out in comparison.left_out if left_out.id == change_id]
        why = f"it was left out, as {reasons[0]}" if reasons else "another source may have it"
        st.warning(
            f"No change {escape_markdown(repr(change_id[:80]))} with reviews is among those that "
            f"are scored here: {escape_markdown(why)}."
        )
    return None


def _remembered(comparison: Reviews) -> tuple[int, int] | None:
    """Return what was shown when this page was left, if this source has it."""
    parameter, id_ = st.session_state.get(_LAST, (_REVIEW, ""))
    if parameter == _CHANGE:
        change = position_of_change(comparison, id_)
        return None if change is None else (change, _ALL)
    review = position_of_review(comparison, id_)
    return None if review is None else (comparison[review].change, review)


def _search(things: str, total: int, key: str) -> str:
    """Show a field to search in, where a list would be too long."""
    if total <= _MOST_OPTIONS:
        return ""
    return st.text_input(f"Search {total:,} {things}", key=key, bind="query-params")


def _with(chosen: int | None, found: Found) -> list[int]:
    """Return the positions found, with the chosen one first where it is not among them."""
    if chosen is None or chosen in found.positions:
        return list(found.positions)
    return [chosen, *found.positions]


def _say_cut(things: str, found: Found) -> None:
    if found.total > len(found.positions):
        st.caption(
            f"The list holds {len(found.positions):,} of {found.total:,} {things}; search for the "
            "others."
        )
    elif not found.total:
        st.caption(f"Nothing that is searched for is among the {things}.")


def _go(comparison: Reviews, review_id: str) -> None:
    position = comparison.ids.index(review_id)
    _write(comparison, comparison[position].change, position)
    st.query_params.pop(CELL, None)


def _change_chosen(comparison: Reviews) -> None:
    """Go to the first review of another change, or to all where all were shown."""
    change = st.session_state[_CHANGE_BOX]
    review = _ALL
    if st.session_state[_REVIEW_BOX] != _ALL:
        review = find_reviews(comparison, change, "", 1).positions[0]
    _write(comparison, change, review)
    st.query_params.pop(CELL, None)


def _review_chosen(comparison: Reviews) -> None:
    _write(comparison, st.session_state[_CHANGE_BOX], st.session_state[_REVIEW_BOX])
    st.query_params.pop(CELL, None)


def _write(comparison: Reviews, change: int, review: int) -> None:
    """Write the choice into the URL, and remember it for another visit of the page."""
    if review == _ALL:
        parameter, id_, other = _CHANGE, comparison.changes[change].id, _REVIEW
    else:
        parameter, id_, other = _REVIEW, comparison[review].id, _CHANGE
    st.session_state[_LAST] = (parameter, id_)
    st.query_params.pop(other, None)
    st.query_params[parameter] = id_


def _change_name(change: ComparedChange) -> str:
    """Name a change by its title or its first pseudo-reference, its id and its language."""
    title = change.title or next((reference.text for reference in change.references), "")
    parts = [shorten(title, _TITLE_WIDTH), change.id, change.language]
    return _line(" · ".join(filter(None, parts)))


def _review_name(source: Source, review: ComparedReview) -> str:
    return _line(f"{system_name(source, review.system)} · {review.text}")


def _line(text: str) -> str:
    return unseen_as_codes(shorten(text, _NAME_WIDTH)) or "without a name"
