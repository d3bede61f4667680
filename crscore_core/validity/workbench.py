"""A data set with the metrics that were computed on it, and the work that computes them."""

import threading
from collections.abc import Callable
from concurrent.futures import CancelledError
from dataclasses import dataclass, replace

import numpy as np

from crscore_core.corpus.progress import CorpusProgress
from crscore_core.datasets.labelled import LabelledData
from crscore_core.job import Job, JobBoard, Line
from crscore_core.statistics import ClusterBootstrap
from crscore_core.validity.compare import LabelComparison, compare_metrics, first_choice
from crscore_core.validity.metric_columns import MetricColumn, Scoring, metric_columns

_line = Line(1)
"""Comparisons of this server, each of which takes all cores that it gets."""

ComparisonJob = Job["Step", LabelComparison]


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
    """A data set, the columns and tables made of it so far, and its jobs.

    All sessions that show the data share it; one request of the server is computed at a time.
    What was computed before a stop is kept.
    """

    def __init__(
        self, data: LabelledData, scoring: Scoring, bootstrap: ClusterBootstrap | None = None
    ) -> None:
        """Take a data set; the bootstrap resamples its changes, by default 1,000 times."""
        self.data = data
        self._scoring = scoring
        self._bootstrap = bootstrap
        self._columns: dict[str, MetricColumn] = {}
        self._comparisons: JobBoard[Step, LabelComparison] = JobBoard(_line)

    def columns(self, request: Request) -> tuple[MetricColumn, ...]:
        """Return those columns of a table that is there which have a value of any review."""
        columns = (self._columns[name] for name in request.names)
        return tuple(column for column in columns if not np.isnan(column.values).all())

    def table(self, request: Request) -> LabelComparison | None:
        """Return a table if it was made."""
        job = self._comparisons.find(request)
        return None if job is None else job.now().result

    def job(self, request: Request, *, again: bool = False) -> ComparisonJob:
        """Return the job of a request; begin one where there is none, or with `again` a new one."""
        job = None if again else self._comparisons.find(request)
        return job or self._comparisons.begin(
            request, lambda note, stopping: self._make(request, note, stopping), "the comparison"
        )

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
        return compare_metrics(reviews, columns, request.label, chosen, bootstrap)
