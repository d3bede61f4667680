"""Parse diff text into a `CodeChange`.

An inconsistent part of the diff is an error with its line number; text around the diff is skipped.
"""

from collections.abc import Sequence
from dataclasses import replace

from crscore_core.change.cursor import MAX_BYTES, Cursor, read_diff
from crscore_core.change.headers import read_header
from crscore_core.change.hunks import read_hunks
from crscore_core.change.language import guess_language, language_of_name, normalise_language
from crscore_core.change.model import CodeChange, FileChange, FileStatus, Hunk, LanguageSource
from crscore_core.change.outside import Outside

_NO_CODE = {"120000", "160000"}
"""Modes of a symbolic link, whose content is a path, and of a submodule (a commit)."""
_NAMELESS = FileChange(None, None, FileStatus.MODIFIED, (), None, LanguageSource.UNKNOWN)
"""The file of a hunk without a header."""


def parse_change(
    diff: str | bytes,
    *,
    language: str | None = None,
    max_bytes: int = MAX_BYTES,
    guess: bool = True,
) -> CodeChange:
    """Parse a unified diff from git, svn, hg or plain `diff -u`, or bare hunks without names.

    The language of a file follows from its name, else it is the declared `language`. For a hunk
    without a file name and a declared language, `guess` it: `FileChange.language_source` and a
    warning mark it as a guess. Guessing takes far longer than parsing; without it the language is
    None. Symbolic links and submodules have no language.

    Raises:
        DiffError: the diff is empty, too large, no diff, or cannot be read exactly.
        InputError: `language` is blank or too long.
    """
    declared = normalise_language(language) if language is not None else None
    cursor = read_diff(diff, max_bytes)
    files = tuple(
        _with_hunks(file, hunks, declared, guess=guess) for file, hunks in _read_files(cursor)
    )
    guessed = {file.language for file in files if file.language_source is LanguageSource.GUESS}
    for name in sorted(name for name in guessed if name):
        cursor.warnings.append(
            f"the language of a hunk without file name is a guess: {name}; declare it to be sure"
        )
    return CodeChange(files, tuple(cursor.warnings))


def _with_hunks(
    file: FileChange, hunks: Sequence[Hunk], declared: str | None, *, guess: bool
) -> FileChange:
    """Return the file with its hunks and its language."""
    language, source = None, LanguageSource.UNKNOWN
    holds_code = not {file.old_mode, file.new_mode} & _NO_CODE
    if holds_code and file.path is not None and (named := language_of_name(file.path)):
        language, source = named, LanguageSource.FILE_NAME
    elif holds_code and declared is not None:
        language, source = declared, LanguageSource.DECLARED
    elif file.path is None and guess:
        texts = [line.text for hunk in hunks for line in hunk.lines]
        if guessed := guess_language([hunk.section for hunk in hunks] + texts):
            language, source = guessed, LanguageSource.GUESS
    return replace(file, hunks=tuple(hunks), language=language, language_source=source)


def _read_files(cursor: Cursor) -> list[tuple[FileChange, list[Hunk]]]:
    """Read the files of a diff; a bare hunk belongs to the file before it, or to none."""
    outside = Outside(cursor)
    files: list[tuple[FileChange, list[Hunk]]] = []
    while not cursor.at_end:
        if cursor.line.startswith("@@") and not cursor.line.startswith("@@@"):
            if not (outside.file_goes_on and files[-1][0].path is not None):
                outside.before_bare_hunk()
                files.append((_NAMELESS, []))
        elif file := read_header(cursor):
            files.append((file, []))
        else:
            outside.skip()
            continue
        if cursor.line.startswith("@@"):
            _add_hunks(cursor, *files[-1])
        outside.after_part()
    if not files:
        raise cursor.error(
            "no diff found: neither a hunk (`@@ -1,2 +1,3 @@`) nor a file header "
            "(`diff --git a/x b/x`)",
            0,
        )
    return files


def _add_hunks(cursor: Cursor, file: FileChange, hunks: list[Hunk]) -> None:
    """Read the hunks that start at the current line; check that the file can have them."""
    start, known = cursor.index, len(hunks)
    if file.is_binary:
        raise cursor.error("a text hunk in a binary file")
    read_hunks(cursor, hunks)
    for hunk in hunks[known:]:
        if file.status is FileStatus.ADDED and hunk.old_count:
            raise cursor.error("a new file with lines from an old one", start)
        if file.status is FileStatus.DELETED and hunk.new_count:
            raise cursor.error("a deleted file that still has lines", start)
