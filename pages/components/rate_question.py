"""A question to a rater: the change and the review to rate."""

import time
from collections.abc import Mapping, Sequence

import pandas as pd
import streamlit as st

from crscore_core.errors import InputError
from crscore_core.text import counted, shorten
from crscore_eval.data.ratings import (
    CANNOT_TELL,
    FROM_FILE,
    METRIC_QUESTIONS,
    QUALITY_QUESTIONS,
    RIGHT,
    WORTH,
    Question,
    Ratings,
    next_question,
    rating_progress,
)
from crscore_eval.formatting import format_figure
from crscore_eval.table import Run
from crscore_eval.table.one_review import change_title, find_change, review_score
from pages.components.current_run import current_key
from pages.components.diff_view import show_diff
from pages.components.tables import show_texts
from pages.components.text import describe_error, escape_markdown, show_plain
from pages.components.url import choose_view, restore_from_url, write_to_url

_DIFF_HEIGHT, _SHORT_DIFF_HEIGHT, _REVIEW_HEIGHT = 520, 260, 300
_RATER, _MAX_NAME = "rater", 40
_ERROR, _SEES_ALL, _NOT_BLIND, _LAST = "rate_error", "rate_sees_all", "rate_not_blind", "rate_last"
_SECONDS_TO_READ = 0.4
"""Minimum time between answers about two reviews, so that a held key answers one question."""

_QUESTIONS: Mapping[str, tuple[str, Mapping[int, str]]] = {
    RIGHT: (
        "**Is it right?** Is everything the review says about the code true?",
        {1: "right", 0: "wrong", CANNOT_TELL: "can't tell"},
    ),
    WORTH: (
        "**Is it worth saying?** Would the author of the change want to know it before the merge?",
        {1: "no", 2: "hardly", 3: "somewhat", 4: "yes", 5: "very much"},
    ),
    "conciseness": (
        "**Conciseness**: How much of the review is about the pseudo-references?",
        {1: "nothing", 2: "a little", 3: "about half", 4: "most", 5: "all of it"},
    ),
    "comprehensiveness": (
        "**Comprehensiveness**: How many of the pseudo-references does the review address?",
        {1: "none", 2: "at least one", 3: "about half", 4: "more than half", 5: "nearly all"},
    ),
    "relevance": (
        "**Relevance**: A grade between the two above; if one is very low, stay close to it.",
        {1: "very low", 2: "low", 3: "medium", 4: "high", 5: "very high"},
    ),
}
"""Text of each question and its answers by value; the keys 1, 2, … give the answers in order."""

_MODES = {"quality": "Right and worth saying", "metric": "For studies of the metric"}

_HOW_TO_RATE = """
The first two questions do not depend on the metric.

- A review is **right** if nothing it says about the code is false. Answer "can't tell" if you
  cannot check it, or if it says nothing that could be true or false.

The others are for studies of the metric and come from the study (paper, appendix D).

- Judge the review by the listed pseudo-references. A review **addresses** a pseudo-reference if it
  discusses it, whether it agrees or not.
"""


def choose_rater() -> str:
    """Return the rater's name, which is in the URL; empty until it is typed.

    Then the field disappears, so that the number keys give answers instead of filling it.
    """
    restore_from_url(_RATER, _normalize)
    text = str(st.session_state.get(_RATER) or "")
    name = _normalize(text)
    if name:
        st.markdown(f"Rater: **{escape_markdown(name)}**", width="content")
        st.button("Change", on_click=st.session_state.update, args=({_RATER: ""},))
    else:
        st.text_input(
            "Your name",
            key=_RATER,
            persist_state="session",
            max_chars=_MAX_NAME,
            placeholder="Your name",
            label_visibility="collapsed",
            width=300,
        )
    if text and name is None:
        st.error(f"The name {FROM_FILE!r} is reserved; enter another name.")
    write_to_url(_RATER, name)
    return name or ""


def _normalize(text: str) -> str | None:
    """Return the name of a rater as it is stored; None if it is empty or reserved."""
    name = " ".join(text.split()).casefold()[:_MAX_NAME]
    return None if name in {"", FROM_FILE} else name


@st.fragment
def ask_questions(run: Run, ratings: Ratings, rater: str) -> None:
    """Ask a rater the questions in turn; each answer is stored before the next question."""
    if message := st.session_state.pop(_ERROR, None):
        st.error(escape_markdown(message))
    try:
        answers = ratings.answers()
    except InputError as error:
        st.error(describe_error(error))
        return
    is_metric = choose_view("Questions", _MODES, "questions") == "metric"
    questions = METRIC_QUESTIONS if is_metric else QUALITY_QUESTIONS
    answers = answers[answers["question"].isin(questions)]
    _show_progress(run, answers, rater, questions)
    question = next_question(run, answers, rater, questions)
    actions = st.container()
    if not rating_progress(run, answers, rater, questions)[1]:
        needed = "text with pseudo-references" if is_metric else "text"
        st.info(f"No review can be rated: none has a {needed}.")
    elif question is None:
        st.success("All reviews are rated. Thank you.", icon=":material/check:")
    else:
        row = int(run.reviews.index[run.reviews["id"] == question.id][0])
        left, right = st.columns([6, 5])
        with right:
            _show_review(run, row)
            _show_answers(question, rater, ratings, answers)
            actions = st.container(horizontal=True, vertical_alignment="center")
            actions.toggle(
                "Show system and score",
                key=_SEES_ALL,
                help="Answers given while these are shown are marked as not blind.",
            )
        with left:
            _show_change(run, row, has_references=is_metric)
    actions.button(
        "Undo",
        key="rate_undo",
        shortcut="Backspace",
        icon=":material/undo:",
        on_click=_undo,
        args=(ratings, rater, questions),
        disabled=not (answers["rater"] == rater).any(),
    )
    explain_rating(is_open=False)


def explain_rating(*, is_open: bool = True) -> None:
    """Show all questions with the keys of their answers, and the rules of rating."""
    with st.expander("How to rate", expanded=is_open):
        left, right = st.columns(2)
    for text, labels in _QUESTIONS.values():
        answers = ", ".join(f"{key} {label}" for key, label in enumerate(labels.values(), start=1))
        left.markdown(f"{text}  \n{answers}")
    right.markdown(_HOW_TO_RATE)


def _show_progress(run: Run, answers: pd.DataFrame, rater: str, questions: Sequence[str]) -> None:
    done, total = rating_progress(run, answers, rater, questions)
    st.progress(done / max(1, total), f"{done:,} of {total:,} reviews rated")
    n_from_file = run.settings.get("raters", {}).get(FROM_FILE)
    if n_from_file and questions == METRIC_QUESTIONS:
        st.caption(
            f"{counted(n_from_file, 'review')} came with ratings. Your ratings are added to them: "
            "the rating of a review is the mean over all raters."
        )


def _show_review(run: Run, row: int) -> None:
    review = run.reviews.iloc[row]
    st.markdown("**Review**")
    with st.container(height=_REVIEW_HEIGHT):
        show_plain(review["review"])
    if st.session_state.get(_SEES_ALL):
        score = format_figure(review_score(run, row).relevance, missing="–")
        st.caption(escape_markdown(f"{review['system']}; relevance {score}"))


def _show_answers(question: Question, rater: str, ratings: Ratings, answers: pd.DataFrame) -> None:
    """Show a button for each answer; its shortcut is its number."""
    text, labels = _QUESTIONS[question.name]
    earlier = answers[(answers["rater"] == rater) & (answers["id"] == question.id)]
    values = dict(zip(earlier["question"], earlier["value"], strict=True))
    if question.name == "relevance":
        text = "".join(f"{name.capitalize()} {value}. " for name, value in values.items()) + text
    st.markdown(text)
    not_blind = st.session_state.setdefault(_NOT_BLIND, set())
    if st.session_state.get(_SEES_ALL):
        not_blind.add((current_key(), question.id))
    is_blind = (current_key(), question.id) not in not_blind
    with st.container(horizontal=True, gap="small"):
        for key, (value, label) in enumerate(labels.items(), start=1):
            st.button(
                label,
                key=f"rate_{key}",
                shortcut=str(key),
                disabled=value not in question.values,
                on_click=_store,
                args=(ratings, rater, question, value, is_blind),
            )


def _store(ratings: Ratings, rater: str, question: Question, value: int, is_blind: bool) -> None:  # noqa: FBT001 - of a callback
    """Store an answer unless it came too fast to be intended; a callback."""
    last_review, last_time = st.session_state.get(_LAST, (question.id, 0.0))
    now = time.monotonic()
    if last_review != question.id and now - last_time < _SECONDS_TO_READ:
        st.session_state[_LAST] = last_review, now  # ignore a key that is held down
        return
    st.session_state[_LAST] = question.id, now
    try:
        ratings.give(rater, question, value, is_blind=is_blind)
    except InputError as error:
        st.session_state[_ERROR] = str(error)


def _undo(ratings: Ratings, rater: str, questions: Sequence[str]) -> None:
    try:
        ratings.undo(rater, questions)
    except InputError as error:
        st.session_state[_ERROR] = str(error)


def _show_change(run: Run, row: int, *, has_references: bool) -> None:
    """Show the change of a review, with its pseudo-references if the question is about them."""
    change = find_change(run, run.reviews.iloc[row]["change"])
    st.markdown(f"**{escape_markdown(shorten(change_title(change), 100))}**")
    with st.container(height=_SHORT_DIFF_HEIGHT if has_references else _DIFF_HEIGHT):
        show_diff(change["diff"], change["language"] or None)
    if not has_references:
        return
    texts = [reference["text"] for reference in change["references"]]
    numbers = [f"P{number + 1}" for number in range(len(texts))]
    show_texts(pd.DataFrame({"pseudo-reference": texts}, numbers))
