"""A data set with the metrics that were computed on it, and the work that computes them."""

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError
from dataclasses import dataclass, replace

import numpy as np
from cachetools import LRUCache

from crscore_core.corpus.progress import CorpusProgress
from crscore_core.corpus.score import NotedEncoder
from crscore_core.datasets.labelled import LabelledData
from crscore_core.job import Job, JobState
from crscore_core.statistics import ClusterBootstrap
from crscore_core.validity.attacks import AttackResult, attack_results, attacked, check_honest
from crscore_core.validity.compare import LabelComparison, compare_metrics, first_choice
from crscore_core.validity.metric_columns import MetricColumn, Scoring, metric_columns

_MOST_TABLES = 30


@dataclass(frozen=True, slots=True)
class Request:
    """A table: its metrics in order, its label, and the metric that others are tested against.

    `against` is None for the first choice there is.
    """

    names: tuple[str, ...]
    label: str
    against: str | None


@dataclass(frozen=True, slots=True)
class Step:
    """Step of a comparison: its name, how many of all are done before it, and how far it is."""

    name: str
    done: int
    total: int
    within: CorpusProgress | None = None


class Workbench:
    """A data set, the columns and tables made of it so far, and its present job.

    All sessions that show the data share it; of their requests one is computed at a time. What
    was computed before a stop is kept.
    """

    def __init__(
        self, data: LabelledData, scoring: Scoring, bootstrap: ClusterBootstrap | None = None
    ) -> None:
        """Take a data set; the bootstrap resamples its changes, by default 1,000 times."""
        self.data = data
        self._scoring = scoring
        self._bootstrap = bootstrap
        self._columns: dict[str, MetricColumn] = {}
        self._tables: LRUCache[Request, LabelComparison] = LRUCache(_MOST_TABLES)
        self._lock = threading.Lock()
        self._last: tuple[Request, Job[Step, LabelComparison]] | None = None

    def columns(self, request: Request) -> tuple[MetricColumn, ...]:
        """Return those columns of a table that is there which have a value of any review."""
        columns = (self._columns[name] for name in request.names)
        return tuple(column for column in columns if not np.isnan(column.values).all())

    def table(self, request: Request) -> LabelComparison | None:
        """Return a table if it was made."""
        with self._lock:
            return self._tables.get(request)

    def job(self, request: Request, *, again: bool = False) -> Job[Step, LabelComparison]:
        """Return the job that runs, or ended with this request; else, or `again`, begin one."""
        with self._lock:
            if self._last is not None:
                of, job = self._last
                is_running = job.now().state is JobState.RUNNING
                if is_running or (of == request and not again):
                    return job
            job = Job(lambda note, stopping: self._make(request, note, stopping), "the comparison")
            self._last = request, job
            return job

    def attack(
        self, names: Sequence[str], note: Callable[[Step], None], stopping: threading.Event
    ) -> tuple[AttackResult, ...]:
        """Attack metrics on the changes of this data set; see `attacks`.

        Raises:
            CancelledError: `stopping` was set.
            DatasetError: fewer than two changes have an honest review.
        """
        check_honest(self.data)
        step = Step("Comparing reviews", 0, 1)

        def within(now: CorpusProgress) -> None:
            if stopping.is_set():
                raise CancelledError
            note(replace(step, within=now))

        comparison = self._scoring.compare(self.data, within)
        attacks = attacked(comparison, NotedEncoder(self._scoring.encoder, within))
        columns = metric_columns(attacks, names, self._scoring, note=within)
        return attack_results(attacks, tuple(columns))

    def _make(
        self, request: Request, note: Callable[[Step], None], stopping: threading.Event
    ) -> LabelComparison:
        step = Step("", 0, len(request.names) + 1)

        def tell(now: Step) -> None:
            nonlocal step
            if stopping.is_set():
                raise CancelledError
            step = replace(now, done=sum(name in self._columns for name in request.names))
            note(step)

        for column in metric_columns(
            self.data,
            [name for name in request.names if name not in self._columns],
            self._scoring,
            lambda title: tell(replace(step, name=title, within=None)),
            lambda within: tell(replace(step, within=within)),
        ):
            self._columns[column.name] = column
        tell(replace(step, name="Resampling changes", within=None))
        reviews, columns = self.data.reviews, [self._columns[name] for name in request.names]
        chosen = request.against or first_choice(columns)
        bootstrap = self._bootstrap or ClusterBootstrap(len(reviews.changes))
        table = compare_metrics(reviews, columns, request.label, chosen, bootstrap)
        with self._lock:
            self._tables[request] = table
        return table
