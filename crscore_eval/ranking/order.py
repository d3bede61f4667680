"""Systems in order of a measure or of people's ratings, compared in pairs over changes."""

from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from crscore_core.errors import InputError
from crscore_eval.data.ratings import describe_ratings
from crscore_eval.data.study import is_by_system
from crscore_eval.ranking.people import (
    agreement_with_people,
    change_positions,
    people_decide,
    unchecked_note,
)
from crscore_eval.statistics import (
    MAX_SYSTEMS,
    MIN_CHANGES,
    ClusterBootstrap,
    MeanDifference,
    ScoresByChange,
    compare_all,
)
from crscore_eval.table import (
    DEFAULT_MEASURE,
    LABEL_PREFIX,
    MEASURES,
    PEOPLE,
    SCORES,
    Measure,
    Run,
    has_ratings,
    measure_named,
    measure_names,
    measure_values,
    people_ratings,
)

MAX_LABELS = 3
"""Largest number of labels whose means an order has."""

_MAX_CLUSTERS = 10_000  # with more changes, several share a cluster

DIFFERENCE = ("difference", "low", "high", "sign")
"""Columns of a difference of two means, as in `Order.pairs`."""

_PAIR = ["higher", "lower", *DIFFERENCE, "p", "changes", "same_changes", "probability",
         *(f"other_{name}" for name in DIFFERENCE), "reversed", "contradicted"]  # fmt: skip

_Differences = dict[tuple[str, str], MeanDifference]


class Order(NamedTuple):
    """Systems from the highest mean to the lowest, and every pair of them.

    by: the measure that orders the systems.
    compared_with: people's ratings, or the measure if people's ratings order the systems; None if
        nobody rated.
    systems:
        system
        n, empty: numbers of reviews with a value, and of empty reviews
        mean, low, high: the mean with its 95% interval over changes
        rank: 1 is the highest mean; equal means share a rank
        first_place, last_place: the places that are possible while the order of pairs is open
        place: the same in words, such as `1` or `2 to 4`
        other_mean, other_low, other_high, other_rank: the same by `compared_with`
        label_NAME: the mean of a label, for each of `facts["labels"]`
    pairs:
        higher, lower: the two systems, by their means
        difference, low, high: the difference of the means with its 95% interval
        sign: 1 if the order is significant, -1 if the lower system is significantly higher on the
            changes that both reviewed, else 0
        p: two-sided, after Holm's correction
        changes: number of changes compared
        same_changes: False if too few changes are shared, so each mean is over its own changes
        probability: share of resamples of changes in which the higher system stays higher
        other_difference, other_low, other_high, other_sign: the same by `compared_with`
        reversed: True if `compared_with` orders the pair the other way round
        contradicted: True if it is reversed and people's order of it is significant
    agreement: from `agreement_with_people`.
    left_out: system, n, and the reason why the system is not compared.
    facts:
        reviews, changes, resamples: their numbers
        ratings: how many reviews people rated, in words
        unchecked: a note if people have not checked the judge that orders, else ""
        is_rated: True if people rated enough reviews to decide the order
        labels: columns of labels in `systems`, at most `MAX_LABELS`
    """

    by: Measure
    compared_with: Measure | None
    systems: pd.DataFrame
    pairs: pd.DataFrame
    agreement: pd.DataFrame | None
    left_out: pd.DataFrame
    facts: dict[str, Any]

    @property
    def is_by_people(self) -> bool:
        """True if people's ratings order the systems."""
        return self.by.name == PEOPLE

    @property
    def measure(self) -> Measure:
        """The measure besides people's ratings, whether it orders the systems or not."""
        return self.compared_with if self.is_by_people and self.compared_with else self.by


def order_systems(run: Run, by: str | None = None, tau: float | None = None) -> Order:
    """Order the systems by people's ratings if there are enough, else by relevance, or by `by`.

    Intervals of means and differences are t intervals over changes.

    Raises:
        InputError: there is no such measure, or no review of a system has a value of it.
    """
    by_people = by == PEOPLE or (by is None and people_decide(run))
    measure = measure_named(run.reviews, DEFAULT_MEASURE if by_people else by or DEFAULT_MEASURE)
    values = measure_values(run.reviews, measure.name, tau)
    other_values = people_ratings(run.reviews)
    ordered_by, compared_with = measure, MEASURES[PEOPLE] if has_ratings(run.reviews) else None
    if by_people:
        values, other_values = other_values, values
        ordered_by, compared_with = MEASURES[PEOPLE], measure
    reviews = run.reviews.assign(
        value=values,
        other_value=other_values,
        position=change_positions(run),
        is_empty=run.reviews["n_sentences"] == 0,
    )[is_by_system(run.reviews)]
    left_out = _left_out_systems(reviews, ordered_by)
    chosen = reviews[reviews["value"].notna() & ~reviews["system"].isin(left_out["system"])]
    if chosen.empty:
        if by_people:
            raise InputError("nobody rated a review of a system; order by another measure")
        raise InputError(f"no system's review has a value of {ordered_by.name}; order by another")
    bootstrap = ClusterBootstrap.for_size(min(len(run.changes), _MAX_CLUSTERS), len(chosen))
    grouped = chosen.groupby("system", sort=False)
    systems = grouped.agg(n=("value", "size"), empty=("is_empty", "sum"))
    systems = systems.loc[grouped["value"].mean().sort_values(ascending=False, kind="stable").index]
    others = [name for name in measure_names(run.reviews) if name != ordered_by.name]
    labels = [name for name in others if name.startswith(LABEL_PREFIX)][:MAX_LABELS]
    systems[labels] = reviews.groupby("system")[labels].mean()
    differences = []
    for prefix, column_measure in (("", ordered_by), ("other_", compared_with)):
        column = f"{prefix}value"
        groups = chosen.dropna(subset=column).groupby("system")
        grouped_scores = {
            name: ScoresByChange.of(group[column], group["position"]) for name, group in groups
        }
        scores = {name: grouped_scores[name] for name in systems.index if name in grouped_scores}
        systems[[f"{prefix}{name}" for name in ("mean", "low", "high")]] = [
            _mean_with_interval(scores.get(name), column_measure) for name in systems.index
        ]
        systems[f"{prefix}rank"] = systems[f"{prefix}mean"].rank(ascending=False)
        differences.append(compare_all(scores, None if prefix else bootstrap))
    pairs = _pairs(*differences, by_people=by_people)
    significant = pairs[pairs["sign"] > 0]
    n_above = significant["lower"].value_counts().reindex(systems.index, fill_value=0)
    n_below = significant["higher"].value_counts().reindex(systems.index, fill_value=0)
    systems["first_place"], systems["last_place"] = 1 + n_above, len(systems) - n_below
    places = zip(systems["first_place"], systems["last_place"], strict=True)
    systems["place"] = [" to ".join(map(str, dict.fromkeys(place))) for place in places]
    return Order(
        ordered_by,
        compared_with,
        systems.reset_index(),
        pairs,
        agreement_with_people(run, measure.name, tau, bootstrap),
        left_out,
        {
            "reviews": len(chosen),
            "changes": int(chosen["change"].nunique()),
            "resamples": len(bootstrap.weights),
            "ratings": describe_ratings(run),
            "unchecked": unchecked_note(run, ordered_by.name),
            "is_rated": people_decide(run),
            "labels": labels,
        },
    )


def changes_by_systems(run: Run, by: str, tau: float | None = None) -> pd.DataFrame:
    """Return the mean of a measure by change (index) and system, the widest difference first.

    A mean is NaN if the system has no review of the change with a value. Changes that only one
    system reviewed are last. Empty reviews do not count if the measure is a score.

    Raises:
        InputError: there is no such measure.
    """
    values = measure_values(run.reviews, by, tau)
    is_counted = is_by_system(run.reviews) & values.notna().to_numpy()
    if by in SCORES:
        is_counted &= (run.reviews["n_sentences"] > 0).to_numpy()
    reviews = run.reviews.assign(value=values, position=change_positions(run))[is_counted]
    means = reviews.groupby(["position", "system"])["value"].mean().unstack()
    gap = (means.max(axis=1) - means.min(axis=1)).where(means.count(axis=1) > 1, -1.0)
    means = means.loc[gap.sort_values(ascending=False, kind="stable").index]
    return means.set_axis(run.changes["change"].to_numpy()[means.index])


def order_document(order: Order) -> dict[str, Any]:
    """Return the figures of an order as a JSON object, without the sentences."""
    return {
        "measure": order.by.name,
        "other_measure": order.compared_with and order.compared_with.name,
        "systems": _records(order.systems),
        "pairs": _records(order.pairs),
        "agreement": [] if order.agreement is None else _records(order.agreement),
        "left_out": _records(order.left_out),
        **order.facts,
    }


def _records(frame: pd.DataFrame) -> list[dict[Any, Any]]:
    """Return the rows of a frame as JSON objects; `low` and `high` become one list, `ci`."""
    cells = frame.astype(object).where(frame.notna(), None)
    for prefix in ("", "other_"):
        if f"{prefix}low" in cells:
            names = [f"{prefix}low", f"{prefix}high"]
            intervals = [None if None in row else row for row in cells[names].to_numpy().tolist()]
            cells = cells.drop(columns=names).assign(**{f"{prefix}ci": pd.Series(intervals)})
    return cells.to_dict("records")


def _left_out_systems(reviews: pd.DataFrame, measure: Measure) -> pd.DataFrame:
    """Return the systems that cannot be compared, as in `Order.left_out`."""
    no_value = "nobody rated its reviews" if measure.name == PEOPLE else "its reviews have no value"
    reasons = dict.fromkeys(reviews["system"], no_value)
    sizes, has_few = {}, {}
    for name, group in reviews[reviews["value"].notna()].groupby("system", sort=False):
        if measure.name in SCORES and group["is_empty"].all():
            n_unscored = int((reviews["system"] == name).sum()) - len(group)
            unscored = f", cannot be scored: {n_unscored:,}" if n_unscored else ""
            reasons[name] = f"no review to compare (empty: {len(group):,}{unscored})"
            continue
        del reasons[name]
        sizes[name] = (len(group), group["value"].mean())
        has_few[name] = group["change"].nunique() < MIN_CHANGES
    few = [name for name, is_few in has_few.items() if is_few]
    if len(has_few) - len(few) >= 2:
        reasons |= dict.fromkeys(few, f"fewer than {MIN_CHANGES} changes")
    largest = sorted((name for name in sizes if name not in reasons), key=sizes.__getitem__)[::-1]
    beyond = f"not among the {MAX_SYSTEMS} systems with the most reviews"
    reasons |= dict.fromkeys(largest[MAX_SYSTEMS:], beyond)
    rows = [(name, (reviews["system"] == name).sum(), reason) for name, reason in reasons.items()]
    return pd.DataFrame(rows, columns=["system", "n", "reason"])


def _mean_with_interval(
    scores: ScoresByChange | None, measure: Measure | None
) -> tuple[float, float, float]:
    """Return a mean and its interval, clipped to the measure's range; NaN without scores."""
    if scores is None or measure is None:
        return (np.nan, np.nan, np.nan)
    interval = scores.estimate(measure.lowest, measure.highest).interval
    return (scores.mean, *(interval or (np.nan, np.nan)))


def _pairs(differences: _Differences, by_other: _Differences, *, by_people: bool) -> pd.DataFrame:
    """Return `Order.pairs` from the differences by either measure."""
    rows = []
    for pair, result in differences.items():
        *difference, sign = difference_values(result)
        *other_difference, other_sign = difference_values(by_other.get(pair))
        is_reversed = other_difference[0] < 0 < difference[0]
        is_significant = sign > 0 if by_people else other_sign < 0
        p = np.nan if result.p is None else result.p
        row = [*pair, *difference, sign, p, result.changes, result.is_paired, result.probability]
        row += [*other_difference, other_sign, is_reversed, is_reversed and is_significant]
        rows.append(row)
    return pd.DataFrame(rows, columns=_PAIR).astype({"reversed": bool, "contradicted": bool})


def difference_values(result: MeanDifference | None) -> tuple[float, float, float, int]:
    """Return the values of the columns of `DIFFERENCE`; NaN and a sign of 0 without a result."""
    if result is None:
        return (np.nan, np.nan, np.nan, 0)
    interval = result.estimate.interval or (np.nan, np.nan)
    return (result.first - result.second, *interval, result.sign)
