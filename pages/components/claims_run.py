"""A language model that makes claims beside the page: its progress, its end, its stop."""

import functools
from dataclasses import dataclass

import streamlit as st

from crscore_core.claims.streamed import StreamProgress
from crscore_core.job import Job, JobState
from pages.components.made_claims import ClaimQuestion, MadeClaims, make_claims_beside
from pages.components.text import escape_markdown

__all__ = ["ClaimsRun", "show_run", "show_stop", "start_run"]

_POLL_SECONDS = 0.5
_ANSWER_HEIGHT = 240


@dataclass(frozen=True, slots=True)
class ClaimsRun:
    """Claims in the making, for one session; `then_score` says what is to follow."""

    question: ClaimQuestion
    job: Job[StreamProgress, MadeClaims]
    then_score: bool

    @property
    def is_running(self) -> bool:
        """Whether it goes on: who stopped it need not wait until the model notices."""
        return self.job.now().state is JobState.RUNNING and not self.job.is_stopping

    @property
    def made(self) -> MadeClaims | None:
        """What it gave, None where it was stopped, failed, or goes on."""
        return None if self.job.is_stopping else self.job.now().result


def start_run(question: ClaimQuestion, *, then_score: bool) -> ClaimsRun:
    """Begin to make the claims that are asked for."""
    work = functools.partial(make_claims_beside, question)
    return ClaimsRun(question, Job(work, "the language model"), then_score)


@st.fragment(run_every=_POLL_SECONDS)
def show_run(run: ClaimsRun) -> None:
    """Show what the model says while it says it; once it ends the page runs again."""
    if not run.is_running:
        st.rerun()
    progress = run.job.now().progress
    with st.container(border=True):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f"**Making claims.** {_pace(run, progress)}")
            if st.button("Stop", icon=":material/stop:"):
                run.job.stop()
                st.rerun()
        if progress is not None:
            with st.container(height=_ANSWER_HEIGHT, border=False, autoscroll=True):
                st.code(progress.text, language=None, wrap_lines=True)
        st.caption("It goes on while other pages are open.")


def show_stop(run: ClaimsRun) -> None:
    """Say why a run that ended gave no claims."""
    if run.job.is_stopping:
        st.info("The language model was stopped.")
    else:
        st.error(escape_markdown(str(run.job.now().error)))


def _pace(run: ClaimsRun, progress: StreamProgress | None) -> str:
    if progress is None:
        return f"Waiting for the first token, {run.job.age():.0f} s …"
    text = f"{progress.tokens:,} tokens in {progress.seconds:.0f} s"
    if progress.seconds < 1:
        return f"{text} …"
    return f"{text}, {progress.tokens / progress.seconds:.1f} a second …"
