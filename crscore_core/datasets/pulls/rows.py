"""Pull-request threads as corpus rows: the comment, its change and its outcome."""

import json
import os
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path

from crscore_core.change import parse_change
from crscore_core.change.model import ChangedLine, LineKind
from crscore_core.corpus.reading import read_table_file
from crscore_core.datasets.pulls.threads import Files, PullRequest, Thread, file_diff
from crscore_core.errors import DiffError, PullRequestError
from crscore_core.text import whole_text

Row = dict[str, object]
"""A row of the corpus: texts, the line, and those outcomes that are known for some row."""

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

_TEXTS = (
    "id", "system", "review", "diff", "change", "extent", "url", "pull", "path", "commit", "created"
)  # fmt: skip

_WHOLE, _FILE, _HUNK = "pull request", "file", "hunk"
_LONGEST_DIFF, _LONGEST_PATH, _BEGINNING = 2_000_000, 100, 300
_HUNK_HEADER = re.compile(r"@@ -([0-9]+)(?:,[0-9]+)? \+([0-9]+)(?:,[0-9]+)? @@", re.ASCII)
_FENCE = re.compile(r"[ ]{0,3}(`{3,}|~{3,})[ \t]*(\S*)")
_FIXED = re.compile(
    r"\W*(?:@[\w-]+\W+)?(?:(?:thanks|thank|you|good|nice|catch|point|yes|yep|ok|okay|sure|oh|ah|"
    r"agreed|this|is|was|has|been|should|be|now|i|we|have|ve|all|both|it|that|and)\W+){0,8}"
    r"(?:fixed|done|addressed|resolved|applied|corrected|changed|updated)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class PullRows:
    """Corpus rows, `remarks` on what was left out and why, and how many comments it was."""

    rows: tuple[Row, ...]
    remarks: tuple[str, ...]
    left_out: int


def rows_of_pulls(
    pulls: Sequence[PullRequest],
    *,
    authors: Collection[str] = (),
    since: datetime | None = None,
) -> PullRows:
    """Create a row for each thread: its first comment, the reviewed change, and the outcomes.

    `authors` are the logins whose comments count; if empty, all count except those by the author
    of the pull request, which are not reviews. `since` excludes earlier comments.
    """
    rows: list[Row] = []
    own = without_change = empty = 0
    for pull, thread in ((of, thread) for of in pulls for thread in of.threads):
        created = _utc(thread.created)
        if not _is_wanted(thread.system, created, authors, since):
            continue
        review, suggestions = review_text(thread.text)
        if thread.system == pull.author and not authors:
            own += 1
        elif not review.strip():
            empty += 1
        elif (change := _change_of(thread, pull.changes.get(thread.commit, {}))) is None:
            without_change += 1
        else:
            extent, diff = change
            texts = {
                "id": f"{pull.name}/{created:%Y-%m-%d}/{thread.id}",
                "system": thread.system,
                "review": review,
                "diff": diff,
                "change": " ".join(
                    [pull.name, *thread.path[-_LONGEST_PATH:].split(), thread.commit[:7]]
                ),
                "extent": extent,
                "url": thread.url,
                "pull": pull.name,
                "path": thread.path,
                "commit": thread.commit,
                "created": created.isoformat(timespec="seconds"),
            }
            rows.append(
                {name: whole_text(text) for name, text in texts.items()}
                | {"line": thread.last, **dict.fromkeys(OUTCOMES)}
                | ({} if extent == _WHOLE else _outcomes(pull, thread, change, suggestions))
            )
    remarks = [
        f"{what}: {number:,}"
        for number, what in (
            (own, "threads left out because the pull request's author started them"),
            (empty, "comments left out because they have no text"),
            (without_change, "comments left out because the host does not show their change"),
        )
        if number
    ]
    known = _with_known_outcomes(rows)
    return PullRows(known, (*remarks, *_remarks(known)), without_change)


def read_rows(
    paths: Sequence[Path], *, authors: Collection[str] = (), since: datetime | None = None
) -> PullRows:
    """Read rows that `corpus_text` formatted; a comment of several files is that of the last.

    `authors` and `since` choose as in `rows_of_pulls`.

    Raises:
        CorpusError: a file cannot be read, or all are empty.
        PullRequestError: a row is something else, or damaged.
    """
    rows: dict[object, Row] = {}
    for path in [path for path in paths if not _is_empty(path)] or paths:
        table = read_table_file(path)
        if table.rejected:
            first = table.rejected[0]
            raise PullRequestError(f"{str(path)!r}, row {first.number}: {first.reason}")
        for row in table.rows:
            try:
                made, created = _row_of(row.cells)
            except (KeyError, ValueError) as error:
                raise PullRequestError(
                    f"{str(path)!r}, row {row.number}: not a row that `crscore pr` wrote"
                ) from error
            if _is_wanted(str(made["system"]), created, authors, since):
                rows[made["id"]] = made
    known = _with_known_outcomes(rows.values())
    return PullRows(known, _remarks(known), 0)


def _is_empty(path: Path) -> bool:
    return os.path.isfile(path) and not path.stat().st_size


def _row_of(cells: Mapping[str, object]) -> tuple[Row, datetime]:
    """Return a row that was written, and when its comment was.

    Raises:
        KeyError, ValueError: it is another row, or damaged.
    """
    texts: Row = {name: cells[name] for name in _TEXTS}
    numbers: Row = {name: cells.get(name) for name in ("line", *OUTCOMES)}
    are_texts = all(isinstance(text, str) for text in texts.values())
    if not are_texts or not all(isinstance(one, int | float | None) for one in numbers.values()):
        raise ValueError
    return texts | numbers, _utc(datetime.fromisoformat(str(texts["created"])))


def _remarks(rows: Sequence[Row]) -> tuple[str, ...]:
    """Say what the rows, with known outcomes only, lack."""
    remarks = []
    if hunks := sum(row["extent"] == _HUNK for row in rows):
        remarks.append(
            f"comments with only their hunk because the host does not show the diff: {hunks:,}"
        )
    if rows and "outcome_resolved" not in rows[0]:
        remarks.append(
            "no thread says whether it was resolved; GitHub reports that only with a token"
        )
    return tuple(remarks)


def _is_wanted(
    system: str, created: datetime, authors: Collection[str], since: datetime | None
) -> bool:
    is_by_author = not authors or system.lower() in {name.lower() for name in authors}
    return is_by_author and (since is None or created >= since)


def _with_known_outcomes(rows: Collection[Row]) -> tuple[Row, ...]:
    """Sort the rows, and leave out outcomes that are unknown for every row."""
    unknown = {name for name in OUTCOMES if all(row[name] is None for row in rows)}
    known = ({name: row[name] for name in row if name not in unknown} for row in rows)
    return tuple(
        sorted(known, key=lambda row: (str(row["pull"]), str(row["created"]), str(row["id"])))
    )


def _utc(time: datetime) -> datetime:
    """Return a time in UTC; one that overflows becomes the earliest."""
    try:
        return time.astimezone(UTC) if time.tzinfo else time.replace(tzinfo=UTC)
    except OverflowError:
        return datetime.min.replace(tzinfo=UTC)


def _outcomes(
    pull: PullRequest, thread: Thread, change: tuple[str, str], suggestions: Sequence[str]
) -> dict[str, float]:
    """Return what became of the comment; the host's report counts more than what is derived."""
    is_fixed = any(_FIXED.match(reply[:_BEGINNING]) for reply in thread.replies)
    derived = _later(pull, thread, change, suggestions)
    return {**derived, "outcome_replied_fixed": float(is_fixed), **thread.outcomes}


def _later(
    pull: PullRequest, thread: Thread, change: tuple[str, str], suggestions: Sequence[str]
) -> dict[str, float]:
    """Derive from the newest change what became of commented lines and suggestions."""
    extent, diff = change
    if (newest := pull.changes.get(pull.head)) is None:
        return {}
    path = _newest_name(thread, pull.changes.get(thread.commit, {}), newest)
    if path is None or (path in newest and not newest[path].diff):
        return {}  # a file without a diff from the host may still have changed
    before = _lines(diff)
    after = before
    if pull.head != thread.commit:
        after = _lines(newest[path].diff) if path in newest else ()
    outcomes: dict[str, float] = {}
    if about := [] if thread.is_removed else _commented(thread, before):
        is_there = bool(_runs(after, [line.text.rstrip() for line in about]))
        if is_there or any(line.kind is LineKind.ADDED for line in about):
            outcomes["outcome_lines_changed"] = float(not is_there)
    if suggestions:
        gone = {line.text.rstrip() for line in before if line.kind is LineKind.REMOVED}
        is_applied = any(
            _times_made(after, code, gone) > _times_made(before, code, gone) for code in suggestions
        )
        # With only a hunk, the code may already have been elsewhere in the file.
        if not is_applied or extent == _FILE:
            outcomes["outcome_suggestion_applied"] = float(is_applied)
    return outcomes


def _newest_name(thread: Thread, reviewed: Files, newest: Files) -> str | None:
    """Return the name of the commented file in the newest change; None if unknown.

    A file renamed by the change is identified by its old name; a new file that has disappeared may
    be any of the new files that did not exist yet.
    """
    known = reviewed.get(thread.path) or newest.get(thread.path)
    guess = "" if thread.hunk.startswith("@@ -0,0 ") else thread.path
    if old := known.old_name if known else guess:
        return next((name for name, file in newest.items() if file.old_name == old), thread.path)
    is_open = any(not file.old_name and name not in reviewed for name, file in newest.items())
    return None if thread.path not in newest and is_open else thread.path


def _commented(thread: Thread, lines: Sequence[ChangedLine]) -> list[ChangedLine]:
    first = thread.first if thread.first is not None else thread.last
    if first is None or thread.last is None:
        return []
    return [line for line in lines if line.new in range(first, thread.last + 1)]


def _times_made(lines: Sequence[ChangedLine], code: str, gone: Collection[str]) -> int:
    """Count the places with `code` that the change added, or restored if `gone`."""
    return sum(
        any(line.kind is LineKind.ADDED or line.text.rstrip() in gone for line in run)
        for run in _runs(lines, [line.rstrip() for line in code.split("\n")])
    )


def _runs(lines: Sequence[ChangedLine], texts: Sequence[str]) -> list[list[ChangedLine]]:
    """Return the places of the new file with these texts, ignoring trailing spaces."""
    new = [line for line in lines if line.kind is not LineKind.REMOVED]
    all_texts, size = [line.text.rstrip() for line in new], len(texts)
    starts = range(len(new) - size + 1)
    return [
        new[start : start + size] for start in starts if all_texts[start : start + size] == texts
    ]


def _change_of(thread: Thread, files: Files) -> tuple[str, str] | None:
    """Return the extent and the diff of the change that a thread is about, if available."""
    if not thread.path:
        diff = "".join(file.diff for file in files.values())
        return (_WHOLE, diff) if diff and len(diff) <= _LONGEST_DIFF else None
    diff = files[thread.path].diff if thread.path in files else ""
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


def corpus_text(rows: Sequence[Mapping[str, object]]) -> str:
    """Format rows as JSON Lines."""
    return "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows)
