"""Systems in order of a measure or of people's ratings, compared in pairs over changes."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import pandas as pd

from crscore_core.errors import InputError
from crscore_eval.data.ratings import describe_ratings
from crscore_eval.ranking.people import (
    agreement_with_people,
    has_enough_ratings,
    unchecked_note,
)
from crscore_eval.statistics import (
    MAX_SYSTEMS,
    MIN_CHANGES,
    ClusterBootstrap,
    ScoresByChange,
    compare_all,
    scores_by_system,
)
from crscore_eval.table import (
    DEFAULT_MEASURE,
    MEASURES,
    PEOPLE,
    Measure,
    Run,
    has_ratings,
    is_by_system,
    label_columns,
    measure_named,
    measure_values,
)
from crscore_eval.table.clusters import clusters

MAX_LABELS = 3
"""Maximum number of labels whose means an order has."""

_MAX_CLUSTERS = 10_000  # with more changes, several share a cluster


class Order(NamedTuple):
    """Systems from the highest mean to the lowest, and every pair of them.

    by: the measure that orders the systems.
    other_measure: people's ratings, or the measure if people's ratings order the systems; None if
        nobody rated.
    systems:
        system
        n, empty: numbers of reviews with a value, and of empty reviews
        label_NAME: the mean of a label, for at most `MAX_LABELS` of the other labels
        mean, low, high: the mean with its 95% interval over changes
        rank: 1 is the highest mean; equal means share a rank
        other_mean, other_low, other_high, other_rank: the same by `other_measure`
        first_place, last_place: the places that are possible, given the significant differences
        place: the same in words, such as `1` or `2 to 4`
    pairs:
        higher, lower: the two systems, by their means
        the columns of `difference_table`: of the higher mean minus the lower, with p corrected by
            Holm's method; the sign is negative if the changes that both systems reviewed show the
            opposite order
        other_difference, other_low, other_high, other_sign: the same by `other_measure`
        reversed: True if `other_measure` orders the pair the other way round
        contradicted: True if it is reversed and people's order of it is significant
    agreement: from `agreement_with_people`.
    left_out: system, n, and the reason why the system is not compared.
    n_without_value: number of reviews without a value of the measure, of the systems compared.
    n_changes: number of changes compared.
    has_enough_ratings: True if people rated enough reviews to decide the order.
    ratings: how many reviews people rated, in words.
    unchecked_note: says if people have not checked the judge that orders, else "".
    """

    by: Measure
    other_measure: Measure | None
    systems: pd.DataFrame
    pairs: pd.DataFrame
    agreement: pd.DataFrame | None
    left_out: pd.DataFrame
    n_without_value: int
    n_changes: int
    has_enough_ratings: bool
    ratings: str
    unchecked_note: str

    @property
    def is_by_people(self) -> bool:
        """True if people's ratings order the systems."""
        return self.by.name == PEOPLE

    @property
    def labels(self) -> list[str]:
        """The columns of labels in `systems`."""
        return label_columns(self.systems)

    @property
    def scored_by(self) -> Measure:
        """The measure that is not people's ratings, whether it orders the systems or not."""
        return self.other_measure if self.is_by_people and self.other_measure else self.by


def order_systems(run: Run, by: str | None = None, tau: float | None = None) -> Order:
    """Order the systems by people's ratings if there are enough, else by relevance, or by `by`.

    Intervals of means and differences are t intervals over changes.

    Raises:
        InputError: there is no such measure, or no review of a system has a value of it.
    """
    ordered_by, other = _chosen_measures(run, by)
    reviews = run.reviews.assign(
        value=measure_values(run.reviews, ordered_by.name, tau),
        other_value=measure_values(run.reviews, other.name, tau),
        position=clusters(run.reviews),
        is_empty=run.reviews["n_sentences"] == 0,
    )[is_by_system(run.reviews)]
    counts = _count_reviews(reviews, ordered_by)
    is_compared = counts["reason"] == ""
    if not is_compared.any():
        reason = "nobody rated the relevance of a system's review"
        if ordered_by.name != PEOPLE:
            reason = f"no system's review has a value of {ordered_by.name}"
        raise InputError(reason, "order by another measure")
    reviews = reviews[reviews["system"].isin(counts.index[is_compared])]
    compared = reviews.dropna(subset="value")
    scores, other_scores = _rank_by_mean(compared)
    bootstrap = ClusterBootstrap.for_size(min(len(run.changes), _MAX_CLUSTERS), len(compared))
    is_by_people = ordered_by.name == PEOPLE
    pairs = _with_other_order(
        compare_all(scores, bootstrap), compare_all(other_scores), is_by_people=is_by_people
    )
    labels = [name for name in label_columns(run.reviews) if name != ordered_by.name][:MAX_LABELS]
    systems = _means(scores, ordered_by).join(
        [
            _means(other_scores, other).add_prefix("other_"),
            counts.loc[is_compared, ["n", "empty"]].astype(int),
            reviews.groupby("system")[labels].mean(),
        ]
    )
    measure = other if is_by_people else ordered_by
    left_out = counts.loc[~is_compared, ["n_reviews", "reason"]]
    return Order(
        by=ordered_by,
        other_measure=other if has_ratings(run.reviews) else None,
        systems=_with_places(systems, pairs).rename_axis("system").reset_index(),
        pairs=pairs,
        agreement=agreement_with_people(run, measure.name, tau, bootstrap),
        left_out=left_out.rename(columns={"n_reviews": "n"}).reset_index(),
        n_without_value=len(reviews) - len(compared),
        n_changes=int(compared["change"].nunique()),
        has_enough_ratings=has_enough_ratings(run),
        ratings=describe_ratings(run),
        unchecked_note=unchecked_note(run, ordered_by.name),
    )


def _chosen_measures(run: Run, by: str | None) -> tuple[Measure, Measure]:
    """Return the measure that orders the systems, and the measure to compare it with."""
    is_by_people = by == PEOPLE or (by is None and has_enough_ratings(run))
    measure = measure_named(run.reviews, DEFAULT_MEASURE if is_by_people else by or DEFAULT_MEASURE)
    people = MEASURES[PEOPLE]
    return (people, measure) if is_by_people else (measure, people)


def _rank_by_mean(
    reviews: pd.DataFrame,
) -> tuple[dict[str, ScoresByChange], dict[str, ScoresByChange]]:
    """Return the values and other values of each system, by their means, the highest first."""
    scores, others = (
        scores_by_system(reviews[column], reviews["system"], reviews["position"])
        for column in ("value", "other_value")
    )
    names = sorted(scores, key=lambda name: scores[name].mean, reverse=True)
    others = {name: others[name] for name in names if name in others}
    return {name: scores[name] for name in names}, others


def changes_by_systems(run: Run, by: str, tau: float | None = None) -> pd.DataFrame:
    """Return the mean of a measure by change (index) and system, the widest difference first.

    A mean is NaN if the system has no review of the change with a value. Changes that only one
    system reviewed are last.

    Raises:
        InputError: there is no such measure.
    """
    values = measure_values(run.reviews, by, tau)
    is_counted = is_by_system(run.reviews) & values.notna().to_numpy()
    reviews = run.reviews.assign(value=values)[is_counted]
    means = reviews.groupby(["change", "system"])["value"].mean().unstack()
    means = means.loc[[change for change in run.changes["change"] if change in means.index]]
    gap = (means.max(axis=1) - means.min(axis=1)).where(means.count(axis=1) > 1, -1.0)
    return means.loc[gap.sort_values(ascending=False, kind="stable").index]


def order_document(order: Order) -> dict[str, Any]:
    """Return the figures of an order as a JSON object, without the sentences."""
    return {
        "measure": order.by.name,
        "other_measure": order.other_measure and order.other_measure.name,
        "systems": _records(order.systems),
        "pairs": _records(order.pairs),
        "agreement": [] if order.agreement is None else _records(order.agreement),
        "left_out": _records(order.left_out),
        "reviews": int(order.systems["n"].sum()),
        "changes": order.n_changes,
        "ratings": order.ratings,
        "unchecked": order.unchecked_note,
        "has_enough_ratings": order.has_enough_ratings,
        "labels": order.labels,
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


def _count_reviews(reviews: pd.DataFrame, measure: Measure) -> pd.DataFrame:
    """Count the reviews of each system (index), in order of first occurrence.

    Columns: n_reviews, the number of all reviews; n, empty, changes and mean, of the reviews with a
    value; and the reason why the system cannot be compared, "" if it can.
    """
    valued = reviews.dropna(subset="value").groupby("system")
    systems = pd.DataFrame({"n_reviews": reviews.groupby("system", sort=False).size()}).assign(
        n=valued.size(),
        empty=valued["is_empty"].sum(),
        changes=valued["change"].nunique(),
        mean=valued["value"].mean(),
        reason="",
    )
    no_value = "nobody rated its reviews" if measure.name == PEOPLE else "its reviews have no value"
    systems.loc[systems["n"].isna(), "reason"] = no_value
    has_few = (systems["reason"] == "") & (systems["changes"] < MIN_CHANGES)
    if ((systems["reason"] == "") & ~has_few).sum() >= 2:
        systems.loc[has_few, "reason"] = f"fewer than {MIN_CHANGES} changes"
    smallest = systems[systems["reason"] == ""].sort_values(["n", "mean"])[:-MAX_SYSTEMS]
    beyond = f"not among the {MAX_SYSTEMS} systems with the most reviews"
    systems.loc[smallest.index, "reason"] = beyond
    return systems


def _means(scores: Mapping[str, ScoresByChange], measure: Measure) -> pd.DataFrame:
    """Return mean, low, high and rank of each system (index); the range of the measure clips."""
    estimates = [values.estimate(measure.lowest, measure.highest) for values in scores.values()]
    rows = [(estimate.value, *(estimate.interval or (None, None))) for estimate in estimates]
    means = pd.DataFrame(rows, [*scores], ["mean", "low", "high"], dtype=float)
    return means.assign(rank=means["mean"].rank(ascending=False))


def _with_places(systems: pd.DataFrame, pairs: pd.DataFrame) -> pd.DataFrame:
    """Add the places of systems, which follow from the pairs whose order is significant."""
    significant = pairs[pairs["sign"] > 0]
    n_above, n_below = (
        significant[column].value_counts().reindex(systems.index, fill_value=0)
        for column in ("lower", "higher")
    )
    first, last = 1 + n_above, len(systems) - n_below
    words = first.astype(str).where(first == last, first.astype(str) + " to " + last.astype(str))
    return systems.assign(first_place=first, last_place=last, place=words)


def _with_other_order(
    pairs: pd.DataFrame, other_pairs: pd.DataFrame, *, is_by_people: bool
) -> pd.DataFrame:
    """Add the columns of `Order.pairs` on the other measure, which may lack some of the pairs."""
    columns = ["difference", "low", "high", "sign"]
    other = other_pairs.set_index(["higher", "lower"])[columns].add_prefix("other_")
    pairs = pairs.join(other, on=["higher", "lower"])
    pairs["other_sign"] = pairs["other_sign"].fillna(0).astype(int)
    is_reversed = (pairs["other_difference"] < 0) & (pairs["difference"] > 0)
    sign_by_people = pairs["sign"] if is_by_people else -pairs["other_sign"]
    return pairs.assign(reversed=is_reversed, contradicted=is_reversed & (sign_by_people > 0))
