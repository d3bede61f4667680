"""A column of numbers for each metric, over the labelled reviews of a data set."""

import functools
import hashlib
import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version

import numpy as np
from numpy.typing import NDArray
from platformdirs import user_cache_path

from crscore_core.caches import ByteStore
from crscore_core.claims import DEFAULT_CLAIMS, ClaimGenerator, claim_generator
from crscore_core.corpus.measures import MEASURES
from crscore_core.corpus.progress import CorpusProgress, CorpusStage, Note, silent_note
from crscore_core.corpus.reading import label_name
from crscore_core.corpus.reviews import METRICS, Reviews
from crscore_core.corpus.score import score_corpus
from crscore_core.datasets.labelled import LabelledData
from crscore_core.datasets.study.corpus import STUDY_CLAIMS, study_corpus
from crscore_core.datasets.study.shipped import SHIPPED, shipped_comparison
from crscore_core.errors import InputError
from crscore_core.metrics import REFERENCE_METRICS, TextPair, reference_metrics
from crscore_core.metrics.baselines import shared_identifiers, words
from crscore_core.rendered import rendered
from crscore_core.scoring import (
    DEFAULT_ENCODER,
    CachedEncoder,
    encoder_digest,
    resolve_tau,
)
from crscore_core.scoring.signature import package_version

Array = NDArray[np.float64]

_KEPT_BYTES = 100_000_000
_PAIRS_AT_ONCE = 100
_PACKAGES = tuple(map(version, ("sacrebleu", "rapidfuzz")))
_SCORES = {"con": "Con", "comp": "Comp", "rel": "Rel"}  # in the order of `DIMENSIONS`

CRSCORE = (*_SCORES, *METRICS)
"""Metrics that rest on pseudo-references, none of which needs a reference review."""

BASELINES = {"words": "number of words", "shared_identifiers": "identifiers shared with the code"}
"""Metrics that any other one should beat."""

TITLES: Mapping[str, str] = {
    **_SCORES,
    **{name: MEASURES[name].title for name in METRICS},
    **{name: metric.title for name, metric in REFERENCE_METRICS.items()},
    **BASELINES,
}
"""Every metric that needs no language model, in the order of tables, with its name for people."""


@dataclass(frozen=True, slots=True, eq=False)
class MetricColumn:
    """A metric's value of each of n reviews: `values`, (n,), NaN where it has none.

    `seconds` is the time that it took, once for the metrics that are made together. `remark` says
    what a reader must know, or why there is no value at all; empty where there is nothing.
    """

    name: str
    values: Array
    seconds: float
    remark: str = ""


@dataclass(frozen=True, slots=True)
class Scoring:
    """Settings of CRScore: claims (None: the data set's own, else symbolic), encoder, tau.

    Reviews that were compared already keep their claims and encoder.
    """

    claims: str | None = None
    encoder: CachedEncoder = field(default_factory=CachedEncoder)
    tau: float | str | None = None

    def compare(self, data: LabelledData, note: Note = silent_note) -> Reviews:
        """Compare the reviews of a data set with the pseudo-references of their changes.

        Raises:
            InputError: there are no such claims.
            UnavailableError: the encoder cannot be loaded.
        """
        if data.compared is not None:
            return data.compared
        if data.study is None:
            return score_corpus(data.corpus, self._generator(), self.encoder, note)
        claims = self.claims or STUDY_CLAIMS
        if (data.folder, claims, self.encoder.name) == (SHIPPED, STUDY_CLAIMS, DEFAULT_ENCODER):
            return shipped_comparison()
        return study_corpus(data.study, claims, data.folder).score(self.encoder, note)

    def _generator(self) -> ClaimGenerator:
        return claim_generator(self.claims or DEFAULT_CLAIMS)


def metric_names(wanted: Sequence[str]) -> tuple[str, ...]:
    """Return the metrics of these names, in the order of tables; all where none is named.

    Raises:
        InputError: there is no metric of a name.
    """
    if unknown := [name for name in wanted if name not in TITLES]:
        raise InputError(f"there is no metric {unknown[0][:80]!r}; there are {', '.join(TITLES)}")
    return tuple(name for name in TITLES if not wanted or name in wanted)


def own_columns(data: LabelledData, names: Sequence[str]) -> Iterator[MetricColumn]:
    """Take metrics from columns of a file that were read as labels, such as a judge's grades.

    Raises:
        InputError: a column is called like a metric that is computed.
    """
    for name in map(label_name, names):
        if name in TITLES:
            raise InputError(
                f"the column {name!r} is called like a metric that is computed; rename it"
            )
        values = data.reviews.labels[name].values
        without = int(np.isnan(values).sum())
        remark = f"{without:,} reviews have no value in the file" if without else ""
        yield MetricColumn(name, values, 0.0, remark)


def metric_columns(
    data: LabelledData,
    names: Sequence[str],
    scoring: Scoring,
    progress: Callable[[str], None] = lambda _: None,
    note: Note = silent_note,
) -> Iterator[MetricColumn]:
    """Compute each metric over the reviews of a data set, `LabelledData.reviews`.

    Values of metrics beside a reference are kept on disk. `progress` is told the title of each
    metric before it is computed, and `note` how far that is; an error that either raises ends the
    work.

    Raises:
        InputError, UnavailableError, InputError: CRScore cannot be computed as wanted.
    """
    reviews = data.reviews
    wanted = [name for name in names if name in CRSCORE]
    if wanted:
        progress("CRScore")
        yield from _crscore(data, wanted, scoring, note)
    if len(wanted) == len(names):
        return
    kept = ByteStore(user_cache_path("crscore") / "metrics", _KEPT_BYTES)
    texts = [rendered(text).text for text in reviews.texts]
    references = [rendered(text).text for text in reviews.references]
    pairs = list(map(TextPair, texts, references))
    encoder = scoring.encoder.name
    for name in names:
        if name in REFERENCE_METRICS:
            progress(TITLES[name])
            made_with = [
                name, package_version(), encoder_digest(encoder), *_PACKAGES,
            ]  # fmt: skip
            yield _beside_reference(encoder, pairs, kept, made_with, note)
    for name in names:
        if name in BASELINES:
            progress(TITLES[name])
            yield _baseline(name, texts, reviews.code)


def _crscore(
    data: LabelledData, names: Sequence[str], scoring: Scoring, note: Note
) -> Iterator[MetricColumn]:
    n = len(data.reviews.reviews)
    if not data.has_diffs:
        for name in names:
            yield MetricColumn(name, np.full(n, np.nan), 0.0, "the data set has code, and no diffs")
        return
    start = time.perf_counter()
    comparison = scoring.compare(data, note)
    tau = resolve_tau(scoring.tau, scoring.encoder.name, comparison.claims)
    values = dict(zip(_SCORES, comparison.scores([tau])[:, 0], strict=True))
    values |= {name: compute(comparison) for name, compute in METRICS.items()}
    place = {
        (comparison.changes[review.change].id, review.id): row
        for row, review in enumerate(comparison)
    }
    rows = [
        place.get((data.corpus.changes[change].id, review.id), -1)
        for change, review in zip(data.reviews.change, data.reviews.reviews, strict=True)
    ]
    found = np.array(rows, dtype=np.intp)
    without = int((found < 0).sum())
    remark = f"{without:,} reviews are of changes without pseudo-references" if without else ""
    seconds = time.perf_counter() - start
    for name in names:
        of_all = values[name]
        column = np.where(found < 0, np.nan, of_all[found] if of_all.size else np.nan)
        yield MetricColumn(name, column, seconds, remark)


_metrics = functools.cache(reference_metrics)


def _beside_reference(
    encoder: str,
    pairs: Sequence[TextPair],
    kept: ByteStore,
    made_with: Sequence[str],
    note: Note,
) -> MetricColumn:
    """Compute a metric beside references, or read what was kept of the same pairs.

    `made_with` is all that the values depend on, the name of the metric first.
    """
    texts = json.dumps([made_with, pairs])
    key = hashlib.sha256(texts.encode("utf-8", "surrogatepass")).digest()
    known = kept.known([key]).get(key)
    if known is None:
        start = time.perf_counter()
        metric = _metrics(encoder)[made_with[0]]
        blocks = []
        for done in range(0, len(pairs), _PAIRS_AT_ONCE):
            note(CorpusProgress(CorpusStage.SCORES, done, len(pairs)))
            blocks.append(metric.score(pairs[done : done + _PAIRS_AT_ONCE]))
        values = np.concatenate(blocks)
        seconds = time.perf_counter() - start
        kept.keep({key: np.array([seconds, *values], dtype="<f8").tobytes()})
    else:
        seconds, *rest = np.frombuffer(known, "<f8")
        values = np.array(rest, dtype=np.float64)
    without = int(np.isnan(values).sum())
    remark = f"{without:,} reviews are empty or have no reference" if without else ""
    if without == len(pairs):
        remark = "no review has a reference"
    elif np.ptp(values[~np.isnan(values)]) == 0:
        remark = "the same for every review"
    return MetricColumn(made_with[0], values, float(seconds), remark)


def _baseline(name: str, texts: Sequence[str], code: Sequence[str]) -> MetricColumn:
    start = time.perf_counter()
    values = words(texts) if name == "words" else shared_identifiers(texts, code)
    return MetricColumn(name, values, time.perf_counter() - start)
