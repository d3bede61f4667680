"""Simulate how many of a person's own ratings a refit of predicted relevance takes.

A model that is fitted to the human study's reviews of some languages stands for the shipped one,
and ratings of the other languages for a person's own: so many of them, all of a change together,
are drawn, the model is refitted to them, and both predict the reviews of the changes left. Run
`CRSCORE_STUDY=DIR python -m benchmarks.refit [REPETITIONS]`; 50 repetitions take minutes.
"""

import sys
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from scipy.stats import spearmanr

from crscore_core.corpus.comparison import CorpusComparison
from crscore_core.corpus.model import DIMENSIONS
from crscore_core.datasets.registry import load_data
from crscore_core.errors import CalibrationError
from crscore_core.predicted.fit import fit_model
from crscore_core.scoring import CachedEncoder
from crscore_core.validity.fit_predicted import STUDY_RIDGE
from crscore_core.validity.labelled_rows import labelled_rows
from crscore_core.validity.metric_columns import Scoring
from crscore_core.validity.refit import PRIOR, REFIT_RIDGE, fitted_around

_RATINGS = (20, 50, 100, 200, 400, 800)
_LEVEL_ONLY = 1e7  # a penalty that leaves the thresholds alone to be fitted
_MOST_DRAWN = 0.85  # share of the ratings

Array = NDArray[np.float64]


def main() -> None:
    """Simulate and print a table for models of two languages, and of one."""
    repetitions = int(sys.argv[1]) if sys.argv[1:] else 50
    encoder = CachedEncoder()
    comparison = Scoring("symbolic", encoder).compare(load_data("study"))
    print(f"ridge {REFIT_RIDGE:g}, prior {PRIOR:g}, {repetitions} repetitions a language")
    for n_known in (2, 1):
        print(f"\nmodel of {n_known} of 3 languages, ratings of the others")
        print("| ratings | its Spearman | refit less it | refit alone less it "
              "| its error | recalibrated less it | refit less it |")  # fmt: skip
        print("| --- " * 7 + "|")
        rows: dict[int, list[tuple[float, ...]]] = {}
        for n_ratings, figures in _draws(comparison, encoder, n_known, repetitions):
            rows.setdefault(n_ratings, []).append(figures)
        for n_ratings, drawn in sorted(rows.items()):
            print(f"| {n_ratings} | " + " | ".join(map(_in_words, np.array(drawn).T)) + " |")


def _draws(
    comparison: CorpusComparison, encoder: CachedEncoder, n_known: int, repetitions: int
) -> Iterator[tuple[int, tuple[float, ...]]]:
    """Draw, fit and measure: the number of ratings, and the figures of one row of the table."""
    rows = labelled_rows("study", [comparison], encoder)
    judged = np.zeros(rows.change.size, dtype=np.bool_)
    judged[: len(comparison.reviews)] = comparison.is_judged
    judged &= rows.can_be_scored
    people = rows.labels[DIMENSIONS[2]]
    language = np.array([change.language for change in comparison.changes])[rows.change]
    random = np.random.default_rng(0)
    for name in np.unique(language):
        own = (language == name) == (n_known == 2)
        known, n_grades = rows.graded("relevance", rows.without_changes(own))
        shipped = fit_model(known, n_grades, STUDY_RIDGE)
        pool = np.unique(rows.change[judged & own])
        for _ in range(repetitions):
            order = np.concatenate(
                [np.flatnonzero(judged & (rows.change == one)) for one in random.permutation(pool)]
            )
            for n_ratings in (n for n in _RATINGS if n <= _MOST_DRAWN * order.size):
                drawn = order[:n_ratings]
                left = order[~np.isin(rows.change[order], rows.change[drawn])]
                features, given = rows.features[drawn], people[drawn]
                level = fitted_around(shipped, features, given, _LEVEL_ONLY)
                refitted = fitted_around(shipped, features, given)
                try:
                    counted, _ = rows.graded("relevance", np.isin(np.arange(people.size), drawn))
                    alone = fit_model(counted, n_grades, STUDY_RIDGE).score(rows.features[left])
                except CalibrationError:  # a grade that nobody gave
                    alone = np.full(left.size, np.nan)
                rho, error = zip(
                    *(
                        _agreement(scores, people[left])
                        for scores in (
                            *(one.score(rows.features[left]) for one in (shipped, refitted, level)),
                            alone,
                        )
                    ),
                    strict=True,
                )
                yield n_ratings, (
                    rho[0], rho[1] - rho[0], rho[3] - rho[0],
                    error[0], error[2] - error[0], error[1] - error[0],
                )  # fmt: skip


def _agreement(scores: Array, people: Array) -> tuple[float, float]:
    """Spearman's rho, and the root of the mean squared error on the scale from 1 to 5."""
    return (
        float(spearmanr(scores, people)[0]),
        float(np.sqrt(np.mean((1 + 4 * scores - people) ** 2))),
    )


def _in_words(values: Array) -> str:
    """Mean over the draws, and what 95 % of them have; a dash where under half have a value."""
    if np.isnan(values).mean() > 0.5:
        return "—"
    low, high = np.nanquantile(values, [0.025, 0.975])
    return f"{np.nanmean(values):.3f} ({low:.3f} to {high:.3f})"


if __name__ == "__main__":
    main()
