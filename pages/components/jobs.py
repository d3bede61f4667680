"""Long-running jobs: `crscore` as a child process that reports progress as JSON lines."""

import fcntl
import json
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from tempfile import TemporaryFile, mkdtemp
from typing import IO, Any

import streamlit as st
from platformdirs import user_cache_path

from crscore_core.errors import InputError
from crscore_eval.run.folder import read_settings
from pages.components.current_run import CURRENT, runs_folder
from pages.components.server import browser_state
from pages.components.text import describe_error, escape_markdown

_SLOTS = threading.BoundedSemaphore(2)  # jobs that run at the same time
_SUCCESS = (0, 3)  # exit statuses: done, and done with rejected rows


@dataclass(eq=False)
class Job:
    """A running command.

    run_key: key of the run to show when the job is done.
    upload: file to remove when the job ends, or is dismissed if it asks about columns.
    run_folder: folder to remove if the job fails.
    error: why the job failed, or that it was stopped.
    columns: column roles that the user must confirm, as in `ColumnsUnclearError`.
    """

    key: str
    title: str
    arguments: Sequence[str]
    run_key: str
    upload: Path | None = None
    run_folder: Path | None = None
    environment: Mapping[str, str] = field(default_factory=dict, repr=False)
    done: int = 0
    total: int | None = None
    step: str = "Waiting for other jobs"
    error: InputError | None = None
    columns: Sequence[dict[str, Any]] = ()
    is_finished: bool = False
    _process: subprocess.Popen[str] | None = field(default=None, repr=False)

    def stop(self) -> None:
        """Stop the child process."""
        if self._process is None or self._process.poll() is None:
            self.error = InputError("stopped")
        if self._process is None:
            self.is_finished = True
        else:
            self._process.terminate()

    def run(self) -> None:
        """Run the command and record its progress."""
        command = [sys.executable, "-m", "crscore_cli", *self.arguments, "--progress", "json"]
        try:
            with _SLOTS:
                if self.error is None:  # not stopped while waiting
                    self.step = "Starting"
                    self._run_command(command)
        except Exception as error:  # noqa: BLE001 - such as a full disk: the job has failed
            self.error = InputError(str(error))
        finally:
            if self.error is None or not self.columns:
                self.remove_upload()
            if self.run_folder is not None and self.error is not None:
                shutil.rmtree(self.run_folder, ignore_errors=True)
            self.environment = {}  # the API key is kept no longer than needed
            self.is_finished = True

    def remove_upload(self) -> None:
        """Remove the uploaded file, if any, and forget what was asked about its columns."""
        self.columns = ()
        if self.upload is not None:
            self.upload.unlink(missing_ok=True)

    def _run_command(self, command: Sequence[str]) -> None:
        with (
            TemporaryFile("w+", errors="replace") as errors,  # a full pipe would block the child
            subprocess.Popen(  # noqa: S603 - our own command, without a shell
                command,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                errors="replace",
                env={**os.environ, **self.environment},
            ) as process,
        ):
            self._process = process
            self.environment = {}
            if self.error is not None:  # stopped in the meantime
                process.terminate()
            for line in process.stdout or ():
                with suppress(ValueError, TypeError, KeyError):  # printed by a library
                    progress = json.loads(line)
                    if isinstance(progress, dict) and "error" in progress and self.error is None:
                        self.columns = progress["error"].pop("columns", ()) or self.columns
                        self.error = self._shown_error(InputError(**progress["error"]))
                    self.done, self.total, self.step = (
                        progress[name] for name in ("done", "total", "step")
                    )
            if process.wait() not in _SUCCESS and self.error is None:
                errors.seek(0)
                last_line = errors.read().strip().rpartition("\n")[2]
                message = last_line.removeprefix("crscore: ") or "it stopped unexpectedly"
                self.error = InputError(message)

    def _shown_error(self, error: InputError) -> InputError:
        name = f"file {self.upload.name!r}" if self.upload else ""
        place = error.place.removeprefix(name).removeprefix(", ")
        return InputError(error.problem, error.advice, place)


def browser_jobs() -> dict[str, Job]:
    """Return this browser's jobs by key, the latest last."""
    jobs: dict[str, Job] = browser_state().setdefault("jobs", {})
    return jobs


def start_job(job: Job) -> None:
    """Start a job; the sidebar shows it on every page of this browser."""
    browser_jobs()[job.key] = job
    threading.Thread(target=job.run, daemon=True).start()


def show_progress(job: Job) -> None:
    """Show the step of a running job and how much of it is done."""
    count = f", {job.done:,} of {job.total:,}" if job.total else f", {job.done:,}" * bool(job.done)
    st.progress(
        min(1.0, job.done / job.total) if job.total else 0.0,
        f"**{escape_markdown(job.title)}**: {escape_markdown(job.step)}{count}",
    )


def _show_outcome(job: Job) -> None:
    title = f"**{escape_markdown(job.title)}**"
    if job.error is None:
        st.success(f"{title} is done.", icon=":material/check:")
    elif job.columns:
        st.info(f"{title}: please confirm what its columns contain.")
        st.page_link("pages/data.py", label="Confirm the columns", icon=":material/table:")
    else:
        st.error(f"{title}: {describe_error(job.error)}")
    with st.container(horizontal=True):
        if job.error is None:
            st.button(
                "Open it", key=f"open_{job.key}", type="primary", on_click=show_job_run, args=(job,)
            )
        st.button("Dismiss", key=f"dismiss_{job.key}", on_click=dismiss_job, args=(job,))


def show_jobs() -> None:
    """Show this browser's jobs in the sidebar, on every page."""
    jobs = [*browser_jobs().values()]
    running = [job for job in jobs if not job.is_finished]
    if jobs:
        with st.sidebar:
            st.fragment(_show_all, run_every=1.0 if running else None)(jobs, running)


def _show_all(jobs: Sequence[Job], running: Sequence[Job]) -> None:
    """Show jobs; `running` holds the jobs that were running when the page was shown."""
    is_dismissed = any(job.key not in browser_jobs() for job in jobs)
    if is_dismissed or any(job.is_finished for job in running):
        st.rerun()  # the whole page, because it may show the run
    for job in jobs:
        if job.is_finished:
            _show_outcome(job)
        else:
            show_progress(job)
            st.button("Stop", key=f"stop_{job.key}", icon=":material/stop:", on_click=job.stop)


def open_uploads() -> None:
    """Show this browser's last upload on all pages once it is scored; call before `choose_run`."""
    for job in [*browser_jobs().values()]:
        if job.upload is not None and job.is_finished and job.error is None:
            show_job_run(job)


def show_job_run(job: Job) -> None:
    """Show a job's run on all pages, and remove the job from the sidebar; a callback."""
    dismiss_job(job)
    st.session_state[CURRENT] = job.run_key


def dismiss_job(job: Job) -> None:
    """Remove a job from the sidebar, and its uploaded file; a callback."""
    browser_jobs().pop(job.key, None)
    job.remove_upload()


_LOCK = ".lock"
"""A file that a server locks while it runs."""


def uploads_folder() -> Path:
    """Return the folder of this server's uploads, which no other user can read.

    The first call removes the uploads of servers that were killed, and their unfinished runs.
    """
    base = user_cache_path("crscore") / "uploads"
    return Path(_locked_folder(base).name).parent


@cache
def _locked_folder(base: Path) -> IO[bytes]:
    base.mkdir(mode=0o700, parents=True, exist_ok=True)
    for folder in base.iterdir():
        with suppress(OSError), (folder / _LOCK).open("rb") as lock_of_other:
            fcntl.flock(lock_of_other, fcntl.LOCK_EX | fcntl.LOCK_NB)
            _remove(folder)
    lock = Path(mkdtemp(dir=base), _LOCK).open("xb")  # noqa: SIM115 - open until this server stops
    fcntl.flock(lock, fcntl.LOCK_EX)
    return lock


def _remove(folder: Path) -> None:
    for upload in folder.iterdir():
        run = runs_folder() / upload.stem
        try:
            is_finished = read_settings(run)["is_finished"]
        except InputError:
            is_finished = False
        if not is_finished and upload.name != _LOCK:
            shutil.rmtree(run, ignore_errors=True)
    shutil.rmtree(folder, ignore_errors=True)
