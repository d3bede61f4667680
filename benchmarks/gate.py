"""Print false alarms and power of `crscore gate`, and how often the changes named settle a pair.

Reviews are those of the human study's development part, compared with symbolic claims, by each of
two measures: relevance at tau, and similarity without a threshold. Halves are
two random halves of the changes of one system; in pairs, two systems' reviews of each change are
dealt to either side at random. Drops put another system's reviews in place of some of a system's.
"""

import itertools

import numpy as np
from crscore_core.corpus.measures import MEASURES, measured_values
from crscore_core.corpus.model import GROUND_TRUTH
from crscore_core.corpus.reviews import Reviews
from crscore_core.datasets.registry import load_data
from crscore_core.validity.metric_columns import Scoring
from numpy.typing import NDArray

from crscore_core.scoring import usual_tau
from crscore_eval.statistics import SURE, MeanDifference, ScoresByChange, mean_difference

_SPLITS, _DRAWS, _PILOTS = 1_000, 500, 3_000
_SIZES, _DROPPED = (6, 12, 25, 50, 90), (6, 12, 25, 50, 180)
_GOOD, _BAD = "gpt3.5", "lstm"

Array = NDArray[np.float64]


def main() -> None:
    """Print the tables of docs/ci.md for each measure."""
    data = Scoring("symbolic").compare(load_data("study"))
    for measure in ("relevance", "no_threshold"):
        _print(data, measure)


def _print(data: Reviews, measure: str) -> None:
    tau = usual_tau(data.encoder, data.claims)
    values = measured_values(data, measure, tau)
    systems = [name for name in np.unique(data.system).tolist() if name != GROUND_TRUTH]
    scores = np.array(
        [
            values[data.system == name][np.argsort(data.change[data.system == name])]
            for name in systems
        ]
    )
    random = np.random.default_rng(0)
    print(
        f"{MEASURES[measure].title}, tau {tau:g}, of {len(systems)} systems on {scores.shape[1]} "
        f"changes; share of {_SPLITS:,} splits that count as lower"
    )
    print("changes a side | halves of one system | the same changes")
    for size in _SIZES:
        shares = (
            np.mean([_is_lower(draw(scores, size, random)) for _ in range(_SPLITS)])
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
            found = [_finds(good, bad, share, size, random) for _ in range(_DRAWS)]
            cells.append(" / ".join(f"{one:.0%}" for one in np.mean(found, axis=0)))
        print(f"{share:.0%} of reviews, drop {drop:.3f} | {' | '.join(cells)}")
    for size in _SIZES[1:3]:
        _settle(scores, size, random)


def _compare(one: Array, other: Array, *, same: bool) -> MeanDifference:
    first = np.arange(one.size)
    second = np.arange(other.size) + (0 if same else one.size)
    return mean_difference(ScoresByChange.of(one, first), ScoresByChange.of(other, second))


def _is_lower(of: MeanDifference) -> bool:
    return of.p is not None and of.p < SURE and of.one < of.other


def _halves(scores: Array, size: int, random: np.random.Generator) -> MeanDifference:
    system = scores[random.integers(len(scores))]
    drawn = random.permutation(system)
    return _compare(drawn[:size], drawn[size : 2 * size], same=False)


def _same_changes(scores: Array, size: int, random: np.random.Generator) -> MeanDifference:
    pair = scores[random.choice(len(scores), 2, replace=False)]
    drawn = random.permuted(pair[:, random.permutation(pair.shape[1])[:size]], axis=0)
    return _compare(drawn[0], drawn[1], same=True)


def _finds(
    good: Array, bad: Array, share: float, size: int, random: np.random.Generator
) -> tuple[bool, bool]:
    """Return whether a drop is found on the same changes, and on others."""
    drawn, others = (random.integers(0, good.size, size) for _ in range(2))
    is_bad = random.random(size) < share
    return (
        _is_lower(_compare(np.where(is_bad, bad[drawn], good[drawn]), good[drawn], same=True)),
        _is_lower(_compare(np.where(is_bad, bad[drawn], good[drawn]), good[others], same=False)),
    )


def _settle(scores: Array, size: int, random: np.random.Generator) -> None:
    """Draw changes for a pair; where its order is open, draw as many as are said to settle it."""
    pairs = list(itertools.combinations(range(len(scores)), 2))
    n_open, told = 0, []
    for _ in range(_PILOTS):
        one, other = scores[list(pairs[random.integers(len(pairs))])]
        drawn = random.integers(0, one.size, size)
        pilot = _compare(one[drawn], other[drawn], same=True)
        if pilot.p is None or pilot.p < SURE:
            continue
        n_open += 1
        n = pilot.changes_to_settle()
        if n is None or n > 20 * size:
            continue
        drawn = random.integers(0, one.size, n)
        shift = pilot.one - pilot.other - (one.mean() - other.mean())
        settled = (_compare(one[drawn] + by, other[drawn], same=True).p for by in (shift, 0.0))
        told.append([(p or 0) < SURE for p in settled])
    stays, truly = np.mean(told, axis=0)
    print(
        f"{size} changes: {n_open} of {_PILOTS:,} orders open, for {len(told)} of them a number is "
        f"told; so many settle {stays:.0%} if the difference is as it looked, {truly:.0%} as it is"
    )


if __name__ == "__main__":
    main()
