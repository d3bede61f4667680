"""One question to a rater: the change, its pseudo-references, and what is to be judged."""

import time
from collections.abc import Callable, Mapping

import streamlit as st

from crscore_core.corpus.model import DIMENSIONS
from crscore_core.corpus.run.answers import CANNOT_TELL, RIGHT, WORTH, Answer, RatingPlan
from crscore_core.datasets.rated_run import CLAIM, UNNECESSARY, Question, RatedRun
from crscore_core.datasets.study.model import ClaimCode
from crscore_core.errors import InputError
from pages.components.markup import diff_view, plain_text, text_table
from pages.components.text import counted, escape_markdown, number, shorten

_DIFF_HEIGHT, _REVIEW_HEIGHT, _LIST_HEIGHT = 260, 150, 260
_FAILED, _SEES_ALL = "rate_failed", "rate_sees_all"
_SEEN, _LAST = "rate_seen", "rate_last"
_OVERLAP, _CODES_CLAIMS = "rate_overlap", "rate_codes_claims"
_SECONDS_TO_READ = 0.4
"""Least time between the last key and the first one of the next item: no held key answers it."""

_ASKED: Mapping[str, tuple[str, Mapping[int, str]]] = {
    "conciseness": (
        "**Conciseness**: How much of the review is about the pseudo-references?",
        {1: "nothing", 2: "a little", 3: "about half", 4: "most", 5: "all of it"},
    ),
    "comprehensiveness": (
        "**Comprehensiveness**: How many of the pseudo-references does the review address?",
        {1: "none", 2: "at least one", 3: "about half", 4: "more than half", 5: "nearly all"},
    ),
    "relevance": (
        "**Relevance**: Both together: between the two, and closer to one that is very low.",
        {1: "very low", 2: "low", 3: "medium", 4: "high", 5: "very high"},
    ),
    RIGHT: (
        "**Is it right?** Is everything that the review says about the code true?",
        {1: "right", 0: "wrong", CANNOT_TELL: "can't tell"},
    ),
    WORTH: (
        "**Is it worth saying?** Would you want to get this review?",
        {1: "no", 2: "hardly", 3: "somewhat", 4: "yes", 5: "very much"},
    ),
    CLAIM: (
        "Is this claim about the change right?",
        {
            ClaimCode.CORRECT: "Correct: there is evidence for it",
            ClaimCode.INCORRECT: "Incorrect: there is evidence against it",
            ClaimCode.UNVERIFIABLE: "Unverifiable: there is no evidence either way",
            ClaimCode.AMBIGUOUS: "Ambiguous: it can be read in several ways",
            UNNECESSARY: "Correct, but unnecessary, or said by another one",
        },
    ),
}
"""Each question and its answers, of which the first has key 1."""

_CODEBOOK = """
The first three questions and their scales are those of the study (paper, appendix D).

- Judge by the pseudo-references that are listed; one that is missing can be added where claims are
  coded. A review **addresses** one that it talks about, whether it agrees or not.
- **Conciseness** looks at the review, **comprehensiveness** at the pseudo-references.
- **Relevance** lies between the two. Where one of them is very low, relevance is close to that one.
- **Claims** are coded by evidence: in the diff, or in what you know of the language and its
  libraries. Incorrect, unverifiable and unnecessary ones do not count when you rate reviews.

The last two questions do not depend on the pseudo-references.

- A review is **right** if nothing that it says about the code is false. Answer "can't tell" if you
  cannot check it, or if it says nothing that could be true or false.
- A review is **worth saying** if its author would want to know it before the change is merged.
"""


@st.fragment
def ask(rated: RatedRun, rater: str) -> None:
    """Ask a rater one question after the other; each answer is kept before the next is shown."""
    if failed := st.session_state.pop(_FAILED, None):
        st.error(escape_markdown(failed))
    given, plan = rated.answers.list(), rated.answers.plan
    question = rated.question(rater, given, plan)
    progress = rated.progress(rater, given, plan)
    if rated.came_rated and not given:
        st.info(
            f"{counted(rated.came_rated, 'review')} came with ratings. Once somebody rates here, "
            "only ratings given here count for this run."
        )
    speed = "" if (progress.seconds or 0) < 1 else f", {progress.seconds:.0f} s a review"
    st.progress(
        min(1.0, progress.rated / max(1, progress.share)),
        f"{progress.rated:,} of {progress.share:,} reviews rated{speed}",
    )
    if question is None:
        st.success("Nothing is left to rate. Thank you.", icon=":material/check:")
        _back(rated, rater)
    else:
        left, right = st.columns([11, 9], gap="medium")
        with right:
            _judged(question)
            _choices(question, rater, rated)
            with st.container(horizontal=True, vertical_alignment="center"):
                _back(rated, rater)
                st.toggle(
                    "Show system and score",
                    key=_SEES_ALL,
                    help="Ratings given while these are seen count as not blind.",
                )
        with left:
            _change(question, rated, rater)
    with st.expander("Codebook"):
        st.markdown(_CODEBOOK)
    with st.expander("What raters of this run are asked"):
        _show_plan(rated, plan)


def _judged(question: Question) -> None:
    """Show the review or claim in question."""
    if question.review is None:
        places = question.of.claims_to_code()
        st.markdown(f"**Claim {places.index(question.item) + 1} of {len(places)}**")
        plain_text(question.of.change.references[question.item].text)
        return
    st.markdown("**Review**")
    with st.container(height=_REVIEW_HEIGHT):
        plain_text(question.review.text)
    if st.session_state.get(_SEES_ALL):
        relevance = number(question.review.relevance)
        st.caption(escape_markdown(f"{question.review.system}; relevance {relevance}"))


def _choices(question: Question, rater: str, rated: RatedRun) -> None:
    """Show a button an answer; its key is its number."""
    asked, answers = _ASKED[question.name]
    if question.name in DIMENSIONS:
        given = (f"{name.capitalize()} {value}. " for name, value in question.given.items())
        asked = "".join(given) + asked
    st.markdown(asked)
    seen = st.session_state.setdefault(_SEEN, set())
    if st.session_state.get(_SEES_ALL):
        seen.add((question.of.number, question.item))
    is_blind = (question.of.number, question.item) not in seen
    with st.container(horizontal=question.name != CLAIM, gap="small"):
        for key, (value, text) in enumerate(answers.items(), start=1):
            answer = Answer(
                rater, question.of.number, question.item, question.name, int(value), is_blind
            )
            st.button(
                text,
                key=f"rate_{key}",
                shortcut=str(key),
                width="content" if question.name != CLAIM else "stretch",
                disabled=value not in question.values,
                on_click=_give,
                args=(rated, answer),
            )


def _give(rated: RatedRun, answer: Answer) -> None:
    """Keep an answer, if its question is still the next one and the rater can have read it."""
    item, now = (answer.change, answer.item), time.monotonic()
    last_item, last = st.session_state.get(_LAST, (None, -_SECONDS_TO_READ))
    if last_item not in {None, item} and now - last < _SECONDS_TO_READ:
        st.session_state[_LAST] = last_item, now
        return
    question = rated.question(answer.rater, rated.answers.list(), rated.answers.plan)
    if question is None or (question.of.number, question.item, question.name) != (
        *item,
        answer.question,
    ):
        st.session_state[_FAILED] = (
            f"Not kept: another tab, or somebody else who rates as {answer.rater}, has moved on "
            "from this question. Two people need two names."
        )
    elif answer.value in question.values:
        keep(lambda: rated.answers.give(answer))
        st.session_state[_LAST] = item, now


def _back(rated: RatedRun, rater: str) -> None:
    """Offer to take back the last answer, as often as one likes."""

    def take_back() -> None:
        now = time.monotonic()
        _, last = st.session_state.get(_LAST, (None, -_SECONDS_TO_READ))
        st.session_state[_LAST] = None, now
        if now - last >= _SECONDS_TO_READ / 4:
            keep(lambda: rated.answers.take_back(rater))

    st.button(
        "Take back",
        key="rate_back",
        shortcut="Backspace",
        icon=":material/undo:",
        on_click=take_back,
    )


def _change(question: Question, rated: RatedRun, rater: str) -> None:
    """Show the change, its pseudo-references, and those that the rater misses."""
    change = question.of.change
    st.markdown(f"**{escape_markdown(shorten(change.title or f'Change {change.id}', 100))}**")
    with st.container(height=_DIFF_HEIGHT):
        diff_view(change.diff, change.language or None)
    missing = rated.missing(rater, question.of.number)
    rows = [
        {"": place + 1, "pseudo-reference": reference.text}
        for place, reference in enumerate(change.references)
        if place not in question.left_out
    ]
    rows += [{"": "", "pseudo-reference": text} for text in missing]
    with st.container(height=_LIST_HEIGHT):
        text_table(rows, wide=())
    if rated.answers.plan.codes_claims:
        _ask_missing(question.of.number, missing, rated, rater)


def _ask_missing(number: int, missing: tuple[str, ...], rated: RatedRun, rater: str) -> None:
    key = f"rate_missing_{rater}_{number}"

    def keep_missing() -> None:
        lines = (line.strip() for line in st.session_state[key].splitlines())
        keep(lambda: rated.answers.add_missing(rater, number, tuple(filter(None, lines))))

    st.text_area(
        "Missing claims, one a line",
        "\n".join(missing),
        key=key,
        height=90,
        help="What a good review of this change may be about, and no pseudo-reference says.",
        on_change=keep_missing,
    )


def _show_plan(rated: RatedRun, plan: RatingPlan) -> None:
    """Let a person say what all raters of the run are asked."""
    state = st.session_state

    def keep_plan() -> None:
        chosen = RatingPlan(state[_OVERLAP] / 100, state[_CODES_CLAIMS])
        keep(lambda: rated.answers.set_plan(chosen))

    with st.form("rate_plan", border=False):
        overlap = round(100 * plan.overlap)
        st.slider("Share of the changes that everybody rates, %", 0, 100, overlap, 5, key=_OVERLAP)
        st.checkbox("Code the claims of a change first", plan.codes_claims, key=_CODES_CLAIMS)
        st.caption(
            "Agreement is measured where two people rated the same reviews. The other changes are "
            "dealt out, so that each is rated once before any is rated twice."
        )
        st.form_submit_button("Keep for all raters", on_click=keep_plan)


def keep(write: Callable[[], None]) -> None:
    """Write, or have the page say why that failed."""
    try:
        write()
    except InputError as error:
        st.session_state[_FAILED] = str(error)
