"""Scoring of an imported corpus beside the page: progress, stop, end."""

import threading
import time
from collections.abc import Callable
from concurrent.futures import CancelledError
from dataclasses import dataclass

import streamlit as st

from crscore_core.claims import claim_generator
from crscore_core.corpus.comparison import CorpusComparison
from crscore_core.corpus.model import Corpus
from crscore_core.corpus.progress import CorpusProgress, CorpusStage
from crscore_core.corpus.score import score_corpus
from crscore_core.job import Job, JobState
from crscore_core.scoring import Encoder
from pages.components.job_view import watch_job
from pages.components.source.load import default_encoder
from pages.components.source.model import Source, SourceKind
from pages.components.source.switch import keep_imported
from pages.components.text import counted, escape_markdown

MOST_CHANGES = 32_767
"""Limit of changes, as intervals resample no more (`resample_clusters`)."""
_RUN = "data_scoring"
_CLAIMS = "symbolic"
_SECONDS_ELSEWHERE = 2.0


@dataclass(frozen=True, slots=True)
class Pace:
    """Progress of a scoring, and the seconds since its stage began."""

    progress: CorpusProgress
    seconds: float


@dataclass(frozen=True, slots=True)
class ScoringRun:
    """A corpus that is being scored, for one session."""

    name: str
    job: Job[Pace, CorpusComparison]

    @property
    def is_running(self) -> bool:
        """True while the scoring goes on, also if it was told to stop."""
        return self.job.now().state is JobState.RUNNING


def scoring_run() -> ScoringRun | None:
    """Return the scoring of this session until its result is taken."""
    run: ScoringRun | None = st.session_state.get(_RUN)
    return run


def begin_scoring(corpus: Corpus) -> None:
    """Score a corpus from now on; the encoder is the one of all other sources."""
    encoder = default_encoder()

    def work(note: Callable[[Pace], None], stopping: threading.Event) -> CorpusComparison:
        return _score(corpus, encoder, note, stopping)

    st.session_state[_RUN] = ScoringRun(corpus.name, Job(work, "the scoring"))


def take_result() -> Source | None:
    """Make the result of a finished scoring the imported file of this session."""
    run = scoring_run()
    result = run.job.now().result if run is not None else None
    if run is None or result is None:
        return None
    del st.session_state[_RUN]
    size = f"{counted(len(result.reviews), 'review')} of {counted(len(result.changes), 'change')}"
    note = (
        f"{size}, imported in this "
        "session: nobody else sees them, and they are gone with it unless saved as a run."
    )
    source = Source.of(SourceKind.FILE, run.name, note, result)
    keep_imported(source)
    return source


def show_scoring(run: ScoringRun, *, was_running: bool) -> None:
    """Show how far a run is, or why it ended without a result.

    `was_running` is what the page was drawn for. A run that has ended since, which it may at any
    time, has the page drawn anew.
    """
    end = run.job.now()
    if end.state is JobState.RUNNING:
        watch_job(run.job, lambda _: f"**Scoring {escape_markdown(run.name)}.**", _show_pace)
    elif was_running or end.result is not None:
        st.rerun()
    elif end.state is JobState.STOPPED:
        st.info("The scoring was stopped. What was embedded by then is kept for the next time.")
    elif end.error is not None:
        st.error(escape_markdown(end.error))


def _show_pace(pace: Pace | None) -> None:
    if pace is None:
        st.progress(0.0, "Beginning …")
    else:
        progress = pace.progress
        st.progress(progress.done / max(1, progress.total), _words(pace))


def _words(pace: Pace) -> str:
    progress = pace.progress
    text = f"{progress.stage.value}: {progress.done:,} of {progress.total:,}"
    if progress.stage is CorpusStage.SIMILARITY and not progress.done:
        return f"{text}; the encoder is loaded first, unless it was used before"
    if pace.seconds < 1 or not progress.done:
        return text
    return f"{text}, {progress.done / pace.seconds:,.0f} a second"


def _score(
    corpus: Corpus, encoder: Encoder, note: Callable[[Pace], None], stopping: threading.Event
) -> CorpusComparison:
    begun: dict[str, float] = {}

    def tell(progress: CorpusProgress) -> None:
        if stopping.is_set():
            raise CancelledError
        now = time.monotonic()
        note(Pace(progress, now - begun.setdefault(progress.stage, now)))

    return score_corpus(corpus, claim_generator(_CLAIMS), encoder, tell)


def say_when_scored() -> None:
    """Say that the file is scored, once it is, and lead to the Data page, which takes it.

    Of a scoring that was stopped or failed, that page alone tells.
    """
    run = scoring_run()
    if run is not None:
        with st.sidebar:
            (_watch if run.is_running else _say)(run)


@st.fragment(run_every=_SECONDS_ELSEWHERE)
def _watch(run: ScoringRun) -> None:
    _say(run)


def _say(run: ScoringRun) -> None:
    if run.job.now().result is not None:
        st.success(f"**{escape_markdown(run.name)}** is scored.", icon=":material/check:")
        st.page_link("pages/data.py", label="Take it on Data", icon=":material/database:")
