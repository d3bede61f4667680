"""A change -> what the analyzers say of its new side."""

from collections.abc import Mapping, Sequence

from analyzers import (
    ANALYZERS,
    Analyzer,
    AnalyzerResult,
    Fragment,
    SourceFile,
    analyze,
)
from crscore_core.change import CodeChange, FileChange, FileStatus, LineKind
from crscore_core.errors import NewFileError

__all__ = ["find_smells"]


def find_smells(
    change: CodeChange,
    new_files: Mapping[str, str] | None = None,
    analyzers: Mapping[str, Sequence[Analyzer]] = ANALYZERS,
) -> list[AnalyzerResult]:
    """Analyse the changed lines of every file that the change leaves behind.

    `new_files` gives the full new text of files by their new path; the others are analysed
    as the fragments that their hunks show. A deleted file has no new side and no result.

    Raises:
        NewFileError: a full text belongs to no file of the change, or disagrees with a hunk.
    """
    whole = _match_new_files(change, new_files or {})
    sources = [
        _source_file(file, whole.get(index))
        for index, file in enumerate(change.files)
        if file.status is not FileStatus.DELETED
    ]
    return analyze(sources, analyzers)


def _match_new_files(change: CodeChange, new_files: Mapping[str, str]) -> dict[int, str]:
    """Full texts by the index of their file; a lone file without a name takes any name."""
    index_of = {file.new_path: index for index, file in enumerate(change.files) if file.new_path}
    nameless = [index for index, file in enumerate(change.files) if file.path is None]
    matched: dict[int, str] = {}
    for path, text in new_files.items():
        if path in index_of:
            index = index_of[path]
        elif len(change.files) == 1 and nameless:
            index = 0
        else:
            known = ", ".join(index_of) or "none with a name"
            raise NewFileError(f"no changed file is called {path[:80]!r}; the change has: {known}")
        _check_agreement(change.files[index], path, text)
        matched[index] = text
    return matched


def _check_agreement(file: FileChange, path: str, text: str) -> None:
    lines = text.split("\n")
    for line in file.lines():
        if line.kind is LineKind.REMOVED or line.new is None:
            continue
        found = lines[line.new - 1] if line.new <= len(lines) else None
        if found is None or found.rstrip("\r") != line.text.rstrip("\r"):
            raise NewFileError(
                f"line {line.new} of the new file given for {path[:80]!r} is not what the diff "
                "says; give the version after the change"
            )


def _shown_whole(file: FileChange) -> str | None:
    """The full text of a new file, which its one hunk shows from the first line on."""
    if file.status is not FileStatus.ADDED or len(file.hunks) != 1:
        return None
    (hunk,) = file.hunks
    return hunk.new_fragment.text if hunk.new_start == 1 else None


def _source_file(file: FileChange, whole: str | None) -> SourceFile:
    if whole is None:
        whole = _shown_whole(file)
    if whole is not None:
        fragments: tuple[Fragment, ...] = (Fragment(1, whole),)
    elif file.is_binary:
        fragments = ()
    else:
        fragments = tuple(
            Fragment(hunk.new_start, hunk.new_fragment.text, hunk.section or None)
            for hunk in file.hunks
            if hunk.new_count
        )
    return SourceFile(
        file.path, file.language, fragments, file.changed_new_lines, is_whole=whole is not None
    )
