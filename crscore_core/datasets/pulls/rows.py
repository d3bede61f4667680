"""Turn pull-request threads into corpus rows: the comment, its change and its outcome."""

import json
import os
import re
import tempfile
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path

from crscore_core.change import parse_change
from crscore_core.change.model import ChangedLine, LineKind
from crscore_core.datasets.pulls.shapes import (
    Comment,
    MergeRequest,
    Note,
    PullFacts,
    Review,
    User,
    file_diff,
)
from crscore_core.errors import DiffError, PullRequestError
from crscore_core.text import csv_text, whole_text

OUTCOMES = (
    "outcome_resolved",
    "outcome_outdated",
    "outcome_thumbs_up",
    "outcome_thumbs_down",
    "outcome_suggestion_applied",
    "outcome_lines_changed",
    "outcome_replied_fixed",
)
"""Outcomes of a comment by column; weak labels, since habit and haste affect them too."""

COLUMNS = (
    "id", "system", "review", "diff", "change", "extent", "url", "pull", "path", "commit",
    "created", "line", *OUTCOMES,
)  # fmt: skip
"""Columns of a pull-request corpus; outcomes unknown for every row are left out."""

_WHOLE, _FILE, _HUNK = "pull request", "file", "hunk"
_LONGEST_DIFF, _LONGEST_ADDRESS, _LONGEST_PATH, _BEGINNING = 2_000_000, 1_000, 100, 300
_MOVED = "changed this line in"
"""Start of the note that GitLab adds if a push changes commented lines."""

_PAGE = re.compile(r"//[^/]+/(.+?)/(?:-/)?(?:pull|merge_requests)/([0-9]+)", re.ASCII)
_HUNK_HEADER = re.compile(r"@@ -([0-9]+)(?:,[0-9]+)? \+([0-9]+)(?:,[0-9]+)? @@", re.ASCII)
_FENCE = re.compile(r"[ ]{0,3}(`{3,}|~{3,})[ \t]*(\S*)")
_FIXED = re.compile(
    r"\W*(?:@[\w-]+\W+)?(?:(?:thanks|thank|you|good|nice|catch|point|yes|yep|ok|okay|sure|oh|ah|"
    r"agreed|this|is|was|has|been|should|be|now|i|we|have|ve|all|both|it|that|and)\W+){0,8}"
    r"(?:fixed|done|addressed|resolved|applied|corrected|changed|updated)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Thread:
    """A pull-request comment from any host, with the texts of other people's replies.

    `first` and `last` are the commented lines in the new file, or in the old one if `is_removed`;
    None if unknown. `commit` is the reviewed commit, `head` the newest. `told` are the outcomes
    reported by the host. `hunk` is the host's own excerpt.
    """

    id: str
    pull: str
    url: str
    system: str
    is_own: bool
    created: datetime
    text: str
    path: str
    commit: str
    head: str
    first: int | None = None
    last: int | None = None
    is_removed: bool = False
    hunk: str = ""
    replies: tuple[str, ...] = ()
    told: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PullRows:
    """Corpus rows with `COLUMNS`, and `remarks` on what was left out and why."""

    rows: tuple[dict[str, object], ...]
    remarks: tuple[str, ...]
    left_out: int


def rows_of_pulls(
    facts: PullFacts,
    *,
    authors: Collection[str] = (),
    since: datetime | None = None,
    with_reviews: bool = False,
) -> PullRows:
    """Create a row for each thread: its first comment, the reviewed change, and the outcomes.

    `authors` are the logins whose comments count; if empty, all count except those by the author
    of the pull request, which are not reviews. `since` excludes earlier comments. `with_reviews`
    adds the texts of whole GitHub reviews, with the whole change.
    """
    rows: list[dict[str, object]] = []
    wanted = {name.lower() for name in authors}
    own = without_change = empty = 0
    for thread in _threads(facts, with_reviews=with_reviews):
        if (since and thread.created < since) or (wanted and thread.system.lower() not in wanted):
            continue
        review, suggestions = review_text(thread.text)
        if thread.is_own and not wanted:
            own += 1
        elif not review.strip():
            empty += 1
        elif (change := _change_of(thread, facts)) is None:
            without_change += 1
        else:
            rows.append(_row(thread, review, suggestions, change, facts))
    hunks = sum(row["extent"] == _HUNK for row in rows)
    remarks = [
        f"{what}: {number:,}"
        for number, what in (
            (own, "threads left out because the pull request's author started them"),
            (empty, "comments left out because they have no text"),
            (without_change, "comments left out because the host does not show their change"),
            (hunks, "comments with only their hunk because the host does not show the diff"),
        )
        if number
    ]
    unknown = [name for name in OUTCOMES if all(row[name] is None for row in rows)]
    for row in rows:
        for name in unknown:
            del row[name]
    if rows and "outcome_resolved" in unknown:
        remarks.append(
            "no thread says whether it was resolved; GitHub reports that only with a token"
        )
    rows.sort(key=lambda row: (str(row["pull"]), str(row["created"]), str(row["id"])))
    return PullRows(tuple(rows), tuple(remarks), without_change)


def _row(
    thread: _Thread,
    review: str,
    suggestions: Sequence[str],
    change: tuple[str, str],
    facts: PullFacts,
) -> dict[str, object]:
    extent, diff = change
    outcomes = {
        **dict.fromkeys(OUTCOMES),
        **_later(thread, change, suggestions, facts),
        "outcome_replied_fixed": float(
            any(_FIXED.match(reply[:_BEGINNING]) for reply in thread.replies)
        ),
        **thread.told,
    }
    if extent == _WHOLE:
        outcomes = dict.fromkeys(OUTCOMES)
    texts = {
        "id": f"{thread.pull}/{thread.created:%Y-%m-%d}/{thread.id}",
        "system": thread.system,
        "review": review,
        "diff": diff,
        "change": " ".join([thread.pull, *thread.path[-_LONGEST_PATH:].split(), thread.commit[:7]]),
        "extent": extent,
        "url": thread.url,
        "pull": thread.pull,
        "path": thread.path,
        "commit": thread.commit,
        "created": thread.created.isoformat(timespec="seconds"),
    }
    return {
        **{name: whole_text(text) for name, text in texts.items()},
        "line": thread.last,
        **outcomes,
    }


def _later(
    thread: _Thread, change: tuple[str, str], suggestions: Sequence[str], facts: PullFacts
) -> dict[str, float]:
    """Derive from the newest change what became of commented lines and suggestions."""
    extent, diff = change
    newest = facts.patches.get(thread.head)
    path = _newest_name(thread, facts)
    if not thread.path or newest is None or path is None or newest.get(path) == "":
        return {}  # a file without a diff from the host may still have changed
    outcomes: dict[str, float] = {}
    before = _lines(diff)
    after = before if thread.head == thread.commit else _lines(newest.get(path, ""))
    new_lines = _new_texts(after)
    about = _commented(thread, before)
    if about and not thread.is_removed:
        is_there = _holds(new_lines, _new_texts(about))
        if is_there or any(line.kind is LineKind.ADDED for line in about):
            outcomes["outcome_lines_changed"] = float(not is_there)
    if suggestions:
        gone = {line.text.rstrip() for line in before if line.kind is LineKind.REMOVED}
        is_applied = any(
            _times_made(after, code, gone) > _times_made(before, code, gone)
            for code in (suggestion.split("\n") for suggestion in suggestions)
        )
        # With only a hunk, the code may already have been elsewhere in the file.
        if not is_applied or extent == _FILE:
            outcomes["outcome_suggestion_applied"] = float(is_applied)
    return outcomes


def _newest_name(thread: _Thread, facts: PullFacts) -> str | None:
    """Return the name of the commented file in the newest change; None if unknown.

    A file renamed by the change is identified by its old name; a new file that has disappeared may
    be any of the new files that did not exist yet.
    """
    reviewed = facts.old_names.get(thread.commit, {})
    newest = facts.old_names.get(thread.head, {})
    guess = "" if thread.hunk.startswith("@@ -0,0 ") else thread.path
    old = reviewed.get(thread.path, newest.get(thread.path, guess))
    if old:
        return next((name for name, before in newest.items() if before == old), thread.path)
    is_open = any(not before and name not in reviewed for name, before in newest.items())
    return None if thread.path not in newest and is_open else thread.path


def _times_made(lines: Sequence[ChangedLine], code: Sequence[str], gone: Collection[str]) -> int:
    """Count the places with `code` that the change added, or restored if `gone`."""
    new = [line for line in lines if line.kind is not LineKind.REMOVED]
    is_made = [line.kind is LineKind.ADDED or line.text.rstrip() in gone for line in new]
    places = _places(_new_texts(new), [line.rstrip() for line in code])
    return sum(any(is_made[place]) for place in places)


def _commented(thread: _Thread, lines: Sequence[ChangedLine]) -> list[ChangedLine]:
    first = thread.first if thread.first is not None else thread.last
    if first is None or thread.last is None:
        return []
    numbers = range(first, thread.last + 1)
    return [line for line in lines if (line.old if thread.is_removed else line.new) in numbers]


def _new_texts(lines: Sequence[ChangedLine]) -> list[str]:
    return [line.text.rstrip() for line in lines if line.kind is not LineKind.REMOVED]


def _holds(lines: Sequence[str], part: Sequence[str]) -> bool:
    """Return True if `lines` contain `part`, ignoring trailing spaces."""
    return any(True for _ in _places(lines, [line.rstrip() for line in part]))


def _places(lines: Sequence[str], part: Sequence[str]) -> Iterator[slice]:
    places = (slice(start, start + len(part)) for start in range(len(lines) - len(part) + 1))
    return (place for place in places if lines[place] == part)


def _change_of(thread: _Thread, facts: PullFacts) -> tuple[str, str] | None:
    """Return the extent and the diff of the change that a thread is about, if available."""
    files = facts.patches.get(thread.commit, {})
    if not thread.path:
        diff = "".join(files.values())
        return (_WHOLE, diff) if diff and len(diff) <= _LONGEST_DIFF else None
    diff = files.get(thread.path, "")
    if len(diff) <= _LONGEST_DIFF and _lines(diff):
        return _FILE, diff
    diff = hunk_diff(thread.path, thread.hunk)
    return (_HUNK, diff) if _lines(diff) else None


@lru_cache(maxsize=256)
def _lines(diff: str) -> tuple[ChangedLine, ...]:
    """Return the lines in a diff of one file; empty if it cannot be read."""
    try:
        files = parse_change(diff, guess=False).files if diff else ()
    except DiffError:
        files = ()
    return tuple(line for file in files for line in file.lines())


def hunk_diff(path: str, hunk: str) -> str:
    """Return a diff of one hunk, which hosts cut off at the commented line.

    The counts in its header are corrected.
    """
    head, _, body = hunk.removesuffix("\n").partition("\n")
    header = _HUNK_HEADER.match(head)
    if header is None or not body:
        return ""
    marks = [line[:1] for line in body.split("\n")]
    cuts = [sum(mark not in out for mark in marks) for out in (("+", "\\"), ("-", "\\"))]
    section = head[header.end() :]
    whole = f"@@ -{header[1]},{cuts[0]} +{header[2]},{cuts[1]} @@{section}\n{body}"
    return file_diff(path, path, whole, is_new=header[1] == "0" and not cuts[0])


def review_text(comment: str) -> tuple[str, tuple[str, ...]]:
    """Return the text of a comment, and the code that it suggests.

    Drop suggested code and quoted lines, since each line would count as a sentence by the
    reviewer; a comment of nothing else is unchanged.
    """
    said: list[str] = []
    suggestions: list[str] = []
    fence = ""
    code: list[str] | None = None
    for line in comment.replace("\r\n", "\n").split("\n"):
        match = _FENCE.match(line)
        if not fence and match:
            fence = match[1]
            code = [] if match[2].startswith("suggestion") else None
        elif fence and match and match[1].startswith(fence) and not match[2]:
            fence = ""
            if code is not None:
                suggestions.append("\n".join(code))
                code = None
                continue
        elif code is not None:
            code.append(line)
        elif not fence and line.lstrip().startswith(">"):
            continue
        if code is None:
            said.append(line)
    text = "\n".join(said).strip()
    return text or comment.strip(), tuple(filter(str.strip, suggestions))


def _threads(facts: PullFacts, *, with_reviews: bool) -> Iterator[_Thread]:
    replies: dict[int, list[Comment]] = {}
    for comment in facts.comments.values():
        if comment.in_reply_to_id is not None:
            replies.setdefault(comment.in_reply_to_id, []).append(comment)
    for comment in facts.comments.values():
        # If the first comment of a thread was deleted, a reply starts it.
        first = comment.in_reply_to_id
        if first is None or (first not in facts.comments and replies[first][0] is comment):
            yield _github_thread(facts, comment, replies.get(first or comment.id, []))
    for review in facts.reviews.values() if with_reviews else ():
        if review.body and review.commit_id:
            yield _github_review(facts, review, review.submitted_at, review.commit_id)
    for discussion in facts.discussions.values():
        notes = discussion.spoken
        if notes and notes[0].position:
            told = any(note.system and note.body.startswith(_MOVED) for note in discussion.notes)
            yield _gitlab_thread(facts, notes, is_outdated=told)


def _github_thread(facts: PullFacts, comment: Comment, replies: Sequence[Comment]) -> _Thread:
    author = (comment.user or User()).name
    told: dict[str, float] = {}
    state = facts.states.get(comment.html_url)
    if state:
        told["outcome_resolved"] = float(state.isResolved)
        told["outcome_outdated"] = float(state.isOutdated)
    elif "position" in comment.model_fields_set and comment.subject_type != "file":
        told["outcome_outdated"] = float(comment.position is None)
    if comment.reactions:
        told["outcome_thumbs_up"] = float(comment.reactions.up)
        told["outcome_thumbs_down"] = float(comment.reactions.down)
    pull = facts.pulls.get(comment.pull_request_url)
    return replace(
        _github_review(facts, comment, comment.created_at, comment.original_commit_id),
        path=comment.path,
        head=pull.head.sha if pull else "",
        first=comment.original_start_line,
        last=comment.original_line,
        is_removed=comment.side == "LEFT",
        hunk=comment.diff_hunk,
        replies=tuple(one.body for one in replies if (one.user or User()).name != author),
        told=told,
    )


def _github_review(
    facts: PullFacts, review: Review | Comment, created: datetime, commit: str
) -> _Thread:
    pull = facts.pulls.get(review.pull_request_url)
    author = (review.user or User()).name
    return _Thread(
        f"review-{review.id}" if isinstance(review, Review) else str(review.id),
        _pull_name(review.html_url or review.pull_request_url),
        review.html_url,
        author,
        pull is not None and pull.user is not None and pull.user.name == author,
        _utc(created),
        review.body or "",
        "",
        commit,
        "",
    )


def _gitlab_thread(facts: PullFacts, notes: Sequence[Note], *, is_outdated: bool) -> _Thread:
    note, *replies = notes
    position = note.position
    if position is None:
        raise PullRequestError("a discussion without a position does not refer to lines")
    request = facts.merge_requests.get((note.project_id or 0, note.noteable_iid or 0))
    if request is None and len(facts.merge_requests) == 1:
        (request,) = facts.merge_requests.values()  # older versions do not name it
    author = (note.author or User()).name
    told = {"outcome_outdated": float(is_outdated)}
    if note.resolvable and note.resolved is not None:
        told["outcome_resolved"] = float(note.resolved)
    awards = facts.awards.get(str(note.id))
    if awards:
        told["outcome_thumbs_up"] = float(awards.count("thumbsup"))
        told["outcome_thumbs_down"] = float(awards.count("thumbsdown"))
    if note.suggestions:
        told["outcome_suggestion_applied"] = float(any(one.applied for one in note.suggestions))
    is_removed = not position.new_line
    start = position.line_range.start if position.line_range else None
    name = _merge_request_name(request, note)
    return _Thread(
        str(note.id),
        name,
        f"{request.web_url}#note_{note.id}" if request else "",
        author,
        request is not None and request.author.name == author,
        _utc(note.created_at),
        note.body,
        (position.new_path or position.old_path) or "",
        position.head_sha,
        (request.diff_refs.head_sha if request and request.diff_refs else "") or "",
        (start.old_line if is_removed else start.new_line) if start else None,
        position.old_line if is_removed else position.new_line,
        is_removed,
        "",
        tuple(one.body for one in replies if (one.author or User()).name != author),
        told,
    )


def _utc(time: datetime) -> datetime:
    """Return a time in UTC; one that overflows becomes the earliest."""
    try:
        return time.astimezone(UTC) if time.tzinfo else time.replace(tzinfo=UTC)
    except OverflowError:
        return datetime.min.replace(tzinfo=UTC)


def _pull_name(address: str) -> str:
    """Return `OWNER/REPO#N` for the address of a pull request."""
    page = _PAGE.search(
        address[:_LONGEST_ADDRESS].replace("/repos/", "/").replace("/pulls/", "/pull/")
    )
    return f"{page[1]}#{page[2]}" if page else "unknown"


def _merge_request_name(request: MergeRequest | None, note: Note) -> str:
    page = _PAGE.search(request.web_url[:_LONGEST_ADDRESS]) if request else None
    return f"{page[1]}!{page[2]}" if page else f"project {note.project_id}!{note.noteable_iid}"


def corpus_text(rows: Sequence[Mapping[str, object]]) -> str:
    """Format rows as JSON Lines."""
    return "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows)


def corpus_ending(path: Path) -> str:
    """Return the file name extension of a corpus, in lower case.

    Raises:
        PullRequestError: `write_corpus` does not support it.
    """
    ending = path.suffix.lower()
    if ending not in {".jsonl", ".ndjson", ".csv", ".parquet"}:
        raise PullRequestError(f"{str(path)!r}: the name must end in .jsonl, .csv or .parquet")
    return ending


def write_corpus(rows: Sequence[Mapping[str, object]], path: Path) -> None:
    """Write rows atomically as JSON Lines, CSV or Parquet, by file name extension.

    Raises:
        PullRequestError: the extension is not supported, or the file cannot be written.
    """
    ending = corpus_ending(path)
    try:
        columns = [name for name in COLUMNS if not rows or name in rows[0]]
        with tempfile.TemporaryDirectory(dir=path.absolute().parent, prefix=".pulls-") as work:
            staged = Path(work) / path.name
            if ending == ".parquet":
                import pyarrow as pa
                import pyarrow.parquet as pq

                kinds = {"line": pa.int64(), **dict.fromkeys(OUTCOMES, pa.float64())}
                schema = pa.schema([(name, kinds.get(name, pa.string())) for name in columns])
                pq.write_table(pa.Table.from_pylist([dict(row) for row in rows], schema), staged)
            elif ending == ".csv":
                cells = [[row[name] for name in columns] for row in rows]
                staged.write_text(csv_text([columns, *cells]), encoding="utf-8", newline="")
            else:
                staged.write_text(corpus_text(rows), encoding="utf-8", newline="")
            os.replace(staged, path)  # noqa: PTH105 - atomic
    except OSError as error:
        raise PullRequestError(f"{str(path)!r} cannot be written: {error.strerror}") from error
