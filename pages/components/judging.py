"""Asking a language model about reviews, and how far its judgements agree with people."""

import functools
import secrets
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError
from dataclasses import replace

import streamlit as st
from streamlit.elements.lib.mutable_expander_container import ExpanderContainer

from crscore_core.claims import (
    CLAIM_BACKENDS,
    ClaimOptions,
    Progress,
    language_model,
)
from crscore_core.corpus.measures import FEWEST_RATED, FEWEST_RATED_CHANGES, UNCHECKED
from crscore_core.corpus.run.finished import FinishedRun
from crscore_core.errors import InputError
from crscore_core.job import JobBoard, Line
from crscore_core.metrics.judges import (
    JudgedFile,
    JudgedReview,
    Judgement,
    ReviewFile,
    ReviewJudge,
    column_name,
)
from crscore_core.validity.judge_agreement import (
    JudgeAgreement,
    answered_agreements,
    judged_table,
)
from pages.components.job_view import say_end, watch_job
from pages.components.markup import text_table
from pages.components.review_view import show_findings
from pages.components.score_form import NamedReview, backend_options
from pages.components.source.model import Source
from pages.components.streamed import StreamedAnswers, StreamProgress
from pages.components.text import counted, escape_markdown

_AT_ONCE = 2
_MODELS = [name for name, backend in CLAIM_BACKENDS.items() if backend.model]
_TITLES = {
    "label_right": "is it right?",
    "label_worth": "is it worth saying?",
    "human_relevance": "how relevant is it?",
}

_Model = tuple[str, ClaimOptions]
_Answers = tuple[list[Judgement], str]
_ASKED = "asked_judge"
"""Judgements of reviews, and the name of the model."""

_files: JobBoard[JudgedFile, JudgedFile] = JobBoard(Line(_AT_ONCE))
_questions: JobBoard[StreamProgress, _Answers] = JobBoard(Line(_AT_ONCE))


def _expander(label: str, key: str) -> ExpanderContainer:
    return st.expander(label, icon=":material/gavel:", key=key, on_change="rerun")


def _choose_model(key: str) -> _Model:
    """Let a person choose the language model that judges."""
    chosen = st.selectbox(
        "Language model", _MODELS, index=len(_MODELS) - 1, key=f"{key}_model", width=200
    )
    name = chosen or _MODELS[-1]
    return name, backend_options(name, key, "Each diff with its reviews")


def _judge(model: _Model, progress: Progress) -> ReviewJudge:
    name, options = model
    asked = language_model(name, options, progress)
    return ReviewJudge("review", asked)


def judge_section(run: FinishedRun, key: str, then: Callable[[], None] = lambda: None) -> None:
    """Offer to have the reviews of a run judged; call `then` once some are.

    Keys of widgets begin with `key`.
    """
    opened = _expander("Judge these reviews", f"{key}_judge")
    if not opened.open:
        return
    with opened:
        st.caption(
            "A language model is asked about each review: is each finding right, with the line of "
            "the diff that shows it; is the review worth saying; how relevant is it. The answers "
            "stay with the run, and are measures on all pages."
        )
        _list_judges(run)
        model = _choose_model(f"{key}_judge")
        called = st.text_input(
            "Name of this judge",
            key=f"{key}_name",
            max_chars=40,
            placeholder="judge",
            help="Several judges of a run are told apart by it: lower-case letters, digits and _.",
            width=300,
        ).strip()
        of = str(run.folder.path), called
        job = _files.find(of)
        if job is not None and not job.now().is_over:
            watch_job(job, _heading, lambda done: st.progress(done.read))
            return
        with st.container(horizontal=True):
            is_estimate = st.button("Estimate", key=f"{key}_judge_estimate")
            is_judging = st.button("Judge", key=f"{key}_judge_all", type="primary")
        if is_estimate or is_judging:
            work = functools.partial(_work, run, model, called, is_estimate)
            _files.begin(of, work, "the judge")
            st.rerun()
        if job is not None:
            say_end(job.now())
            if (done := job.now().result) is not None:
                _say_done(done)
                if st.session_state.get("judge_taken") is not job:
                    st.session_state["judge_taken"] = job
                    then()


def _work(  # noqa: PLR0913, PLR0917 - the last two are those of any job
    run: FinishedRun,
    model: _Model,
    called: str,
    is_estimate: bool,  # noqa: FBT001
    note: Callable[[JudgedFile], None],
    stopping: threading.Event,
) -> JudgedFile:
    def go_on(*_: object) -> None:
        if stopping.is_set():
            raise CancelledError

    def tell(counts: JudgedFile) -> None:
        go_on()
        note(replace(counts))

    judge = _judge(model, go_on)
    reviews = ReviewFile(run.folder.path, None, judge, {}, column_name("review", called))
    try:
        return reviews.estimate(tell) if is_estimate else reviews.run(tell)
    except OSError as error:
        raise InputError(f"the judgements cannot be written: {error.strerror}") from error


def _heading(done: JudgedFile | None) -> str:
    if done is None:
        return "**Judging.** Waiting for the first answers …"
    act = "Estimating" if done.is_estimate else "Judging"
    return f"**{act}.** {counted(done.judged, 'review')}, {done.calls:,} calls …"


def _say_done(done: JudgedFile) -> None:
    known = f" ({done.known:,} are judged already)" if done.known else ""
    if done.is_estimate:
        st.info(
            f"{counted(done.judged, 'review')} to judge{known}: at least {done.calls:,} calls with "
            f"{done.tokens:,} tokens of prompts."
        )
        return
    st.success(f"{counted(done.judged, 'review')} judged by {done.calls:,} calls{known}.")
    if done.without:
        failed = f", {done.failed:,} of them as the server failed" if done.failed else ""
        st.warning(
            f"{counted(done.without, 'review')} without a judgement{failed}. Each has the reason. "
            "“Judge” asks again where the server failed."
        )


def _list_judges(run: FinishedRun) -> None:
    rows = [
        {
            "judge": name,
            "model": next(iter(judged.values())).model,
            "judged": (n_made := sum(one.is_made for one in judged.values())),
            "without a judgement": len(judged) - n_made,
        }
        for name, judged in run.judgements.by_name().items()
        if judged
    ]
    if rows:
        text_table(rows, wide=("model",), caption="Judges of these reviews")
        st.page_link(
            "pages/rankings.py",
            label="Systems by the share of findings that are right",
            icon=":material/leaderboard:",
            query_params={"by": f"{rows[0]['judge']}_right"},
        )


def ask_judge(diff: str, reviews: Sequence[NamedReview]) -> None:
    """Offer to ask a language model about reviews of a diff, beside their scores."""
    opened = _expander("Ask a judge: is it right, is it worth saying?", "judge_review")
    if not opened.open:
        return
    with opened:
        model = _choose_model("ask")
        question = diff, tuple(review.text for review in reviews), model
        asked, job = st.session_state.get(_ASKED, (None, None))
        is_running = job is not None and not job.now().is_over
        if st.button("Ask", icon=":material/play_arrow:", disabled=is_running):
            work = functools.partial(_answer, *question)
            job = _questions.begin(secrets.token_urlsafe(16), work, "the judge")
            st.session_state[_ASKED] = question, job
            st.rerun()
        if job is None or (asked != question and not is_running):
            return
        if is_running:
            watch_job(
                job,
                lambda now: f"**Asking.** {now.tokens if now else 0:,} tokens …",
                lambda _: None,
            )
            return
        say_end(job.now())
        if (answers := job.now().result) is not None:
            _show_judgements(reviews, answers, job.now().progress)


def _answer(
    diff: str,
    texts: Sequence[str],
    model: _Model,
    note: Callable[[StreamProgress], None],
    stopping: threading.Event,
) -> _Answers:
    judge = _judge(model, StreamedAnswers(note, stopping))
    return judge.judge_each([JudgedReview(text, diff) for text in texts]), judge.name


def _show_judgements(
    reviews: Sequence[NamedReview], answers: _Answers, progress: StreamProgress | None
) -> None:
    judgements, model = answers
    judged = list(zip(reviews, judgements, strict=True))
    text_table(
        [
            {
                "review": review.name,
                "findings right": "–" if one.right is None else f"{one.right:.2f}",
                "wrong findings": "–" if one.wrong is None else one.wrong,
                "worth saying": one.worth or "–",
                "relevance": one.relevance or "–",
            }
            for review, one in judged
        ],
        wide=("review",),
        caption=f"A language model's judgement, {UNCHECKED}: share from 0 to 1, grades from 1 to 5",
    )
    for review, one in judged:
        show_findings(one.findings, f"Findings of {review.name}", one.reason)
    calls = sum(one.calls for one in judgements)
    made = "all answers from the cache"
    if progress is not None:
        made = f"{progress.tokens:,} tokens in {progress.seconds:.1f} s"
    st.caption(escape_markdown(f"{model}: {counted(calls, 'answer')}, {made}."))


def show_judges(source: Source) -> None:
    """Show how far the judges of a run agree with its raters."""
    if source.run is None or not source.run.judgements.by_name():
        return
    st.header("Judges", anchor=False)
    try:
        found = source.once(_agreements)
    except InputError as error:
        st.error(escape_markdown(str(error)))
        return
    judges = [judge for of in found for judge in of.judges]
    if not judges or not all(judge.is_checked for judge in judges):
        st.info(
            f"Language models judged these reviews, {UNCHECKED} until people have answered a "
            f"question about {FEWEST_RATED} of the same reviews of {FEWEST_RATED_CHANGES} changes "
            f"on the page Rate; so far about {max((one.n for one in judges), default=0):,}."
        )
    if found:
        text_table(
            [
                {
                    "question": _TITLES[of.truth[0]],
                    "judge": judge.judge,
                    "reviews": f"{judge.n:,} of {judge.targets:,} changes",
                    "agreement": f"{of.statistic} {str(judge.agreement) or '–'}",
                    "bias": str(judge.bias) or "–",
                    **{
                        f"bias, {one.generator}{' (judges itself)' * one.is_own}": str(one.bias)
                        or "–"
                        for one in judge.by_generator
                    },
                }
                for of in found
                for judge in of.judges
            ],
            wide=("question",),
            caption="Agreement with people; mean of judgement less theirs; 95 % intervals",
        )


def _agreements(source: Source) -> list[JudgeAgreement]:
    return [] if source.run is None else answered_agreements(judged_table(source.run))
