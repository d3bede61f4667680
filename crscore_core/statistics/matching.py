"""How well a thresholded similarity finds the matches that people found.

As in the metric, a similarity equal to tau is no match. Everything is vectorised over resamples
of changes, given as weights (see `bootstrap`); scikit-learn's curves take one set of weights at a
time, and importing it takes a second.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from crscore_core.errors import StatisticsError
from crscore_core.statistics.sample import cluster_numbers, finite, weights_of

__all__ = ["ClusteredMatches", "PrecisionRecall"]

Array = NDArray[np.float64]

_CHUNK = 2**20  # cells of one (pairs, resamples) table: 8 MB, and about ten of them live


@dataclass(frozen=True, slots=True, eq=False)
class PrecisionRecall:
    """Precision, recall and F1, each (n resamples, n taus), at `taus`, (n taus,).

    Precision is NaN where nothing is above tau, recall where people found no match, and F1, the
    harmonic mean of the two, where both are.
    """

    taus: Array
    precision: Array
    recall: Array
    f1: Array


class ClusteredMatches:
    """Pairs with a similarity, whether people call them a match, and the cluster they are of."""

    def __init__(self, similarity: ArrayLike, is_match: ArrayLike, cluster: ArrayLike) -> None:
        """Take three arrays of (n pairs,): numbers, booleans, and clusters from 0.

        Raises:
            StatisticsError: lengths differ, nothing is given, a similarity is not finite, matches
                are no booleans, or clusters are not whole numbers from 0.
        """
        values, matched = finite("similarity", similarity), np.asarray(is_match)
        if matched.shape != values.shape or matched.dtype != np.bool_:
            raise StatisticsError(f"is_match must be {values.size} booleans, one a similarity")
        clusters = cluster_numbers(cluster, values.size)
        order = np.argsort(-values, kind="stable")
        self._falling = -values[order]  # similarities from high to low, negated: in rising order
        self._is_match = matched[order]
        self._cluster = clusters[order]
        self._n_clusters = int(clusters.max()) + 1

    @property
    def taus(self) -> Array:
        """The thresholds of the precision-recall curve, rising: one for each set of matches.

        The first is below every similarity, the others are the similarities but the highest.
        """
        similarities = np.unique(-self._falling)
        lowest = np.nextafter(similarities[:1], -np.inf)
        return np.concatenate([lowest, similarities[:-1]])

    def at(self, taus: ArrayLike, weights: ArrayLike) -> PrecisionRecall:
        """Precision, recall and F1 of "above tau" at many taus, (n taus,), in any order.

        `weights`, (n resamples, n clusters), says how often each cluster was drawn. One row of
        ones gives what was observed.

        Raises:
            StatisticsError: a tau is not finite, or the weights are negative, not finite, or too
                few columns.
        """
        thresholds, inverse = np.unique(finite("taus", taus), return_inverse=True)
        drawn = weights_of(weights, self._n_clusters)[:, : self._n_clusters]
        everything = np.ones_like(self._is_match)
        predicted = drawn @ self._above(thresholds, everything)[:, inverse]
        found = drawn @ self._above(thresholds, self._is_match)[:, inverse]
        n_matches = np.bincount(self._cluster, self._is_match, minlength=self._n_clusters)
        wanted = np.broadcast_to((drawn @ n_matches)[:, np.newaxis], found.shape)
        return PrecisionRecall(
            thresholds[inverse],
            _share(found, predicted),
            _share(found, wanted),
            _share(2 * found, predicted + wanted),
        )

    def _above(self, taus: Array, chosen: NDArray[np.bool_]) -> Array:
        """How many of the chosen pairs of each cluster are above each of rising taus.

        (n clusters, n taus).
        """
        exceeded = np.searchsorted(taus, -self._falling[chosen], side="left")  # how many taus
        n_columns = taus.size + 1
        cells = self._cluster[chosen] * n_columns + exceeded
        counts = np.bincount(cells, minlength=self._n_clusters * n_columns)
        counts = counts.reshape(self._n_clusters, n_columns)
        above: Array = counts[:, ::-1].cumsum(axis=1)[:, -2::-1].astype(np.float64)
        return above

    def average_precision(self, weights: ArrayLike) -> Array:
        """Average precision in each resample, (n resamples,); NaN where people found no match.

        Precision at each distinct similarity, weighted by how much recall rises there:
        scikit-learn's definition. Where all similarities are equal it is the share of matches.

        Raises:
            StatisticsError: the weights are negative, not finite, or too few columns.
        """
        ends = np.append(np.flatnonzero(np.diff(self._falling)) + 1, self._falling.size)

        def average(all_pairs: Array, matches: Array) -> Array:
            precision = _share(matches[ends], all_pairs[ends])
            rises = np.diff(matches[ends], axis=0, prepend=0)
            total = np.where(rises > 0, precision * rises, 0).sum(axis=0)
            return _share(total, matches[-1])

        return self._in_chunks(weights, average)

    def _in_chunks(self, weights: ArrayLike, tally: Callable[[Array, Array], Array]) -> Array:
        """Tally pairs and matches among the first 0, 1, ... n pairs, each (n + 1, resamples).

        Resamples stay the last axis.
        """
        drawn = weights_of(weights, self._n_clusters)
        step = max(1, _CHUNK // self._falling.size)
        parts = []
        for start in range(0, drawn.shape[0], step):
            pairs = np.zeros((self._falling.size + 1, min(step, drawn.shape[0] - start)))
            pairs[1:] = drawn[start : start + step].T[self._cluster]
            matches = np.cumsum(pairs * np.append(False, self._is_match)[:, np.newaxis], axis=0)
            parts.append(tally(np.cumsum(pairs, axis=0), matches))
        return np.concatenate(parts, axis=-1)


def _share(part: Array, whole: Array) -> Array:
    """NaN of nothing."""
    shares = np.full(whole.shape, np.nan)
    np.divide(part, whole, out=shares, where=whole > 0)
    return shares
