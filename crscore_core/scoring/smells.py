"""A change and full texts of its files -> what the analyzers find on its new side."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

from analyzers import (
    ANALYZERS,
    Analyzer,
    AnalyzerResult,
    Fragment,
    SourceFile,
    Status,
    analyze_each,
)
from crscore_core.change import CodeChange, FileChange, FileStatus, Side, other_side
from crscore_core.errors import InputError

MOST_LINES, MOST_HUNKS = 100_000, 1_000
"""Lines and hunks of a change, in all files together, that analyzers see."""


@dataclass(frozen=True, slots=True)
class WholeFile:
    """A file after the change and before it; `old` is empty for a file that was not there."""

    new: str
    old: str


def whole_files(change: CodeChange, new_files: Mapping[str, str]) -> dict[int, WholeFile]:
    """Match full new texts, by path, with the files of `change`; the result is by their index.

    The old side of each follows from the hunks. A new file that its one hunk shows from the
    first line on needs no text. The end of a path will do where it fits one file alone, and a
    lone file without a name takes any.

    Raises:
        InputError: a text belongs to no file of the change, or disagrees with a hunk.
    """
    matched: dict[int, WholeFile] = {}
    for index, file in enumerate(change.files):
        shown = _shown_whole(file)
        if shown is not None:
            matched[index] = WholeFile(shown, "")
    for path, text in new_files.items():
        index = _index(change, path, Side.NEW)
        matched[index] = WholeFile(text, other_side(change.files[index], text, Side.NEW))
    return matched


def patched_files(change: CodeChange, old_files: Mapping[str, str]) -> dict[str, str]:
    """Apply `change` to full old texts, by their old path: the new ones, by their new path.

    Raises:
        InputError: as `whole_files` does.
    """
    patched: dict[str, str] = {}
    for path, text in old_files.items():
        file = change.files[_index(change, path, Side.OLD)]
        if file.status is FileStatus.DELETED:
            continue  # nothing is left of it to analyse
        patched[file.new_path or path] = other_side(file, text, Side.OLD)
    return patched


def _index(change: CodeChange, path: str, side: Side) -> int:
    """The file called `path`, or the only one whose name ends in it."""
    names = [file.new_path if side is Side.NEW else file.old_path for file in change.files]
    if path in names:
        return names.index(path)
    if len(change.files) == 1 and change.files[0].path is None:
        return 0
    ends = [index for index, name in enumerate(names) if name and name.endswith(f"/{path}")]
    if path and len(ends) == 1:
        return ends[0]
    known = ", ".join(name for name in names if name) or "none with a name"
    what = "more than one changed file ends in" if ends else "no changed file is called"
    raise InputError(f"{what} {path[:80]!r}; the change has: {known}")


def _shown_whole(file: FileChange) -> str | None:
    """The full text of a new file, which its one hunk shows from the first line on."""
    if file.status is not FileStatus.ADDED or len(file.hunks) != 1:
        return None
    (hunk,) = file.hunks
    return hunk.new_text if hunk.new_start == 1 else None


def find_smells_of_each(
    changes: Iterable[tuple[CodeChange, Mapping[str, str]]],
    analyzers: Mapping[str, Sequence[Analyzer]] = ANALYZERS,
) -> list[list[AnalyzerResult]]:
    """Analyse the changed lines of every file that each change leaves behind.

    Each analyzer starts once for all changes. A change comes with full new texts of files by
    their new path; see `source_files`.

    Raises:
        InputError: a full text belongs to no file of the change, or disagrees with a hunk.
    """
    sources = [source_files(change, new_files) for change, new_files in changes]
    seen = [_seen(files) for files in sources]
    results = iter(analyze_each([file for files in seen for file in files], analyzers))
    return [
        [result for _ in first for result in next(results)]
        + [_unseen(file) for file in files[len(first) :]]
        for files, first in zip(sources, seen, strict=True)
    ]


def _seen(files: Sequence[SourceFile]) -> Sequence[SourceFile]:
    """Return the first files, which together have at most `MOST_LINES` and `MOST_HUNKS`."""
    lines = accumulate(sum(part.text.count("\n") + 1 for part in file.fragments) for file in files)
    hunks = accumulate(len(file.fragments) for file in files)
    sizes = zip(files, lines, hunks, strict=True)
    return [file for file, n, m in sizes if n <= MOST_LINES and m <= MOST_HUNKS]


def _unseen(file: SourceFile) -> AnalyzerResult:
    reason = (
        f"the change has more than {MOST_LINES:,} lines or {MOST_HUNKS:,} hunks up to the end of "
        "this file"
    )
    return AnalyzerResult("none", None, file.path, Status.NOT_ANALYSED, reason)


def source_files(
    change: CodeChange, new_files: Mapping[str, str] | None = None
) -> list[SourceFile]:
    """Make the input of the analyzers; the files of many changes can go to them at once.

    Files whose full new text is not given are the fragments that their hunks show. A deleted
    file has no new side and is not among them.

    Raises:
        InputError: as `whole_files` does.
    """
    whole = whole_files(change, new_files or {})
    return [
        _whole_source(file, whole[index]) if index in whole else _source_in_parts(file)
        for index, file in enumerate(change.files)
        if file.status is not FileStatus.DELETED
    ]


def _whole_source(file: FileChange, whole: WholeFile) -> SourceFile:
    return SourceFile(
        file.path,
        file.language,
        (Fragment(1, whole.new),),
        file.changed_new_lines,
        is_whole=True,
        old_fragments=(Fragment(1, whole.old),) if whole.old else (),
    )


def _source_in_parts(file: FileChange) -> SourceFile:
    hunks = () if file.is_binary else file.hunks
    return SourceFile(
        file.path,
        file.language,
        _fragments((hunk.new_start, hunk.new_text, hunk.section) for hunk in hunks),
        file.changed_new_lines,
        old_fragments=_fragments((hunk.old_start, hunk.old_text, hunk.section) for hunk in hunks),
    )


def _fragments(sides: Iterable[tuple[int, str, str]]) -> tuple[Fragment, ...]:
    """Fragments of the sides that have lines, from the first line, the text and the section."""
    return tuple(Fragment(line, text, section or None) for line, text, section in sides if text)
