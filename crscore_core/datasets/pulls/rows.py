"""Pull-request threads as corpus rows: the comment, its change and its outcome."""

import json
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from pathlib import Path

from crscore_core.change import parse_change
from crscore_core.change.model import ChangedLine, LineKind
from crscore_core.corpus.reading import read_table
from crscore_core.datasets.pulls.hosts import PullRequest, Thread, file_diff
from crscore_core.errors import InputError
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

_FILE, _HUNK = "file", "hunk"
_LONGEST_DIFF, _LONGEST_PATH, _BEGINNING = 2_000_000, 100, 300
_HUNK_HEADER = re.compile(r"@@ -([0-9]+)(?:,[0-9]+)? \+([0-9]+)(?:,[0-9]+)? @@", re.ASCII)
_BLOCK = re.compile(
    r"^ {0,3}(?P<fence>`{3,}|~{3,})[ \t]*(?P<kind>\S*)[^\n]*\n"
    r"(?P<code>.*?)(?:^ {0,3}(?P=fence)[`~]*[ \t]*$(?P<end>\n?)|\Z)"
    r"|^[ \t]*>[^\n]*\n?",
    re.MULTILINE | re.DOTALL,
)
"""A fenced block of Markdown, open if `end` is None, or a quoted line."""

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
    pulls: Sequence[PullRequest], *, authors: Collection[str] = (), since: datetime | None = None
) -> PullRows:
    """Create a row for each thread: its first comment, the reviewed change, and the outcomes.

    `authors` are the logins whose comments count; if empty, all count except those by the author
    of the pull request, which are not reviews. `since` excludes earlier comments.
    """
    rows: list[Row] = []
    own = without_change = empty = 0
    for pull, thread in ((of, thread) for of in pulls for thread in of.threads):
        if not _is_wanted(thread.system, thread.created, authors, since):
            continue
        review, suggestions = review_text(thread.text)
        extent, diff = _change_of(thread, pull.changes.get(thread.commit, {}))
        if thread.system == pull.author and not authors:
            own += 1
        elif not review:
            empty += 1
        elif not diff:
            without_change += 1
        else:
            place = [pull.name, *thread.path[-_LONGEST_PATH:].split(), thread.commit[:7]]
            texts = (
                f"{pull.name}/{thread.created:%Y-%m-%d}/{thread.id}", thread.system, review, diff,
                " ".join(place), extent, thread.url, pull.name, thread.path, thread.commit,
                thread.created.isoformat(timespec="seconds"),
            )  # fmt: skip
            rows.append(
                {
                    **dict(zip(_TEXTS, map(whole_text, texts), strict=True)),
                    "line": thread.last,
                    **dict.fromkeys(OUTCOMES),
                    **_derived(pull, thread, extent, diff, suggestions),
                    **thread.outcomes,  # the host's report counts more than what is derived
                }
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
    return _made(rows, remarks, without_change)


def read_rows(
    paths: Sequence[Path], *, authors: Collection[str] = (), since: datetime | None = None
) -> PullRows:
    """Read rows that `corpus_text` formatted; a comment of several files is that of the last.

    `authors` and `since` choose as in `rows_of_pulls`.

    Raises:
        InputError: a file cannot be read, or is empty.
        InputError: a row is something else, or damaged.
    """
    rows: dict[object, Row] = {}
    for path in paths:
        table = read_table(path)
        if table.rejected:
            first = table.rejected[0]
            raise InputError(f"{str(path)!r}, row {first.number}: {first.reason}")
        for cells in table.rows:
            try:
                row = _checked(cells.cells)
                created = datetime.fromisoformat(str(row["created"]))
                is_wanted = _is_wanted(str(row["system"]), created, authors, since)
            except (KeyError, TypeError, ValueError) as error:
                raise InputError(
                    f"{str(path)!r}, row {cells.number}: not a row that `crscore pr` wrote"
                ) from error
            if is_wanted:
                rows[row["id"]] = row
    return _made(rows.values(), (), 0)


def corpus_text(rows: Iterable[Row]) -> str:
    """Format rows as JSON Lines."""
    return "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows)


def _checked(cells: Mapping[str, object]) -> Row:
    """Return a row that was written.

    Raises:
        KeyError, ValueError: it is another row, or damaged.
    """
    texts: Row = {name: cells[name] for name in _TEXTS}
    numbers: Row = {name: cells.get(name) for name in ("line", *OUTCOMES)}
    are_texts = all(isinstance(text, str) for text in texts.values())
    if not are_texts or not all(isinstance(one, int | float | None) for one in numbers.values()):
        raise ValueError
    return texts | numbers


def _is_wanted(
    system: str, created: datetime, authors: Collection[str], since: datetime | None
) -> bool:
    is_by_author = not authors or system.lower() in {name.lower() for name in authors}
    return is_by_author and (since is None or created >= since)


def _made(rows: Collection[Row], remarks: Iterable[str], left_out: int) -> PullRows:
    """Sort rows, leave out outcomes that are unknown for every row, and say what the rows lack."""
    unknown = {name for name in OUTCOMES if all(row[name] is None for row in rows)}
    known = [{name: row[name] for name in row if name not in unknown} for row in rows]
    known.sort(key=lambda row: (str(row["pull"]), str(row["created"]), str(row["id"])))
    remarks = [*remarks]
    if hunks := sum(row["extent"] == _HUNK for row in rows):
        remarks.append(
            f"comments with only their hunk because the host does not show the diff: {hunks:,}"
        )
    if rows and "outcome_resolved" in unknown:
        remarks.append(
            "no thread says whether it was resolved; GitHub reports that only with a token"
        )
    return PullRows(tuple(known), tuple(remarks), left_out)


def _derived(
    pull: PullRequest, thread: Thread, extent: str, diff: str, suggestions: Sequence[str]
) -> dict[str, float]:
    """Derive outcomes from replies and from the newest change of the same file.

    Nothing is known of a file that has another name there, or is no longer changed.
    """
    is_fixed = any(_FIXED.match(reply[:_BEGINNING]) for reply in thread.replies)
    outcomes = {"outcome_replied_fixed": float(is_fixed)}
    newest = pull.changes.get(pull.head, {}).get(thread.path)
    if not newest:
        return outcomes
    before, after = _new_text(diff), _new_text(newest)
    first = thread.last if thread.first is None else thread.first
    if first is not None and thread.last is not None and not thread.is_removed:
        about = [line for line in _lines(diff) if line.new in range(first, thread.last + 1)]
        is_there = _whole_lines(line.text for line in about) in after
        if about and (is_there or any(line.kind is LineKind.ADDED for line in about)):
            outcomes["outcome_lines_changed"] = float(not is_there)
    if suggestions and extent == _FILE:  # a hunk does not show what was there before
        codes = [_whole_lines(code.split("\n")) for code in suggestions]
        is_applied = any(after.count(code) > before.count(code) for code in codes)
        outcomes["outcome_suggestion_applied"] = float(is_applied)
    return outcomes


def _new_text(diff: str) -> str:
    """Return the lines of the new file that a diff shows."""
    new = (line.text for line in _lines(diff) if line.kind is not LineKind.REMOVED)
    return _whole_lines(new)


def _whole_lines(texts: Iterable[str]) -> str:
    """Join lines so that only whole lines are found in others, without trailing spaces."""
    return "".join(f"\n{text.rstrip()}\r" for text in texts)


def _change_of(thread: Thread, diffs: Mapping[str, str]) -> tuple[str, str]:
    """Return the extent and the diff of the change that a thread is about; no diff if unknown."""
    diff = diffs.get(thread.path, "")
    if len(diff) <= _LONGEST_DIFF and _lines(diff):
        return _FILE, diff
    diff = hunk_diff(thread.path, thread.hunk)
    return _HUNK, diff if _lines(diff) else ""


@lru_cache(maxsize=256)
def _lines(diff: str) -> tuple[ChangedLine, ...]:
    """Return the lines in a diff of one file; empty if it cannot be read."""
    try:
        files = parse_change(diff).files if diff else ()
    except InputError:
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
    removed, added = (sum(mark not in out for mark in marks) for out in (("+", "\\"), ("-", "\\")))
    section = head[header.end() :]
    whole = f"@@ -{header[1]},{removed} +{header[2]},{added} @@{section}\n{body}"
    return file_diff("" if header[1] == "0" and not removed else path, path, whole)


def review_text(comment: str) -> tuple[str, tuple[str, ...]]:
    """Return the text of a comment, and the code that it suggests.

    Drop suggested code and quoted lines, since each line would count as a sentence by the
    reviewer; a comment of nothing else is unchanged.
    """
    suggestions: list[str] = []

    def cut(block: re.Match[str]) -> str:
        if block["fence"] is None:
            return ""
        if block["end"] is None or not block["kind"].startswith("suggestion"):
            return block[0]
        suggestions.append(block["code"].removesuffix("\n"))
        return ""

    text = _BLOCK.sub(cut, comment.replace("\r\n", "\n")).strip()
    return text or comment.strip(), tuple(filter(str.strip, suggestions))
