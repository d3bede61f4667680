"""Pull requests -> the source of this session: named, fetched, scored."""

import functools
import hashlib
import threading
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time

import streamlit as st

from crscore_core.corpus.reading import LARGEST_FILE, guess_mapping
from crscore_core.datasets.pulls.fetch import PullProgress, fetch_pulls
from crscore_core.datasets.pulls.reference import (
    PULL_ADDRESSES,
    PullReference,
    read_reference,
    token_for,
)
from crscore_core.datasets.pulls.rows import OUTCOMES, PullRows, corpus_text, rows_of_pulls
from crscore_core.errors import InputError
from crscore_core.job import JobBoard, Line
from pages.components.data_import import offer_scoring
from pages.components.job_view import say_end, watch_job
from pages.components.operator import check_allowed, is_shared
from pages.components.source.load import imports
from pages.components.text import counted, escape_markdown

_AT_ONCE = 2
_MOST_NAMES = 200
_ASKED = "pulls_asked"


@dataclass(frozen=True, slots=True)
class _Asked:
    """Pull requests to fetch; the key of the job that does it, with the token's digest."""

    references: tuple[PullReference, ...]
    authors: tuple[str, ...]
    since: datetime | None
    token: bytes


@st.cache_resource(max_entries=1)
def _board() -> JobBoard[PullProgress, PullRows]:
    return JobBoard(Line(_AT_ONCE))


def pulls_section() -> None:
    """Let a person fetch the review comments of pull requests and score them."""
    made = _fetched()
    if made is not None:
        _show(made)


def _fetched() -> PullRows | None:
    """Ask for pull requests and fetch them beside the page; None until they are there."""
    question = _ask()
    if question is not None:
        st.session_state[_ASKED] = question[0]
        _board().begin(question[0], functools.partial(_fetch, *question), "the download")
    asked = st.session_state.get(_ASKED)
    job = None if asked is None else _board().find(asked)
    if job is None:
        return None
    end = job.now()
    if not end.is_over:
        watch_job(job, lambda _: "**Fetching pull requests.**", _show_progress)
        return None
    say_end(end)
    return end.result


def _fetch(
    asked: _Asked, token: str, note: Callable[[PullProgress], None], stopping: threading.Event
) -> PullRows:
    def token_of(reference: PullReference) -> str | None:
        """Return the token of the form, else that of whoever runs the server for themselves."""
        return token or (None if is_shared() else token_for(reference))

    pulls = fetch_pulls(
        asked.references, note, stopping, since=asked.since, keeps=not is_shared(), token=token_of
    )
    return rows_of_pulls(pulls, authors=asked.authors, since=asked.since)


def _ask() -> tuple[_Asked, str] | None:
    """Show the form; return what is asked for, and the token, once its button is used in order."""
    with st.form("pulls_form", border=False):
        names = st.text_area(
            "Names or links, one a line",
            key="pulls_names",
            placeholder="octo/stuff#12\nhttps://gitlab.com/group/project/-/merge_requests/4",
            help="OWNER/REPO#N, GROUP/PROJECT!N of GitLab, or a link; without a number all pull "
            "requests of a project, the 100 updated last.",
        )
        with st.container(horizontal=True):
            logins = st.text_input(
                "Reviewers", key="pulls_authors", placeholder="All", help="Logins, with commas."
            )
            day = st.date_input("Since", value=None, key="pulls_since")
            api_url = st.text_input(
                "API of a server of your own",
                key="pulls_api",
                placeholder="https://HOST/api/v3",
                help="GitHub Enterprise: /api/v3; GitLab: /api/v4.",
            )
            token = st.text_input(
                "Token",
                type="password",
                key="pulls_token",
                help="Needed for what is not public and to see what is resolved. It is kept no "
                "longer than this session, and sent to the host that is asked alone.",
            )
        if not st.form_submit_button("Fetch", type="primary", icon=":material/download:"):
            return None
    try:
        token = token.strip()
        return _read(names.split(), logins, day, api_url.strip(), token), token
    except InputError as error:
        st.error(escape_markdown(str(error)))
        return None


def _read(names: list[str], logins: str, day: object, api_url: str, token: str) -> _Asked:
    if not names or len(names) > _MOST_NAMES:
        raise InputError(f"name pull requests, {_MOST_NAMES} at most")
    references = tuple(read_reference(name, api_url or None) for name in names)
    for reference in references:
        if reference.address not in PULL_ADDRESSES:
            check_allowed(reference.address)
    if token and len({reference.address for reference in references}) > 1:
        raise InputError("a token is for one host; fetch from the others without it")
    authors = tuple(login.strip() for login in logins.split(",") if login.strip())
    since = datetime.combine(day, time(), UTC) if isinstance(day, date) else None
    return _Asked(references, authors, since, hashlib.sha256(token.encode()).digest())


def _show_progress(progress: PullProgress) -> None:
    text = f"{progress.done:,} of {progress.total:,}: {progress.text}"
    st.progress(progress.done / max(1, progress.total), escape_markdown(text))


def _show(made: PullRows) -> None:
    """Show what came, and score it."""
    for remark in made.remarks:
        st.caption(escape_markdown(remark))
    if not made.rows:
        st.info("No review comment came.")
        return
    names = sorted({str(row["pull"]) for row in made.rows})
    pulls = counted(len(names), "pull request")
    reviewers = counted(len({row["system"] for row in made.rows}), "reviewer")
    st.markdown(f"**{counted(len(made.rows), 'comment')}** of **{pulls}** by **{reviewers}**.")
    content = corpus_text(made.rows).encode()
    if len(content) > LARGEST_FILE:
        st.warning("This is more than can be scored at once; fetch fewer pull requests.")
        return
    offer_scoring(
        hashlib.sha256(content).digest(),
        None,
        functools.partial(
            imports().begin,
            f"{names[0] if len(names) == 1 else pulls}.jsonl",
            content,
            guess_mapping(list(made.rows[0])),
            tuple(name for name in OUTCOMES if name in made.rows[0]),
        ),
        at_once=True,
    )
