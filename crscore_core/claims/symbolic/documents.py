"""Facts about files that are not code: prose, lock files and generated files."""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from crscore_core.change import FileChange, Hunk, LineKind
from crscore_core.claims.symbolic.fact import Fact
from crscore_core.claims.symbolic.wording import listed, quoted, reworded, said

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
    """Return True if the file is prose: documentation, a licence, notes."""
    name = (file.path or "").rsplit("/", 1)[-1]
    if _LIST_NAME.match(name):
        return False
    return file.language in _PROSE or (file.language is None and bool(_PROSE_NAME.match(name)))


def is_generated(file: FileChange) -> bool:
    """Return True if a tool generates the file: a lock file, bundle, snapshot, generated code."""
    name = (file.path or "").rsplit("/", 1)[-1]
    if _LOCK_NAME.match(name) or _GENERATED_NAME.search(name):
        return True
    head = [line.text for hunk in file.hunks[:1] if hunk.new_start <= 1 for line in hunk.lines[:5]]
    return any(_GENERATED_NOTE.search(text) for text in head)


def facts_of_generated(file: FileChange) -> list[Fact]:
    """Return one fact about how much of a generated file changes."""
    name = (file.path or "").rsplit("/", 1)[-1]
    noun = "lock file" if _LOCK_NAME.match(name) else "generated file"
    added, removed = len(file.added), len(file.removed)
    text = f"the {noun} {quoted(file.path or 'unnamed')} changes: {counted(added, removed)}"
    wordings = ("the locked versions of dependencies change",) if noun == "lock file" else ()
    line = next((hunk.new_start for hunk in file.hunks), None)
    return [Fact(text, 45, line, wordings=wordings)]


def counted(added: int, removed: int) -> str:
    """Format the numbers of added and removed lines."""
    counts = ((added, "added"), (removed, "removed"))
    return " and ".join(f"{n} line{'s' * (n != 1)} {verb}" for n, verb in counts if n)


_HEADING = re.compile(r"^#{1,6}\s+(.*?)\s*#*$")


def facts_of_prose(hunks: Sequence[Hunk]) -> Iterator[Fact]:
    """Yield facts about added, removed and reworded passages."""
    for hunk in hunks:
        last = max(hunk.new_start + hunk.new_count - 1, 1)
        line = hunk.new_start
        for is_context, rows in groupby(hunk.lines, lambda row: row.kind is LineKind.CONTEXT):
            run = list(rows)
            line = next((row.new for row in run if row.new), line)
            old = [row.text for row in run if row.kind is LineKind.REMOVED]
            new = [row.text for row in run if row.kind is LineKind.ADDED]
            if not is_context and any(text.strip() for text in (*old, *new)):
                yield _of_passage(old, new, min(line, last))
            line += is_context * len(run)


def _of_passage(old: list[str], new: list[str], line: int) -> Fact:
    before, after = " ".join(old).split(), " ".join(new).split()
    words = " ".join(after or before)
    headings = [m[1] for text in new if (m := _HEADING.match(text)) and text not in old]
    weight = 54
    if before == after:
        text, weight = f"only the line breaks or blanks of {said(words, 80)} change", 20
    elif headings and not before:
        shown = listed([said(heading, 60) for heading in headings])
        noun = "section" if len(headings) == 1 else "sections"
        text = f"the {noun} {shown} {'is' if noun == 'section' else 'are'} added"
        text, weight = f"{text} to the documentation", 54
    elif not before or not after:
        way = "added to" if after else "removed from"
        text = f"a passage is {way} the text: {said(words)}"
        weight = weight if len(re.findall(r"[^\W\d_]{3,}", words)) > 2 else 18
    else:
        text, _ = reworded(before, after, "the text")
    return Fact(text, weight, line, wordings=(f"the documentation about {words[:200]}",))
