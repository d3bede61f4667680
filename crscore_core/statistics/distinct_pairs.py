"""Rank correlations of many resamples where both sides have many distinct values.

A table of both sides' values would have up to as many cells as there are reviews, squared, for
each resample. Spearman's rho needs none: it is the weighted correlation of mid-ranks, which
follow from how often each value was drawn. Of Kendall's tau-b, the concordant less the discordant
pairs are half of v' S v, for v how often each cluster was drawn, and S[i, j] those of a review of
cluster i with one of cluster j, which is the same for all resamples.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from crscore_core.statistics.contingency import (
    correlation,
    level_ranks,
    levels_vary,
    untied_pairs,
)

__all__ = ["MOST_PAIRED", "DistinctPairs"]

Array = NDArray[np.float64]

MOST_PAIRED = 2_000
"""Reviews that are compared in pairs; with more, `DistinctPairs.kendall` would take too long."""

_CELLS = 2**20  # of one table: 8 MB


@dataclass(frozen=True, slots=True)
class _Side:
    """The values of one side: their `order`, where each distinct one `starts` in it, and `at`.

    `at` is which of the distinct values each review has.
    """

    values: Array
    order: NDArray[np.intp]
    starts: NDArray[np.intp]
    at: NDArray[np.intp]

    @classmethod
    def of(cls, values: Array) -> "_Side":
        """Of the values of all reviews, (n,)."""
        order = np.argsort(values, kind="stable")
        at, starts = np.unique(values[order], return_index=True)
        return cls(values, order, starts, np.searchsorted(at, values))

    def counts(self, drawn: Array) -> Array:
        """How many there are of each distinct value, (n values, n resamples)."""
        counts: Array = np.add.reduceat(drawn[self.order], self.starts, axis=0)
        return counts


class DistinctPairs:
    """Pairs (metric, people) of reviews that belong to clusters, from 0, all of them (n,).

    Time grows with the reviews times the resamples, for `kendall` also with the square of the
    reviews. Weights are float64, (n resamples, n clusters), or of more clusters.
    """

    def __init__(self, metric: Array, people: Array, cluster: NDArray[np.intp]) -> None:
        self._sides = _Side.of(metric), _Side.of(people)
        self._cluster = cluster

    def spearman(self, weights: Array) -> Array:
        """Spearman's rho of each resample, (n resamples,); NaN where a side is constant."""
        one, other = self._sides
        parts = []
        for drawn in self._in_chunks(weights):
            counts = one.counts(drawn), other.counts(drawn)
            ranks = tuple(map(level_ranks, counts))
            parts.append(
                correlation(
                    np.einsum("nr,nr,nr->r", drawn, ranks[0][one.at], ranks[1][other.at]),
                    np.einsum("kr,kr,kr->r", counts[0], ranks[0], ranks[0]),
                    np.einsum("kr,kr,kr->r", counts[1], ranks[1], ranks[1]),
                    levels_vary(counts[0]) & levels_vary(counts[1]),
                )
            )
        return np.concatenate(parts)

    def kendall(self, weights: Array) -> Array:
        """Kendall's tau-b of each resample; NaN, as not known, beyond `MOST_PAIRED` reviews."""
        if self._cluster.size > MOST_PAIRED:
            return np.full(len(weights), np.nan)
        one, other = self._sides
        clusters, cluster = np.unique(self._cluster, return_inverse=True)
        balance = _balance(one.values, other.values, cluster)
        parts = []
        for at, drawn in zip(self._starts(weights), self._in_chunks(weights), strict=True):
            chunk = weights[at : at + drawn.shape[1], clusters]
            counts = one.counts(drawn), other.counts(drawn)
            parts.append(
                correlation(
                    np.einsum("rc,rc->r", chunk @ balance, chunk) / 2,
                    untied_pairs(counts[0]),
                    untied_pairs(counts[1]),
                    levels_vary(counts[0]) & levels_vary(counts[1]),
                )
            )
        return np.concatenate(parts)

    def _starts(self, weights: Array) -> range:
        return range(0, len(weights), max(1, _CELLS // self._cluster.size))

    def _in_chunks(self, weights: Array) -> Iterator[Array]:
        """How often each review was drawn, (n reviews, some resamples)."""
        starts = self._starts(weights)
        for at in starts:
            yield np.ascontiguousarray(weights[at : at + starts.step].T)[self._cluster]


def _balance(one: Array, other: Array, cluster: NDArray[np.intp]) -> Array:
    """Concordant less discordant pairs of reviews by the clusters of both, each pair twice."""
    order = np.argsort(cluster, kind="stable")
    one, other, cluster = one[order], other[order], cluster[order]
    starts = np.unique(cluster, return_index=True)[1]
    balance = np.zeros((starts.size, starts.size))
    step = max(1, _CELLS // order.size)
    for at in range(0, order.size, step):
        rows = slice(at, at + step)
        signs = np.sign(one[rows, np.newaxis] - one) * np.sign(other[rows, np.newaxis] - other)
        here, first = np.unique(cluster[rows], return_index=True)
        balance[here] += np.add.reduceat(np.add.reduceat(signs, starts, axis=1), first, axis=0)
    return balance
