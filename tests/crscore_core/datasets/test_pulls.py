"""Review comments on pull requests, from fake GitHub and GitLab servers."""

import hashlib
import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from concurrent.futures import CancelledError
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from crscore_core.caches import ByteStore
from crscore_core.change import parse_change
from crscore_core.cli.main import _run
from crscore_core.corpus.reading import guess_mapping, import_corpus, read_table_file
from crscore_core.datasets.own import load_own
from crscore_core.datasets.pulls import (
    OUTCOMES,
    PullReference,
    PullRows,
    Wanted,
    corpus_text,
    fetch_pulls,
    read_reference,
    read_rows,
    rows_of_pulls,
    token_for,
)
from crscore_core.datasets.pulls.client import Api
from crscore_core.datasets.pulls.github import _files as github_files
from crscore_core.datasets.pulls.rows import hunk_diff, review_text
from crscore_core.datasets.pulls.threads import ChangedFile, PullRequest, file_diff
from crscore_core.errors import PullRequestError
from tests.crscore_core.datasets.pull_hosts import (
    BASE,
    PROJECT,
    FakePull,
    Hosts,
    Remark,
    hang_up,
    hosting,
    patch_of,
    says,
)

TOKEN, OTHER = "ghp_secret", "ghp_other"
TOKENS = ("GH_TOKEN", "GITHUB_TOKEN")


def changed(**lines: str) -> list[str]:
    """The base file with some lines replaced, such as `l3="x"`."""
    return [lines.get(f"l{number}", line) for number, line in enumerate(BASE, 1)]


OLD, NEW = changed(l3="first try"), changed(l3="better", l9="and more")
FAST = "```suggestion\nbetter\n```\nUse the better one"


def pull(number: int = 1, updated: str = "2026-11-01T00:00:00Z") -> FakePull:
    remarks = [
        Remark(10 * number + 1, "bot[bot]", "This line is wrong.", "old", resolved=True),
        Remark(10 * number + 2, "author", "Fixed in abc1234", "old", reply_to=10 * number + 1),
        Remark(10 * number + 3, "ann", FAST, "old", thumbs=(2, 1), outdated=True),
        Remark(10 * number + 4, "ann", "Why this?", line=9),
        Remark(10 * number + 5, "author", "A note to myself"),
        Remark(10 * number + 6, "bot[bot]", "> quoted\n\nOf a commit that is gone", "gone"),
    ]
    versions = {"old": OLD, "gone": changed(l3="lost"), "new": NEW}
    return FakePull(number, versions, remarks, gone={"gone"}, updated=updated)


class Clock(threading.Event):
    """Time that passes at once; `waits` are the pauses."""

    def __init__(self) -> None:
        super().__init__()
        self.waits: list[float] = []

    def wait(self, timeout: float | None = None) -> bool:
        self.waits.append(timeout or 0)
        return self.is_set()


@pytest.fixture(autouse=True)
def _apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No caches, tokens or proxies of this machine."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "caches"))
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setenv("PATH", str(tmp_path))
    for name in (*TOKENS, "GITLAB_TOKEN", "GH_ENTERPRISE_TOKEN", "GITHUB_API_URL"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def hosts() -> Iterator[Hosts]:
    with hosting(pull()) as server:
        yield server


def fetched(
    hosts: Hosts,
    *names: str,
    gitlab: bool = False,
    token: str | None = TOKEN,
    clock: Clock | None = None,
    wanted: Wanted | None = None,
) -> tuple[PullRequest, ...]:
    address = hosts.gitlab if gitlab else hosts.github
    references = [read_reference(name, address) for name in names or (f"{PROJECT}#1",)]
    return fetch_pulls(
        references,
        wanted or Wanted(),
        lambda _: None,
        clock or Clock(),
        token=lambda _: token,
    )


def outcomes(made: PullRows) -> dict[str, dict[str, object]]:
    """Return the known outcomes, by the last part of the row's id."""
    return {
        str(row["id"]).rpartition("/")[2]: {
            name.removeprefix("outcome_"): row[name]
            for name in OUTCOMES
            if row.get(name) is not None
        }
        for row in made.rows
    }


def test_a_pull_request_of_github(hosts: Hosts) -> None:
    hosts.page_size = 2
    made = rows_of_pulls(fetched(hosts, wanted=Wanted(with_reviews=True)))
    rows = {str(row["id"]).rpartition("/")[2]: row for row in made.rows}
    assert {name: (row["system"], row["review"], row["extent"]) for name, row in rows.items()} == {
        "11": ("bot[bot]", "This line is wrong.", "file"),
        "13": ("ann", "Use the better one", "file"),
        "14": ("ann", "Why this?", "file"),
        "16": ("bot[bot]", "Of a commit that is gone", "hunk"),
        "review-9001": ("bot[bot]", "Looks fine as a whole", "pull request"),
    }
    assert rows["11"]["diff"] == file_diff("src/app.py", "src/app.py", patch_of(BASE, OLD))
    assert rows["14"]["diff"] == file_diff("src/app.py", "src/app.py", patch_of(BASE, NEW))
    assert str(rows["16"]["diff"]).endswith("@@ -1,3 +1,3 @@\n line 1\n line 2\n-line 3\n+lost\n")
    assert rows["11"]["url"] == "https://github.com/octo/stuff/pull/1#discussion_r11"
    none = {"thumbs_up": 0, "thumbs_down": 0, "resolved": 0, "outdated": 0, "replied_fixed": 0}
    assert outcomes(made) == {
        "11": none | {"resolved": 1, "replied_fixed": 1, "lines_changed": 1},
        "13": none
        | {"thumbs_up": 2, "thumbs_down": 1, "outdated": 1, "lines_changed": 1}
        | {"suggestion_applied": 1},
        "14": none | {"lines_changed": 0},
        "16": none | {"lines_changed": 1},
        "review-9001": {},
    }
    assert [remark.rpartition(" ")[2] for remark in made.remarks] == ["1", "1"]
    assert hosts.tokens == {f"Bearer {TOKEN}"}


def test_a_merge_request_of_gitlab(hosts: Hosts) -> None:
    hosts.page_size = 2
    made = rows_of_pulls(fetched(hosts, f"{PROJECT}!1", gitlab=True))
    known = {"thumbs_up": 0, "thumbs_down": 0, "resolved": 0, "replied_fixed": 0, "outdated": 0}
    assert outcomes(made) == {
        "11": known | {"resolved": 1, "replied_fixed": 1, "lines_changed": 1},
        "13": known
        | {"suggestion_applied": 1, "lines_changed": 1, "outdated": 1}
        | {"thumbs_up": 2, "thumbs_down": 1},
        "14": known | {"lines_changed": 0},
    }
    row = made.rows[0]
    assert row["url"] == "https://gitlab.com/octo/stuff/-/merge_requests/1#note_11"
    assert row["created"] == "2026-11-03T00:00:00+00:00"
    assert made.left_out == 1  # GitLab has no excerpt of a commit that is gone


def test_comments_are_chosen_by_login_and_day(hosts: Hosts) -> None:
    pulls = fetched(hosts)
    assert {row["system"] for row in rows_of_pulls(pulls, authors=["ANN"]).rows} == {"ann"}
    assert len(rows_of_pulls(pulls, authors=["author"]).rows) == 1
    since = datetime(2026, 11, 6, tzinfo=UTC)
    assert [row["id"] for row in rows_of_pulls(pulls, since=since).rows] == [
        f"{PROJECT}#1/2026-11-06/14",
        f"{PROJECT}#1/2026-11-08/16",
    ]


@pytest.mark.parametrize("gitlab", [False, True])
def test_all_pull_requests_of_a_project(gitlab: bool) -> None:
    days = ["2026-10-01T00:00:00Z", "2026-11-10T00:00:00Z", "2026-11-20T00:00:00Z"]
    with hosting(*(pull(n, updated=day) for n, day in enumerate(days, 1))) as hosts:
        hosts.page_size = 2
        for wanted, numbers in (
            (Wanted(), {"1", "2", "3"}),
            (Wanted(limit=1), {"3"}),
            (Wanted(since=datetime(2026, 11, 1, tzinfo=UTC)), {"2", "3"}),
        ):
            made = rows_of_pulls(fetched(hosts, PROJECT, gitlab=gitlab, wanted=wanted))
            assert {str(row["pull"])[-1] for row in made.rows} == numbers


@pytest.mark.parametrize(
    ("plans", "waits"),
    [
        ([says(500), says(502)], [1, 2]),
        ([hang_up], [1]),
        ([says(200, {"head": {"sha": "x"}}, cut=3)], [1]),
        ([lambda request: request.send_text(200, b"[" * 100_000, {})], [1]),
        ([says(429, {}, Retry_After="7")], [7]),
        ([says(403, {"message": "no"}, Retry_After="0")], [1]),
        ([says(403, {}, X_RateLimit_Remaining="0", X_RateLimit_Reset="0")], [1]),
        ([says(403, {"message": "You have exceeded a secondary rate limit"})], [60]),
        ([says(429, {}, Retry_After="soon")], [60]),
    ],
)
def test_a_host_that_fails_for_a_while(hosts: Hosts, plans: list[Any], waits: list[float]) -> None:
    expected = rows_of_pulls(fetched(hosts)).rows
    hosts.plans = [("pulls/1/comments", plan) for plan in plans]
    clock = Clock()
    assert rows_of_pulls(fetched(hosts, clock=clock)).rows == expected
    assert clock.waits == waits


@pytest.mark.parametrize(
    ("plans", "message"),
    [
        ([says(401, {"message": "Bad credentials"})], r"token was rejected .*Bad credentials"),
        ([says(403, {"message": "no\x1b[2J"})], r"answered 403: no\\u001b\[2J"),
        ([says(404, {"message": "Not Found"})], r"pulls/1 was not found"),
        ([says(200, [])], "did not return a pull request"),
        ([says(200, {"head": 3, "base": 4})], "or a damaged one"),
        ([says(500)] * 6, "answered 500; the data so far is saved"),
        ([says(429, {}, Retry_After="86400")], r"requires a pause of 86,400 s"),
    ],
)
def test_a_host_that_refuses(hosts: Hosts, plans: list[Any], message: str) -> None:
    hosts.plans = [("pulls/1", plan) for plan in plans]
    with pytest.raises(PullRequestError, match=message) as refused:
        fetched(hosts)
    assert TOKEN not in str(refused.value)


def test_changes_that_a_host_cannot_show_fall_back_to_hunks(hosts: Hosts) -> None:
    hosts.plans = [(part, says(500)) for part in ("/files", *["/compare"] * 2) for _ in range(6)]
    rows = rows_of_pulls(fetched(hosts)).rows
    assert [row["extent"] for row in rows] == ["hunk"] * 4
    assert "outcome_lines_changed" not in rows[0]


def test_a_renamed_repository_is_followed_and_a_token_is_not_sent_on(hosts: Hosts) -> None:
    hosts.plans = [("pulls/1", says(301, None, Location=f"/api/v3/repos/{PROJECT}/pulls/1"))]
    assert len(rows_of_pulls(fetched(hosts)).rows) == 4
    with hosting() as other:
        hosts.plans = [("pulls/1", says(301, None, Location=f"{other.github}/x"))]
        with pytest.raises(PullRequestError, match="another host"):
            fetched(hosts, token=OTHER)
        hosts.plans = [("graphql", says(307, None, Location=f"{other.github}/graphql"))]
        assert "outcome_resolved" not in rows_of_pulls(fetched(hosts)).rows[0]
        assert (hosts.plans, other.asked) == ([], [])


def test_without_a_token_threads_and_private_things_are_unknown(
    hosts: Hosts, tmp_path: Path
) -> None:
    made = rows_of_pulls(fetched(hosts, token=None))
    assert "outcome_resolved" not in made.rows[0]
    assert [row["outcome_outdated"] for row in made.rows] == [0, 1, 0, 0]
    assert "reports that only with a token" in made.remarks[-1]
    saved = tmp_path / "saved.jsonl"
    saved.write_text(corpus_text(made.rows), encoding="utf-8")
    assert read_rows([saved]).remarks == made.remarks[-2:]
    assert hosts.tokens == {None}
    hosts.needs_token = True
    with pytest.raises(PullRequestError, match="needs a token"):
        fetched(hosts, f"{PROJECT}#2", token=None)


def test_a_reply_starts_the_thread_if_its_first_comment_was_deleted() -> None:
    one = pull()
    one.remarks = [
        Remark(2, "bot[bot]", "Why?", reply_to=1),
        Remark(3, "ann", "Done.", reply_to=1),
    ]
    with hosting(one) as hosts:
        (row,) = rows_of_pulls(fetched(hosts)).rows
    assert (row["system"], row["review"], row["outcome_replied_fixed"]) == ("bot[bot]", "Why?", 1)


def test_discussions_of_no_lines_are_no_threads(hosts: Hosts) -> None:
    note = {"id": 1, "body": "Hello", "created_at": "2026-11-01T00:00:00Z"}
    notes: list[list[object]] = [[], [note], [note | {"system": True}], [note | {"position": None}]]
    discussions = [{"id": str(number), "notes": of} for number, of in enumerate(notes)]
    hosts.plans = [("discussions", says(200, discussions))]
    assert rows_of_pulls(fetched(hosts, f"{PROJECT}!1", gitlab=True)).rows == ()
    assert len(hosts.asked) == 2  # the merge request and its discussions


def _stop(clock: Clock, last: int, count: int) -> None:
    if count >= last:
        clock.set()


def test_cached_responses_belong_to_one_token(
    hosts: Hosts, monkeypatch: pytest.MonkeyPatch
) -> None:
    keys: list[bytes] = []
    keep = ByteStore.keep

    def note(store: ByteStore, values: Mapping[bytes, bytes]) -> bool:
        keys.extend(values)
        return keep(store, values)

    monkeypatch.setattr(ByteStore, "keep", note)
    for token in (TOKEN, OTHER):
        fetched(hosts, token=token)
        question = f"{token}\n{hosts.github}/repos/{PROJECT}/pulls/1"
        assert hashlib.sha256(question.encode()).digest() in keys
    assert hosts.unchanged == 0


@pytest.mark.parametrize("gitlab", [False, True])
def test_stopped_work_resumes(gitlab: bool) -> None:
    with hosting(*(pull(number) for number in range(1, 5))) as hosts:
        names = [f"{PROJECT}{'!' if gitlab else '#'}{number}" for number in range(1, 5)]
        expected = rows_of_pulls(fetched(hosts, *names, gitlab=gitlab, token=OTHER)).rows
        total = len(hosts.asked)
        hosts.asked.clear()
        for stop_after in (7, 9):
            clock = Clock()
            hosts.after = partial(_stop, clock, len(hosts.asked) + stop_after)
            with pytest.raises(CancelledError):
                fetched(hosts, *names, gitlab=gitlab, clock=clock)
        hosts.after = lambda _: None
        hosts.asked.clear()
        before = hosts.unchanged
        assert rows_of_pulls(fetched(hosts, *names, gitlab=gitlab)).rows == expected
        assert len(hosts.asked) < total
        assert hosts.unchanged > before


def test_comments_added_while_pages_are_read(hosts: Hosts) -> None:
    hosts.page_size = 2

    def add(count: int) -> None:
        if count == 3:
            hosts.pulls[1].remarks.insert(1, Remark(19, "ann", "A new one, in between"))

    hosts.after = add
    rows = rows_of_pulls(fetched(hosts)).rows
    assert len({row["id"] for row in rows}) == len(rows) >= 4


@pytest.mark.parametrize(
    ("text", "api_url", "expected"),
    [
        ("o/r#3", None, ("https://api.github.com", "o/r", 3)),
        ("o/r", None, ("https://api.github.com", "o/r", None)),
        ("g/s/p!4", None, ("https://gitlab.com/api/v4", "g/s/p", 4)),
        ("https://github.com/o/r.js/pull/3/files#x", None, ("https://api.github.com", "o/r.js", 3)),
        ("https://github.com/o/r", None, ("https://api.github.com", "o/r", None)),
        (
            "https://gitlab.com/g/s/p/-/merge_requests/4/diffs?x=1",
            None,
            ("https://gitlab.com/api/v4", "g/s/p", 4),
        ),
        ("g/p", "https://lab.example/api/v4/", ("https://lab.example/api/v4", "g/p", None)),
        ("g/p#4", "https://lab.example/git/api/v4", ("https://lab.example/git/api/v4", "g/p", 4)),
        ("o/r#4", "https://api.corp.ghe.com", ("https://api.corp.ghe.com", "o/r", 4)),
        # The address of the API alone says whose token goes there.
        (
            "https://github.com/a/b/merge_requests/3",
            None,
            "notation of GitLab, but the API is from GitHub",
        ),
        (
            "https://github.com/a/b/-/merge_requests/3",
            None,
            "notation of GitLab, but the API is from GitHub",
        ),
        ("https://gitlab.com/a/b/pull/3", None, "notation of GitHub, but the API is from GitLab"),
        ("g/p!4", "https://hub.example/api/v3", "notation of GitLab, but the API is from GitHub"),
        (
            "https://lab.example/a/b/pull/3",
            "https://lab.example/api/v4",
            "notation of GitHub, but the API is from GitLab",
        ),
        ("https://gitlab.com/o/r", "https://lab.example/api/v4", "'gitlab.com' is not lab.example"),
        ("g/p#4", "https://lab.example", "must be https://HOST/api/v3"),
        ("g/p#4", "https://api.github.com.evil.example", "must be https://HOST/api/v3"),
        (
            "https://hub.example/o/r/pull/3",
            "https://hub.example/api/v3",
            ("https://hub.example/api/v3", "o/r", 3),
        ),
        ("https://evil.example/o/r/pull/3", None, "'evil.example' is not github.com"),
        ("https://github.com.evil.example/o/r/pull/3", None, "is not github.com"),
        ("https://github.com@evil.example/o/r/pull/3", None, "'evil.example' is not"),
        ("https://evil.example/o/r/pull/3", "https://lab.example/api/v4", "is not lab.example"),
        ("o/../r#3", None, "is not a pull request"),
        ("o/r#x", None, "is not a pull request"),
        ("a/b/c#3", None, "OWNER/REPO"),
        ("https://[/o/r/pull/3", None, "is not a pull request"),
        ("https://github.com/" + "a/" * 100_000, None, "is not a pull request"),
        ("o/r#3", "http://lab.example/api/v4", "must be https://HOST/api/v3"),
        ("o/r#3", "https://lab.example/api/v4?x=1", "must be https://HOST/api/v3"),
        ("o/r#3", "https://lab.example@evil.example/api/v4", "must be https://HOST/api/v3"),
        ("o/r#3", "https://me:pw@lab.example", "must be https://HOST/api/v3"),
        ("o/r#3", "file:///etc", "must be https://HOST/api/v3"),
    ],
)
def test_names_and_links(text: str, api_url: str | None, expected: object) -> None:
    if isinstance(expected, str):
        with pytest.raises(PullRequestError, match=expected):
            read_reference(text, api_url)
    else:
        reference = read_reference(text, api_url)
        assert (reference.address, reference.project, reference.number) == expected


def test_tokens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    github, gitlab = read_reference("o/r#1"), read_reference("o/r!1")
    own = PullReference("https://hub.example/api/v3", "o/r", 1)
    assert token_for(github) is None
    program = tmp_path / "gh"
    program.write_text('#!/bin/sh\necho "of_gh_$4"\n')
    program.chmod(0o755)
    assert token_for(github) == "of_gh_github.com"
    assert token_for(own) == "of_gh_hub.example"
    assert token_for(gitlab) is None
    for name in (*TOKENS, "GITLAB_TOKEN"):
        monkeypatch.setenv(name, f" {name}\n")
    tenant = PullReference("https://api.corp.ghe.com", "o/r", 1)
    others = [token_for(one) for one in (github, own, gitlab, tenant)]
    assert others == ["GH_TOKEN", "of_gh_hub.example", "GITLAB_TOKEN", "GH_TOKEN"]
    monkeypatch.setenv("GH_ENTERPRISE_TOKEN", "its own")
    assert token_for(own) == "its own"
    monkeypatch.setenv("GITHUB_API_URL", own.address)
    assert [token_for(one) for one in (github, own)] == ["of_gh_github.com", "GH_TOKEN"]
    with pytest.raises(PullRequestError, match="a space") as refused:
        Api("https://api.github.com", "its own", lambda _: None, threading.Event())
    assert "its own" not in str(refused.value)


def test_credentials_in_netrc_are_not_sent(
    hosts: Hosts, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "netrc").write_text("machine 127.0.0.1 login me password secret\n")
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    fetched(hosts, token=None)
    fetched(hosts)
    assert hosts.tokens == {None, f"Bearer {TOKEN}"}


@pytest.mark.parametrize(
    ("comment", "review", "suggestions"),
    [
        ("Plain. Two", "Plain. Two", ()),
        ("A\r\n```suggestion\r\nx = 1\r\n```\r\nB", "A\nB", ("x = 1",)),
        ("```suggestion\nx\n```", "```suggestion\nx\n```", ("x",)),
        ("````suggestion:-0+1\na\n```\nb\n````\nText", "Text", ("a\n```\nb",)),
        ("> they said\n\nNo", "No", ()),
        ("> only a quote", "> only a quote", ()),
        ("```py\n> x\n```\nkept", "```py\n> x\n```\nkept", ()),
        ("```suggestion\nnever closed", "```suggestion\nnever closed", ()),
        ("", "", ()),
    ],
)
def test_the_text_of_a_comment(comment: str, review: str, suggestions: tuple[str, ...]) -> None:
    assert review_text(comment) == (review, suggestions)


@pytest.mark.parametrize(
    ("reply", "is_fixed"),
    [
        ("Done.", 1),
        ("@bot Good catch, fixed in abc123", 1),
        ("**This has been addressed**", 1),
        ("Thanks! I have updated it", 1),
        ("Not fixed yet", 0),
        ("I will fix it", 0),
        ("Why a fixed size?", 0),
        ("@" + "-" * 60_000, 0),
    ],
)
def test_replies_that_say_it_is_fixed(reply: str, is_fixed: int) -> None:
    one = pull()
    one.remarks = [Remark(1, "bot[bot]", "Why?"), Remark(2, "ann", reply, reply_to=1)]
    with hosting(one) as hosts:
        (row,) = rows_of_pulls(fetched(hosts)).rows
    assert row["outcome_replied_fixed"] == is_fixed


def test_lists_of_graphql_have_an_end(hosts: Hosts, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("crscore_core.datasets.pulls.client.MOST_PAGES", 2)
    hosts.page_size = 1
    fetched(hosts)
    assert sum("graphql" in address for address in hosts.asked) == 2
    hosts.plans = [("graphql", says(200, {"errors": [{"message": "no such field"}]}))]
    made = rows_of_pulls(fetched(hosts, f"{PROJECT}!1", gitlab=True))
    assert "outcome_thumbs_up" not in made.rows[0]


def _file(lines: list[str], old_name: str = "src/app.py") -> ChangedFile:
    patch = patch_of(BASE if old_name else [], lines)
    return ChangedFile(old_name, file_diff("x", "x", patch, is_new=not old_name))


@pytest.mark.parametrize(
    ("reviewed", "newest", "changed_lines"),
    [
        (_file(OLD), {"src/app.py": _file(OLD)}, 0),
        (_file(OLD), {"b.py": _file(OLD)}, 0),  # renamed
        (_file(OLD), {"b.py": _file(NEW)}, 1),
        (_file(OLD), {"b.py": _file(OLD, "")}, 1),  # copied
        (_file(OLD, "a.py"), {"b.py": _file(OLD, "a.py")}, 0),
        (_file(OLD), {}, 1),
        (_file(OLD), {"src/app.py": ChangedFile("src/app.py", "")}, None),  # too large to show
        (_file(OLD, ""), {"b.py": _file(OLD, "")}, None),  # any new file may be it
        (_file(OLD, ""), {"b.py": _file(NEW)}, 1),
        (_file(OLD, ""), {"src/app.py": _file(OLD, "")}, 0),
    ],
)
def test_lines_of_a_file_with_another_name(
    hosts: Hosts,
    reviewed: ChangedFile,
    newest: dict[str, ChangedFile],
    changed_lines: int | None,
) -> None:
    one = hosts.pulls[1]
    one.remarks = one.remarks[:1]
    (found,) = fetched(hosts)
    changes = {one.commit("old"): {"src/app.py": reviewed}, one.commit("new"): newest}
    (row,) = rows_of_pulls([replace(found, changes=changes)]).rows
    assert row.get("outcome_lines_changed") == changed_lines


@pytest.mark.parametrize(
    ("status", "old_name"),
    [("modified", "a.py"), ("added", ""), ("copied", ""), ("renamed", "b.py")],
)
def test_the_old_name_of_a_file(status: str, old_name: str) -> None:
    file = {"filename": "a.py", "status": status, "patch": "@@ -1 +1 @@\n-x\n+y"}
    if status in {"renamed", "copied"}:
        file["previous_filename"] = "b.py"
    assert github_files([file])["a.py"].old_name == old_name


@pytest.mark.parametrize(
    ("code", "newest", "version", "applied"),
    [
        ("better", changed(l3="better"), "old", 1),
        ("line 5", changed(l3="x", l7="x"), "old", 0),  # stood there, and is shown now
        ("line 5", changed(l3="line 5"), "old", 1),  # stood there, and stands there twice now
        ("line 3", changed(l5="x"), "old", 1),  # the change is taken back
        ("line 8", changed(l3="x", l9="x"), "old", 0),
        ("better", OLD, "old", 0),
        ("first try", OLD, "old", 0),
        ("better", changed(l3="better"), "gone", None),  # may have stood below what is shown
        ("better", OLD, "gone", 0),
    ],
)
def test_suggestions_that_were_applied(
    code: str, newest: list[str], version: str, applied: int | None
) -> None:
    one = pull()
    one.versions["new"] = newest
    one.remarks = [Remark(1, "bot[bot]", f"```suggestion\n{code}\n```\nSo", version)]
    with hosting(one) as hosts:
        (row,) = rows_of_pulls(fetched(hosts)).rows
    assert row.get("outcome_suggestion_applied") == applied


@pytest.mark.parametrize(
    ("hunk", "lines"),
    [
        ("@@ -1,9 +1,9 @@ def f\n a\n-b\n+c", 3),
        ("@@ -0,0 +1,315 @@\n+a\n+b", 2),
        ("@@ -1,3 +1,4 @@\n-a", 1),
        ("@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file\n", 2),
        ("...", 0),
        ("@@ -1,3 +1,4 @@", 0),
        ("", 0),
    ],
)
def test_a_hunk_that_was_cut_off_can_be_read(hunk: str, lines: int) -> None:
    diff = hunk_diff("a b/ü.py", hunk)
    assert bool(diff) == bool(lines)
    if diff:
        (file,) = parse_change(diff).files
        assert file.path == "a b/ü.py"
        assert len(list(file.lines())) == lines


@pytest.mark.parametrize("name", ["a.py", "a b.py", 'q"uote', "back\\slash", "new\nline", "+++ x"])
@pytest.mark.parametrize("kind", ["is_new", "is_gone", "moved", ""])
def test_names_of_files_survive(name: str, kind: str) -> None:
    old = "other.py" if kind == "moved" else name
    cut = {"is_new": "@@ -0,0 +1 @@\n+x", "is_gone": "@@ -1 +0,0 @@\n-x"}.get(
        kind, "@@ -1 +1 @@\n-x\n+y"
    )
    diff = file_diff(
        old, name, f"--- a/x\n+++ b/x\n{cut}", **({kind: True} if "is" in kind else {})
    )
    (file,) = parse_change(diff).files
    assert file.path == name
    assert (file.old_path, file.new_path) == (
        None if kind == "is_new" else old,
        None if kind == "is_gone" else name,
    )


def test_a_written_corpus_is_read_again(
    hosts: Hosts, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = rows_of_pulls(fetched(hosts, wanted=Wanted(with_reviews=True)))
    merge_request = rows_of_pulls(fetched(hosts, f"{PROJECT}!1", gitlab=True))
    first, second = tmp_path / "first.jsonl", tmp_path / "second.jsonl"
    for path, rows in ((first, made.rows), (second, made.rows[:2] + merge_request.rows)):
        path.write_text(corpus_text(rows), encoding="utf-8")
    again = read_rows([first])
    assert (again.rows, again.remarks) == (made.rows, made.remarks[-1:])
    assert "only their hunk" in made.remarks[-1]
    nothing = tmp_path / "nothing.jsonl"
    nothing.write_text(corpus_text(rows_of_pulls(()).rows))
    assert read_rows([nothing, first]).rows == made.rows
    assert len(read_rows([first, second]).rows) == len(made.rows) + len(merge_request.rows)
    output = tmp_path / "out.jsonl"
    command = ["pr", "--from", str(first), "--author", "ann", "-o", str(output), "--json"]
    assert _run(command) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["rows"], document["systems"]) == (2, ["ann"])
    table = read_table_file(output)
    corpus = import_corpus(table, guess_mapping(table.columns), "x").corpus
    newest = hosts.pulls[1].commit("new")[:7]
    assert f"{PROJECT}#1 src/app.py {newest}" in {one.id for one in corpus.changes}
    assert load_own(output).reviews.labels["outcome_thumbs_up"].values.max() == 2


def test_the_command_fetches_from_a_host(
    hosts: Hosts,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("GH_ENTERPRISE_TOKEN", TOKEN)
    output = str(tmp_path / "out.jsonl")
    command = ["pr", f"{PROJECT}#1", "--api-url", hosts.github, "-o", output]
    hosts.plans = [("pulls/1", says(429, {}, Retry_After="0"))]
    assert _run([*command, "--author", "ann", "--since", "2026-11-01"]) == 0
    said = capsys.readouterr()
    assert said.out.startswith("2 comments of 1 pull requests by 1 systems")
    assert "0 of 1: the host's rate limit is reached; retrying in 1 s" in said.err
    assert TOKEN not in said.out + said.err
    assert all(TOKEN.encode() not in path.read_bytes() for path in tmp_path.rglob("*.*"))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-o", "x.jsonl"], "name pull requests"),
        (["o/r#1", "--from", "f", "-o", "x.jsonl"], "name pull requests"),
        (["--from", "missing.jsonl", "-o", "x.jsonl"], "there is no such file"),
        (["--from", "damaged.jsonl", "-o", "x.jsonl"], "'damaged.jsonl', row 2:"),
        (["--from", "other.jsonl", "-o", "x.jsonl"], "not a row that `crscore pr` wrote"),
        (["--from", "answer.json", "-o", "x.jsonl"], "not a row that `crscore pr` wrote"),
        (["--from", "empty.jsonl", "-o", "x.jsonl"], "'empty.jsonl': it is empty"),
        (["--from", "f", "--limit", "100", "-o", "x.jsonl"], "--limit does not apply to --from"),
        (["--from", "f", "--reviews", "-o", "x.jsonl"], "--reviews does not apply to --from"),
        (["--from", "f", "--api-url", "a", "-o", "x.jsonl"], "--api-url does not apply to --from"),
        (["o/r#1", "-o", "x.csv"], "must end in .jsonl"),
    ],
)
def test_the_command_reports_errors(
    arguments: list[str],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("damaged.jsonl").write_text('{"id": "1", "review": "Why?"}\nno JSON\n')
    Path("other.jsonl").write_text('{"id": "1", "review": "Why?", "diff": "@@"}\n')
    Path("empty.jsonl").touch()
    Path("answer.json").write_text('[{"diff_hunk": "@@", "id": 1, "body": "Why?"}]')
    assert _run(["pr", *arguments]) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    "damage",
    [
        {"review": None}, {"diff": 3}, {"created": "soon"}, {"line": "3"},
        {"outcome_thumbs_up": "many"},
    ],
)  # fmt: skip
def test_a_damaged_row_is_named(hosts: Hosts, tmp_path: Path, damage: dict[str, object]) -> None:
    first, second, *_ = rows_of_pulls(fetched(hosts)).rows
    saved = tmp_path / "saved.jsonl"
    saved.write_text(corpus_text([first, second | damage]), encoding="utf-8")
    with pytest.raises(PullRequestError, match=r"saved.jsonl', row 2: not a row"):
        read_rows([saved])


@pytest.mark.long
def test_a_command_killed_twice_resumes(tmp_path: Path) -> None:
    with hosting(*(pull(number) for number in range(1, 61))) as hosts:
        hosts.page_size = 2

        def run(cache: str, kill_at: int = 0) -> tuple[int, int]:
            """Run the command, killing it at a request; return status and number of requests."""
            hosts.asked.clear()
            environment = os.environ | {
                "XDG_CACHE_HOME": str(tmp_path / cache),
                "GH_ENTERPRISE_TOKEN": TOKEN,
            }
            output = tmp_path / f"{cache}.jsonl"
            names = [f"{PROJECT}#{number}" for number in range(1, 61)]
            command = [
                sys.executable,
                "-c",
                "from crscore_core.cli import main; main()",
                "pr",
                *names,
            ]
            with subprocess.Popen(
                [*command, "--api-url", hosts.github, "-o", str(output)], env=environment
            ) as child:
                hosts.after = lambda count: child.kill() if count == kill_at else None
                return child.wait(), len(hosts.asked)

        status, total = run("whole")
        assert status == 0
        hosts.plans = [("compare", says(502)), ("comments", says(200, [], cut=1))]
        assert run("killed", total // 3)[0] == -9
        assert run("killed", total // 2)[0] == -9
        assert not (tmp_path / "killed.jsonl").exists()
        before = hosts.unchanged
        status, again = run("killed")
        assert status == 0
        assert again < total
        assert hosts.unchanged > before
        whole = (tmp_path / "whole.jsonl").read_bytes()
        assert (tmp_path / "killed.jsonl").read_bytes() == whole
        assert len(whole.splitlines()) == 4 * 60
