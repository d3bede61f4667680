"""A data source as pages see it."""

from dataclasses import dataclass
from enum import StrEnum

from crscore_core.corpus.comparison import CorpusComparison
from crscore_core.corpus.review_table import ReviewTable
from crscore_core.corpus.systems import corpus_bootstrap
from crscore_core.statistics import ClusterBootstrap
from crscore_core.validity.study_validity import StudyValidity


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
