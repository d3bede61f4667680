"""Rating: the questions for a rater, and the results."""

import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial

import pandas as pd
import streamlit as st

from crscore_core.errors import InputError
from crscore_core.text import in_words, shorten
from crscore_eval.data.ratings import (
    CANNOT_TELL,
    METRIC_QUESTIONS,
    QUALITY_QUESTIONS,
    Question,
    Ratings,
    next_question,
    rater_agreement,
    rating_progress,
    skip_review,
)
from crscore_eval.formatting import format_figure
from crscore_eval.ranking.two_runs import rating_scale
from crscore_eval.statistics.bootstrap import MIN_CHANGES
from crscore_eval.table import ANSWER_COLUMNS, Run
from crscore_eval.table.one_review import change_title, find_change
from crscore_eval.table.roles import RIGHT, WORTH
from crscore_eval.table.schema import GIVEN_HERE
from pages.components.current_run import current_key, load_run, system_title
from pages.components.diff_view import show_diff
from pages.components.downloads import offer_file
from pages.components.tables import show_texts
from pages.components.text import escape_except_code, escape_markdown, safe_table, show_rendered
from pages.components.url import choose_view, restore_from_url, write_to_url

_RATER, _MAX_NAME = "rater", 40
_ERROR, _SKIPPED, _LAST, _IGNORED = "rate_error", "rate_skipped", "rate_last", "rate_ignored"
_SECONDS_TO_READ = 0.4
"""Minimum time between answers about two reviews, so that a held key rates only one review."""

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
"""Each question's text, and its answers by value."""

_SCALE = "1 to 5"  # of all questions but the first
_GRADE_KEYS, _RIGHT_KEYS = "12345", "YNU"
"""Keys of answers in their order. If a key is lost, the next one cannot answer another question."""

_MODES = {"quality": "Right and worth saying", "metric": "For studies of the metric"}

_RULES = {
    WORTH: "These questions do not depend on the metric. A review is **right** if nothing it says "
    'about the code is false. Answer "can\'t tell" if you cannot check it, or if it says nothing '
    "that could be true or false.",
    "relevance": "These questions are for studies of the metric and come from the study (paper, "
    "appendix D). Judge the review by the listed pseudo-references. A review **addresses** a "
    "pseudo-reference if it discusses it, whether it agrees or not.",
}
"""Rating rules, keyed by the last question that they apply to."""


def choose_rater() -> str:
    """Return the rater's name, which is stored in the URL; empty until it is entered.

    The field then disappears, so that number keys give answers instead of typing into the field.
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
    return " ".join(text.split()).casefold()[:_MAX_NAME] or None


@st.fragment
def ask_questions(run: Run, ratings: Ratings, rater: str, questions: Sequence[str]) -> None:
    """Ask a rater the questions in turn; each answer is stored before the next question."""
    if message := st.session_state.pop(_ERROR, None):
        st.error(escape_markdown(message))
    answers = ratings.answers()
    skipped: list[str] = st.session_state.setdefault(_SKIPPED, {}).setdefault(
        (current_key(), rater, questions), []
    )
    question = next_question(run, answers, rater, questions, skipped)
    done, total = rating_progress(run, answers, rater, questions)
    n_skipped = f", {len(skipped):,} skipped for now" if skipped else ""
    needed = "text" if questions == QUALITY_QUESTIONS else "text or pseudo-references"
    n_others = len(run.reviews) - total
    others = f" Not asked about, without {needed}: {n_others:,}." if n_others else ""
    rated = f"{done:,} of {total:,} reviews rated{n_skipped}"
    if not total:
        st.info(f"No review can be rated: all are without {needed}.")
    elif question is None:
        st.success("All reviews are rated. Thank you.", icon=":material/check:")
    else:
        _show_review(run, question, with_references=questions == METRIC_QUESTIONS)
    own = answers[(answers["rater"] == rater) & answers["question"].isin(questions)]
    with st.container(key="rate_bar"):  # stays at the bottom of the window
        if question is not None:
            st.markdown(_question_text(run, question, own))
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            if question is not None:
                _show_answers(question, partial(_answer, run, ratings, rater, questions, skipped))
                skip = partial(skip_review, skipped, question.id)
                st.button("Skip", icon=":material/skip_next:", shortcut="S", on_click=skip)
            undo = partial(_undo, ratings, rater, questions)
            st.button(
                "Undo",
                icon=":material/undo:",
                shortcut="Backspace",
                on_click=undo,
                disabled=own.empty,
            )
            note = f"{_describe_last(run, own)} {rated}.{others}"
            st.caption(note, width="content")


def _describe_last(run: Run, own: pd.DataFrame) -> str:
    """Describe a rater's last stored answer, and why a key since then stored none, if so."""
    ignored = st.session_state.pop(_IGNORED, "")
    own = own[own["id"].isin(run.reviews["id"])]
    if own.empty:
        return f"{ignored}Each answer is stored at once."
    review, question, value = own[["id", "question", "value"]].to_numpy()[-1]
    text = shorten(run.reviews["review"][run.reviews["id"] == review].iloc[0], 40)
    answer = _QUESTIONS[question][1][value]
    last = f"{answer} ({_TITLES.get(question, question)}), for “{text}”"
    return f"{ignored}Stored last: {escape_markdown(last)}."


def choose_questions() -> Sequence[str]:
    """Let the user choose the questions, in the URL as `questions`."""
    is_metric = choose_view("Questions", _MODES, "questions") == "metric"
    return METRIC_QUESTIONS if is_metric else QUALITY_QUESTIONS


def explain_rating(questions: Sequence[str] = tuple(_QUESTIONS)) -> None:
    """Show questions with the keys of their answers, the rules, and where answers count."""
    for name in questions:
        text, labels = _QUESTIONS[name]
        answers = ", ".join(map(" ".join, zip(_keys(name), labels.values(), strict=True)))
        st.markdown(f"{text}  \n{answers}")
        if name in _RULES:
            st.markdown(_RULES[name])
    _explain_use(questions)


def _explain_use(questions: Sequence[str]) -> None:
    """State where answers count: with ratings of the same name in the file, they are a label."""
    file = load_run(current_key(), has_answers=False).reviews.dropna(axis="columns", how="all")
    in_file = [name for name in questions if ANSWER_COLUMNS[name] in file]
    if others := [name for name in questions if name not in in_file]:
        st.caption(f"Answers on *{in_words(others)}* count as people's ratings on all pages.")
    if in_file:
        labels = in_words([f"`{name}{GIVEN_HERE}`" for name in in_file])
        st.caption(
            f"The file has ratings of {in_words(in_file)}. Pages use those, and only those can "
            f"decide the order on Rankings. Answers given here do not count among them: {labels} "
            "can be chosen as *Order by* on Rankings, and on Failure cases, Threshold and Validity."
        )


def _show_review(run: Run, question: Question, *, with_references: bool) -> None:
    review = run.reviews[run.reviews["id"] == question.id].iloc[0]
    change = find_change(run, review["change"])
    left, right = st.columns([6, 5])
    with left, st.container(key="rate_change", border=True):
        st.markdown(f"**{escape_except_code(shorten(change_title(change), 100))}**")
        show_diff(change["diff"], change["language"] or None)
    with right, st.container(key="rate_review", border=True):
        show_rendered(review["review"])
        if with_references:
            texts = [reference["text"] for reference in change["references"]]
            numbers = [f"P{number}" for number in range(1, len(texts) + 1)]
            show_texts(pd.DataFrame({"pseudo-reference": texts}, numbers))


def _question_text(run: Run, question: Question, own: pd.DataFrame) -> str:
    text = _QUESTIONS[question.name][0]
    scale = rating_scale(run, ANSWER_COLUMNS[question.name])
    if scale not in {"", _SCALE}:
        text += f" The ratings in the file are from {scale}; answer from {_SCALE}."
    if question.name != "relevance":
        return text
    earlier = own[own["id"] == question.id]
    pairs = zip(earlier["question"], earlier["value"], strict=True)
    given = ", ".join(f"{name} {value}" for name, value in pairs)
    return f"{text} It must lie between your other answers: {given}."


def _show_answers(question: Question, answer: Callable[[str], None]) -> None:
    """Show a button with a key for each answer.

    All keys always work, so that a key for the next question counts even if it is pressed before
    that question is shown.
    """
    keys, answers = _keys(question.name), _QUESTIONS[question.name][1]
    for key, (value, label) in zip(keys, answers.items(), strict=True):
        st.button(
            label,
            key=f"rate_{key}",
            type="primary",
            shortcut=key,
            disabled=value not in question.values,
            on_click=answer,
            args=(key,),
        )
    with st.container(key="rate_unused", width="content"):  # hidden by style.css
        for key in filter(lambda one: one not in keys, _RIGHT_KEYS + _GRADE_KEYS):
            label = f"answer {key}"
            st.button(label, f"rate_{key}", on_click=answer, args=(key,), shortcut=key)


def _keys(question: str) -> str:
    return _RIGHT_KEYS if question == RIGHT else _GRADE_KEYS


def _answer(  # noqa: PLR0913, PLR0917 - a callback
    run: Run,
    ratings: Ratings,
    rater: str,
    questions: Sequence[str],
    skipped: Sequence[str],
    key: str,
) -> None:
    """Store the answer with this key to the current question; a callback.

    The question may be later than the one shown if two keys were pressed quickly. A key of another
    question is ignored. So is an answer about another review if it came too soon to be intended, as
    when a key is held down.
    """
    now = time.monotonic()
    try:
        question = next_question(run, ratings.answers(), rater, questions, skipped)
        if question is None:
            return
        answers = dict(zip(_keys(question.name), _QUESTIONS[question.name][1], strict=True))
        if answers.get(key) not in question.values:
            st.session_state[_IGNORED] = f"{key} is not an answer to this question. "
            return
        last_review, last_time = st.session_state.get(_LAST, (question.id, now))
        is_held = last_review != question.id and now - last_time < _SECONDS_TO_READ
        st.session_state[_LAST] = last_review if is_held else question.id, now
        if is_held:
            st.session_state[_IGNORED] = f"{key} came too soon to rate the next review. "
        else:
            ratings.give(rater, question, answers[key])
    except InputError as error:
        st.session_state[_ERROR] = str(error)


def _undo(ratings: Ratings, rater: str, questions: Sequence[str]) -> None:
    try:
        ratings.undo(rater, questions)
    except InputError as error:
        st.session_state[_ERROR] = str(error)


_TITLES = {RIGHT: "right or wrong", WORTH: "worth saying"}
_MEANS = {RIGHT: "share right", WORTH: "mean worth (1 to 5)"}


def show_results(run: Run, ratings: Ratings, questions: Sequence[str]) -> None:
    """Show who answered the questions, the mean answers, and the agreement of the raters."""
    answers = ratings.answers()
    answers = answers[answers["question"].isin(questions)]
    if answers.empty:
        st.info("Nobody has answered these questions in the app yet.")
        return
    _explain_use(questions)
    st.header("Raters", anchor=False)
    columns = {"reviews with answers": ("id", "nunique"), "answers": ("id", "size")}
    by_rater = answers.groupby("rater", sort=False).agg(**columns).reset_index()
    st.dataframe(safe_table(by_rater), hide_index=True)
    _show_means(run, answers)
    _show_agreement(run, answers)
    offer_file("Answers as CSV", lambda: answers_content(answers, run.reviews), "ratings.csv")


def answers_content(answers: pd.DataFrame, reviews: pd.DataFrame) -> str:
    """Return answers with their reviews as CSV: in words, and as a value if the rater can tell."""
    pairs = zip(answers["question"], answers["value"], strict=True)
    words = [_QUESTIONS[question][1][value] for question, value in pairs]
    values = answers["value"].astype("Int64")
    table = answers.assign(
        value=values.mask(values == CANNOT_TELL),
        answer=words,
        time=pd.to_datetime(answers["time"], unit="s", utc=True).dt.round("s"),
    )
    table = table.merge(reviews[["id", "system", "change", "review"]], on="id", how="left")
    return safe_table(table).to_csv(index=False)


def _show_means(run: Run, answers: pd.DataFrame) -> None:
    """Show mean answers about each reviewer: over raters, then reviews, then changes."""
    st.header("Mean answers by reviewer, over changes", anchor=False)
    if not st.toggle("Show reviewers' names and means; rate first, without knowing them"):
        return
    columns = ["system", "change", "id"]
    definite = answers[answers["value"] != CANNOT_TELL].merge(run.reviews[columns])
    reviews = definite.pivot_table("value", columns, "question").rename(columns=_MEANS)
    table = reviews.groupby(columns[:2]).mean().groupby("system").mean().round(2)
    table = table.join(reviews.groupby("system").count().add_suffix(", reviews"))
    table = table.rename(system_title).reset_index(names="reviewer")
    st.dataframe(safe_table(table), hide_index=True)


def _show_agreement(run: Run, answers: pd.DataFrame) -> None:
    st.header("Agreement of raters", anchor=False)
    found = (_agreement_row(run, answers, name) for name in answers["question"].unique())
    if not (rows := [*filter(None, found)]):
        n_raters = answers["rater"].nunique()
        reason = "one rater has answered" if n_raters == 1 else "no review has two raters' answers"
        st.info(f"Agreement needs two raters of the same review; so far, {reason}.")
        return
    st.dataframe(pd.DataFrame(rows), hide_index=True)
    st.caption(
        "Krippendorff's alpha on the ordinal scale, with 95% intervals over changes; fewer than "
        f"{MIN_CHANGES} shared changes give no interval. The study's raters reach 0.85 to 0.89; "
        "an alpha of 0.8 or more usually counts as reliable."
    )


def _agreement_row(run: Run, answers: pd.DataFrame, name: str) -> dict[str, object] | None:
    values = answers[(answers["question"] == name) & (answers["value"] != CANNOT_TELL)]
    table = values.pivot(index="id", columns="rater", values="value")
    found = rater_agreement(table, run.reviews.set_index("id")["change"].reindex(table.index))
    row = {
        "question": _TITLES.get(name, name),
        "alpha": format_figure(*found.alpha, missing="–"),
        "shared reviews": found.n_reviews,
        "shared changes": found.n_changes,
    }
    return row if found.n_reviews else None
