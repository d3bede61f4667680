"""Diff text -> `CodeChange`."""

from collections.abc import Iterable

from crscore_core.change.language import guess_language, language_of_name, normalise_language
from crscore_core.change.model import CodeChange, FileChange, LanguageSource
from crscore_core.change.parser import FilePart, parse_files
from crscore_core.change.text import MAX_BYTES, read_text

__all__ = ["parse_change"]

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

    The language of a file is told by its name; a name that does not tell leaves it to the
    declared `language`. Of a file without name it is the declared one, else a guess that
    `FileChange.language_source` and a warning report as a guess; without `guess`, which takes far
    longer than to read, it is none. What a symbolic link or a submodule holds is in no language.

    Raises:
        DiffError: the diff is empty, too large, no diff, or cannot be read exactly.
        LanguageError: `language` is not known.
    """
    declared = normalise_language(language) if language is not None else None
    text = read_text(diff, max_bytes)
    parts = parse_files(text)
    files = tuple(_with_language(part, declared, guess=guess) for part in parts)
    return CodeChange(files, (*text.warnings, *_guesses(files)))


def _guesses(files: Iterable[FileChange]) -> list[str]:
    guessed = {file.language for file in files if file.language_source is LanguageSource.GUESS}
    return [
        f"the language of a hunk without file name is a guess: {language}; declare it to be sure"
        for language in sorted(language for language in guessed if language)
    ]


def _with_language(part: FilePart, declared: str | None, *, guess: bool) -> FileChange:
    path = part.new_path if part.new_path is not None else part.old_path
    language, source = None, LanguageSource.UNKNOWN
    holds_code = not {part.old_mode, part.new_mode} & _NO_CODE
    if holds_code and path is not None and (language := language_of_name(path)):
        source = LanguageSource.FILE_NAME
    elif holds_code and declared is not None:
        language, source = declared, LanguageSource.DECLARED
    elif path is None and guess:
        sections = [hunk.section for hunk in part.hunks]
        texts = [line.text for hunk in part.hunks for line in hunk.lines]
        if language := guess_language(sections + texts):
            source = LanguageSource.GUESS
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
