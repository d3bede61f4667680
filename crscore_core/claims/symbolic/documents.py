"""Files that are no code -> facts: prose, lock files, and what tools generate."""

import re
from collections.abc import Iterator, Sequence

from crscore_core.change import FileChange, Hunk, LineKind
from crscore_core.claims.symbolic.fact import Fact
from crscore_core.claims.symbolic.lexis import common_ends
from crscore_core.claims.symbolic.wording import listed, quoted, said

_PROSE = frozenset({"markdown", "restructuredtext", "text"})
_PROSE_NAME = re.compile(
    r"(?:readme|licen[sc]e|copying|notice|authors|contributing|changelog|changes|history|news|"
    r"install|todo)(?:\.(?:adoc|asciidoc|org|textile))?$|.*\.(?:adoc|asciidoc|textile|mdx)$",
    re.IGNORECASE,
)
_LIST_NAME = re.compile(
    r"(?:.*requirements.*|.*constraints.*|CMakeLists|robots)\.txt$", re.IGNORECASE
)
_LOCK_NAME = re.compile(
    r"(?:.*\.lock|.*-lock\.(?:json|yaml)|npm-shrinkwrap\.json|go\.sum|packages\.lock\.json)$"
)
_GENERATED_NAME = re.compile(
    r"(?:\.min\.(?:js|css)|\.pb\.go|_pb2(?:_grpc)?\.py|\.snap|\.map|\.designer\.cs|\.g\.dart)$",
    re.IGNORECASE,
)
_GENERATED_NOTE = re.compile(
    r"(?:code generated|auto-?generated|@generated|do not edit)", re.IGNORECASE
)


def is_prose(file: FileChange) -> bool:
    """Return True if a person reads the file as text: documentation, a licence, notes."""
    name = (file.path or "").rsplit("/", 1)[-1]
    if _LIST_NAME.match(name):
        return False
    return file.language in _PROSE or (file.language is None and bool(_PROSE_NAME.match(name)))


def is_generated(file: FileChange) -> bool:
    """Return True if a tool writes the file: a lock file, a bundle, a snapshot, generated code."""
    name = (file.path or "").rsplit("/", 1)[-1]
    if _LOCK_NAME.match(name) or _GENERATED_NAME.search(name):
        return True
    head = [line.text for hunk in file.hunks[:1] if hunk.new_start <= 1 for line in hunk.lines[:5]]
    return any(_GENERATED_NOTE.search(text) for text in head)


def facts_of_generated(file: FileChange) -> list[Fact]:
    """Tell how much of a generated file changes, in one fact."""
    name = (file.path or "").rsplit("/", 1)[-1]
    noun = "lock file" if _LOCK_NAME.match(name) else "generated file"
    added, removed = len(file.added), len(file.removed)
    text = f"the {noun} {quoted(file.path or 'unnamed')} changes: {counted(added, removed)}"
    wordings = ("the locked versions of dependencies change",) if noun == "lock file" else ()
    line = next((hunk.new_start for hunk in file.hunks), None)
    return [Fact(text, 45, line, wordings=wordings)]


def counted(added: int, removed: int) -> str:
    """Say how many lines are added and removed."""
    parts = [
        f"{n} line{'s' * (n != 1)} {verb}"
        for n, verb in ((added, "added"), (removed, "removed"))
        if n
    ]
    return " and ".join(parts)


_HEADING = re.compile(r"^#{1,6}\s+(.*?)\s*#*$")
_FENCE = re.compile(r"^\s*(?:```|~~~)")


def facts_of_prose(hunks: Sequence[Hunk]) -> Iterator[Fact]:
    """Yield facts about text: passages that are added, removed or reworded."""
    for hunk in hunks:
        for old, new, line in _passages(hunk):
            yield from _of_passage(old, new, line)


def _passages(hunk: Hunk) -> Iterator[tuple[list[str], list[str], int]]:
    """Yield each run of changed lines: its old lines, its new ones, and a line of the new file."""
    last = max(hunk.new_start + hunk.new_count - 1, 1)
    old: list[str] = []
    new: list[str] = []
    line = hunk.new_start
    for row in (*hunk.lines, None):
        if row is None or row.kind is LineKind.CONTEXT:
            if any(text.strip() for text in (*old, *new)):
                yield old, new, min(line, last)
            old, new, line = [], [], ((row and row.new) or line) + 1
        elif row.kind is LineKind.REMOVED:
            old.append(row.text)
        else:
            line = line if new else (row.new or line)
            new.append(row.text)


def _of_passage(old: list[str], new: list[str], line: int) -> Iterator[Fact]:
    before, after = _words(old), _words(new)
    words = " ".join(after or before)
    wording = f"the documentation about {words[:200]}"
    headings = [m[1] for text in new if (m := _HEADING.match(text)) and text not in old]
    weight = 48
    if before == after:
        text, weight = f"only the line breaks or blanks of {said(words, 80)} change", 20
    elif headings and not before:
        shown = listed([said(heading, 60) for heading in headings])
        is_one = len(headings) == 1
        text = f"{'a section' if is_one else 'sections'} {shown} {'is' if is_one else 'are'} added"
        text, weight = f"{text} to the documentation", 52
    elif not before or not after:
        way = "added to" if after else "removed from"
        noun = "code in the text" if any(map(_FENCE.match, (*old, *new))) else "a passage"
        text = f"{noun} is {way} the documentation: {said(words)}"
        weight = weight if len(re.findall(r"[^\W\d_]{3,}", words)) > 2 else 18
    else:
        text = _reworded(before, after)
    yield Fact(text, weight, line, wordings=(wording,))


def _words(lines: Sequence[str]) -> list[str]:
    return [word for line in lines for word in line.split()]


_FEW = 4
"""Words that change, below which those around them are told too."""


def _reworded(before: list[str], after: list[str]) -> str:
    """Tell the words between those that both passages share at their ends."""
    start, end = common_ends(before, after)
    replaces = min(len(before), len(after)) > start + end
    if replaces and len(before) + len(after) - 2 * (start + end) < _FEW:
        start, end = max(start - 3, 0), max(end - 3, 0)
    was, now = (" ".join(words[start : len(words) - end]) for words in (before, after))
    context = f" before {said(' '.join(after[len(after) - end :][:4]))}" if end else ""
    if was and now:
        return f"the text now says {said(now)} instead of {said(was)}"
    if now:
        return f"{said(now)} is added to the text{context}"
    return f"{said(was)} is removed from the text{context}"
