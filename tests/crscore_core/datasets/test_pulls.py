"""Review comments on pull requests, from fake GitHub and GitLab servers.

`tests/golden/pull_rows.json` holds whole rows of both.
"""

import hashlib
import json
import os
import subprocess
import sys
import threading
import time
import zlib
from collections.abc import Iterator
from concurrent.futures import CancelledError
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest

from crscore_core.caches import ByteStore
from crscore_core.change import parse_change
from crscore_core.cli.main import _run
from crscore_core.corpus.reading import RowStream, guess_mapping
from crscore_core.corpus.run.intake import import_corpus
from crscore_core.datasets.pulls import client
from crscore_core.datasets.pulls.fetch import fetch_pulls
from crscore_core.datasets.pulls.hosts import PullRequest, file_diff
from crscore_core.datasets.pulls.reference import PullReference, read_reference, token_for
from crscore_core.datasets.pulls.rows import (
    corpus_text,
    hunk_diff,
    read_rows,
    review_text,
    rows_of_pulls,
)
from crscore_core.datasets.registry import load_own
from crscore_core.errors import InputError
from tests.crscore_core.datasets.pull_hosts import (
    BASE,
    PROJECT,
    Hosts,
    Remark,
    changed,
    hang_up,
    hosting,
    says,
    usual_pull,
)

TOKEN, OTHER = "ghp_secret", "ghp_other"
TOKENS = ("GH_TOKEN", "GITHUB_TOKEN")
OLD, NEW = changed(l3="first try"), changed(l3="better", l9="and more")


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
    """No caches or tokens of this machine."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "caches"))
    for name in (
        *TOKENS, "GITLAB_TOKEN", "GH_ENTERPRISE_TOKEN",
        "GITHUB_API_URL", "GH_HOST", "GITLAB_HOST", "CI_API_V4_URL",
    ):  # fmt: skip
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def hosts() -> Iterator[Hosts]:
    with hosting(usual_pull()) as server:
        yield server


def fetched(
    hosts: Hosts,
    *names: str,
    gitlab: bool = False,
    token: str | None = TOKEN,
    clock: Clock | None = None,
    **wanted: Any,  # noqa: ANN401 - which pull requests of a project
) -> tuple[PullRequest, ...]:
    address = hosts.gitlab if gitlab else hosts.github
    references = [read_reference(name, address) for name in names or (f"{PROJECT}#1",)]
    clock = clock or Clock()
    return fetch_pulls(references, lambda _: None, clock, token=lambda _: token, **wanted)


def rows_of(hosts: Hosts, *remarks: Remark, **versions: list[str]) -> tuple[Any, ...]:
    """Rows of one pull request with these comments, with other contents of its file if given."""
    one = usual_pull()
    one.remarks, one.versions = [*remarks], one.versions | versions
    hosts.pulls = {1: one}
    return rows_of_pulls(fetched(hosts)).rows


def test_comments_are_chosen_by_login_and_day(hosts: Hosts) -> None:
    pulls = fetched(hosts)
    day = datetime(2026, 11, 6, tzinfo=UTC)
    for authors, since, numbers in (
        (["ANN"], None, ["13", "14"]),
        (["author"], None, ["15"]),
        ([], day, ["14", "16"]),
        (["ann"], day, ["14"]),
    ):
        rows = rows_of_pulls(pulls, authors=authors, since=since).rows
        assert [str(row["id"]).rpartition("/")[2] for row in rows] == numbers


@pytest.mark.parametrize("gitlab", [False, True])
def test_all_pull_requests_of_a_project(gitlab: bool) -> None:
    days = ["2026-10-01T00:00:00Z", "2026-11-10T00:00:00Z", "2026-11-20T00:00:00Z"]
    with hosting(*(usual_pull(n, updated=day) for n, day in enumerate(days, 1))) as hosts:
        hosts.page_size = 2
        cases: list[tuple[dict[str, Any], set[str]]] = [
            ({}, {"1", "2", "3"}),
            ({"limit": 1}, {"3"}),
            ({"since": datetime(2026, 11, 1, tzinfo=UTC)}, {"2", "3"}),
        ]
        for wanted, numbers in cases:
            made = rows_of_pulls(fetched(hosts, PROJECT, gitlab=gitlab, **wanted))
            assert {str(row["pull"])[-1] for row in made.rows} == numbers


def too_late(request: Any) -> None:  # noqa: ANN401 - a request of the fake host
    time.sleep(1)
    request.send(200, [], {})


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
        ([says(200, {"errors": [{"type": "RATE_LIMITED"}]})], [60]),
        ([too_late], [1]),
    ],
)
def test_a_host_that_fails_for_a_while(
    hosts: Hosts, monkeypatch: pytest.MonkeyPatch, plans: list[Any], waits: list[float]
) -> None:
    monkeypatch.setattr(client, "_TIMEOUT", (5, 0.5))
    expected = rows_of_pulls(fetched(hosts)).rows
    hosts.plans = [("pulls/1/comments", plan) for plan in plans]
    clock = Clock()
    assert rows_of_pulls(fetched(hosts, clock=clock)).rows == expected
    assert clock.waits == waits


@pytest.mark.parametrize(
    ("plans", "message"),
    [
        ([says(401, {"message": "Bad credentials"})], r"token was rejected .*Bad credentials"),
        ([says(401, {"message": f"Bearer {TOKEN}?"})], r"401: Bearer \*\*\*\?"),
        ([says(404, {"message": "x" * 195 + TOKEN})], r"x{195}\*\*\*\)"),
        ([says(301, None, Location=f"/pulls/1/{TOKEN}"), says(404)], r"/\*\*\* was not found"),
        ([says(301, None, Location=f"http://{TOKEN}.example/")], r"followed: \*\*\*\.example"),
        ([says(403, {"message": "no\x1b[2J"})], r"answered 403: no\\u001b\[2J"),
        ([says(404, {"message": "Not Found"})], r"pulls/1 was not found"),
        ([says(304)], "answered 304"),
        ([says(200, [])], "did not return a pull request"),
        ([says(200, {"head": 3, "base": 4})], "or a damaged one"),
        ([says(200, "x" * 200_000)], r"larger than 100,000 bytes"),
        ([says(500)] * 6, "answered 500; the data so far is saved"),
        ([says(429, {}, Retry_After="86400")], r"requires a pause of 86,400 s"),
        ([says(429, {}, Retry_After="1e308")], r"requires a pause of more than 1,000,000 s;"),
        ([says(301, None, Location="/api/v3/pulls/1")] * 4, "redirects too often"),
    ],
)
def test_a_host_that_refuses(
    hosts: Hosts, monkeypatch: pytest.MonkeyPatch, plans: list[Any], message: str
) -> None:
    monkeypatch.setattr(client, "_MOST_BYTES", 100_000)
    hosts.plans = [("pulls/1", plan) for plan in plans]
    with pytest.raises(InputError, match=message) as refused:
        fetched(hosts)
    assert TOKEN not in str(refused.value)


@pytest.mark.parametrize(
    "damage",
    [
        {"created_at": "2026-11-01T00:00:00"},  # of no time zone
        {"created_at": "0001-01-01T00:00:00+14:00"},
        {"original_line": -1},
        {"reactions": {"+1": float("inf"), "-1": 0}},
        {"diff_hunk": None},
        {"user": "ann"},
    ],
)
def test_a_damaged_comment_is_an_error(hosts: Hosts, damage: dict[str, object]) -> None:
    one = {
        "id": 1, "html_url": "u", "created_at": "2026-11-01T00:00:00Z", "body": "Why?",
        "path": "a.py", "diff_hunk": "", "original_commit_id": "x",
    }  # fmt: skip
    hosts.plans = [("comments", says(200, [one]))]
    assert len(fetched(hosts)[0].threads) == 1
    hosts.plans = [("comments", says(200, [one | damage]))]
    with pytest.raises(InputError, match=f"{PROJECT}#1: .* a damaged one"):
        fetched(hosts)


def test_changes_that_a_host_cannot_show_fall_back_to_hunks(hosts: Hosts) -> None:
    hosts.plans = [(part, says(500)) for part in ("/files", *["/compare"] * 2) for _ in range(6)]
    rows = rows_of_pulls(fetched(hosts)).rows
    assert [(row["extent"], row.get("outcome_lines_changed")) for row in rows] == [
        ("hunk", None)
    ] * 4


def test_redirects_are_followed_and_a_token_is_not_sent_on(hosts: Hosts) -> None:
    """Links to the next page name another host too: the fake hosts give no others."""
    hosts.page_size = 2
    hosts.plans = [("pulls/1", says(301, None, Location=f"/api/v3/repos/{PROJECT}/pulls/1"))]
    assert len(rows_of_pulls(fetched(hosts)).rows) == 4
    with hosting() as other:
        hosts.plans = [("pulls/1", says(301, None, Location=f"{other.github}/x"))]
        with pytest.raises(InputError, match="another host"):
            fetched(hosts, token=OTHER)
        hosts.plans = [("graphql", says(307, None, Location=f"{other.github}/graphql"))]
        assert "outcome_resolved" not in rows_of_pulls(fetched(hosts)).rows[0]
        assert (hosts.plans, other.asked) == ([], [])
    assert hosts.tokens == {f"Bearer {TOKEN}", f"Bearer {OTHER}"}


def test_a_token_that_the_host_repeats_is_neither_returned_nor_cached(
    hosts: Hosts, tmp_path: Path
) -> None:
    plan = ("comments", says(200, [{"id": 1, "body": f"Bearer {TOKEN}"}], ETag='"1"'))
    hosts.plans = [plan]
    api = client.Api(hosts.github, TOKEN, lambda _: None, Clock())
    assert api.get("/comments") == [{"id": 1, "body": "Bearer ***"}]
    kept = ByteStore(tmp_path / "caches" / "crscore" / "pulls", 10**6)
    key = hashlib.sha256(f"{TOKEN}\n{hosts.github}/comments".encode()).digest()
    assert TOKEN.encode() not in zlib.decompress(kept.known([key])[key])


def test_a_token_is_needed_for_what_is_private_and_none_is_taken_from_netrc(
    hosts: Hosts, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "netrc").write_text("machine 127.0.0.1 login me password secret\n")
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    fetched(hosts, token=None)
    assert hosts.tokens == {None}
    hosts.needs_token = True
    with pytest.raises(InputError, match="needs the token of this host"):
        fetched(hosts, f"{PROJECT}#2", token=None)
    assert len(fetched(hosts)) == 1
    assert hosts.tokens == {None, f"Bearer {TOKEN}"}
    with pytest.raises(InputError, match="a space") as refused:
        fetched(hosts, token="its own")  # noqa: S106 - no token
    assert "its own" not in str(refused.value)


def test_a_reply_starts_the_thread_if_its_first_comment_was_deleted(hosts: Hosts) -> None:
    why, done = Remark(2, "bot[bot]", "Why?", reply_to=1), Remark(3, "ann", "Done.", reply_to=1)
    (row,) = rows_of(hosts, why, done)
    assert (row["system"], row["review"], row["outcome_replied_fixed"]) == ("bot[bot]", "Why?", 1)


def test_discussions_of_no_lines_are_no_threads(hosts: Hosts) -> None:
    note = {"id": 1, "body": "Hello", "created_at": "2026-11-01T00:00:00Z"}
    notes: list[list[object]] = [[], [note], [note | {"system": True}], [note | {"position": None}]]
    discussions = [{"id": str(number), "notes": of} for number, of in enumerate(notes)]
    hosts.plans = [("discussions", says(200, discussions))]
    assert rows_of_pulls(fetched(hosts, f"{PROJECT}!1", gitlab=True)).rows == ()
    assert len(hosts.asked) == 2  # the merge request and its discussions


def test_cached_responses_belong_to_one_token(hosts: Hosts) -> None:
    fetched(hosts)
    requests = [*hosts.asked]
    fetched(hosts, token=OTHER)
    assert (hosts.asked, hosts.unchanged) == (requests * 2, 0)
    fetched(hosts)
    assert hosts.unchanged > 0


@pytest.mark.parametrize("gitlab", [False, True])
def test_stopped_work_resumes(gitlab: bool) -> None:
    def stop(clock: Clock, last: int, count: int) -> None:
        if count >= last:
            clock.set()

    with hosting(*(usual_pull(number) for number in range(1, 5))) as hosts:
        names = [f"{PROJECT}{'!' if gitlab else '#'}{number}" for number in range(1, 5)]
        expected = rows_of_pulls(fetched(hosts, *names, gitlab=gitlab, token=OTHER)).rows
        total = len(hosts.asked)
        hosts.asked.clear()
        for stop_after in (7, 9):
            clock = Clock()
            hosts.after = partial(stop, clock, len(hosts.asked) + stop_after)
            with pytest.raises(CancelledError):
                fetched(hosts, *names, gitlab=gitlab, clock=clock)
        hosts.after = lambda _: None
        hosts.asked.clear()
        before = hosts.unchanged
        assert rows_of_pulls(fetched(hosts, *names, gitlab=gitlab)).rows == expected
        assert len(hosts.asked) < total
        assert hosts.unchanged > before


def test_a_long_response_is_stopped(hosts: Hosts) -> None:
    clock, gone = Clock(), threading.Event()

    def dribble(request: BaseHTTPRequestHandler) -> None:
        clock.set()
        request.send_response(200)
        request.end_headers()
        try:
            for _ in range(1000):
                request.wfile.write(b" " * 65_536)
                time.sleep(0.01)
        except OSError:
            gone.set()

    hosts.plans = [("pulls/1", dribble)]
    with pytest.raises(CancelledError):
        fetched(hosts, clock=clock)
    assert gone.wait(5)


def test_comments_added_while_pages_are_read(hosts: Hosts) -> None:
    hosts.page_size = 2

    def add(count: int) -> None:
        if count == 3:
            hosts.pulls[1].remarks.insert(1, Remark(19, "ann", "A new one, in between"))

    hosts.after = add
    rows = rows_of_pulls(fetched(hosts)).rows
    assert len({row["id"] for row in rows}) == len(rows) >= 4


def test_lists_have_an_end(hosts: Hosts, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "_MOST_PAGES", 2)
    hosts.page_size = 1
    fetched(hosts)
    assert sum("graphql" in address for address in hosts.asked) == 2
    assert sum("comments" in address for address in hosts.asked) == 2


PUBLIC, GITLAB = "https://api.github.com", "https://gitlab.com/api/v4"
LAB, HUB = "https://lab.example/api/v4", "https://hub.example/api/v3"


@pytest.mark.parametrize(
    ("text", "api_url", "expected"),
    [
        ("o/r#3", None, (PUBLIC, "o/r", 3)),
        ("o/r", None, (PUBLIC, "o/r", None)),
        ("g/s/p!4", None, (GITLAB, "g/s/p", 4)),
        ("https://github.com/o/r.js/pull/3/files#x", None, (PUBLIC, "o/r.js", 3)),
        ("https://github.com/o/r", None, (PUBLIC, "o/r", None)),
        ("https://github.com/o/r/merge_requests/3", None, (PUBLIC, "o/r", 3)),
        ("https://me:pw@github.com/o", None, "^'github.com/o' is not a pull request"),
        ("https://me:pw@github.com/o/r/s/pull/3", None, "^'github.com/o/r/s/pull/3': a GitHub"),
        ("https://gitlab.com/g/s/p/-/merge_requests/4/diffs?x=1", None, (GITLAB, "g/s/p", 4)),
        ("g/p", f"{LAB}/", (LAB, "g/p", None)),
        ("g/p#4", "https://lab.example/git/api/v4", ("https://lab.example/git/api/v4", "g/p", 4)),
        ("o/r#4", "https://api.corp.ghe.com", ("https://api.corp.ghe.com", "o/r", 4)),
        ("https://hub.example/o/r/pull/3", HUB, (HUB, "o/r", 3)),
        ("https://gitlab.com/o/r", LAB, "'gitlab.com' is not lab.example"),
        ("https://evil.example/o/r/pull/3", None, "'evil.example' is not github.com"),
        ("https://github.com.evil.example/o/r/pull/3", None, "is not github.com"),
        ("https://github.com@evil.example/o/r/pull/3", None, "'evil.example' is not"),
        ("https://evil.example/o/r/pull/3", LAB, "is not lab.example"),
        ("o/../r#3", None, "is not a pull request"),
        ("o/r#x", None, "is not a pull request"),
        ("a/b/c#3", None, "OWNER/REPO"),
        ("https://[/o/r/pull/3", None, "is not a pull request"),
        ("https://github.com/" + "a/" * 100_000, None, "is not a pull request"),
        *(
            ("g/p#4", api_url, "must be https://HOST/api/v3")
            for api_url in (
                "https://lab.example",
                "https://api.github.com.evil.example",
                "http://lab.example/api/v4",
                f"{LAB}?x=1",
                "https://lab.example@evil.example/api/v4",
                "https://api.evil#x.ghe.com",
                "https://me:pw@lab.example",
                "file:///etc",
            )
        ),
    ],
)
def test_names_and_links(text: str, api_url: str | None, expected: object) -> None:
    if isinstance(expected, str):
        with pytest.raises(InputError, match=expected):
            read_reference(text, api_url)
    else:
        reference = read_reference(text, api_url)
        assert (reference.address, reference.project, reference.number) == expected


@pytest.mark.parametrize(
    ("environment", "tokens"),
    [
        # of github.com, a ghe.com tenant, another GitHub server, GitLab, another GitLab
        ({}, [None, None, None, None, None]),
        (dict.fromkeys(TOKENS, " x\n"), ["x", "x", None, None, None]),
        ({"GITHUB_TOKEN": "x", "GH_TOKEN": ""}, ["x", "x", None, None, None]),
        ({"GH_TOKEN": "x", "GITHUB_API_URL": f"{HUB}/"}, [None, "x", "x", None, None]),
        ({"GH_ENTERPRISE_TOKEN": "x"}, [None, None, "x", None, None]),
        ({"GH_ENTERPRISE_TOKEN": "x", "GITHUB_API_URL": HUB}, [None, None, None, None, None]),
        ({"GH_ENTERPRISE_TOKEN": "x", "GH_HOST": "hub.example"}, [None, None, "x", None, None]),
        ({"GH_ENTERPRISE_TOKEN": "x", "GH_HOST": "other.example"}, [None] * 5),
        ({"GITLAB_TOKEN": "x"}, [None, None, None, "x", None]),
        ({"GITLAB_TOKEN": "x", "GITLAB_HOST": "lab.example"}, [None, None, None, None, "x"]),
        ({"GITLAB_TOKEN": "x", "GITLAB_HOST": "https://gitlab.com"}, [None, None, None, "x", None]),
        ({"GITLAB_TOKEN": "x", "CI_API_V4_URL": LAB}, [None, None, None, None, "x"]),
    ],
)
def test_a_token_is_for_its_hosts(
    environment: dict[str, str], tokens: list[str | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    addresses = (PUBLIC, "https://api.corp.ghe.com", HUB, GITLAB, LAB)
    assert [token_for(PullReference(address, "o/r", 1)) for address in addresses] == tokens


@pytest.mark.parametrize(
    ("comment", "review", "suggestions"),
    [
        ("Plain. Two", "Plain. Two", ()),
        ("A\r\n```suggestion\r\nx = 1\r\n```\r\nB", "A\nB", ("x = 1",)),
        ("```suggestion\nx\n```", "```suggestion\nx\n```", ("x",)),
        ("````suggestion:-0+1\na\n```\nb\n````\nText", "Text", ("a\n```\nb",)),
        ("A\n```suggestion\na\n```\nB\n~~~suggestion\nb\n~~~~", "A\nB", ("a", "b")),
        ("> they said\n\nNo", "No", ()),
        ("> only a quote", "> only a quote", ()),
        ("```py\n> x\n```\nkept", "```py\n> x\n```\nkept", ()),
        ("```suggestion\nnever closed", "```suggestion\nnever closed", ()),
        ("```\n" * 50_000 + "```x\n" * 50_000, "```\n" * 50_000 + "```x\n" * 49_999 + "```x", ()),
        ("", "", ()),
    ],
    ids=range(11),
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
def test_replies_that_say_it_is_fixed(hosts: Hosts, reply: str, is_fixed: int) -> None:
    (row,) = rows_of(hosts, Remark(1, "bot", "Why?"), Remark(2, "ann", reply, reply_to=1))
    assert row["outcome_replied_fixed"] == is_fixed


@pytest.mark.parametrize(
    ("remark", "newest", "changed_lines"),
    [
        (Remark(1, "bot", "Why?", "old"), OLD, 0),
        (Remark(1, "bot", "Why?", "old"), NEW, 1),
        (Remark(1, "bot", "Why?", "old", first=2), changed(l2="x", l3="first try"), 1),
        (Remark(1, "bot", "Why?", "old", first=2), changed(l3="first try", l9="x"), 0),
        (Remark(1, "bot", "Why?", "old", line=5), changed(l3="first try", l9="x"), 0),
        (Remark(1, "bot", "Why?", "old", line=5), changed(l12="x"), None),  # not shown any more
        (Remark(1, "bot", "Why?", "old", side="LEFT"), NEW, None),
        (Remark(1, "bot", "Why?", "old"), BASE, None),  # taken back, or renamed
    ],
)
def test_lines_that_changed(
    hosts: Hosts, remark: Remark, newest: list[str], changed_lines: int | None
) -> None:
    (row,) = rows_of(hosts, remark, new=newest)
    assert row.get("outcome_lines_changed") == changed_lines


def test_what_the_host_reports_counts_more_than_what_is_derived(hosts: Hosts) -> None:
    (one,) = fetched(hosts)
    threads = tuple(replace(of, outcomes={"outcome_replied_fixed": 0.5}) for of in one.threads)
    rows = rows_of_pulls([replace(one, threads=threads)]).rows
    assert {row["outcome_replied_fixed"] for row in rows} == {0.5}


@pytest.mark.parametrize(
    ("code", "newest", "version", "applied"),
    [
        ("better", changed(l3="better"), "old", 1),
        ("better  \nline 4", changed(l3="better"), "old", 1),
        ("bet", changed(l3="better"), "old", 0),
        ("line 5", changed(l3="x", l7="x"), "old", 0),  # stood there, and is shown now
        ("line 5", changed(l3="line 5"), "old", 1),  # stood there, and stands there twice now
        ("line 3", changed(l5="x"), "old", 1),  # the change is taken back
        ("better", OLD, "old", 0),
        ("first try", OLD, "old", 0),
        ("better", changed(l3="better"), "gone", None),  # may have stood below what is shown
    ],
)
def test_suggestions_that_were_applied(
    hosts: Hosts, code: str, newest: list[str], version: str, applied: int | None
) -> None:
    remark = Remark(1, "bot", f"```suggestion\n{code}\n```\nSo", version)
    (row,) = rows_of(hosts, remark, new=newest)
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
@pytest.mark.parametrize(
    ("old", "new", "hunk"),
    [
        ("", "{}", "@@ -0,0 +1 @@\n+x"),
        ("{}", "", "@@ -1 +0,0 @@\n-x"),
        ("other.py", "{}", "@@ -1 +1 @@\n-x\n+y"),
        ("{}", "{}", "@@ -1 +1 @@\n-x\n+y"),
    ],
)
def test_names_of_files_survive(name: str, old: str, new: str, hunk: str) -> None:
    old, new = old.format(name), new.format(name)
    (file,) = parse_change(file_diff(old, new, f"--- a/x\n+++ b/x\n{hunk}")).files
    assert (file.old_path, file.new_path) == (old or None, new or None)


def test_files_are_new_gone_or_renamed_as_the_hosts_say(hosts: Hosts) -> None:
    patch = "@@ -1 +1 @@\n-x\n+y\n"
    github = [
        {"filename": name, "status": name, "previous_filename": "old", "patch": patch}
        for name in ("modified", "renamed", "added", "removed")
    ]
    gitlab = [
        {"old_path": name, "new_path": name, "diff": patch, flag: True}
        for name, flag in (("added", "new_file"), ("removed", "deleted_file"), ("modified", "x"))
    ]
    hosts.plans = [
        ("/files", says(200, github)),
        ("/repository/compare", says(200, {"diffs": gitlab})),
    ]
    heads = [
        next(change for change in one.changes.values() if "added" in change)
        for one in (*fetched(hosts), *fetched(hosts, f"{PROJECT}!1", gitlab=True))
    ]
    assert [{name: diff.split("\n")[:2] for name, diff in one.items()} for one in heads] == [
        {
            "modified": ["--- a/old", "+++ b/modified"],
            "renamed": ["--- a/old", "+++ b/renamed"],
            "added": ["--- /dev/null", "+++ b/added"],
            "removed": ["--- a/old", "+++ /dev/null"],
        },
        {
            "added": ["--- /dev/null", "+++ b/added"],
            "removed": ["--- a/removed", "+++ /dev/null"],
            "modified": ["--- a/modified", "+++ b/modified"],
        },
    ]


def test_a_written_corpus_is_read_again(
    hosts: Hosts, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = rows_of_pulls(fetched(hosts, token=None))
    merge_request = rows_of_pulls(fetched(hosts, f"{PROJECT}!1", gitlab=True))
    first, second = tmp_path / "first.jsonl", tmp_path / "second.jsonl"
    newer = made.rows[0] | {"outcome_thumbs_up": 7}
    for path, rows in ((first, made.rows), (second, (newer, *merge_request.rows))):
        path.write_text(corpus_text(rows), encoding="utf-8")
    again = read_rows([first])
    assert (again.rows, again.remarks) == (made.rows, made.remarks[-2:])
    joined = read_rows([first, second]).rows
    assert len(joined) == len(made.rows) + len(merge_request.rows)
    assert [row["outcome_thumbs_up"] for row in joined if row["id"] == newer["id"]] == [7]
    output = tmp_path / "out.jsonl"
    command = ["pr", "--from", str(first), "--author", "ann", "-o", str(output), "--json"]
    assert _run([*command, "--since", "2026-11-06"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["rows"], document["systems"]) == (1, ["ann"])
    assert _run(command) == 0
    stream = RowStream(output)
    corpus = import_corpus(stream, guess_mapping(stream.columns()), "x").corpus
    newest = hosts.pulls[1].commit("new")[:7]
    assert f"{PROJECT}#1 src/app.py {newest}" in {one.id for one in corpus.changes}
    assert load_own(output).reviews.labels["outcome_thumbs_up"].values.max() == 2


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
    with pytest.raises(InputError, match=r"saved.jsonl', row 2: not a row"):
        read_rows([saved])


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
    assert said.out.startswith("2 comments of 1 pull request: ")
    assert "0 of 1: the host's rate limit is reached; retrying in 1 s" in said.err
    assert TOKEN not in said.out + said.err
    assert all(TOKEN.encode() not in path.read_bytes() for path in tmp_path.rglob("*.*"))


@pytest.mark.long
def test_a_command_killed_twice_resumes(tmp_path: Path) -> None:
    with hosting(*(usual_pull(number) for number in range(1, 61))) as hosts:
        hosts.page_size = 2

        def run(cache: str, kill_at: int = 0) -> tuple[int, int]:
            """Run the command, killing it at a request; return status and number of requests."""
            hosts.asked.clear()
            own = {"XDG_CACHE_HOME": str(tmp_path / cache), "GH_ENTERPRISE_TOKEN": TOKEN}
            names = [f"{PROJECT}#{number}" for number in range(1, 61)]
            options = ["--api-url", hosts.github, "-o", str(tmp_path / f"{cache}.jsonl")]
            program = [sys.executable, "-c", "from crscore_core.cli import main; main()"]
            command = [*program, "pr", *names, *options]
            with subprocess.Popen(command, env=os.environ | own) as child:
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
