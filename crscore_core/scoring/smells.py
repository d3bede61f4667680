"""A change -> what the analyzers say of its new side."""

from collections.abc import Iterable, Mapping, Sequence

from analyzers import (
    ANALYZERS,
    Analyzer,
    AnalyzerResult,
    Fragment,
    SourceFile,
    analyze_each,
    analyzers_with,
)
from crscore_core.change import CodeChange, FileChange, FileStatus, Hunk
from crscore_core.change import Fragment as HunkSide
from crscore_core.errors import AnalyzerError
from crscore_core.scoring.whole_files import WholeFile, whole_files

__all__ = ["choose_analyzers", "find_smells", "find_smells_of_each", "source_files"]


def find_smells(
    change: CodeChange,
    new_files: Mapping[str, str] | None = None,
    analyzers: Mapping[str, Sequence[Analyzer]] = ANALYZERS,
) -> list[AnalyzerResult]:
    """Analyse the changed lines of every file that the change leaves behind.

    `new_files` gives the full new text of files by their new path; see `source_files`.

    Raises:
        WholeFileError: a full text belongs to no file of the change, or disagrees with a hunk.
    """
    return find_smells_of_each([(change, new_files or {})], analyzers)[0]


def find_smells_of_each(
    changes: Iterable[tuple[CodeChange, Mapping[str, str]]],
    analyzers: Mapping[str, Sequence[Analyzer]] = ANALYZERS,
) -> list[list[AnalyzerResult]]:
    """As `find_smells`, for many changes and their new files: each analyzer starts once for all.

    Raises:
        WholeFileError: as `find_smells` does.
    """
    sources = [source_files(change, new_files) for change, new_files in changes]
    results = iter(analyze_each([file for files in sources for file in files], analyzers))
    return [[result for _ in files for result in next(results)] for files in sources]


def source_files(
    change: CodeChange, new_files: Mapping[str, str] | None = None
) -> list[SourceFile]:
    """What the analyzers are to look at: many changes' files can be given to them at once.

    Files whose full new text is not given are the fragments that their hunks show. A deleted
    file has no new side and is not among them.

    Raises:
        WholeFileError: as `find_smells` does.
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
        tuple(_fragments((hunk, hunk.new_fragment) for hunk in hunks)),
        file.changed_new_lines,
        old_fragments=tuple(_fragments((hunk, hunk.old_fragment) for hunk in hunks)),
    )


def _fragments(sides: Iterable[tuple[Hunk, HunkSide]]) -> Iterable[Fragment]:
    for hunk, side in sides:
        if side.text:
            yield Fragment(side.first_line, side.text, hunk.section or None)


def choose_analyzers(pmd_rulesets: Sequence[str], jshint: str) -> Mapping[str, Sequence[Analyzer]]:
    """Analyzers with these rule sets for Java, if any, and this configuration for JavaScript.

    Raises:
        AnalyzerError: there is no such rule set or configuration.
    """
    try:
        return analyzers_with(tuple(pmd_rulesets), jshint)
    except ValueError as error:
        raise AnalyzerError(str(error)) from None
