"""Fetch pull requests by name or link from the APIs of GitHub and GitLab."""

import os
import re
import shutil
import subprocess
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from urllib.parse import quote, urlsplit

from crscore_core.datasets.pulls.client import MOST_PAGES, Api, NotThereError
from crscore_core.datasets.pulls.shapes import PullFacts, nodes_of
from crscore_core.errors import PullRequestError

_GITHUB, _GITLAB = "https://api.github.com", "https://gitlab.com/api/v4"
PULL_ADDRESSES = (_GITHUB, _GITLAB)
"""Addresses of the public APIs, the default."""

_SITES = {"github.com": _GITHUB, "www.github.com": _GITHUB, "gitlab.com": _GITLAB}
_API = re.compile(r"https?://(?:[^/]+/(?:.+/)?api/v[34]|api\.github\.com|api\.[^./]+\.ghe\.com)/?")
"""API addresses: `/api/v4` belongs to GitLab, the others to GitHub."""

_GITHUB_TOKENS = ("GH_TOKEN", "GITHUB_TOKEN")
_ENTERPRISE_TOKENS = ("GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN")
_PART = r"[A-Za-z0-9_][A-Za-z0-9_.-]*"
_NAME = re.compile(rf"(?P<project>{_PART}(?:/{_PART})+)(?:(?P<mark>[#!])(?P<number>[0-9]{{1,9}}))?")
_LINK = re.compile(
    rf"/(?P<project>{_PART}(?:/{_PART})+?)"
    r"(?:/(?:-/)?(?P<kind>pull|merge_requests)/(?P<number>[0-9]{1,9})(?:/.*)?)?/?",
    re.ASCII,
)
_LOOPBACK = {"127.0.0.1", "localhost", "::1"}
_PAGES_OF_FILES, _LONGEST_NAME = 30, 1_000

_AWARDS = """
query($path: ID!, $number: String!, $after: String) {
  project(fullPath: $path) {
    mergeRequest(iid: $number) {
      notes(first: 100, after: $after) {
        pageInfo { hasNextPage endCursor }
        nodes { id awardEmoji { nodes { name } } }
      }
    }
  }
}
"""
_THREADS = """
query($owner: String!, $name: String!, $number: Int!, $after: String) {
  repository(owner: $owner, name: $name) {
    pullRequest(number: $number) {
      reviewThreads(first: 100, after: $after) {
        pageInfo { hasNextPage endCursor }
        nodes { isResolved isOutdated comments(first: 1) { nodes { url } } }
      }
    }
  }
}
"""


@dataclass(frozen=True, slots=True)
class PullReference:
    """A pull request at the API `address`, or all of a project if `number` is None."""

    address: str
    project: str
    number: int | None

    @property
    def is_gitlab(self) -> bool:
        """True for a GitLab API, by its address; this determines the token."""
        return self.address.endswith("/v4")

    @property
    def name(self) -> str:
        """The display name, such as `OWNER/REPO#3`."""
        number = "" if self.number is None else f"{'!' if self.is_gitlab else '#'}{self.number}"
        return f"{self.project}{number}"


@dataclass(frozen=True, slots=True)
class Wanted:
    """Limits of a fetch: at most `limit` pull requests of a project, updated since `since`.

    `with_reviews` also fetches the texts of whole GitHub reviews. `keeps` caches responses on
    disk, so that an interrupted fetch can be resumed.
    """

    since: datetime | None = None
    limit: int = 100
    with_reviews: bool = False
    keeps: bool = True


@dataclass(frozen=True, slots=True)
class PullProgress:
    """Number of pull requests `done` of `total`, and the current step.

    `is_pause` is set while waiting for the host's rate limit.
    """

    done: int
    total: int
    text: str
    is_pause: bool = False


Note = Callable[[PullProgress], None]


def read_reference(text: str, api_url: str | None = None) -> PullReference:
    """Parse `OWNER/REPO#N`, `GROUP/PROJECT!N`, a link to one, or a project without a number.

    `api_url` is the API of a self-hosted server to use instead of the public ones; links to other
    hosts are then rejected.

    Raises:
        PullRequestError: `text` is none of these, names a host without a known API, or uses
            GitLab's notation for a GitHub API, or vice versa.
    """
    if api_url is not None:
        _check_api_url(api_url)
    try:
        parts = urlsplit(text) if text.startswith(("https://", "http://")) else None
    except ValueError:  # brackets without an address
        parts = urlsplit("")
    match = (
        _LINK.fullmatch(parts.path[:_LONGEST_NAME])
        if parts
        else _NAME.fullmatch(text[:_LONGEST_NAME])
    )
    if match is None or len(text) > _LONGEST_NAME:
        raise PullRequestError(
            f"{text[:200]!r} is not a pull request; write OWNER/REPO#N, GROUP/PROJECT!N for "
            "GitLab, or a link"
        )
    groups = match.groupdict()
    if parts is None:
        address = api_url or (_GITLAB if groups["mark"] == "!" else _GITHUB)
    else:
        site = (parts.hostname or "").lower()
        own = (urlsplit(api_url or "").hostname or "").removeprefix("api.")
        address = _SITES.get(site, "") if api_url is None else api_url if site == own else ""
        if not address:
            raise PullRequestError(
                f"{site[:100]!r} is not {own or 'github.com or gitlab.com'}; give its API with "
                "--api-url, such as https://HOST/api/v3 (GitHub Enterprise) or "
                "https://HOST/api/v4 (GitLab)"
            )
    project, number = groups["project"], groups["number"]
    reference = PullReference(address.rstrip("/"), project, int(number) if number else None)
    others = {"pull"} if reference.is_gitlab else {"!", "merge_requests"}
    if others & {groups.get("mark"), groups.get("kind")}:
        host, other = ("GitLab", "GitHub") if reference.is_gitlab else ("GitHub", "GitLab")
        raise PullRequestError(
            f"{text[:200]!r} is in the notation of {other}, but the API is from {host}"
        )
    if not reference.is_gitlab and project.count("/") != 1:
        raise PullRequestError(f"{text[:200]!r}: a GitHub repository is OWNER/REPO")
    return reference


def _check_api_url(address: str) -> None:
    try:
        parts = urlsplit(address)
        is_address = bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_address = False
    if not is_address or "@" in parts.netloc or parts.query or parts.fragment:
        raise PullRequestError("--api-url must be an address such as https://HOST/api/v4")
    if parts.scheme != "https" and not (parts.scheme == "http" and parts.hostname in _LOOPBACK):
        raise PullRequestError("--api-url must start with https://, since a token is sent there")
    if not _API.fullmatch(address):
        raise PullRequestError(
            "--api-url must end in /api/v3 (GitHub Enterprise) or /api/v4 (GitLab), which "
            "determines the token to send"
        )


def token_for(reference: PullReference) -> str | None:
    """Return the token for a host from the environment, else from the program `gh`, if any.

    As in `gh`, each variable applies to certain hosts: `GH_TOKEN` and `GITHUB_TOKEN` to github.com
    and ghe.com, or to the server whose Actions set `GITHUB_API_URL`; `GH_ENTERPRISE_TOKEN` and
    `GITHUB_ENTERPRISE_TOKEN` to other servers. `GITLAB_TOKEN` applies to any GitLab.
    """
    home = os.environ.get("GITHUB_API_URL") or _GITHUB
    if reference.is_gitlab:
        names: tuple[str, ...] = ("GITLAB_TOKEN",)
    elif reference.address == home.rstrip("/") or reference.address.endswith(".ghe.com"):
        names = _GITHUB_TOKENS
    else:
        names = () if reference.address == _GITHUB else _ENTERPRISE_TOKENS
    token = next((os.environ[name] for name in names if os.environ.get(name)), None)
    program = shutil.which("gh")
    if token is None and program and not reference.is_gitlab:
        site = urlsplit(reference.address).hostname or ""
        command = [program, "auth", "token", "--hostname", site.removeprefix("api.")]
        try:
            answer = subprocess.run(  # noqa: S603 - only the host name is external
                command, capture_output=True, text=True, timeout=20, check=False
            )
        except (OSError, subprocess.TimeoutExpired):
            return None
        token = answer.stdout if answer.returncode == 0 else None
    return token.strip() or None if token else None


def fetch_pulls(
    references: Sequence[PullReference],
    wanted: Wanted,
    note: Note,
    stopping: threading.Event | None = None,
    *,
    token: Callable[[PullReference], str | None] = token_for,
) -> PullFacts:
    """Fetch the review comments of pull requests, and the changes that they are about.

    `note` is called for each pull request and pause; setting `stopping` ends the work. Responses
    are cached for this user and not requested again.

    Raises:
        PullRequestError: something is missing, or a host cannot be reached or refuses.
        CancelledError: the work was stopped.
    """
    facts, stop = PullFacts(), stopping or threading.Event()
    now = PullProgress(0, len(references), "")

    def say(text: str) -> None:
        note(PullProgress(now.done, now.total, text, is_pause=True))

    apis: dict[str, Api] = {}
    named: dict[PullReference, None] = {}
    for reference in references:
        if reference.address not in apis:
            apis[reference.address] = Api(
                reference.address, token(reference), say, stop, keeps=wanted.keeps
            )
        if reference.number is None:
            note(PullProgress(0, len(references), f"pull requests of {reference.name}"))
            named |= dict.fromkeys(_listed(apis[reference.address], reference, wanted))
        else:
            named[reference] = None
    for done, reference in enumerate(named):
        if stop.is_set():
            raise CancelledError
        now = PullProgress(done, len(named), reference.name)
        note(now)
        api = apis[reference.address]
        try:
            if reference.is_gitlab:
                _fetch_gitlab(api, reference, facts)
            else:
                _fetch_github(api, reference, facts, with_reviews=wanted.with_reviews)
        except (KeyError, TypeError) as error:
            raise PullRequestError(
                f"{reference.name}: the host did not return a pull request"
            ) from error
    note(PullProgress(len(named), len(named), "all fetched"))
    return facts


def _listed(api: Api, reference: PullReference, wanted: Wanted) -> Iterator[PullReference]:
    """List the pull requests of a project, most recently updated first."""
    if reference.is_gitlab:
        path = f"/projects/{quote(reference.project, safe='')}/merge_requests"
        query = "state=all&order_by=updated_at&sort=desc"
    else:
        path, query = f"/repos/{reference.project}/pulls", "state=all&sort=updated&direction=desc"
    count = 0
    for page in api.pages(path, query):
        for one in filter(lambda one: isinstance(one, dict), page):
            number = one.get("iid" if reference.is_gitlab else "number")
            updated = _time(one.get("updated_at"))
            is_old = wanted.since is not None and updated is not None and updated < wanted.since
            if is_old or count == wanted.limit:
                return
            if isinstance(number, int):
                count += 1
                yield PullReference(reference.address, reference.project, number)


def _time(text: object) -> datetime | None:
    try:
        time = datetime.fromisoformat(str(text))
    except ValueError:
        return None
    return time if time.tzinfo else time.replace(tzinfo=UTC)


def _fetch_github(
    api: Api,
    reference: PullReference,
    facts: PullFacts,
    *,
    with_reviews: bool,
) -> None:
    path = f"/repos/{reference.project}/pulls/{reference.number}"
    answer = api.get(path)
    facts.add(answer)
    pull = facts.pulls[answer["url"]]
    for page in api.pages(f"{path}/comments"):
        facts.add(page)
    if with_reviews:
        for page in api.pages(f"{path}/reviews"):
            facts.add(page)
    reviewed = {
        comment.original_commit_id
        for comment in facts.comments.values()
        if comment.pull_request_url == pull.url
    } | {
        review.commit_id or ""
        for review in facts.reviews.values()
        if review.pull_request_url == pull.url and review.body
    }
    if not reviewed:
        return
    with suppress(NotThereError):  # GitHub fails on changes that are too large
        for page in islice(api.pages(f"{path}/files"), _PAGES_OF_FILES):
            facts.add(page, pull.head.sha)
    for commit in sorted(reviewed - {"", pull.head.sha}):
        span = f"{quote(pull.base.sha, safe='')}...{quote(commit, safe='')}"
        try:
            answer = api.get(f"/repos/{reference.project}/compare/{span}", is_fixed=True)
        except NotThereError:
            continue  # the commit is gone or too large, but its excerpt is available
        facts.add(answer, commit)
    if api.has_token:
        owner, _, name = reference.project.partition("/")
        _fetch_nodes(
            api, _THREADS, {"owner": owner, "name": name, "number": reference.number}, facts
        )


def _fetch_nodes(api: Api, query: str, variables: dict[str, object], facts: PullFacts) -> None:
    """Fetch a list by GraphQL; one that fails or is not accessible stays unknown."""
    with suppress(PullRequestError):
        for _ in range(MOST_PAGES):
            answer = api.graphql(query, variables)
            facts.add(answer)
            page = nodes_of(answer).get("pageInfo")
            if not isinstance(page, dict) or not page.get("hasNextPage"):
                return
            variables["after"] = str(page.get("endCursor"))


def _fetch_gitlab(api: Api, reference: PullReference, facts: PullFacts) -> None:
    project = f"/projects/{quote(reference.project, safe='')}"
    path = f"{project}/merge_requests/{reference.number}"
    answer = api.get(path)
    facts.add(answer)
    request = facts.merge_requests[answer["project_id"], answer["iid"]]
    for page in api.pages(f"{path}/discussions"):
        for note in (note for discussion in page for note in discussion["notes"]):
            note |= {"project_id": request.project_id, "noteable_iid": request.iid}
        facts.add(page)
    spans = {
        (position.base_sha, position.head_sha)
        for discussion in facts.discussions.values()
        for note in discussion.spoken[:1]
        if (note.project_id, note.noteable_iid) == (request.project_id, request.iid)
        and (position := note.position)
    }
    if spans:
        variables = {"path": reference.project, "number": str(reference.number)}
        _fetch_nodes(api, _AWARDS, {**variables}, facts)
    refs = request.diff_refs
    if spans and refs and refs.base_sha and refs.head_sha:
        spans.add((refs.base_sha, refs.head_sha))
    for base, head in sorted(spans):
        query = f"from={quote(base, safe='')}&to={quote(head, safe='')}"
        try:
            answer = api.get(f"{project}/repository/compare", query, is_fixed=True)
        except NotThereError:
            continue
        facts.add(answer, head)
