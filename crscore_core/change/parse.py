"""Diff text -> `CodeChange`.

A part of the text that does not add up is an error with its line; text around the diff is
stepped over.
"""

from dataclasses import dataclass, field

from crscore_core.change.cursor import MAX_BYTES, Cursor, read_diff
from crscore_core.change.headers import read_git_header, read_names
from crscore_core.change.hunks import read_hunks
from crscore_core.change.language import guess_language, language_of_name, normalise_language
from crscore_core.change.model import CodeChange, FileChange, FileStatus, Hunk, LanguageSource
from crscore_core.change.names import (
    ABSENT,
    binary_names,
    is_binary_note,
    plain_name,
    strip_prefixes,
)
from crscore_core.change.outside import Outside

_NO_CODE = {"120000", "160000"}
"""Modes of a symbolic link, which holds a path, and of a submodule, which holds a commit."""


def parse_change(
    diff: str | bytes,
    *,
    language: str | None = None,
    max_bytes: int = MAX_BYTES,
    guess: bool = True,
) -> CodeChange:
    """Read a unified diff: of git, svn, hg or plain `diff -u`, or bare hunks without names.

    The name of a file tells its language; where it does not tell, the declared `language` counts.
    For a file without name the declared language counts, else a guess that
    `FileChange.language_source` and a warning report as a guess. Without `guess`, which takes far
    longer than reading, its language is None. Symbolic links and submodules have no language.

    Raises:
        DiffError: the diff is empty, too large, no diff, or cannot be read exactly.
        LanguageError: `language` is not known.
    """
    declared = normalise_language(language) if language is not None else None
    cursor = read_diff(diff, max_bytes)
    files = tuple(part.file(declared, guess=guess) for part in _read_parts(cursor))
    guessed = {file.language for file in files if file.language_source is LanguageSource.GUESS}
    for name in sorted(name for name in guessed if name):
        cursor.warnings.append(
            f"the language of a hunk without file name is a guess: {name}; declare it to be sure"
        )
    return CodeChange(files, tuple(cursor.warnings))


@dataclass(slots=True)
class _FilePart:
    """The part of a diff about one file, as far as it is read."""

    old_path: str | None = None
    new_path: str | None = None
    status: FileStatus = FileStatus.MODIFIED
    hunks: list[Hunk] = field(default_factory=list)
    is_binary: bool = False
    old_mode: str | None = None
    new_mode: str | None = None

    @property
    def path(self) -> str | None:
        return self.new_path if self.new_path is not None else self.old_path

    def file(self, declared: str | None, *, guess: bool) -> FileChange:
        language, source = self._language(declared, guess=guess)
        return FileChange(
            self.old_path,
            self.new_path,
            self.status,
            tuple(self.hunks),
            language,
            source,
            self.is_binary,
            self.old_mode,
            self.new_mode,
        )

    def _language(self, declared: str | None, *, guess: bool) -> tuple[str | None, LanguageSource]:
        holds_code = not {self.old_mode, self.new_mode} & _NO_CODE
        if holds_code and self.path is not None and (language := language_of_name(self.path)):
            return language, LanguageSource.FILE_NAME
        if holds_code and declared is not None:
            return declared, LanguageSource.DECLARED
        if self.path is None and guess:
            sections = [hunk.section for hunk in self.hunks]
            texts = [line.text for hunk in self.hunks for line in hunk.lines]
            if language := guess_language(sections + texts):
                return language, LanguageSource.GUESS
        return None, LanguageSource.UNKNOWN


def _read_parts(cursor: Cursor) -> list[_FilePart]:
    outside = Outside(cursor)
    parts: list[_FilePart] = []
    while not cursor.at_end:
        line = cursor.line
        if line.startswith("@@") and not line.startswith("@@@"):
            if not (outside.file_goes_on and parts[-1].path is not None):
                outside.before_bare_hunk()
                parts.append(_FilePart())
            _add_hunks(cursor, parts[-1])
        elif part := _read_part(cursor):
            parts.append(part)
        else:
            outside.skip()
            continue
        outside.after_part()
    if not parts:
        raise cursor.error(
            "no diff found: neither a hunk (`@@ -1,2 +1,3 @@`) nor a file header "
            "(`diff --git a/x b/x`)",
            0,
        )
    return parts


def _read_part(cursor: Cursor) -> _FilePart | None:
    """Read the file whose header begins at the current line; None where none does."""
    line = cursor.line
    if line.startswith("diff --git "):
        return _git_part(cursor)
    if line.startswith("--- "):
        start = cursor.index
        part = _FilePart(*strip_prefixes(*read_names(cursor), cursor.number(start)))
        _set_status(cursor, part, start)
        _add_hunks(cursor, part)
        return part
    if line.startswith(("@@@", "diff --cc ", "diff --combined ")):
        raise cursor.error("a combined diff of a merge; give the diff against one of its parents")
    if line.startswith("+++ "):
        raise cursor.error("`+++` without a `---` line before it")
    if is_binary_note(line):
        return _binary_part(cursor)
    return None


def _git_part(cursor: Cursor) -> _FilePart:
    start = cursor.index
    header = read_git_header(cursor)
    fields = header.fields
    part = _FilePart(
        header.old_path,
        header.new_path,
        is_binary=header.is_binary,
        old_mode=fields.get("old mode") or fields.get("deleted file mode") or fields.get("index"),
        new_mode=fields.get("new mode") or fields.get("new file mode") or fields.get("index"),
    )
    if "rename from" in fields:
        part.status = FileStatus.RENAMED
    elif "copy from" in fields:
        part.status = FileStatus.COPIED
    _set_status(cursor, part, start)
    if cursor.line.startswith("@@"):
        _add_hunks(cursor, part)
    elif not (fields.keys() - {"index"} or part.is_binary):
        cursor.warn("names a file without any change", start)
    return part


def _binary_part(cursor: Cursor) -> _FilePart:
    number = cursor.number()
    old, new = (
        None if name == ABSENT else plain_name(name, number)
        for name in binary_names(cursor.line, number)
    )
    part = _FilePart(*strip_prefixes(old, new, number), is_binary=True)
    _set_status(cursor, part, cursor.index)
    cursor.index += 1
    return part


def _set_status(cursor: Cursor, part: _FilePart, start: int) -> None:
    """Mark the file as added or deleted if it lacks a side."""
    if part.path is None:
        raise cursor.error("neither side names a file", start)
    if "\ufffd" in f"{part.old_path}{part.new_path}":
        cursor.warn("begins a file whose name is not UTF-8 and is shown with U+FFFD", start)
    if part.old_path is None:
        part.status = FileStatus.ADDED
    elif part.new_path is None:
        part.status = FileStatus.DELETED


def _add_hunks(cursor: Cursor, part: _FilePart) -> None:
    """Read the hunks that begin at the current line, and check that the file can have them."""
    start, known = cursor.index, len(part.hunks)
    if part.is_binary:
        raise cursor.error("a text hunk in a binary file")
    read_hunks(cursor, part.hunks)
    for hunk in part.hunks[known:]:
        if part.status is FileStatus.ADDED and hunk.old_count:
            raise cursor.error("a new file with lines of an old one", start)
        if part.status is FileStatus.DELETED and hunk.new_count:
            raise cursor.error("a deleted file with lines left in it", start)
