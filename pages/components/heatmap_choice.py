"""The change and the reviews that the heatmap shows."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pandas as pd
import streamlit as st

from crscore_core.corpus.comparison import ComparedChange, ComparedReview, CorpusComparison, LeftOut
from crscore_core.corpus.search import (
    Found,
    find_changes,
    find_reviews,
    position_of_change,
    position_of_review,
)
from crscore_core.text import unseen_as_codes
from pages.components.markup import diff_view, plain_text
from pages.components.names import distinct, system_name
from pages.components.source.model import Source
from pages.components.text import escape_markdown, shorten

__all__ = [
    "CELL",
    "Choice",
    "change_name",
    "choose_reviews",
    "review_name",
    "show_change",
    "show_left_out",
]

CELL = "cell"
"""The parameter of the URL that names a pair, such as `2-3`: row and column, from 1."""

_REVIEW, _CHANGE = "review", "change"
_LAST = "heatmap_last"
_CHANGE_BOX, _REVIEW_BOX = "heatmap_of_change", "heatmap_of_review"
_ALL = -1
_MOST_OPTIONS = 300
_MOST_REVIEWS = 30


@dataclass(frozen=True, slots=True)
class Choice:
    """Positions in the comparison: a change, and those of its reviews that are shown.

    `left_out` is how many more reviews the change has where all are meant.
    """

    change: int
    reviews: tuple[int, ...]
    left_out: int = 0


def choose_reviews(source: Source) -> Choice:
    """Choose a change and one of its reviews, or all; the URL says which, by their ids.

    A bound widget would write its labels there, and forget an id that is gone without a word.
    There has to be a review.
    """
    comparison = source.comparison
    change, review = (
        _from_url(comparison)
        or _remembered(comparison)
        or (
            comparison.reviews[0].change,
            0,
        )
    )
    st.session_state[_CHANGE_BOX] = change
    st.session_state[_REVIEW_BOX] = review
    with st.container(horizontal=True, vertical_alignment="bottom"):
        words = _search("changes", len(comparison.changes), "heatmap_find")
        changes = find_changes(comparison, words, _MOST_OPTIONS)
        listed = _with(change, changes)
        st.selectbox(
            "Change",
            listed,
            format_func=_named(listed, [change_name(comparison.changes[at]) for at in listed]),
            key=_CHANGE_BOX,
            on_change=_change_chosen,
            args=(comparison,),
        )
        of_change = find_reviews(comparison, change, "", _MOST_OPTIONS)
        words = _search("reviews", of_change.total, "heatmap_find_review")
        reviews = find_reviews(comparison, change, words, _MOST_OPTIONS) if words else of_change
        listed = _with(None if review == _ALL else review, reviews)
        names = [review_name(source, comparison.reviews[at]) for at in listed]
        st.selectbox(
            "Review",
            [_ALL, *listed],
            format_func=_named(
                [_ALL, *listed], [f"All {of_change.total:,} reviews, side by side", *names]
            ),
            key=_REVIEW_BOX,
            on_change=_review_chosen,
            args=(comparison,),
        )
    _say_cut("changes", changes)
    _say_cut("reviews", reviews)
    _write(comparison, change, review)
    if review != _ALL:
        return Choice(change, (review,))
    shown = of_change.positions[:_MOST_REVIEWS]
    return Choice(change, shown, of_change.total - len(shown))


def _from_url(comparison: CorpusComparison) -> tuple[int, int] | None:
    review_id, change_id = st.query_params.get(_REVIEW), st.query_params.get(_CHANGE)
    if review_id is not None:
        review = position_of_review(comparison, review_id)
        if review is not None:
            return comparison.reviews[review].change, review
        st.warning(
            f"No review {escape_markdown(repr(review_id[:80]))} is among those that are scored "
            "here: another source may have it, or its change was left out."
        )
    elif change_id is not None:
        change = position_of_change(comparison, change_id)
        if change is not None:
            return change, _ALL
        reasons = [one.reason for one in comparison.left_out if one.id == change_id]
        why = f"it was left out, as {reasons[0]}" if reasons else "another source may have it"
        st.warning(
            f"No change {escape_markdown(repr(change_id[:80]))} with reviews is among those that "
            f"are scored here: {escape_markdown(why)}."
        )
    return None


def _remembered(comparison: CorpusComparison) -> tuple[int, int] | None:
    """What was shown when this page was left, if this source has it."""
    name, found_id = st.session_state.get(_LAST, (_REVIEW, ""))
    if name == _CHANGE:
        change = position_of_change(comparison, found_id)
        return None if change is None else (change, _ALL)
    review = position_of_review(comparison, found_id)
    return None if review is None else (comparison.reviews[review].change, review)


def _search(things: str, total: int, key: str) -> str:
    """A field to search for what a list is too short for."""
    if total <= _MOST_OPTIONS:
        return ""
    return st.text_input(f"Search {total:,} {things}", key=key, bind="query-params")


def _with(chosen: int | None, found: Found) -> list[int]:
    """What was found, and first what is chosen and was not."""
    if chosen is None or chosen in found.positions:
        return list(found.positions)
    return [chosen, *found.positions]


def _named(positions: Sequence[int], names: Sequence[str]) -> Callable[[int], str]:
    """What each position is called, none like another."""
    return dict(zip(positions, distinct(names), strict=True)).__getitem__


def _say_cut(things: str, found: Found) -> None:
    if found.total > len(found.positions):
        st.caption(
            f"The list holds {len(found.positions):,} of {found.total:,} {things}; search for the "
            "others."
        )
    elif not found.total:
        st.caption(f"Nothing that is searched for is among the {things}.")


def _change_chosen(comparison: CorpusComparison) -> None:
    """Go to the first review of another change, or to all where all were shown."""
    change = st.session_state[_CHANGE_BOX]
    review = _ALL
    if st.session_state[_REVIEW_BOX] != _ALL:
        review = find_reviews(comparison, change, "", 1).positions[0]
    _write(comparison, change, review)
    st.query_params.pop(CELL, None)


def _review_chosen(comparison: CorpusComparison) -> None:
    _write(comparison, st.session_state[_CHANGE_BOX], st.session_state[_REVIEW_BOX])
    st.query_params.pop(CELL, None)


def _write(comparison: CorpusComparison, change: int, review: int) -> None:
    name, shown_id, other = (
        (_CHANGE, comparison.changes[change].id, _REVIEW)
        if review == _ALL
        else (_REVIEW, comparison.reviews[review].id, _CHANGE)
    )
    st.session_state[_LAST] = (name, shown_id)
    st.query_params.pop(other, None)
    st.query_params[name] = shown_id


_NAME_WIDTH, _SAYS_WIDTH = 90, 60


def change_name(change: ComparedChange) -> str:
    """A change in a list: its title or what is said first of it, its id and its language."""
    says = change.title or next((one.text for one in change.references), "")
    parts = [shorten(says, _SAYS_WIDTH), change.id, change.language]
    return _line(" · ".join(part for part in parts if part))


def review_name(source: Source, review: ComparedReview) -> str:
    """A review in a list: its system and how it begins."""
    return _line(f"{system_name(source, review.system)} · {review.text}")


def _line(text: str) -> str:
    return unseen_as_codes(shorten(text, _NAME_WIDTH)) or "without a name"


_MOST_ROWS = 500


def show_change(comparison: CorpusComparison, choice: Choice) -> None:
    """The diff, and the review if it is one, behind a line to click at."""
    change = comparison.changes[choice.change]
    with st.expander("The change and its review" if len(choice.reviews) == 1 else "The change"):
        if len(choice.reviews) == 1:
            plain_text(comparison.reviews[choice.reviews[0]].text)
        if change.diff:
            diff_view(change.diff, change.language or None)
        else:
            st.caption("The diff is not known.")
    if choice.left_out:
        st.info(
            f"The first {len(choice.reviews)} reviews are side by side; the change has "
            f"{choice.left_out:,} more."
        )


def show_left_out(left_out: Sequence[LeftOut]) -> None:
    """The changes that have no matrix, and why."""
    if not left_out:
        return
    with st.expander(f"Changes that have no matrix: {len(left_out):,}"):
        rows = [{"change": one.id, "why": one.reason} for one in left_out[:_MOST_ROWS]]
        st.dataframe(pd.DataFrame(rows), hide_index=True)
        if len(left_out) > _MOST_ROWS:
            st.caption(f"The first {_MOST_ROWS} of them.")
