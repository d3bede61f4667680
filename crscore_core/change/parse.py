"""Parse diff text into a `CodeChange`.

An inconsistent part of the diff is an error with its line number; text around the diff is skipped.
"""

from crscore_core.change.cursor import MAX_BYTES, Cursor, read_diff
from crscore_core.change.headers import FilePart, read_header
from crscore_core.change.hunks import read_hunks
from crscore_core.change.language import guess_language, language_of_name, normalise_language
from crscore_core.change.model import CodeChange, FileChange, FileStatus, LanguageSource
from crscore_core.change.outside import Outside

_NO_CODE = {"120000", "160000"}
"""Modes of a symbolic link, whose content is a path, and of a submodule (a commit)."""


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
        LanguageError: `language` is blank or too long.
    """
    declared = normalise_language(language) if language is not None else None
    cursor = read_diff(diff, max_bytes)
    files = tuple(_file_of(part, declared, guess=guess) for part in _read_parts(cursor))
    guessed = {file.language for file in files if file.language_source is LanguageSource.GUESS}
    for name in sorted(name for name in guessed if name):
        cursor.warnings.append(
            f"the language of a hunk without file name is a guess: {name}; declare it to be sure"
        )
    return CodeChange(files, tuple(cursor.warnings))


def _file_of(part: FilePart, declared: str | None, *, guess: bool) -> FileChange:
    language, source = _language_of(part, declared, guess=guess)
    return FileChange(
        part.old_path,
        part.new_path,
        part.status,
        tuple(part.hunks),
        language,
        source,
        part.is_binary,
        part.old_mode,
        part.new_mode,
    )


def _language_of(
    part: FilePart, declared: str | None, *, guess: bool
) -> tuple[str | None, LanguageSource]:
    holds_code = not {part.old_mode, part.new_mode} & _NO_CODE
    if holds_code and part.path is not None and (language := language_of_name(part.path)):
        return language, LanguageSource.FILE_NAME
    if holds_code and declared is not None:
        return declared, LanguageSource.DECLARED
    if part.path is None and guess:
        sections = [hunk.section for hunk in part.hunks]
        texts = [line.text for hunk in part.hunks for line in hunk.lines]
        if language := guess_language(sections + texts):
            return language, LanguageSource.GUESS
    return None, LanguageSource.UNKNOWN


def _read_parts(cursor: Cursor) -> list[FilePart]:
    outside = Outside(cursor)
    parts: list[FilePart] = []
    while not cursor.at_end:
        if cursor.line.startswith("@@") and not cursor.line.startswith("@@@"):
            if not (outside.file_goes_on and parts[-1].path is not None):
                outside.before_bare_hunk()
                parts.append(FilePart())
        elif part := read_header(cursor):
            parts.append(part)
        else:
            outside.skip()
            continue
        if cursor.line.startswith("@@"):
            _add_hunks(cursor, parts[-1])
        outside.after_part()
    if not parts:
        raise cursor.error(
            "no diff found: neither a hunk (`@@ -1,2 +1,3 @@`) nor a file header "
            "(`diff --git a/x b/x`)",
            0,
        )
    return parts


def _add_hunks(cursor: Cursor, part: FilePart) -> None:
    """Read the hunks that start at the current line; check that the file can have them."""
    start, known = cursor.index, len(part.hunks)
    if part.is_binary:
        raise cursor.error("a text hunk in a binary file")
    read_hunks(cursor, part.hunks)
    for hunk in part.hunks[known:]:
        if part.status is FileStatus.ADDED and hunk.old_count:
            raise cursor.error("a new file with lines from an old one", start)
        if part.status is FileStatus.DELETED and hunk.new_count:
            raise cursor.error("a deleted file that still has lines", start)
