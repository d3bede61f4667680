"""Asking a language model about reviews, and how far its judgements agree with people."""

import functools
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError
from dataclasses import dataclass, replace

import numpy as np
import streamlit as st

from crscore_core.claims import (
    CLAIM_BACKENDS,
    ClaimOptions,
    Progress,
    StreamedAnswers,
    StreamProgress,
    answer_cache,
    language_model,
)
from crscore_core.corpus.measures import FEWEST_RATED, FEWEST_RATED_CHANGES, UNCHECKED
from crscore_core.corpus.run.finished import FinishedRun
from crscore_core.corpus.run.judgements import Finding
from crscore_core.errors import BatchError, InputError
from crscore_core.job import Job, JobBoard, Line
from crscore_core.metrics.judges import (
    JudgedFile,
    JudgedReview,
    Judgement,
    ReviewFile,
    ReviewJudge,
    column_name,
)
from crscore_core.validity.judge_agreement import GeneratorBias, JudgeAgreement, run_agreements
from pages.components.job_view import say_end, watch_job
from pages.components.markup import text_table
from pages.components.review_view import show_findings
from pages.components.score_form import NamedReview, backend_options
from pages.components.source.model import Source
from pages.components.text import counted, escape_markdown

_ASKED, _AT_ONCE = "asked_judge", 2
_MODELS = [name for name, backend in CLAIM_BACKENDS.items() if backend.model]
_TITLES = {
    "label_right": "is it right?",
    "label_worth": "is it worth saying?",
    "human_relevance": "how relevant is it?",
}


@dataclass(frozen=True, slots=True)
class _Share:
    """Rows of a run that are judged so far, and the share of the run that was read."""

    counts: JudgedFile
    read: float


_files: JobBoard[_Share, JudgedFile] = JobBoard(Line(_AT_ONCE))
_questions: JobBoard[StreamProgress, tuple[list[Judgement], str]] = JobBoard(Line(_AT_ONCE))


def _choose_model(key: str) -> tuple[str, ClaimOptions]:
    """Let a person choose the language model that judges."""
    chosen = st.selectbox(
        "Language model", _MODELS, index=len(_MODELS) - 1, key=f"{key}_model", width=200
    )
    name = chosen or _MODELS[-1]
    return name, backend_options(name, key, "Each diff with its reviews")


def _judge(name: str, options: ClaimOptions, progress: Progress) -> ReviewJudge:
    model = language_model(name, options, progress)
    return ReviewJudge("review", model, answer_cache(options), progress)


def judge_section(run: FinishedRun, key: str, then: Callable[[], None] = lambda: None) -> None:
    """Offer to have the reviews of a run judged; call `then` once some are.

    Keys of widgets begin with `key`.
    """
    opened = st.expander(
        "Judge these reviews", icon=":material/gavel:", key=f"{key}_judge", on_change="rerun"
    )
    with opened:
        if not opened.open:
            return
        st.caption(
            "A language model is asked about each review: is each finding right, with the line of "
            "the diff that shows it; is the review worth saying; how relevant is it. The answers "
            "stay with the run, and are measures on all pages."
        )
        _list_judges(run)
        name, options = _choose_model(f"{key}_judge")
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
            watch_job(job, _heading, _show_share)
            return
        with st.container(horizontal=True):
            for label, is_estimate in (("Estimate", True), ("Judge", False)):
                if st.button(
                    label,
                    key=f"{key}_judge_{label}",
                    type="primary" if label == "Judge" else "secondary",
                ):
                    work = functools.partial(_work, run, name, options, called, is_estimate)
                    _files.begin(of, work, "the judge")
                    st.session_state["judge_taken"] = None
                    st.rerun()
        if job is not None:
            say_end(job.now())
            if (done := job.now().result) is not None:
                _say_done(done)
                if st.session_state.get("judge_taken") != id(job):
                    st.session_state["judge_taken"] = id(job)
                    then()


def _work(  # noqa: PLR0913, PLR0917 - the last two are those of any job
    run: FinishedRun,
    name: str,
    options: ClaimOptions,
    called: str,
    is_estimate: bool,  # noqa: FBT001
    note: Callable[[_Share], None],
    stopping: threading.Event,
) -> JudgedFile:
    def go_on(*_: object) -> None:
        if stopping.is_set():
            raise CancelledError

    def tell(counts: JudgedFile, read: float) -> None:
        go_on()
        note(_Share(replace(counts), read))

    judge = _judge(name, options, go_on)
    reviews = ReviewFile(run.folder.path, None, judge, {}, column_name("review", called))
    try:
        return reviews.estimate() if is_estimate else reviews.run(tell)
    except OSError as error:
        raise BatchError(f"the judgements cannot be written: {error.strerror}") from error


def _heading(share: _Share | None) -> str:
    if share is None:
        return "**Judging.** Waiting for the first answers …"
    counts = share.counts
    return f"**Judging.** {counted(counts.judged, 'review')}, {counts.calls:,} calls …"


def _show_share(share: _Share | None) -> None:
    st.progress(0.0 if share is None else min(1.0, share.read))


def _say_done(done: JudgedFile) -> None:
    known = f" ({done.known:,} are judged already)" if done.known else ""
    if done.tokens or not (done.judged or done.calls):
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
    rows = []
    for name, judged in run.judgements.by_name().items():
        made = [one for one in judged.values() if one.worth is not None]
        shares = [one.right for one in made if one.right is not None]
        rows.append(
            {
                "judge": name,
                "model": next(iter(judged.values())).model if judged else "",
                "judged": len(made),
                "without": len(judged) - len(made),
                "findings right": _share(float(np.mean(shares)) if shares else None),
                "wrong findings": sum(one.wrong or 0 for one in made),
            }
        )
    if rows:
        text_table(rows, wide=("model",), caption=f"Judges of these reviews, {UNCHECKED} unless "
                   "Validity says so")  # fmt: skip
        st.page_link(
            "pages/rankings.py",
            label="Systems by the share of findings that are right",
            icon=":material/leaderboard:",
            query_params={"by": f"{rows[0]['judge']}_right"},
        )


def _share(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def ask_judge(diff: str, reviews: Sequence[NamedReview]) -> None:
    """Offer to ask a language model about reviews of a diff, beside their scores."""
    opened = st.expander(
        "Ask a judge: is it right, is it worth saying?",
        icon=":material/gavel:",
        key="judge_review",
        on_change="rerun",
    )
    with opened:
        if not opened.open:
            return
        name, options = _choose_model("ask")
        texts = tuple(review.text for review in reviews)
        question = diff, texts, name, options
        asked: tuple[object, Job[StreamProgress, tuple[list[Judgement], str]]] | None
        asked = st.session_state.get(_ASKED)
        is_running = asked is not None and not asked[1].now().is_over
        if st.button("Ask", icon=":material/play_arrow:", disabled=is_running):
            work = functools.partial(_answer, diff, texts, name, options)
            st.session_state[_ASKED] = question, _questions.begin(object(), work, "the judge")
            st.rerun()
        if asked is None:
            return
        if is_running:
            watch_job(asked[1], _asking, lambda _: None)
            return
        now = asked[1].now()
        say_end(now)
        if now.result is None:
            return
        if asked[0] != question:
            st.warning("The form has changed since; press Ask to see what that does.")
        judgements, model = now.result
        _show_judgements(judgements, model, reviews, now.progress)


def _answer(  # noqa: PLR0913, PLR0917 - the last two are those of any job
    diff: str,
    texts: Sequence[str],
    name: str,
    options: ClaimOptions,
    note: Callable[[StreamProgress], None],
    stopping: threading.Event,
) -> tuple[list[Judgement], str]:
    judge = _judge(name, options, StreamedAnswers(note, stopping))
    return judge.judge_each([JudgedReview(text, diff) for text in texts]), judge.name


def _asking(progress: StreamProgress | None) -> str:
    return f"**Asking.** {progress.tokens if progress else 0:,} tokens …"


def _show_judgements(
    judgements: Sequence[Judgement],
    model: str,
    reviews: Sequence[NamedReview],
    progress: StreamProgress | None,
) -> None:
    text_table(
        [
            {
                "review": review.name,
                "findings right": _share(one.values.get("right")),
                "wrong findings": one.values.get("wrong", "–"),
                "worth saying": one.values.get("worth", "–"),
                "relevance": one.values.get("relevance", "–"),
            }
            for review, one in zip(reviews, judgements, strict=False)
        ],
        wide=("review",),
        caption=f"A language model's judgement, {UNCHECKED}: share from 0 to 1, grades from 1 to 5",
    )
    for review, one in zip(reviews, judgements, strict=False):
        found = one.values.get("findings")
        findings = None if found is None else [Finding(**each) for each in found]
        show_findings(findings, f"Findings of {review.name}", one.reason)
    calls = sum(one.calls for one in judgements)
    made = (
        f"{progress.tokens:,} tokens in {progress.seconds:.1f} s"
        if progress is not None
        else "all answers from the cache"
    )
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
    n = max((judge.n for of in found for judge in of.judges), default=0)
    if n < FEWEST_RATED:
        st.info(
            f"Language models judged these reviews, {UNCHECKED}: people answered about {n:,} of "
            f"them on the page Rate, and {FEWEST_RATED} of {FEWEST_RATED_CHANGES} changes are "
            "needed."
        )
    if not found:
        return
    text_table(
        [
            {
                "question": _TITLES[of.truth[0]],
                "judge": judge.judge,
                "reviews": f"{judge.n:,} of {judge.targets:,} changes",
                "agreement": f"{of.statistic} {str(judge.agreement) or '–'}",
                "bias": str(judge.bias) or "–",
                **{_by(one): str(one.bias) or "–" for one in judge.by_generator},
            }
            for of in found
            for judge in of.judges
        ],
        wide=("question",),
        caption="Agreement of judges with people, and the mean of judgement less people, with 95 % "
        "intervals over changes",
    )


def _agreements(source: Source) -> list[JudgeAgreement]:
    return [] if source.run is None else run_agreements(source.run)


def _by(bias: GeneratorBias) -> str:
    return f"bias, {bias.generator}{' (judges itself)' if bias.is_own else ''}"
