"""A data source as pages see it."""

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, TypeVar

from crscore_core.corpus.comparison import CorpusComparison
from crscore_core.corpus.review_table import ReviewTable
from crscore_core.corpus.systems import corpus_bootstrap
from crscore_core.statistics import ClusterBootstrap
from crscore_core.validity.study_validity import StudyValidity

ValueT = TypeVar("ValueT")


class SourceKind(StrEnum):
    """Kinds of data sources; the value stands in the URL, for a run before its id."""

    SAMPLE = "sample"
    STUDY = "study"
    FILE = "file"
    RUN = "run"


@dataclass(frozen=True, eq=False)
class Source:
    """The reviews that pages show.

    `label` names the source and `note` says what it is, both as typed by whoever named it, so
    both are escaped before they are shown. `bootstrap` resamples the changes of `comparison`.
    `study` is there for the human study alone, with what only that has. `is_illustrative` says
    that reviews and ratings were made up.
    """

    kind: SourceKind
    label: str
    note: str
    comparison: CorpusComparison
    table: ReviewTable
    bootstrap: ClusterBootstrap
    study: StudyValidity | None = None
    is_illustrative: bool = False
    _made: dict[Callable[["Source"], Any], Any] = field(default_factory=dict)

    def once(self, make: Callable[["Source"], ValueT]) -> ValueT:
        """Return what `make` makes of this source, made when it is first asked for.

        It is kept as long as the source, so an imported file leaves nothing behind when its
        session ends. Nobody waits: of two that are made at once, one is kept.
        """
        if make not in self._made:
            self._made.setdefault(make, make(self))
        value: ValueT = self._made[make]
        return value

    @classmethod
    def of(
        cls,
        kind: SourceKind,
        label: str,
        note: str,
        comparison: CorpusComparison,
        *,
        is_illustrative: bool = False,
    ) -> "Source":
        """Make a source that is no study; sample data are always illustrative."""
        return cls(
            kind,
            label,
            note,
            comparison,
            ReviewTable(comparison),
            corpus_bootstrap(comparison),
            is_illustrative=is_illustrative or kind is SourceKind.SAMPLE,
        )

    @classmethod
    def of_study(cls, study: StudyValidity) -> "Source":
        """Make the source of the human study, compared with its own claims and smells."""
        comparison = study.comparison
        note = (
            f"{len(comparison.reviews):,} reviews of {len(comparison.changes)} changes, rated by "
            "people; compared with the claims and smells that they edited."
        )
        return cls(
            SourceKind.STUDY,
            "Human study",
            note,
            comparison,
            ReviewTable(comparison),
            study.bootstrap,
            study,
        )
