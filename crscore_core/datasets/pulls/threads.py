"""A pull request with its threads of comments and its changes, in one form for every host."""

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any

from pydantic import Field, FiniteFloat
from pydantic.dataclasses import dataclass

Line = Annotated[int, Field(ge=0, le=10**9)]
"""A line number, from 1; hosts send 0 for none."""

_UNUSUAL = re.compile(r'[\x00-\x1f"\\\x7f]')


@dataclass(frozen=True, kw_only=True)
class Thread:
    """A review comment, with the texts of other people's replies.

    `path` is empty for the text of a whole review. `first` and `last` are the commented lines in
    the new file, or in the old one if `is_removed`; None if unknown. `commit` is the reviewed
    commit. `outcomes` are those that the host reports. `hunk` is the host's own excerpt.
    """

    id: str
    url: str
    system: str
    created: datetime
    text: str
    commit: str
    path: str = ""
    first: Line | None = None
    last: Line | None = None
    is_removed: bool = False
    hunk: str = ""
    replies: tuple[str, ...] = ()
    outcomes: Mapping[str, FiniteFloat] = Field(default_factory=dict)


@dataclass(frozen=True)
class ChangedFile:
    """A file of a change.

    `diff` is unified, empty if the host shows none. `old_name` is the name before the change, empty
    for a new file or a copy.
    """

    old_name: str
    diff: str


Files = Mapping[str, ChangedFile]
"""The files of a change by their names after it."""


@dataclass(frozen=True, kw_only=True)
class PullRequest:
    """A pull request: `changes` by commit, each from the start of the branch up to the commit.

    `name` is such as `OWNER/REPO#3`, `head` the newest commit.
    """

    name: str
    author: str
    head: str
    threads: tuple[Thread, ...]
    changes: Mapping[str, Files]


def login(user: Any) -> str:  # noqa: ANN401 - JSON
    """Return the name of an account; `ghost`, as on GitHub, if it was deleted."""
    known = user or {}
    return str(known.get("login") or known.get("username") or "ghost")


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
