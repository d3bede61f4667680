"""A pull request with its threads of comments and its changes, read from GitHub or GitLab."""

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import UTC
from itertools import islice
from typing import Annotated
from urllib.parse import quote

from pydantic import AfterValidator, AwareDatetime, Field, FiniteFloat
from pydantic.dataclasses import dataclass

from crscore_core.datasets.pulls.client import Api, Json, NotThereError
from crscore_core.datasets.pulls.reference import PullReference

Line = Annotated[int, Field(ge=0, le=10**9)]
"""A line number, from 1; hosts send 0 for none."""

Created = Annotated[AwareDatetime, AfterValidator(lambda time: time.astimezone(UTC))]

_MOST_FILES = 3_000
_UNUSUAL = re.compile(r'[\x00-\x1f"\\\x7f]')
_MOVED = "changed this line in"
"""Start of the note that GitLab adds if a push changes commented lines."""

_THREADS = """
query($owner: String!, $name: String!, $number: Int!, $after: String) {
  repository(owner: $owner, name: $name) {
    pullRequest(number: $number) {
      reviewThreads(first: 100, after: $after) {
        pageInfo { hasNextPage endCursor }
        nodes { isResolved comments(first: 1) { nodes { url } } }
      }
    }
  }
}
"""


@dataclass(frozen=True, kw_only=True)
class Thread:
    """A review comment, with the texts of other people's replies.

    `first` and `last` are the commented lines in the new file, or in the old one if `is_removed`;
    None if unknown. `commit` is the reviewed commit. `outcomes` are those that the host reports.
    `hunk` is the host's own excerpt.
    """

    id: str
    url: str
    system: str
    created: Created
    text: str
    commit: str
    path: str
    first: Line | None
    last: Line | None
    is_removed: bool
    hunk: str = ""
    replies: tuple[str, ...]
    outcomes: Mapping[str, FiniteFloat]


@dataclass(frozen=True, kw_only=True)
class PullRequest:
    """A pull request: `changes` by commit, each from the start of the branch up to the commit.

    A change has a unified diff for each file, by its new name, empty if the host shows none.
    `name` is such as `OWNER/REPO#3`, `head` the newest commit.
    """

    name: str
    author: str
    head: str
    threads: tuple[Thread, ...]
    changes: Mapping[str, Mapping[str, str]]


def read_github(api: Api, reference: PullReference) -> PullRequest:
    """Read a pull request of GitHub.

    Raises:
        InputError, CancelledError: those of `Api.get`.
        AttributeError, KeyError, OverflowError, TypeError, ValueError: an answer is damaged.
    """
    repository = f"/repos/{reference.project}"
    path = f"{repository}/pulls/{reference.number}"
    pull = api.get(path)
    head = pull["head"]["sha"]
    # By number, since a list that grows while it is read shows some comments twice.
    comments = {one["id"]: one for one in api.items(f"{path}/comments")}
    commits = {one.get("original_commit_id") or "" for one in comments.values()}
    changes: dict[str, dict[str, str]] = {}
    if commits:
        with suppress(NotThereError):  # GitHub fails on changes that are too large
            changes[head] = _github_diffs(islice(api.items(f"{path}/files"), _MOST_FILES))
    for commit in sorted(commits - {"", head}):
        span = f"{quote(pull['base']['sha'], safe='')}...{quote(commit, safe='')}"
        with suppress(NotThereError):  # the commit is gone or too large; its excerpt is there
            answer = api.get(f"{repository}/compare/{span}", is_fixed=True)
            changes[commit] = _github_diffs(answer.get("files") or [])
    is_resolved: dict[str, bool] = {}
    if commits and api.has_token:
        owner, name = reference.project.split("/")
        variables = {"owner": owner, "name": name, "number": reference.number}
        for thread in api.nodes(_THREADS, variables, "repository", "pullRequest", "reviewThreads"):
            for first in thread["comments"]["nodes"]:
                is_resolved[first["url"]] = thread["isResolved"]
    threads: dict[int, list[Json]] = {}
    for _, one in sorted(comments.items()):
        threads.setdefault(one.get("in_reply_to_id") or one["id"], []).append(one)
    return PullRequest(
        name=reference.name,
        author=_login(pull.get("user")),
        head=head,
        threads=tuple(_github_thread(of, is_resolved) for of in threads.values()),
        changes=changes,
    )


def _github_diffs(files: Iterable[Json]) -> dict[str, str]:
    diffs = {}
    for file in files:
        name, status = file["filename"], file.get("status")
        old = "" if status == "added" else file.get("previous_filename") or name
        diffs[name] = file_diff(old, "" if status == "removed" else name, file.get("patch") or "")
    return diffs


def _github_thread(comments: Sequence[Json], is_resolved: Mapping[str, bool]) -> Thread:
    """Make a thread of its comments; a reply is the first if the first was deleted."""
    first = comments[0]
    author, url = _login(first.get("user")), first["html_url"]
    outcomes: dict[str, float] = {}
    if url in is_resolved:
        outcomes["outcome_resolved"] = is_resolved[url]
    if "position" in first and first.get("subject_type") != "file":
        outcomes["outcome_outdated"] = first["position"] is None
    if thumbs := first.get("reactions"):
        outcomes["outcome_thumbs_up"] = thumbs["+1"]
        outcomes["outcome_thumbs_down"] = thumbs["-1"]
    return Thread(
        id=str(first["id"]),
        url=url,
        system=author,
        created=first["created_at"],
        text=first["body"],
        commit=first.get("original_commit_id") or "",
        path=first["path"],
        first=first.get("original_start_line"),
        last=first.get("original_line"),
        is_removed=first.get("side") == "LEFT",
        hunk=first["diff_hunk"],
        replies=tuple(one["body"] for one in comments if _login(one.get("user")) != author),
        outcomes=outcomes,
    )


def read_gitlab(api: Api, reference: PullReference) -> PullRequest:
    """Read a merge request of GitLab; raises the errors of `read_github`."""
    project = f"/projects/{quote(reference.project, safe='')}"
    path = f"{project}/merge_requests/{reference.number}"
    request = api.get(path)
    newest = request.get("diff_refs") or {}
    # By number, since a list that grows while it is read shows some discussions twice.
    discussions = {one["id"]: one["notes"] for one in api.items(f"{path}/discussions")}
    threads = [notes for notes in discussions.values() if _spoken(notes)[0].get("position")]
    positions = [_spoken(notes)[0]["position"] for notes in threads]
    spans = {(one["base_sha"], one["head_sha"]) for one in positions}
    if spans and newest.get("base_sha") and newest.get("head_sha"):
        spans.add((newest["base_sha"], newest["head_sha"]))
    changes: dict[str, dict[str, str]] = {}
    for base, head in sorted(spans):
        query = f"from={quote(base, safe='')}&to={quote(head, safe='')}"
        with suppress(NotThereError):
            answer = api.get(f"{project}/repository/compare", query, is_fixed=True)
            changes.setdefault(head, {}).update(_gitlab_diffs(answer["diffs"]))
    return PullRequest(
        name=reference.name,
        author=_login(request.get("author")),
        head=newest.get("head_sha") or "",
        threads=tuple(_gitlab_thread(notes, request["web_url"]) for notes in threads),
        changes=changes,
    )


def _gitlab_diffs(files: Iterable[Json]) -> dict[str, str]:
    diffs = {}
    for file in files:
        old = "" if file.get("new_file") else file["old_path"]
        new = "" if file.get("deleted_file") else file["new_path"]
        diffs[file["new_path"]] = file_diff(old, new, file.get("diff") or "")
    return diffs


def _gitlab_thread(notes: Sequence[Json], web_url: str) -> Thread:
    first, *replies = _spoken(notes)
    author, position = _login(first.get("author")), first["position"]
    is_removed = not position.get("new_line")
    lines = "old_line" if is_removed else "new_line"
    start = (position.get("line_range") or {}).get("start") or {}
    is_moved = any(note.get("system") and note["body"].startswith(_MOVED) for note in notes)
    outcomes: dict[str, float] = {"outcome_outdated": is_moved}
    if first.get("resolvable") and first.get("resolved") is not None:
        outcomes["outcome_resolved"] = first["resolved"]
    if suggestions := first.get("suggestions"):
        is_applied = any(one.get("applied") for one in suggestions)
        outcomes["outcome_suggestion_applied"] = is_applied
    return Thread(
        id=str(first["id"]),
        url=f"{web_url}#note_{first['id']}",
        system=author,
        created=first["created_at"],
        text=first["body"],
        commit=position["head_sha"],
        path=position.get("new_path") or position.get("old_path") or "",
        first=start.get(lines),
        last=position.get(lines),
        is_removed=is_removed,
        replies=tuple(one["body"] for one in replies if _login(one.get("author")) != author),
        outcomes=outcomes,
    )


def _spoken(notes: Sequence[Json]) -> list[Json]:
    """Return the notes written by people and bots, without GitLab's system notes."""
    return [note for note in notes if not note.get("system")] or [{}]


def _login(user: Json) -> str:
    """Return the name of an account; `ghost`, as on GitHub, if it was deleted."""
    known = user or {}
    return str(known.get("login") or known.get("username") or "ghost")


def file_diff(old: str, new: str, patch: str) -> str:
    """Return the unified diff of one file; empty if `patch` has no hunk.

    `old` is empty for a new file, `new` for a removed one.
    """
    start = 0 if patch.startswith("@@") else patch.find("\n@@") + 1
    if not patch.startswith("@@", start):
        return ""
    before = _quoted(f"a/{old}") if old else "/dev/null"
    after = _quoted(f"b/{new}") if new else "/dev/null"
    hunks = patch[start:].removesuffix("\n")
    return f"--- {before}\n+++ {after}\n{hunks}\n"


def _quoted(path: str) -> str:
    """Format a path like git: quoted if it contains special characters."""
    if not _UNUSUAL.search(path):
        return path
    return '"' + _UNUSUAL.sub(lambda match: f"\\{ord(match[0]):03o}", path) + '"'
