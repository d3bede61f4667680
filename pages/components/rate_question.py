"""A question to a rater: the change and the review to rate."""

import time
from collections.abc import Mapping, Sequence

import pandas as pd
import streamlit as st

from crscore_core.errors import InputError
from crscore_core.text import counted, shorten
from crscore_eval.data.ratings import (
    CANNOT_TELL,
    METRIC_QUESTIONS,
    MIN_RATED,
    MIN_RATED_CHANGES,
    QUALITY_QUESTIONS,
    RIGHT,
    WORTH,
    Question,
    Ratings,
    count_in_file,
    next_question,
    rating_progress,
    skip_review,
)
from crscore_eval.formatting import format_figure
from crscore_eval.table import Run
from crscore_eval.table.one_review import change_title, find_change, review_score
from pages.components.current_run import current_key
from pages.components.diff_view import show_diff
from pages.components.tables import show_texts
from pages.components.text import describe_error, escape_markdown, show_plain
from pages.components.url import choose_view, restore_from_url, write_to_url

_RATER, _MAX_NAME = "rater", 40
_ERROR, _SKIPPED, _LAST = "rate_error", "rate_skipped", "rate_last"
_SEES_ALL, _NOT_BLIND = "rate_sees_all", "rate_not_blind"
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

_ABOUT = {RIGHT: "what is right", WORTH: "what is worth saying"}
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
    name = _normalize(str(st.session_state.get(_RATER) or ""))
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
    write_to_url(_RATER, name)
    return name or ""


def _normalize(text: str) -> str | None:
    """Return the name of a rater as it is stored; None if it is empty."""
    return " ".join(text.split()).casefold()[:_MAX_NAME] or None


@st.fragment
def ask_questions(run: Run, ratings: Ratings, rater: str, questions: Sequence[str]) -> None:
    """Ask a rater the questions in turn; each answer is stored before the next question."""
    if message := st.session_state.pop(_ERROR, None):
        st.error(escape_markdown(message))
    try:
        answers = ratings.answers()
    except InputError as error:
        st.error(describe_error(error))
        return
    answers = answers[answers["question"].isin(questions)]
    skipped: list[str] = st.session_state.setdefault(_SKIPPED, {}).setdefault(
        (current_key(), rater, questions), []
    )
    question = next_question(run, answers, rater, questions, skipped)
    done, total = rating_progress(run, answers, rater, questions)
    n_skipped = f", {len(skipped):,} skipped for now" if skipped else ""
    st.caption(f"{done:,} of {total:,} reviews rated{n_skipped}. Each answer is stored at once.")
    if not total:
        needed = "text with pseudo-references" if questions == METRIC_QUESTIONS else "text"
        st.info(f"No review can be rated: none has a {needed}.")
    elif question is None:
        st.success("All reviews are rated. Thank you.", icon=":material/check:")
    else:
        row = int(run.reviews.index[run.reviews["id"] == question.id][0])
        change = find_change(run, run.reviews.iloc[row]["change"])
        left, right = st.columns([6, 5])
        with left, st.container(key="rate_change", border=True):
            st.markdown(f"**{escape_markdown(shorten(change_title(change), 100))}**")
            show_diff(change["diff"], change["language"] or None)
        with right, st.container(key="rate_review", border=True):
            _show_review(run, row)
            if questions == METRIC_QUESTIONS:
                texts = [reference["text"] for reference in change["references"]]
                numbers = [f"P{number}" for number in range(1, len(texts) + 1)]
                show_texts(pd.DataFrame({"pseudo-reference": texts}, numbers))
    with st.container(key="rate_bar"):  # stays at the bottom of the window
        if question is not None:
            st.markdown(_question_text(question, rater, answers))
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            if question is not None:
                _show_answers(question, rater, ratings)
                st.button(
                    "Skip",
                    key="rate_skip",
                    shortcut="S",
                    icon=":material/skip_next:",
                    on_click=skip_review,
                    args=(skipped, question.id),
                )
            st.button(
                "Undo",
                key="rate_undo",
                shortcut="Backspace",
                icon=":material/undo:",
                on_click=_undo,
                args=(ratings, rater, questions),
                disabled=not (answers["rater"] == rater).any(),
            )
            if question is not None:
                st.toggle(
                    "Show system and score",
                    key=_SEES_ALL,
                    help="Answers given while these are shown are marked as not blind.",
                )


def choose_questions() -> Sequence[str]:
    """Let the user choose the questions, in the URL as `questions`."""
    is_metric = choose_view("Questions", _MODES, "questions") == "metric"
    return METRIC_QUESTIONS if is_metric else QUALITY_QUESTIONS


def explain_rating() -> None:
    """Show all questions with the keys of their answers, and the rules of rating."""
    for text, labels in _QUESTIONS.values():
        answers = ", ".join(f"{key} {label}" for key, label in enumerate(labels.values(), start=1))
        st.markdown(f"{text}  \n{answers}")
    st.markdown(_HOW_TO_RATE)


def explain_ratings_of_file(run: Run, ratings: Ratings, questions: Sequence[str]) -> None:
    """Say that answers stay separate from the file's ratings of the same questions, if any."""
    counts = count_in_file(run, ratings.answers())
    named = [
        f"{_ABOUT.get(name, name)}, of {counted(counts[name], 'review')}"
        for name in questions
        if name in counts
    ]
    if named:
        st.caption(
            f"The file has ratings of {' and '.join(named)}. Answers given here stay separate and "
            f"are never averaged with them. From {MIN_RATED} answered reviews of "
            f"{MIN_RATED_CHANGES} changes "
            "on, pages use the answers instead; until then they are a label of their own."
        )


def _show_review(run: Run, row: int) -> None:
    review = run.reviews.iloc[row]
    st.markdown("**Review**")
    show_plain(review["review"])
    if st.session_state.get(_SEES_ALL):
        score = format_figure(review_score(run, row).relevance, missing="–")
        st.caption(escape_markdown(f"{review['system']}; relevance {score}"))


def _question_text(question: Question, rater: str, answers: pd.DataFrame) -> str:
    """Return a question; that on relevance repeats the rater's other two answers."""
    text = _QUESTIONS[question.name][0]
    if question.name != "relevance":
        return text
    earlier = answers[(answers["rater"] == rater) & (answers["id"] == question.id)]
    pairs = zip(earlier["question"], earlier["value"], strict=True)
    given = ", ".join(f"{name} {value}" for name, value in pairs)
    return f"{text} It lies between your other answers: {given}."


def _show_answers(question: Question, rater: str, ratings: Ratings) -> None:
    """Show a button for each answer; its shortcut is its number."""
    not_blind = st.session_state.setdefault(_NOT_BLIND, set())
    if st.session_state.get(_SEES_ALL):
        not_blind.add((current_key(), question.id))
    is_blind = (current_key(), question.id) not in not_blind
    for key, (value, label) in enumerate(_QUESTIONS[question.name][1].items(), start=1):
        st.button(
            label,
            key=f"rate_{key}",
            type="primary",
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
