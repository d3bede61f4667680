"""The work that compares metrics: how far it is, and how it ended."""

import streamlit as st

from crscore_core.validity.workbench import Request, Step, Workbench
from pages.components.job_view import say_end, watch_job
from pages.components.text import escape_markdown


def show_work(bench: Workbench, request: Request) -> None:
    """Compute a table that is not there, showing how far it is, or say why there is none."""
    job = bench.job(request)
    end = job.now()
    if not end.is_over:
        title = escape_markdown(bench.data.title)
        watch_job(job, lambda _: f"**Comparing metrics on {title}.**", _show_step)
        return
    if end.result is not None:
        st.rerun()
    say_end(end)
    st.caption("The metrics that were computed by then are kept.")
    if st.button("Start again", icon=":material/play_arrow:"):
        bench.job(request, again=True)
        st.rerun()


def _show_step(step: Step | None) -> None:
    if step is None:
        st.progress(0.0, "Beginning …")
        return
    share, words = 0.0, f"{step.name}, {step.done} of {step.total} steps done"
    if step.within is not None:
        share = step.within.done / max(1, step.within.total)
        now = step.within
        words += f"; {now.stage.value}: {now.done:,} of {now.total:,}"
    st.progress((step.done + share) / step.total, words)
