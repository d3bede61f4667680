"""A data source as pages see it."""

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, TypeVar

from crscore_core.corpus.reviews import Reviews
from crscore_core.corpus.run.finished import FinishedRun
from crscore_core.corpus.systems import corpus_bootstrap
from crscore_core.validity.corpus_validity import CorpusValidity
from crscore_core.validity.study_validity import StudyValidity
from crscore_eval.statistics import ClusterBootstrap

ValueT = TypeVar("ValueT")


class SourceKind(StrEnum):
    """Kinds of data sources; the value stands in the URL, for a run before its id."""

    STUDY = "study"
    RELEASE = "release"
    FILE = "file"
    RUN = "run"


@dataclass(frozen=True, eq=False)
class Source:
    """The reviews that pages show.

    `label` names the source and `note` says what it is, both as typed by the person who named it,
    so both are escaped before they are shown. `study` is what the human study alone has, the
    shipped part or a downloaded release, and `run` the run whose reviews these are, if any.
    """

    kind: SourceKind
    label: str
    note: str
    comparison: Reviews
    study: StudyValidity | None = None
    run: FinishedRun | None = None
    _made: dict[Callable[["Source"], Any], Any] = field(default_factory=dict)

    @property
    def bootstrap(self) -> ClusterBootstrap:
        """Resampling of the changes of `comparison`."""
        return self.once(_bootstrap)

    @property
    def validity(self) -> CorpusValidity:
        """Agreement of the scores with people, each part computed when it is first asked for."""
        return self.study or self.once(_validity)

    def once(self, make: Callable[["Source"], ValueT]) -> ValueT:
        """Return what `make` makes of this source, made when it is first asked for.

        It is kept as long as the source, so an imported file leaves nothing behind when its
        session ends. Nobody waits: of two that are made at once, one is kept.
        """
        if make not in self._made:
            self._made.setdefault(make, make(self))
        value: ValueT = self._made[make]
        return value


def _bootstrap(source: Source) -> ClusterBootstrap:
    return corpus_bootstrap(source.comparison) if source.study is None else source.study.bootstrap


def _validity(source: Source) -> CorpusValidity:
    return CorpusValidity(source.comparison, source.bootstrap)
