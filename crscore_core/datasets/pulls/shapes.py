"""Parse responses of the GitHub and GitLab APIs, live or saved, identified by their shape."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, Field, ValidationError

from crscore_core.errors import PullRequestError
from crscore_core.text import decode

MOST_SAVED_BYTES = 200_000_000
"""Size limit of a file of saved responses."""

_Count = Annotated[int, Field(ge=0, le=10**9)]
"""A line number, or a count of thumbs."""

_REF = re.compile(r"[?&]ref=([0-9a-f]{40,64})", re.ASCII)
_GRAPHQL_NAMES = (
    ("data",),
    ("repository", "project"),
    ("pullRequest", "mergeRequest"),
    ("reviewThreads", "notes"),
)
_UNUSUAL = re.compile(r'[\x00-\x1f"\\\x7f]')


class User(BaseModel):
    """An account; its name is `login` on GitHub, `username` on GitLab."""

    login: str = ""
    username: str = ""

    @property
    def name(self) -> str:
        """The name of the account; `ghost`, as on GitHub, if it was deleted."""
        return self.login or self.username or "ghost"


_GHOST = User()


class _Commit(BaseModel):
    sha: str


class Pull(BaseModel):
    """A GitHub pull request."""

    url: str
    html_url: str = ""
    user: User | None = None
    head: _Commit
    base: _Commit


class Reactions(BaseModel):
    """Thumbs up and down on a comment."""

    up: _Count = Field(0, alias="+1")
    down: _Count = Field(0, alias="-1")


class Comment(BaseModel):
    """A comment on lines of a GitHub pull request.

    `position` is None if the lines are no longer part of the pull request.
    """

    id: int
    body: str
    path: str
    diff_hunk: str
    created_at: datetime
    pull_request_url: str
    html_url: str = ""
    user: User | None = None
    original_commit_id: str = ""
    in_reply_to_id: int | None = None
    original_line: _Count | None = None
    original_start_line: _Count | None = None
    side: str | None = None
    position: int | None = None
    subject_type: str | None = None
    reactions: Reactions | None = None


class Review(BaseModel):
    """A review of a whole GitHub pull request, which may have its own text."""

    id: int
    body: str | None = None
    commit_id: str | None = None
    submitted_at: datetime
    pull_request_url: str
    html_url: str = ""
    user: User | None = None


class _ThreadComment(BaseModel):
    url: str = ""  # GraphQL leaves out numbers that do not fit its type


class _ThreadComments(BaseModel):
    nodes: list[_ThreadComment] = []


class ThreadState(BaseModel):
    """A comment thread as returned by GraphQL."""

    isResolved: bool  # noqa: N815
    isOutdated: bool  # noqa: N815
    comments: _ThreadComments = _ThreadComments()


class _Award(BaseModel):
    name: str


class _Awards(BaseModel):
    nodes: list[_Award] = []


class NoteAwards(BaseModel):
    """The emoji on a GitLab note, as returned by GraphQL."""

    id: str  # such as `gid://gitlab/DiffNote/3`
    awardEmoji: _Awards  # noqa: N815

    def count(self, name: str) -> int:
        """Return how often an emoji was given, in any skin tone."""
        return sum(award.name.startswith(name) for award in self.awardEmoji.nodes)


class _DiffRefs(BaseModel):
    base_sha: str | None = None
    head_sha: str | None = None


class MergeRequest(BaseModel):
    """A GitLab merge request."""

    iid: int
    project_id: int
    web_url: str
    author: User = _GHOST
    diff_refs: _DiffRefs | None = None


class _LineEnd(BaseModel):
    old_line: _Count | None = None
    new_line: _Count | None = None


class _LineRange(BaseModel):
    start: _LineEnd | None = None


class Position(BaseModel):
    """The lines of a merge request that a note is about."""

    base_sha: str
    head_sha: str
    old_path: str | None = None
    new_path: str | None = None
    old_line: _Count | None = None
    new_line: _Count | None = None
    line_range: _LineRange | None = None


class Suggestion(BaseModel):
    """A suggestion in a GitLab note."""

    applied: bool = False


class Note(BaseModel):
    """A GitLab note."""

    id: int
    body: str
    author: User | None = None
    created_at: datetime
    system: bool = False
    noteable_iid: int | None = None
    project_id: int | None = None
    resolvable: bool = False
    resolved: bool | None = None
    position: Position | None = None
    suggestions: list[Suggestion] = []


class Discussion(BaseModel):
    """A thread of GitLab notes."""

    id: str
    notes: list[Note]

    @property
    def spoken(self) -> list[Note]:
        """The notes written by people and bots, without GitLab's system notes."""
        return [note for note in self.notes if not note.system]


@dataclass
class PullFacts:
    """Facts about pull requests, collected from any host in any order.

    `patches` maps commit and path to a file's unified diff up to that commit; empty if the host
    shows none. `states` maps the page of a first comment to its GitHub thread, `awards` the number
    of a GitLab note to its emoji. `old_names` has the names of the files in `patches` before the
    change, empty for new files. Pull requests are identified by API address, merge requests by
    project and number.
    """

    pulls: dict[str, Pull] = field(default_factory=dict)
    comments: dict[int, Comment] = field(default_factory=dict)
    reviews: dict[int, Review] = field(default_factory=dict)
    states: dict[str, ThreadState] = field(default_factory=dict)
    merge_requests: dict[tuple[int, int], MergeRequest] = field(default_factory=dict)
    discussions: dict[str, Discussion] = field(default_factory=dict)
    patches: dict[str, dict[str, str]] = field(default_factory=dict)
    old_names: dict[str, dict[str, str]] = field(default_factory=dict)
    awards: dict[str, NoteAwards] = field(default_factory=dict)

    def add(self, answer: object, commit: str = "") -> bool:
        """Add a response; `commit` is the commit that its files belong to, if known.

        Return False if the response is not of a known kind.

        Raises:
            PullRequestError: it looks like a known kind but is incomplete.
        """
        if isinstance(answer, list):
            understood = [self.add(one, commit) for one in answer]
            return all(understood)
        if not isinstance(answer, dict):
            return False
        try:
            return self._add_github(answer, commit) or self._add_gitlab(answer, commit)
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(map(str, first["loc"]))[:80]
            raise PullRequestError(f"an API response is damaged: {where}: {first['msg']}") from (
                error
            )

    def _add_github(self, answer: dict[str, Any], commit: str) -> bool:
        if "diff_hunk" in answer:
            comment = Comment.model_validate(answer)
            self.comments[comment.id] = comment
        elif "submitted_at" in answer:
            review = Review.model_validate(answer)
            self.reviews[review.id] = review
        elif "head" in answer and "base" in answer:
            pull = Pull.model_validate(answer)
            self.pulls[pull.url] = pull
        elif "filename" in answer:
            ref = _REF.search(str(answer.get("contents_url", "")))
            self._add_files([answer], ref[1] if ref else commit)
        elif "merge_base_commit" in answer:  # a comparison of two commits
            self._add_files(
                answer.get("files"), commit or str(answer.get("url", "")).rpartition("...")[2]
            )
        elif "data" in answer:
            nodes = nodes_of(answer).get("nodes")
            for node in nodes if isinstance(nodes, list) else []:
                if isinstance(node, dict) and "awardEmoji" in node:
                    awards = NoteAwards.model_validate(node)
                    self.awards[awards.id.rpartition("/")[2]] = awards
                    continue
                state = ThreadState.model_validate(node)
                for first in state.comments.nodes[:1]:
                    self.states[first.url] = state
        else:
            return False
        return True

    def _add_gitlab(self, answer: dict[str, Any], commit: str) -> bool:
        if "notes" in answer:
            discussion = Discussion.model_validate(answer)
            self.discussions[discussion.id] = discussion
        elif "diff_refs" in answer:
            merge_request = MergeRequest.model_validate(answer)
            self.merge_requests[merge_request.project_id, merge_request.iid] = merge_request
            refs = merge_request.diff_refs
            if refs and refs.head_sha:
                self._add_files(answer.get("changes", []), refs.head_sha)
        elif "diffs" in answer:  # a comparison of two commits, or a version
            newest = answer.get("commit")
            head = newest.get("id") if isinstance(newest, dict) else answer.get("head_commit_sha")
            self._add_files(answer["diffs"], commit or str(head or ""))
        else:
            return False
        return True

    def _add_files(self, files: object, commit: str) -> None:
        """Add files of the change up to a commit; ignore them if the commit is unknown."""
        of_commit = self.patches.setdefault(commit, {}) if commit else {}
        old_names = self.old_names.setdefault(commit, {})
        for file in files if isinstance(files, list) else []:
            if not isinstance(file, dict):
                continue
            new = file.get("filename") or file.get("new_path")
            old = file.get("previous_filename") or file.get("old_path") or new
            patch = file.get("patch") or file.get("diff") or ""
            if isinstance(new, str) and isinstance(old, str) and isinstance(patch, str):
                status = file.get("status")
                is_new = bool(file.get("new_file")) or status == "added"
                is_gone = bool(file.get("deleted_file")) or status == "removed"
                old_names[new] = "" if is_new or status == "copied" else old
                of_commit[new] = file_diff(old, new, patch, is_new=is_new, is_gone=is_gone)


def nodes_of(answer: object) -> dict[str, object]:
    """Return the list in a GraphQL response, with `nodes` and `pageInfo`; empty if absent."""
    value = answer
    for names in _GRAPHQL_NAMES:
        known = [value[name] for name in names if name in value] if isinstance(value, dict) else []
        value = known[0] if known else None
    return value if isinstance(value, dict) else {}


def file_diff(
    old: str, new: str, patch: str, *, is_new: bool = False, is_gone: bool = False
) -> str:
    """Return the unified diff of one file, with a git header above its hunks.

    Return an empty string if there is no hunk.
    """
    start = 0 if patch.startswith("@@") else patch.find("\n@@") + 1
    if not patch.startswith("@@", start):
        return ""
    a, b = _name(f"a/{old}"), _name(f"b/{new}")
    lines = [f"diff --git {a} {b}"]
    if is_new:
        lines.append("new file mode 100644")
    elif is_gone:
        lines.append("deleted file mode 100644")
    elif old != new:
        lines += [f"rename from {_name(old)}", f"rename to {_name(new)}"]
    lines.append(f"--- {'/dev/null' if is_new else a + _end(a)}")
    lines.append(f"+++ {'/dev/null' if is_gone else b + _end(b)}")
    return "\n".join([*lines, patch[start:].removesuffix("\n"), ""])


def _name(path: str) -> str:
    """Format a path like git: quoted if it contains special characters."""
    if not _UNUSUAL.search(path):
        return path
    return '"' + _UNUSUAL.sub(lambda match: f"\\{ord(match[0]):03o}", path) + '"'


def _end(name: str) -> str:
    """Return the tab that git puts after a name with a space."""
    return "\t" if " " in name and not name.startswith('"') else ""


def read_saved(paths: Sequence[Path]) -> PullFacts:
    """Read saved API responses: files of JSON values, consecutive or one per line.

    Raises:
        PullRequestError: a file cannot be read, is not JSON, or contains no known response.
    """
    facts = PullFacts()
    for path in paths:
        try:
            size = path.stat().st_size
            content = path.read_bytes() if size <= MOST_SAVED_BYTES else b""
        except OSError as error:
            raise PullRequestError(f"{str(path)!r} cannot be read: {error.strerror}") from error
        if size > MOST_SAVED_BYTES:
            raise PullRequestError(f"{str(path)!r} is larger than {MOST_SAVED_BYTES:,} bytes")
        add_saved(facts, content, str(path))
    return facts


def add_saved(facts: PullFacts, content: bytes, name: str) -> None:
    """Add the responses in a file called `name`.

    Raises:
        PullRequestError: it is not JSON, or contains no known response.
    """
    understood = [facts.add(answer) for answer in _values(content, name)]
    if not any(understood):
        raise PullRequestError(
            f"{name!r} contains no comments, files or pull requests as returned by the API of "
            "GitHub or GitLab"
        )


def _values(content: bytes, name: str) -> Iterator[object]:
    decoder = json.JSONDecoder()
    try:
        text = decode(content).strip()
        place = 0
        while place < len(text):
            value, place = decoder.raw_decode(text, place)
            yield value
            while text[place : place + 1].isspace():
                place += 1
    except (ValueError, RecursionError) as error:
        raise PullRequestError(f"{name!r} is not JSON: {error}") from error
