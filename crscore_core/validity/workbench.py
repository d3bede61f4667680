"""Reviews that were compared, with the metrics computed on them, and the jobs that compute more."""

import functools
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError
from dataclasses import dataclass, replace

from crscore_core.corpus.progress import CorpusProgress
from crscore_core.corpus.reviews import METRICS, Reviews
from crscore_core.datasets.labelled import data_of_comparison
from crscore_core.job import Job, JobBoard, Line
from crscore_core.scoring import CachedEncoder
from crscore_core.validity.compare import LabelComparison, LabelTable, first_choice
from crscore_core.validity.metric_columns import (
    BASELINES,
    CRSCORE,
    TITLES,
    MetricColumn,
    Scoring,
    metric_columns,
)
from crscore_eval.statistics import ClusterBootstrap

_line = Line(1)
"""Jobs of this server, each of which takes all cores that it gets."""

_AT_TAU = tuple(name for name in CRSCORE if name not in METRICS)
_QUICK = (*METRICS, *BASELINES)
_TABLES_AT_MOST = 8


@dataclass(frozen=True, slots=True)
class Step:
    """Progress of a job: the metric computed now, how many of all are done, and how far it is."""

    name: str
    done: int
    total: int
    within: CorpusProgress | None = None


class Workbench:
    """Metrics of reviews, and their agreement with each label of these at any tau.

    All sessions that show the reviews share it. CRScore and the baselines are quick; metrics that
    need a reference review are computed by a job, one of the server at a time, and kept, also
    those that were done when their job was stopped.
    """

    def __init__(
        self, title: str, comparison: Reviews, bootstrap: ClusterBootstrap, encoder: CachedEncoder
    ) -> None:
        """Take reviews, resamples of their changes, and the encoder for pairs of texts."""
        self.data = data_of_comparison(title, comparison)
        self._bootstrap, self._encoder = bootstrap, encoder
        self._columns: dict[str, MetricColumn] = {}
        self._jobs: JobBoard[Step, None] = JobBoard(_line)
        self._labels = functools.cache(self._label)
        self._tables = functools.lru_cache(_TABLES_AT_MOST)(self._table)

    @property
    def has_references(self) -> bool:
        """Return True if any review has a reference review."""
        return any(self.data.reviews.references)

    @property
    def n_resamples(self) -> int:
        """Number of resamples that the intervals rest on."""
        return len(self._bootstrap.weights)

    def table(self, label: str, tau: float, names: Sequence[str] = ()) -> LabelComparison:
        """Compare scores at tau, the baselines, and those of `names` that were computed."""
        self._compute(self.missing(_QUICK), lambda _: None)
        shown = {*_QUICK, *names}.intersection(self._columns)
        return self._tables(label, tau, tuple(name for name in TITLES if name in shown))

    def missing(self, names: Sequence[str]) -> list[str]:
        """Return the metrics among `names` that were not computed."""
        return [name for name in names if name not in self._columns]

    def job(self, names: Sequence[str], *, again: bool = False) -> Job[Step, None]:
        """Return the job that computes metrics; start one if there is none, or if `again`."""
        key = tuple(names)
        job = None if again else self._jobs.find(key)
        return job or self._jobs.begin(
            key, lambda note, stopping: self._work(key, note, stopping), "the computation"
        )

    def _work(
        self, names: Sequence[str], note: Callable[[Step], None], stopping: threading.Event
    ) -> None:
        def tell(step: Step) -> None:
            if stopping.is_set():
                raise CancelledError
            note(replace(step, done=len(names) - len(self.missing(names)), total=len(names)))

        self._compute(self.missing(names), tell)

    def _compute(self, names: Sequence[str], tell: Callable[[Step], None]) -> None:
        now = Step("", 0, 0)

        def begin(title: str) -> None:
            nonlocal now
            now = replace(now, name=title)
            tell(now)

        for column in metric_columns(
            self.data,
            names,
            Scoring(None, self._encoder),
            begin,
            lambda within: tell(replace(now, within=within)),
        ):
            self._columns[column.name] = column

    def _table(self, label: str, tau: float, names: tuple[str, ...]) -> LabelComparison:
        scores = metric_columns(self.data, _AT_TAU, Scoring(None, self._encoder, tau))
        columns = [*scores, *(self._columns[name] for name in names)]
        return self._labels(label).compare(columns, first_choice(columns))

    def _label(self, label: str) -> LabelTable:
        return LabelTable(self.data.reviews, label, self._bootstrap)
