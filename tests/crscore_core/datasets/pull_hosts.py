"""A fake GitHub and a fake GitLab in one server on this machine, for one set of pull requests.

Both page, tag answers, limit and fail as the real ones do; shapes are those of the real APIs.
"""

import difflib
import hashlib
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import pytest

Json = dict[str, Any]

PROJECT = "octo/stuff"
BASE = [f"line {number}" for number in range(1, 21)]


def sha(text: str) -> str:
    return hashlib.sha1(text.encode(), usedforsecurity=False).hexdigest()


def patch_of(old: list[str], new: list[str]) -> str:
    return "\n".join(list(difflib.unified_diff(old, new, lineterm=""))[2:])


@dataclass
class Remark:
    """A comment on a line, of the version with this name; `reply_to` is the id of another."""

    id: int
    login: str
    body: str
    version: str = "new"
    line: int = 3
    first: int | None = None
    reply_to: int | None = None
    resolved: bool = False
    outdated: bool = False
    thumbs: tuple[int, int] = (0, 0)
    side: str = "RIGHT"


@dataclass
class FakePull:
    """A pull request; `versions` are contents of its file, the last one the newest."""

    number: int
    versions: dict[str, list[str]]
    remarks: list[Remark]
    author: str = "author"
    path: str = "src/app.py"
    gone: set[str] = field(default_factory=set)
    updated: str = "2026-11-01T00:00:00Z"

    @property
    def head(self) -> str:
        return list(self.versions)[-1]

    def commit(self, version: str) -> str:
        return sha(f"{self.number} {version}")

    def patch(self, version: str) -> str:
        return patch_of(BASE, self.versions[version])

    def hunk(self, remark: Remark) -> str:
        """The hunk up to the commented line, as GitHub cuts it."""
        head, *lines = self.patch(remark.version).split("\n")
        kept, number = [], int(head.split("+")[1].split(",")[0]) - 1
        for line in lines:
            number += not line.startswith("-")
            kept.append(line)
            if number == remark.line:
                break
        return "\n".join([head, *kept])


def changed(**lines: str) -> list[str]:
    """The base file with some lines replaced, such as `l3="x"`."""
    return [lines.get(f"l{number}", line) for number, line in enumerate(BASE, 1)]


def usual_pull(number: int = 1, updated: str = "2026-11-01T00:00:00Z") -> FakePull:
    """A pull request with a comment of every kind."""
    suggestion = "```suggestion\nbetter\n```\nUse the better one"
    remarks = [
        Remark(10 * number + 1, "bot[bot]", "This line is wrong.", "old", resolved=True),
        Remark(10 * number + 2, "author", "Fixed in abc1234", "old", reply_to=10 * number + 1),
        Remark(10 * number + 3, "ann", suggestion, "old", thumbs=(2, 1), outdated=True),
        Remark(10 * number + 4, "ann", "Why this?", line=9),
        Remark(10 * number + 5, "author", "A note to myself"),
        Remark(10 * number + 6, "bot[bot]", "> quoted\n\nOf a commit that is gone", "gone"),
    ]
    versions = {
        "old": changed(l3="first try"),
        "gone": changed(l3="lost"),
        "new": changed(l3="better", l9="and more"),
    }
    return FakePull(number, versions, remarks, gone={"gone"}, updated=updated)


class Hosts(ThreadingHTTPServer):
    """Serves `pulls`; `plans` are answers to the next requests whose address holds a word."""

    daemon_threads = True

    def __init__(self, pulls: list[FakePull]) -> None:
        super().__init__(("127.0.0.1", 0), _Request)
        self.pulls = {pull.number: pull for pull in pulls}
        self.page_size = 100
        self.plans: list[tuple[str, Answer]] = []
        self.asked: list[str] = []
        self.unchanged = 0
        self.tokens: set[str | None] = set()
        self.needs_token = False
        self.after: Callable[[int], None] = lambda _: None

    @property
    def github(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/api/v3"

    @property
    def gitlab(self) -> str:
        return self.github.replace("v3", "v4")

    def handle_error(self, *_: object) -> None:
        """A client that went away is what some tests are about."""


class _Request(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1  # an answer in one packet, which nobody waits for
    server: Hosts

    def log_message(self, *_: object) -> None:
        """Keep quiet."""

    def do_POST(self) -> None:
        self._answer(self.rfile.read(int(self.headers["Content-Length"])))

    def do_GET(self) -> None:
        self._answer(b"")

    def _answer(self, content: bytes) -> None:
        host = self.server
        host.asked.append(self.path)
        host.tokens.add(self.headers.get("Authorization"))
        host.after(len(host.asked))
        plan = next((plan for plan in host.plans if plan[0] in self.path), None)
        if plan:
            host.plans.remove(plan)
            plan[1](self)
            return
        url = urlsplit(self.path)
        query = {name: values[0] for name, values in parse_qs(url.query).items()}
        if host.needs_token and not self.headers.get("Authorization"):
            body: object = None
        elif url.path.endswith("/graphql"):
            body = _graphql(host, json.loads(content)["variables"])
        elif url.path.startswith("/api/v4/"):
            body = _gitlab(host, unquote(url.path.removeprefix("/api/v4/projects/")), query)
        else:
            body = _github(host, url.path.removeprefix("/api/v3"))
        if body is None:
            self.send(404, {"message": "Not Found"}, {})
            return
        headers: dict[str, str] = {}
        if isinstance(body, list):
            page, size = int(query.get("page", 1)), min(host.page_size, int(query["per_page"]))
            if len(body) > page * size:
                more = url.query.replace(f"&page={page}", "") + f"&page={page + 1}"
                headers["Link"] = f'<http://elsewhere.invalid{url.path}?{more}>; rel="next"'
            body = body[(page - 1) * size : page * size]
        tag = f'W/"{sha(json.dumps(body))}"'
        if self.headers.get("If-None-Match") == tag:
            host.unchanged += 1
            self.send(304, None, {})
        else:
            self.send(200, body, headers | {"ETag": tag})

    def send(self, status: int, body: object, headers: dict[str, str], cut: int = 0) -> None:
        content = b"" if body is None else json.dumps(body).encode()
        self.send_text(status, content[: len(content) - cut], headers)

    def send_text(self, status: int, content: bytes, headers: dict[str, str]) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(content)))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(content)


Answer = Callable[[_Request], None]


def says(status: int, body: object = None, cut: int = 0, **headers: str) -> Answer:
    return lambda request: request.send(status, body, headers, cut)


def hang_up(request: _Request) -> None:
    request.close_connection = True


@contextmanager
def hosting(*pulls: FakePull) -> Iterator[Hosts]:
    with Hosts(list(pulls)) as server, pytest.MonkeyPatch.context() as environment:
        environment.setenv("NO_PROXY", "127.0.0.1")  # whatever this machine uses elsewhere
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield server
        server.shutdown()


def page_of(pull: FakePull) -> str:
    return f"https://github.com/{PROJECT}/pull/{pull.number}"


def _listed(host: Hosts, key: str) -> list[Json]:
    newest = sorted(host.pulls.values(), key=lambda pull: pull.updated, reverse=True)
    return [{key: pull.number, "updated_at": pull.updated} for pull in newest]


def _version(host: Hosts, base: str, commit: str) -> tuple[FakePull, str] | None:
    versions = ((pull, name) for pull in host.pulls.values() for name in pull.versions)
    return next(
        (
            (pull, name)
            for pull, name in versions
            if base == sha("base") and name not in pull.gone and pull.commit(name) == commit
        ),
        None,
    )


def _github(host: Hosts, path: str) -> object:
    owner, name, kind, *rest = path.removeprefix("/repos/").split("/")
    if kind == "compare":
        found = _version(host, *rest[0].split("..."))
        return found and {"files": [_github_file(*found)]}
    if not rest:
        return _listed(host, "number")
    pull = host.pulls.get(int(rest[0]))
    if pull is None or f"{owner}/{name}" != PROJECT:
        return None
    if "files" in rest:
        return [_github_file(pull, pull.head)]
    if "comments" in rest:
        return [_comment(pull, remark) for remark in pull.remarks]
    return {
        "html_url": page_of(pull),
        "number": pull.number,
        "user": {"login": pull.author},
        "head": {"sha": pull.commit(pull.head)},
        "base": {"sha": sha("base")},
    }


def _comment(pull: FakePull, remark: Remark) -> Json:
    return {
        "id": remark.id,
        "user": {"login": remark.login} if remark.login else None,
        "body": remark.body,
        "path": pull.path,
        "diff_hunk": pull.hunk(remark),
        "commit_id": pull.commit(pull.head),
        "original_commit_id": pull.commit(remark.version),
        "created_at": f"2026-11-0{1 + remark.id % 9}T00:00:00Z",
        "html_url": f"{page_of(pull)}#discussion_r{remark.id}",
        "position": None if remark.outdated else 1,
        "original_line": remark.line,
        "original_start_line": remark.first,
        "side": remark.side,
        "subject_type": "line",
        "reactions": {"+1": remark.thumbs[0], "-1": remark.thumbs[1]},
    } | ({"in_reply_to_id": remark.reply_to} if remark.reply_to else {})


def _github_file(pull: FakePull, version: str) -> Json:
    return {"filename": pull.path, "status": "modified", "patch": pull.patch(version)}


def _graphql(host: Hosts, variables: Json) -> Json:
    pull = host.pulls[int(variables["number"])]
    begin = int(variables.get("after") or 0)
    end = begin + host.page_size
    nodes = [
        {
            "isResolved": remark.resolved,
            "comments": {"nodes": [{"url": f"{page_of(pull)}#discussion_r{remark.id}"}]},
        }
        for remark in pull.remarks
        if remark.reply_to is None
    ]
    page = {"hasNextPage": end < len(nodes), "endCursor": str(end)}
    threads = {"pageInfo": page, "nodes": nodes[begin:end]}
    return {"data": {"repository": {"pullRequest": {"reviewThreads": threads}}}}


def _gitlab(host: Hosts, path: str, query: dict[str, str]) -> object:
    if not path.startswith(f"{PROJECT}/"):
        return None
    kind, *rest = path.removeprefix(f"{PROJECT}/").split("/")
    if kind == "repository":
        found = _version(host, query["from"], query["to"])
        path = found[0].path if found else ""
        return found and {
            "diffs": [{"old_path": path, "new_path": path, "diff": found[0].patch(found[1])}]
        }
    if not rest:
        return _listed(host, "iid")
    pull = host.pulls.get(int(rest[0]))
    if pull and len(rest) > 1:
        return [
            {"id": sha(str(remark.id)), "notes": _notes(pull, remark)}
            for remark in pull.remarks
            if remark.reply_to is None
        ]
    return pull and {
        "iid": pull.number,
        "web_url": f"https://gitlab.com/{PROJECT}/-/merge_requests/{pull.number}",
        "author": {"username": pull.author},
        "diff_refs": {"base_sha": sha("base"), "head_sha": pull.commit(pull.head)},
    }


def _notes(pull: FakePull, first: Remark) -> list[Json]:
    replies = [remark for remark in pull.remarks if remark.reply_to == first.id]
    moved = "changed this line in [version 2 of the diff](/octo/stuff/-/merge_requests/1/diffs)"
    day = "2026-11-09T00:00:00Z"
    later = [{"id": 900 + first.id, "body": moved, "system": True, "created_at": day}]
    return (later if first.outdated else []) + [
        {
            "id": remark.id,
            "body": remark.body,
            "author": {"username": remark.login},
            "created_at": f"2026-11-0{1 + remark.id % 9}T02:00:00.000+02:00",
            "system": False,
            "resolvable": True,
            "resolved": first.resolved,
            "suggestions": [{"applied": True}] if "```suggestion" in remark.body else [],
            "position": {
                "base_sha": sha("base"),
                "head_sha": pull.commit(remark.version),
                "old_path": pull.path,
                "new_path": pull.path,
                "old_line": None,
                "new_line": remark.line,
            },
        }
        for remark in (first, *replies)
    ]
