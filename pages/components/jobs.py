"""Long work: the command `crscore` as a child process that reports progress as JSON lines."""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import streamlit as st

from pages.components.text import escape_markdown

_MAX_RUNNING = 2
_RUN_EVERY = 1.0
_KEYS = "jobs"
_DONE = (0, 3)  # exit statuses: done, and done with some rows set aside


@dataclass(eq=False)
class Job:
    """A command at work. `error` is set if it failed or was stopped.

    `shows` is the key of the run to open when it is done. `leftover` is a file to remove then.
    """

    key: str
    title: str
    arguments: Sequence[str]
    shows: str
    leftover: Path | None = None
    environment: Mapping[str, str] = field(default_factory=dict, repr=False)
    done: int = 0
    total: int | None = None
    step: str = "Waiting for other work"
    error: str | None = None
    is_over: bool = False
    _process: subprocess.Popen[str] | None = field(default=None, repr=False)

    def stop(self) -> None:
        """End the child process; what it has finished is kept."""
        self.error = "stopped"
        if self._process is not None:
            self._process.terminate()

    def run(self) -> None:
        """Run the command to its end, and note its progress."""
        command = [sys.executable, "-m", "crscore_cli", *self.arguments, "--progress", "json"]
        with _slots():
            if self.error is None:
                self.step = "Starting"
                self._follow(command)
        if self.leftover is not None and self.error is None:
            self.leftover.unlink(missing_ok=True)
        self.is_over = True

    def _follow(self, command: Sequence[str]) -> None:
        with subprocess.Popen(  # noqa: S603 - our own command; arguments are paths of our own
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, **self.environment},
        ) as process:
            self._process = process
            for line in process.stdout or ():
                progress = json.loads(line)
                self.done, self.total, self.step = (
                    progress[name] for name in ("done", "total", "step")
                )
            errors = (process.stderr.read() if process.stderr else "").strip().splitlines()
            if process.wait() not in _DONE and self.error is None:
                self.error = errors[-1].removeprefix("crscore: ") if errors else "it ended early"


@st.cache_resource
def _slots() -> threading.BoundedSemaphore:
    return threading.BoundedSemaphore(_MAX_RUNNING)


@st.cache_resource
def _jobs() -> dict[str, Job]:
    return {}


def start_job(job: Job) -> None:
    """Start a job; this session's sidebar shows it on every page."""
    _jobs()[job.key] = job
    threading.Thread(target=job.run, daemon=True).start()
    follow_job(job.key)


def job_of(key: str) -> Job | None:
    """Return the job that writes the run `key`, None if there is none."""
    return _jobs().get(key)


def follow_job(key: str) -> None:
    """Show a job in the sidebar of this session."""
    st.session_state.setdefault(_KEYS, {})[key] = None


def forget_job(key: str) -> None:
    """Stop showing a job in the sidebar; a callback."""
    st.session_state.get(_KEYS, {}).pop(key, None)


def show_job(job: Job) -> None:
    """Show how far a job is, with a button that stops it."""
    of_total = f" of {job.total:,}" if job.total else ""
    st.progress(
        job.done / job.total if job.total else 0.0,
        f"**{escape_markdown(job.title)}**: {escape_markdown(job.step)} {job.done:,}{of_total}",
    )
    st.button("Stop", key=f"stop_{job.key}", icon=":material/stop:", on_click=job.stop)


def show_jobs() -> None:
    """Show this session's jobs in the sidebar, on every page."""
    followed = [job for key in st.session_state.get(_KEYS, ()) if (job := job_of(key))]
    if followed:
        with st.sidebar:
            _show_followed(followed)


@st.fragment(run_every=_RUN_EVERY)
def _show_followed(jobs: Sequence[Job]) -> None:
    for job in jobs:
        if not job.is_over:
            show_job(job)
        elif job.error is not None:
            st.error(f"**{escape_markdown(job.title)}**: {escape_markdown(job.error)}")
            st.button("Dismiss", key=f"forget_{job.key}", on_click=forget_job, args=(job.key,))
        else:
            st.success(f"**{escape_markdown(job.title)}** is done.", icon=":material/check:")
            st.button("Open it", key=f"open_{job.key}", on_click=_open, args=(job,))


def _open(job: Job) -> None:
    forget_job(job.key)
    st.session_state["data"] = job.shows
