"""Counts of what analyzers did for some changes, for signatures and settings of runs."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from crscore_core.analyzers.model import AnalyzerResult, SourceFile, Status

_COUNTS = ("changes", "files", "complete", "not_analysed")


@dataclass(frozen=True, slots=True)
class AnalyzerUse:
    """The work of one version of an analyzer on some changes.

    version: None if the analyzer has none, or did not run.
    changes, files: number of files that it analysed, and of the changes that they belong to.
    complete: number of these files whose complete text was given; of the others it saw the hunks.
    not_analysed: number of files in its language that it did not analyse.
    """

    name: str
    version: str | None
    changes: int = 0
    files: int = 0
    complete: int = 0
    not_analysed: int = 0

    def __str__(self) -> str:
        """Return name and version; with the share of the files, if it did not analyse all."""
        title = f"{self.name}={self.version}" if self.version else self.name
        n_files = self.files + self.not_analysed
        return f"{title}[{self.files}/{n_files}]" if self.not_analysed else title


def analyzer_uses(
    files: Iterable[SourceFile], results: Iterable[AnalyzerResult]
) -> tuple[AnalyzerUse, ...]:
    """Return what each analyzer did for the files of one change."""
    given = {file.path for file in files if file.is_given}
    uses = [
        AnalyzerUse(
            result.name,
            result.version,
            files=int(result.status is not Status.NOT_ANALYSED),
            complete=int(result.status is Status.ANALYSED and result.path in given),
            not_analysed=int(result.status is Status.NOT_ANALYSED),
        )
        for result in results
        if result.name != "none"
    ]
    return tuple(replace(use, changes=int(use.files > 0)) for use in sum_uses(uses))


def sum_uses(uses: Iterable[AnalyzerUse]) -> tuple[AnalyzerUse, ...]:
    """Add up what each version of each analyzer did for distinct changes or files."""
    totals: dict[tuple[str, str | None], AnalyzerUse] = {}
    for use in uses:
        key = use.name, use.version
        total = totals.get(key, AnalyzerUse(*key))
        counts = {name: getattr(total, name) + getattr(use, name) for name in _COUNTS}
        totals[key] = replace(total, **counts)
    return tuple(sorted(totals.values(), key=lambda use: (use.name, use.version or "")))
