"""Print the false alarms and the power of `crscore gate`.

The reviews of the human study's shipped part are scored with symbolic claims, by two measures:
relevance at tau, and similarity without a threshold. False alarms are counted on two random halves
of one system's changes, and on the same changes, where two systems' reviews of each change are
dealt to the sides at random. A drop replaces a share of one system's reviews with another system's.
"""

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from crscore_eval.data.shipped import shipped_study
from crscore_eval.data.study_run import score_rated_reviews
from crscore_eval.statistics.difference import difference_table
from crscore_eval.table import Run, is_by_system
from crscore_eval.table.measures import MEASURES, measure_values, run_tau

_SPLITS, _DRAWS = 1_000, 500
_SIZES, _DROPPED = (6, 12, 25, 50, 90), (6, 12, 25, 50, 180)
_GOOD, _BAD = "gpt3.5", "lstm"

Array = NDArray[np.float64]


def main() -> None:
    """Print the tables of docs/commands.md for each measure."""
    print("This takes about five minutes on two cores.", flush=True)
    run = score_rated_reviews(shipped_study(), "symbolic")
    for measure in ("relevance", "no_threshold"):
        _print(run, measure)


def _print(run: Run, measure: str) -> None:
    tau = run_tau(run.reviews)
    reviews = run.reviews[is_by_system(run.reviews)]
    values = measure_values(reviews, measure).groupby([reviews["change"], reviews["system"]])
    by_system = values.first().unstack().dropna()
    systems, scores = list(by_system.columns), by_system.to_numpy().T
    random = np.random.default_rng(0)
    print(
        f"{MEASURES[measure].title}, tau {tau:g}, of {len(systems)} systems on {scores.shape[1]} "
        f"changes; share of {_SPLITS:,} splits that count as lower"
    )
    print("changes a side | halves of one system | the same changes")
    for size in _SIZES:
        shares = (
            np.mean([draw(scores, size, random) for _ in range(_SPLITS)])
            for draw in (_halves, _same_changes)
        )
        print(f"{size} | {' | '.join(f'{share:.1%}' for share in shares)}")
    good, bad = (scores[systems.index(name)] for name in (_GOOD, _BAD))
    print(
        f"share of {_DRAWS} draws that find a drop from {good.mean():.3f} ({_GOOD}) towards "
        f"{bad.mean():.3f} ({_BAD}), on {(*_SIZES[:-1], 180)} changes, same / other"
    )
    for share in (0.1, 0.2, 0.3, 0.5):
        drop = share * (good.mean() - bad.mean())
        cells = []
        for size in _DROPPED:
            is_found = [_finds(good, bad, share, size, random) for _ in range(_DRAWS)]
            cells.append(" / ".join(f"{power:.0%}" for power in np.mean(is_found, axis=0)))
        print(f"{share:.0%} of reviews, drop {drop:.3f} | {' | '.join(cells)}")


def _is_lower(left: Array, right: Array, *, same: bool) -> bool:
    """Test if one side's scores are lower than the other's, on the same changes or on others."""
    others = np.arange(right.size) + (0 if same else left.size)
    table = pd.concat([pd.Series(left), pd.Series(right, others)], axis=1)
    return bool(difference_table([table])["sign"][0] < 0)


def _halves(scores: Array, size: int, random: np.random.Generator) -> bool:
    system = scores[random.integers(len(scores))]
    drawn = random.permutation(system)
    return _is_lower(drawn[:size], drawn[size : 2 * size], same=False)


def _same_changes(scores: Array, size: int, random: np.random.Generator) -> bool:
    pair = scores[random.choice(len(scores), 2, replace=False)]
    drawn = random.permuted(pair[:, random.permutation(pair.shape[1])[:size]], axis=0)
    return _is_lower(drawn[0], drawn[1], same=True)


def _finds(
    good: Array, bad: Array, share: float, size: int, random: np.random.Generator
) -> tuple[bool, bool]:
    """Return whether a drop is found on the same changes, and on others."""
    drawn, others = (random.integers(0, good.size, size) for _ in range(2))
    dropped = np.where(random.random(size) < share, bad[drawn], good[drawn])
    return (
        _is_lower(dropped, good[drawn], same=True),
        _is_lower(dropped, good[others], same=False),
    )


if __name__ == "__main__":
    main()
