"""Precision and recall of a thresholded similarity at finding human-labelled matches.

As in the metric, a similarity equal to tau is not a match. Everything is computed for all resamples
of changes at once, given as weights (see `bootstrap`); scikit-learn's curves accept only one set
of weights at a time, and importing it takes a second.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from crscore_core.errors import InputError
from crscore_eval.statistics.sample import cluster_numbers, finite, ratio, weights_of

Array = NDArray[np.float64]

_CHUNK = 2**20  # entries of a (pairs, resamples) table: 8 MB, with about ten alive


@dataclass(frozen=True, slots=True, eq=False)
class PrecisionRecall:
    """Precision, recall and F1, each (n resamples, n taus).

    Precision is NaN if nothing is above tau, recall if there are no labelled matches, and F1, the
    harmonic mean of the two, if both are.
    """

    precision: Array
    recall: Array
    f1: Array


class ClusteredMatches:
    """Pairs with a similarity, a human label (match or not) and a cluster.

    Methods take the weights of resamples, which `weights_of` describes and checks.
    """

    def __init__(self, similarity: ArrayLike, is_match: ArrayLike, cluster: ArrayLike) -> None:
        """Take three arrays of (n pairs,): numbers, booleans, and clusters from 0.

        Raises:
            InputError: lengths differ, there are no values, a similarity is not finite,
                labels are not booleans, or clusters are not integers from 0.
        """
        self.similarity, self.is_match = finite("similarity", similarity), np.asarray(is_match)
        if self.is_match.shape != self.similarity.shape or self.is_match.dtype != np.bool_:
            raise InputError(
                f"is_match must be {self.similarity.size} booleans, one per similarity"
            )
        self.cluster = cluster_numbers(cluster, self.similarity.size)
        self.n_clusters = int(self.cluster.max()) + 1
        order = np.argsort(-self.similarity, kind="stable")
        self._falling = -self.similarity[order]  # from high to low, negated, so increasing
        self._is_match = self.is_match[order]
        self._cluster = self.cluster[order]

    def at(self, taus: ArrayLike, weights: ArrayLike) -> PrecisionRecall:
        """Return precision, recall and F1 of "above tau" at many taus, (n taus,), in any order.

        Raises:
            InputError: a tau is not finite, or the weights are not usable.
        """
        thresholds, inverse = np.unique(finite("taus", taus), return_inverse=True)
        drawn = weights_of(weights, self.n_clusters)
        everything = np.ones_like(self._is_match)
        above = drawn @ self._above(thresholds, everything)[:, inverse]
        hits = drawn @ self._above(thresholds, self._is_match)[:, inverse]
        n_matches = np.bincount(self._cluster, self._is_match, minlength=self.n_clusters)
        matches = np.broadcast_to((drawn @ n_matches)[:, np.newaxis], hits.shape)
        return PrecisionRecall(
            ratio(hits, above),
            ratio(hits, matches),
            ratio(2 * hits, above + matches),
        )

    def _above(self, taus: Array, chosen: NDArray[np.bool_]) -> Array:
        """Count chosen pairs of each cluster above each increasing tau: (n clusters, n taus)."""
        exceeded = np.searchsorted(taus, -self._falling[chosen], side="left")  # number of taus
        n_columns = taus.size + 1
        cells = self._cluster[chosen] * n_columns + exceeded
        counts = np.bincount(cells, minlength=self.n_clusters * n_columns)
        counts = counts.reshape(self.n_clusters, n_columns)
        above: Array = counts[:, ::-1].cumsum(axis=1)[:, -2::-1].astype(np.float64)
        return above

    def average_precision(self, weights: ArrayLike) -> Array:
        """Return average precision in each resample, (n resamples,); NaN without labelled matches.

        This is scikit-learn's definition: the precision at each distinct similarity, weighted by
        the increase of recall. If all similarities are equal, it is the share of matches.
        """
        parts = []
        for matches, pairs in self._down_to_each_level(weights):
            rises = np.diff(matches, axis=0, prepend=0)
            total = np.where(rises > 0, ratio(matches, pairs) * rises, 0).sum(axis=0)
            parts.append(ratio(total, matches[-1]))
        return np.concatenate(parts)

    def auc(self, weights: ArrayLike) -> Array:
        """Return the area under the ROC curve in each resample, (n resamples,); ties count half.

        This is the probability that a match has a higher similarity than a non-match (Hanley and
        McNeil, Radiology 143, 1982). NaN if all pairs, or none, are matches.
        """
        parts = []
        for matches, pairs in self._down_to_each_level(weights):
            hits = np.diff(matches, axis=0, prepend=0)
            misses = np.diff(pairs, axis=0, prepend=0) - hits
            above = ((matches - hits / 2) * misses).sum(axis=0)
            parts.append(ratio(above, matches[-1] * (pairs[-1] - matches[-1])))
        return np.concatenate(parts)

    def _down_to_each_level(self, weights: ArrayLike) -> Iterator[tuple[Array, Array]]:
        """Count matches and all pairs as similar as each level or more, the highest level first.

        Both are (n distinct similarities, some resamples).
        """
        drawn = weights_of(weights, self.n_clusters)
        ends = np.append(np.flatnonzero(np.diff(self._falling)), self._falling.size - 1)
        step = max(1, _CHUNK // self._falling.size)
        for start in range(0, len(drawn), step):
            pairs = np.ascontiguousarray(drawn[start : start + step].T)[self._cluster]
            matches = pairs * self._is_match[:, np.newaxis]
            yield np.cumsum(matches, axis=0)[ends], np.cumsum(pairs, axis=0)[ends]
