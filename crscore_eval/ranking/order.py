"""Systems in order of a measure or of people's ratings, compared in pairs over changes."""

from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from crscore_core.errors import InputError
from crscore_eval.ranking.people import (
    agreement_with_people,
    change_numbers,
    of_systems,
    people_decide,
    ratings_words,
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
    LABEL,
    MEASURES,
    PEOPLE,
    SCORES,
    Measure,
    Run,
    has_ratings,
    measure_named,
    measure_names,
    measure_values,
    relevance_ratings,
)

MAX_LABELS = 3
"""Labels whose means stand next to the measure."""

_MAX_CLUSTERS = 10_000  # of more changes several share one

DIFFERENCE = ("difference", "low", "high", "sign")
"""Columns of a difference of two means: see `Order.pairs`."""

_PAIR = ["higher", "lower", *DIFFERENCE, "p", "changes", "same_changes", "probability",
         *(f"other_{name}" for name in DIFFERENCE), "reversed", "contradicted"]  # fmt: skip


class Order(NamedTuple):
    """Systems from the highest mean to the lowest, and every pair of them.

    `by` is the measure that orders the systems, `other` the one next to it: the measure if people's
    ratings order, people's ratings if a measure does, None if nobody rated.

    `systems`: system, n (reviews with a value), empty; mean with the 95% interval low and high
    over changes; rank (equal means share one); first_place, last_place (systems whose order is open
    share places); other_mean, other_low, other_high, other_rank; and the mean of each label.

    `pairs`: higher, lower (by their means); difference, low, high; sign (1 if the order is
    significant, -1 if the lower system is significantly higher on the changes that both reviewed,
    else 0); p (after Holm's correction); changes; same_changes (False if too few are shared);
    probability (share of resamples of changes in which the higher system stays so);
    other_difference, other_low, other_high, other_sign; reversed (the other measure puts the two
    the other way round), contradicted (and people's order is significant).

    `agreement` is from `agreement_with_people`. `left_out`: system, n, reason. `facts`: reviews,
    changes, ratings (in words), unchecked (the note that people have not checked a judge), is_rated
    (people rated enough to decide), labels (the label columns shown, at most `MAX_LABELS`).
    """

    by: Measure
    other: Measure | None
    systems: pd.DataFrame
    pairs: pd.DataFrame
    agreement: pd.DataFrame | None
    left_out: pd.DataFrame
    facts: dict[str, Any]

    @property
    def by_people(self) -> bool:
        """True if people's ratings order the systems."""
        return self.by.name == PEOPLE

    @property
    def measure(self) -> Measure:
        """The measure that stands next to people's ratings, or that orders the systems."""
        return self.other if self.by_people and self.other else self.by


def order_systems(run: Run, by: str | None = None, tau: float | None = None) -> Order:
    """Order the systems by people's ratings if there are enough, else by relevance, or by `by`.

    Intervals of means and differences are t intervals over changes. `Order.left_out` has the
    systems that cannot be compared.

    Raises:
        InputError: there is no such measure, or no review of a system has a value of it.
    """
    by_people = by == PEOPLE or (by is None and people_decide(run))
    measure = measure_named(run.reviews, DEFAULT_MEASURE if by_people else by or DEFAULT_MEASURE)
    columns = measure_values(run.reviews, measure.name, tau), relevance_ratings(run.reviews)
    ordered_by, other = measure, MEASURES[PEOPLE] if has_ratings(run.reviews) else None
    if by_people:
        columns, ordered_by, other = columns[::-1], MEASURES[PEOPLE], measure
    reviews = run.reviews.assign(
        value=columns[0],
        other=columns[1],
        number=change_numbers(run),
        is_empty=run.reviews["n_sentences"] == 0,
    )[of_systems(run)]
    left_out = _not_compared(reviews, ordered_by)
    chosen = reviews[reviews["value"].notna() & ~reviews["system"].isin(left_out["system"])]
    if chosen.empty:
        if by_people:
            raise InputError("nobody rated reviews of a system here; order by another measure")
        raise InputError(f"no order: no review of a system has a value of {ordered_by.name}")
    bootstrap = ClusterBootstrap.for_size(min(len(run.changes), _MAX_CLUSTERS), len(chosen))
    grouped = chosen.groupby("system", sort=False)
    systems = grouped.agg(n=("value", "size"), empty=("is_empty", "sum"))
    systems = systems.loc[grouped["value"].mean().sort_values(ascending=False, kind="stable").index]
    names = [name for name in measure_names(run.reviews) if name != ordered_by.name]
    labels = [name for name in names if name.startswith(LABEL)][:MAX_LABELS]
    systems[labels] = reviews.groupby("system")[labels].mean()
    compared = []
    for column, column_measure, prefix in (("value", ordered_by, ""), ("other", other, "other_")):
        groups = chosen.dropna(subset=column).groupby("system")
        grouped_scores = {
            name: ScoresByChange.of(group[column], group["number"]) for name, group in groups
        }
        scores = {name: grouped_scores[name] for name in systems.index if name in grouped_scores}
        names = [f"{prefix}{name}" for name in ("mean", "low", "high")]
        systems[names] = [_mean(scores.get(name), column_measure) for name in systems.index]
        systems[f"{prefix}rank"] = systems[names[0]].rank(ascending=False)
        compared.append(compare_all(scores, None if prefix else bootstrap))
    pairs = _pairs(*compared, by_people=by_people)
    clear = pairs[pairs["sign"] > 0]
    above, below = (
        clear[end].value_counts().reindex(systems.index, fill_value=0)
        for end in ("lower", "higher")
    )
    return Order(
        ordered_by,
        other,
        systems.assign(first_place=1 + above, last_place=len(systems) - below).reset_index(),
        pairs,
        agreement_with_people(run, measure.name, tau, bootstrap),
        left_out,
        {
            "reviews": len(chosen),
            "changes": int(chosen["change"].nunique()),
            "ratings": ratings_words(run),
            "unchecked": unchecked_note(run, ordered_by.name),
            "is_rated": people_decide(run),
            "labels": labels,
        },
    )


def changes_by_systems(run: Run, by: str, tau: float | None = None) -> pd.DataFrame:
    """Return the mean of a measure for each change (index) and system, the widest gap first.

    NaN if a system has no review of a change with a value. Changes that one system alone reviewed
    are last. Empty reviews do not count in scores.

    Raises:
        InputError: there is no such measure.
    """
    values = measure_values(run.reviews, by, tau)
    counts = of_systems(run) & values.notna().to_numpy()
    if by in SCORES:
        counts &= (run.reviews["n_sentences"] > 0).to_numpy()
    reviews = run.reviews.assign(value=values, number=change_numbers(run))[counts]
    means = reviews.groupby(["number", "system"])["value"].mean().unstack()
    gap = (means.max(axis=1) - means.min(axis=1)).where(means.count(axis=1) > 1, -1.0)
    means = means.loc[gap.sort_values(ascending=False, kind="stable").index]
    return means.set_axis(run.changes["change"].to_numpy()[means.index])


def axis_of(measure: Measure, values: ArrayLike) -> tuple[float, float]:
    """Return the ends of an axis: the range of a measure, or of the values if it has none."""
    low = float(np.nanmin(values)) if measure.lowest is None else measure.lowest
    return low, float(np.nanmax(values)) if measure.highest is None else measure.highest


def order_document(order: Order) -> dict[str, Any]:
    """Return the figures of an order as a JSON object, without the sentences."""
    return {
        "measure": order.by.name,
        "other_measure": order.other and order.other.name,
        "systems": _records(order.systems),
        "pairs": _records(order.pairs),
        "agreement": [] if order.agreement is None else _records(order.agreement),
        "left_out": _records(order.left_out),
        **order.facts,
    }


def _records(frame: pd.DataFrame) -> list[dict[Any, Any]]:
    """Return the rows of a frame as JSON objects; both ends of an interval become `ci`."""
    cells = frame.astype(object).where(frame.notna(), None)
    for prefix in ("", "other_"):
        if f"{prefix}low" in cells:
            both = cells[[f"{prefix}low", f"{prefix}high"]].to_numpy().tolist()
            cells = cells.drop(columns=[f"{prefix}low", f"{prefix}high"])
            cells[f"{prefix}ci"] = pd.Series([None if None in ends else ends for ends in both])
    return cells.to_dict("records")


def _not_compared(reviews: pd.DataFrame, measure: Measure) -> pd.DataFrame:
    """Return the systems that are not compared: system, n, reason."""
    no_value = "nobody rated its reviews" if measure.name == PEOPLE else "its reviews have no value"
    reasons = dict.fromkeys(reviews["system"], no_value)
    sizes, has_few = {}, {}
    for name, group in reviews[reviews["value"].notna()].groupby("system", sort=False):
        if measure.name in SCORES and group["is_empty"].all():
            empty, others = len(group), int((reviews["system"] == name).sum()) - len(group)
            unscored = f", cannot be scored: {others:,}" if others else ""
            reasons[name] = f"no review to compare (empty: {empty:,}{unscored})"
            continue
        del reasons[name]
        sizes[name] = (len(group), group["value"].mean())
        has_few[name] = group["change"].nunique() < MIN_CHANGES
    if list(has_few.values()).count(False) >= 2:
        few = [name for name in has_few if has_few[name]]
        reasons |= dict.fromkeys(few, f"fewer than {MIN_CHANGES} changes")
    largest = sorted((name for name in sizes if name not in reasons), key=sizes.__getitem__)[::-1]
    beyond = f"not among the {MAX_SYSTEMS} systems with the most reviews"
    reasons |= dict.fromkeys(largest[MAX_SYSTEMS:], beyond)
    rows = [(name, (reviews["system"] == name).sum(), reason) for name, reason in reasons.items()]
    return pd.DataFrame(rows, columns=["system", "n", "reason"])


def _mean(scores: ScoresByChange | None, measure: Measure | None) -> tuple[float, float, float]:
    """Return a mean with the ends of its interval within the measure's range; NaN without."""
    if scores is None or measure is None:
        return (np.nan, np.nan, np.nan)
    lowest = -np.inf if measure.lowest is None else measure.lowest
    estimate = scores.estimate(lowest, np.inf if measure.highest is None else measure.highest)
    return (scores.mean, *(estimate.interval or (np.nan, np.nan)))


def _pairs(
    differences: dict[tuple[str, str], MeanDifference],
    by_other: dict[tuple[str, str], MeanDifference],
    *,
    by_people: bool,
) -> pd.DataFrame:
    rows = []
    for pair, result in differences.items():
        figures, other = difference_figures(result), difference_figures(by_other.get(pair))
        is_reversed = other[0] < 0
        is_clear = figures[3] > 0 if by_people else other[3] < 0
        p = np.nan if result.p is None else result.p
        facts = (p, result.changes, result.is_paired, result.probability)
        rows.append((*pair, *figures, *facts, *other, is_reversed, is_reversed and is_clear))
    return pd.DataFrame(rows, columns=_PAIR).astype({"reversed": bool, "contradicted": bool})


def difference_figures(result: MeanDifference | None) -> tuple[float, float, float, int]:
    """Return the columns of `DIFFERENCE`; NaN and 0 without one."""
    if result is None:
        return (np.nan, np.nan, np.nan, 0)
    ends = result.estimate.interval or (np.nan, np.nan)
    return (result.one - result.other, *ends, result.sign)
