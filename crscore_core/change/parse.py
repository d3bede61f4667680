"""Parse diff text into a `CodeChange`; text around the diff is skipped.

A hunk ends where its header says: a removed SQL comment that reads `--- x` stays a removed line.
"""

import re
from bisect import bisect
from dataclasses import replace
from functools import cached_property
from pathlib import Path

from crscore_core.change.cursor import Cursor
from crscore_core.change.headers import read_header
from crscore_core.change.language import is_known_language, language_from_name, normalise_language
from crscore_core.change.model import (
    ChangedLine,
    CodeChange,
    FileChange,
    FileStatus,
    Hunk,
    LineKind,
)
from crscore_core.errors import InputError, quoted

# Modes of symbolic links and submodules, whose content is a path or a commit.
_NO_CODE = {"120000", "160000"}
_NAMELESS = FileChange(None, None, FileStatus.MODIFIED, (), None)
# The start of a line that opens or closes a Markdown fence.
_FENCE = re.compile(r" {0,3}(?:`{3}|~{3})")
_HUNK = re.compile(
    r"@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@(.*)", re.DOTALL | re.ASCII
)
_MARKED_WORDS = re.compile(r"\[-.*?-\]|\{\+.*?\+\}|^~$", re.MULTILINE)
_MAX_MARKED, _MAX_SEARCHED = 4_000, 200  # characters and lines that are searched for marked words
_WORD_DIFF = "this is a word diff (`git diff --word-diff`); give a line diff"
_KINDS = {kind.value: kind for kind in LineKind}
# Empty context lines from which an editor or mail program stripped the space.
_STRIPPED_LINES = {"", "\r"}
_BETWEEN_FILES = re.compile(
    r"Index: |={3}|_{5}|commit |changeset: |From |diff |# |--+\s*$|--\S{8,}--\s*$"
    r"|-{9,}(?:\S+$| .+ -{9,}\s*$)|" + _FENCE.pattern
)
_CHANGE_NOT_SHOWN = re.compile(
    r"Only in [^:]+: |(?:Binary f|F)iles .* differ\s*$|Binary file .* has changed\s*$"
    r"|Cannot display: |Property changes on: |Submodule (?P<submodule>\S+) \w+\.\."
    r"|(?:={60,})\s*$|=== \w+ \w+ '"
)
# The start of another patch's header.
_NEXT_PATCH = re.compile(r"diff --git |Index: |==== //|--- \S")
_REFUSED = [
    line.split(" | ", 2)
    for line in Path(__file__).with_name("refused.txt").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
]


def parse_change(diff: str | bytes, *, language: str | None = None) -> CodeChange:
    """Parse a unified diff from git, svn, hg or plain `diff -u`, or bare hunks without names.

    The language of a file follows from its name; `language` applies to hunks without a file name.
    Symbolic links and submodules have no language.

    Raises:
        InputError: the diff is empty, too large, not a diff, or cannot be read exactly; or
            `language` is not a valid name.
    """
    declared = normalise_language(language) if language is not None else None
    reader = _DiffReader(diff)
    files = []
    for file, hunks in reader.read():
        file_language = declared if file.path is None else language_from_name(file.path)
        is_code = not {file.old_mode, file.new_mode} & _NO_CODE
        files.append(replace(file, hunks=tuple(hunks), language=file_language if is_code else None))
    is_used = declared in {file.language for file in files}
    if declared and is_used and not is_known_language(declared):
        reader.warnings.append(f"the given language is unknown: {declared!r}")
    return CodeChange(tuple(files), tuple(reader.warnings))


class _DiffReader(Cursor):
    def __init__(self, diff: str | bytes) -> None:
        super().__init__(diff)
        self._files: list[tuple[FileChange, list[Hunk]]] = []
        self._is_after_diff = True  # only blank lines separate this line from a header or hunk
        self._file_end: int | None = None  # of the last file; None if another file must follow

    def read(self) -> list[tuple[FileChange, list[Hunk]]]:
        """Return the files with their hunks."""
        while not self.at_end:
            if self.line.startswith("@@") and not self.line.startswith("@@@"):
                is_in_prose = self._file_end is None and not self._is_after_diff
                if is_in_prose and self._prose_end:  # it is quoted above a patch
                    self._skip_prose()
                    continue
                self._add_hunk()
            elif file := read_header(self):
                self._files.append((file, []))
            else:
                self._skip_line()
                continue
            self._is_after_diff = True
            self._file_end = self.index
        if not any(hunks for _, hunks in self._files):
            places = ("hunk",) if self._files else ("hunk", "files")
            self._refuse("\n".join(self.lines), 0, *places)
        return self._files

    def _refuse(self, text: str, index: int, *places: str) -> None:
        """Raise the error for the first pattern of these places that `text` contains."""
        for place, pattern, problem in _REFUSED:
            if place in places and (match := re.search(pattern, text, re.MULTILINE)):
                raise self.error(problem.format(**match.groupdict()), index)

    def _add_hunk(self) -> None:
        """Add a hunk to the last file, or to a new one if the diff does not name its file."""
        start = self.index
        hunk = _read_hunk(self)
        if self._file_end is None or (self._files[-1][0].path is None and start != self._file_end):
            if start and self.lines[start - 1][:1] in {" ", "+", "-"}:
                self.warn("text above the first header was not read", start - 1)
            self._files.append((_NAMELESS, []))
        file, hunks = self._files[-1]
        if file.status is FileStatus.ADDED and hunk.old_count:
            raise self.error("the file is new, but this hunk has old lines", start)
        if file.status is FileStatus.DELETED and hunk.new_count:
            raise self.error("the file is deleted, but this hunk has new lines", start)
        if not hunks or _follows(hunks[-1], hunk):
            hunks.append(hunk)
        elif file.path is None:
            self._files.append((_NAMELESS, [hunk]))
        else:
            raise self.error("the hunk overlaps or precedes the one before it in the file", start)

    @cached_property
    def _patches(self) -> list[int]:
        """The indices of the lines that start a patch header."""
        return [i for i, line in enumerate(self.lines) if _NEXT_PATCH.match(line)]

    @property
    def _prose_end(self) -> int:
        """The index of the next patch header if a blank line precedes it, else 0."""
        position = bisect(self._patches, self.index)
        end = self._patches[position] if position < len(self._patches) else 0
        return end if end and not self.lines[end - 1].strip() else 0

    def _skip_prose(self) -> None:
        first, last = self.index + 1, self._prose_end
        self.warnings.append(f"text above a patch was not read: lines {first} to {last}")
        self.index = last
        self._file_end = None

    def _skip_line(self) -> None:
        """Skip a line outside the diff, with a warning about prose right after it."""
        line = self.line
        is_after_diff = self._is_after_diff and self._files
        self._is_after_diff &= not line.strip()
        self._refuse(line, self.index, "line")
        hides_change, after = _CHANGE_NOT_SHOWN.match(line[:1000]), self.peek(1)
        is_shown = after.strip() and not after.startswith(("Index: ", "=== "))
        if hides_change and line.startswith("===") and is_shown:
            hides_change = None
        if hides_change and not after.startswith(f"diff --git a/{hides_change[1]}/"):
            self.warn("a change that is not shown as lines was not read")
        if hides_change or _BETWEEN_FILES.match(line):
            self._file_end = None
        elif line.strip() and is_after_diff:
            rest = self.lines[self.index : self._prose_end]
            if line[0] in " +-" and rest and not any(row.startswith("@@ ") for row in rest):
                self._skip_prose()
                return
            if line[0] in " +-" or line == "~":
                problem = "this looks like a hunk line, but the headers above declare no more lines"
                raise _misfit(self, self.index, problem)
            self.warn("text outside any hunk was not read")
        self.index += 1


def _read_hunk(cursor: Cursor) -> Hunk:
    """Read the hunk that starts at the current line.

    If the text or its Markdown fence ends first, as in GitHub review comments, its ranges are
    computed from its lines, and a warning is added.
    """
    start, header = cursor.index, _HUNK.fullmatch(cursor.line)
    if not header:
        problem = f"malformed hunk header {quoted(cursor.line)}"
        raise cursor.error(f"{problem}; it should look like `@@ -12,5 +12,7 @@`")
    old, n_old, new, n_new = (int(number or 1) for number in header.groups()[:4])
    if n_old == n_new == 0:
        raise cursor.error("the hunk header declares no lines")
    if (old == 0 and n_old) or (new == 0 and n_new):
        raise cursor.error("lines are numbered from 1, but the hunk header starts at 0")
    cursor.index += cursor.header_step
    lines = _read_lines(cursor, range(old, old + n_old), range(new, new + n_new))
    old_missing = n_old - sum(line.old is not None for line in lines)
    new_missing = n_new - sum(line.new is not None for line in lines)
    if old_missing or new_missing:
        missing = f"(missing: {old_missing} old and {new_missing} new lines)"
        if not lines or not (cursor.at_end or _FENCE.match(cursor.line)):
            problem = f"this does not fit the header of the hunk on line {start + 1} {missing}"
            if cursor.at_end:
                problem = "the text ends inside a hunk"
            elif cursor.line[:1] not in "+- ":
                problem += f"; its lines start with `+`, `-` or a space, not {cursor.line[0]!r}"
            raise _misfit(cursor, start, problem)
        cursor.warn("a hunk is shorter than its header says", start, missing)
    old -= n_old == old_missing > 0  # the header of an empty range gives the line before it
    new -= n_new == new_missing > 0
    ranges = old, n_old - old_missing, new, n_new - new_missing
    hunk = Hunk(*ranges, header[5].strip(), tuple(lines))
    if all(line.kind is LineKind.CONTEXT for line in lines):
        if cursor.is_coloured or _MARKED_WORDS.search(hunk.new_text[:_MAX_MARKED]):
            raise cursor.error(_WORD_DIFF, start)
        cursor.warn("a hunk has no changed line", start)
    return hunk


def _read_lines(cursor: Cursor, olds: range, news: range) -> list[ChangedLine]:
    """Read the lines of a hunk until these ranges or the text end."""
    old, new = olds.start, news.start
    lines: list[ChangedLine] = []
    while not cursor.at_end:
        line = cursor.line
        if line.startswith("\\ "):
            cursor.index += 1
            continue
        if line in _STRIPPED_LINES:
            line = " " + line
        kind = _KINDS.get(line[0])
        old_number = old if kind is not LineKind.ADDED else None
        new_number = new if kind is not LineKind.REMOVED else None
        if kind is None or old_number == olds.stop or new_number == news.stop:
            break
        cursor.index += 1
        lines.append(ChangedLine(kind, line[1:], old_number, new_number, cursor.index))
        old += old_number is not None
        new += new_number is not None
    return lines


def _follows(before: Hunk, hunk: Hunk) -> bool:
    """Return True if a hunk can follow `before`; an empty range starts at the line before it."""
    old_gap = hunk.old_start + (not hunk.old_count) - before.old_start - (before.old_count or 1)
    new_gap = hunk.new_start + (not hunk.new_count) - before.new_start - (before.new_count or 1)
    return old_gap >= 0 and new_gap >= 0


def _misfit(cursor: Cursor, start: int, problem: str) -> InputError:
    """Return an error about the current line, or about words that the hunk at `start` marks."""
    lines = "\n".join(cursor.lines[start : start + _MAX_SEARCHED])
    hunk = re.split(r"\n(?:@@ |diff )", lines)[0]
    if cursor.is_coloured or _MARKED_WORDS.search(hunk[:_MAX_MARKED]):
        return cursor.error(_WORD_DIFF, start)
    return cursor.error(problem, start if cursor.at_end else None)
