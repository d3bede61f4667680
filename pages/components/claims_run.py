"""A language model that makes claims beside the page: its progress, its end, its stop."""

import functools
from dataclasses import dataclass

import streamlit as st

from crscore_core.claims.streamed import StreamProgress
from crscore_core.job import Job, JobState
from pages.components.made_claims import ClaimQuestion, MadeClaims, make_claims_beside
from pages.components.text import escape_markdown

__all__ = ["ClaimsRun", "show_end", "show_run", "start_run"]

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
        """Whether it goes on, be it told to stop or not."""
        return self.job.now().state is JobState.RUNNING

    @property
    def made(self) -> MadeClaims | None:
        """What it gave, None where it was stopped, failed, or goes on."""
        return self.job.now().result


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
            if run.job.is_stopping:
                st.markdown("**Stopping …** Claims can be made again once it has stopped.")
            else:
                st.markdown(f"**Making claims.** {_pace(run, progress)}")
                if st.button("Stop", icon=":material/stop:"):
                    run.job.stop()
                    st.rerun()
        if progress is not None:
            with st.container(height=_ANSWER_HEIGHT, border=False, autoscroll=True):
                st.code(progress.text, language=None, wrap_lines=True)
        st.caption("It goes on while other pages are open.")


def show_end(run: ClaimsRun) -> None:
    """Say why a run that ended gave no claims."""
    end = run.job.now()
    if end.state is JobState.STOPPED:
        st.info("The language model was stopped.")
    else:
        st.error(escape_markdown(str(end.error)))


def _pace(run: ClaimsRun, progress: StreamProgress | None) -> str:
    if progress is None:
        return f"Waiting for the first token, {run.job.age():.0f} s …"
    unit = "token" if progress.tokens == 1 else "tokens"
    text = f"{progress.tokens:,} {unit} in {progress.seconds:.0f} s"
    if progress.seconds < 1:
        return f"{text} …"
    return f"{text}, {progress.tokens / progress.seconds:.1f} a second …"
