"""Find smells in the new side of changes."""

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate, chain, islice

from crscore_core.analyzers import (
    ANALYZERS,
    Analyzer,
    AnalyzerResult,
    Fragment,
    SourceFile,
    Status,
    analyze_files,
)
from crscore_core.change import CodeChange, FileChange, FileStatus, revert_hunks
from crscore_core.errors import InputError

MAX_HUNKS = 1_000
"""Maximum number of hunks of a change that are analysed; more would take minutes."""


def find_smells(
    changes: Iterable[Sequence[SourceFile]], analyzers: Mapping[str, Sequence[Analyzer]] = ANALYZERS
) -> list[list[AnalyzerResult]]:
    """Analyse the files of each change (see `source_files`); each analyzer starts once."""
    sources = [(files, _n_analysed(files)) for files in changes]
    results = iter(analyze_files([file for files, n in sources for file in files[:n]], analyzers))
    reason = f"not among the first {MAX_HUNKS:,} hunks of the change"
    return [
        [
            *chain.from_iterable(islice(results, n)),
            *(
                AnalyzerResult("none", None, file.path, Status.NOT_ANALYSED, reason)
                for file in files[n:]
            ),
        ]
        for files, n in sources
    ]


def _n_analysed(files: Sequence[SourceFile]) -> int:
    return bisect_right([*accumulate(len(file.fragments) for file in files)], MAX_HUNKS)


def source_files(
    change: CodeChange, new_files: Mapping[str, str] | None = None
) -> list[SourceFile]:
    """Make the input of the analyzers; the files of many changes can go to them at once.

    `new_files` maps paths to full new texts; the old texts follow from the hunks. The end of a path
    is enough if only one file matches. If the diff has one file without a name, any path matches.
    A file without a text consists of the fragments that its hunks show; a new file that one hunk
    shows from the first line on is whole. Deleted files have no new side and are left out.

    Raises:
        InputError: a text belongs to no file of the change, or disagrees with a hunk, or a file has
            several texts.
    """
    new_files = new_files or {}
    whole_texts = {_index(change, path): text for path, text in new_files.items()}
    if len(whole_texts) < len(new_files):
        raise InputError(f"several texts are given for one file: {', '.join(new_files)}")
    return [
        _source(file, whole_texts.get(index, shown_whole(file)))
        for index, file in enumerate(change.files)
        if file.status is not FileStatus.DELETED
    ]


def _index(change: CodeChange, path: str) -> int:
    """Return the index of the file `path`, or of the only file whose path ends in it."""
    names = [file.new_path for file in change.files]
    if path in names:
        return names.index(path)
    if len(change.files) == 1 and change.files[0].path is None:
        return 0
    indices = [index for index, name in enumerate(names) if name and name.endswith(f"/{path}")]
    if path and len(indices) == 1:
        return indices[0]
    in_change = ", ".join(name for name in names if name) or "no file with a name"
    problem = "more than one changed file ends in" if indices else "no changed file is called"
    raise InputError(f"{problem} {path[:80]!r}; the change has: {in_change}")


def shown_whole(file: FileChange) -> str | None:
    """Return the full text of a new file that its one hunk shows from the first line on."""
    is_new = file.status is FileStatus.ADDED and len(file.hunks) == 1
    return file.hunks[0].new_text if is_new and file.hunks[0].new_start == 1 else None


def _source(file: FileChange, text: str | None) -> SourceFile:
    hunks = () if file.is_binary else file.hunks
    new = [Fragment(hunk.new_start, hunk.new_text) for hunk in hunks]
    old = [Fragment(hunk.old_start, hunk.old_text) for hunk in hunks]
    if text is not None:
        new, old = [Fragment(1, text)], [Fragment(1, revert_hunks(file, text))]
    return SourceFile(
        file.path,
        file.language,
        tuple(fragment for fragment in new if fragment.text),
        file.changed_new_lines,
        is_whole=text is not None,
        old_fragments=tuple(fragment for fragment in old if fragment.text),
    )
