"""Fetch pull requests from the APIs of GitHub and GitLab, one after the other."""

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from urllib.parse import quote

from crscore_core.datasets.pulls.client import Api
from crscore_core.datasets.pulls.hosts import PullRequest, read_github, read_gitlab
from crscore_core.datasets.pulls.reference import PullReference, token_for
from crscore_core.errors import InputError


@dataclass(frozen=True, slots=True)
class PullProgress:
    """Number of pull requests `done` of `total`, and the current step.

    `is_pause` is set while waiting for the host's rate limit.
    """

    done: int
    total: int
    text: str
    is_pause: bool = False


def fetch_pulls(  # noqa: PLR0913 - independent options
    references: Sequence[PullReference],
    note: Callable[[PullProgress], None],
    stopping: threading.Event | None = None,
    *,
    since: datetime | None = None,
    limit: int = 100,
    keeps: bool = True,
    token: Callable[[PullReference], str | None] = token_for,
) -> tuple[PullRequest, ...]:
    """Fetch the review comments of pull requests, and the changes that they are about.

    Of a project that is named without a number these are at most `limit`, updated since `since`.
    `note` is called for each pull request and pause; setting `stopping` ends the work. `keeps`
    caches responses on disk, so that an interrupted fetch can be resumed.

    Raises:
        InputError: something is missing or damaged, or a host cannot be reached or refuses.
        CancelledError: the work was stopped.
    """
    stop = stopping or threading.Event()
    now = PullProgress(0, len(references), "")

    def say(text: str) -> None:
        note(PullProgress(now.done, now.total, text, is_pause=True))

    apis: dict[str, Api] = {}
    named: dict[PullReference, None] = {}
    for reference in references:
        address = reference.address
        if address not in apis:
            apis[address] = Api(address, token(reference), say, stop, keeps=keeps)
        if reference.number is None:
            note(PullProgress(0, len(references), f"pull requests of {reference.name}"))
            listed = _listed(apis[address], reference, since)
            named |= dict.fromkeys(islice(listed, limit))
        else:
            named[reference] = None
    pulls = []
    for done, reference in enumerate(named):
        if stop.is_set():
            raise CancelledError
        now = PullProgress(done, len(named), reference.name)
        note(now)
        pulls.append(read_pull(apis[reference.address], reference))
    note(PullProgress(len(named), len(named), "all fetched"))
    return tuple(pulls)


def read_pull(api: Api, reference: PullReference) -> PullRequest:
    """Read one pull request; raises the errors of `fetch_pulls`."""
    read = read_gitlab if reference.is_gitlab else read_github
    try:
        return read(api, reference)
    except (AttributeError, KeyError, OverflowError, TypeError, ValueError) as error:
        raise InputError(
            f"{reference.name}: the host did not return a pull request, or a damaged one"
        ) from error


def _listed(api: Api, reference: PullReference, since: datetime | None) -> Iterator[PullReference]:
    """List the pull requests of a project, most recently updated first."""
    if reference.is_gitlab:
        path = f"/projects/{quote(reference.project, safe='')}/merge_requests"
        query, number = "state=all&order_by=updated_at&sort=desc", "iid"
    else:
        path = f"/repos/{reference.project}/pulls"
        query, number = "state=all&sort=updated&direction=desc", "number"
    for one in api.items(path, query):
        try:
            listed = PullReference(reference.address, reference.project, int(one[number]))
            is_old = since is not None and datetime.fromisoformat(one["updated_at"]) < since
        except (KeyError, TypeError, ValueError) as error:
            raise InputError(f"{reference.name}: the host's list is damaged") from error
        if is_old:
            return
        yield listed
