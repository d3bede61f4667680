"""Order systems by a measure or by people's ratings, and compare them in pairs over changes."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from crscore_core.errors import InputError
from crscore_core.text import counted
from crscore_eval.data.ratings import describe_ratings, has_enough_answers
from crscore_eval.formatting import records
from crscore_eval.judge.judge import describe_unjudged
from crscore_eval.metrics.registry import SIMPLE_METRICS
from crscore_eval.metrics.values import metric_values, named_measure
from crscore_eval.ranking.two_runs import system_values
from crscore_eval.statistics.bootstrap import MIN_CHANGES
from crscore_eval.statistics.difference import compare_all, mean_estimates, means_by_change
from crscore_eval.table import GROUND_TRUTH, Run, is_by_system, label_columns
from crscore_eval.table.measures import (
    DEFAULT_MEASURE,
    MEASURES,
    PEOPLE,
    PEOPLE_ORDER,
    RIGHT_LABEL,
    Measure,
    measure_values,
)
from crscore_eval.validity.compare import compare_metrics

MAX_SYSTEMS = 40
"""Maximum number of systems compared, since time grows as its square; the largest are kept."""

UNKNOWN = "without values of both"
ORDERS = {
    1: "in the same order",
    -1: "in the opposite order",
    0: "tied by people or by the measure",
}
"""How two measures order a pair, by the sign of the product of their differences."""


class Order(NamedTuple):
    """Systems from the highest mean to the lowest, and every pair of them.

    by: the measure that orders the systems; scores are at `tau`.
    other_measure: the measure to compare with: one of `PEOPLE_ORDER`, or the default measure if
        `by` is one of these; None if people answered nothing.
    systems:
        system
        n, empty: the number of reviews with a value, and how many of these are empty
        n_reviews, words: the number of all reviews, and their mean number of words
        label_NAME, n_label_NAME: the mean of a label that is neither of the two measures, and the
            number of reviews that have it
        mean, low, high: the mean with its 95% interval over changes
        rank, ranks: 1 for the highest mean, shared by equal means; and in words (`2 to 3`)
        other_n, other_mean, …: the same by `other_measure`, over these reviews
        first_place, last_place, place: the possible places, given the significant differences
    pairs:
        higher, lower: the two systems, by their means
        the columns of `difference_table`, for the higher mean minus the lower; sign is negative
            if the changes that both systems reviewed show the opposite order
        other_difference, …: the same by `other_measure`
        orders: how the two measures order the pair, one of `ORDERS` or `UNKNOWN`
        contradicted: True if the orders are opposite and people's order is significant
    agreements: the table of `agreement_with_people` for each measure that people answered enough.
    label_pairs: the table of `compare_all` for each label in `systems`.
    left_out: system, n, and the reason why the system is not compared.
    n_changes, n_shared: number of changes compared, and of those with a value for every system.
    has_enough_ratings: True if people answered enough reviews to decide the order.
    ratings: how many reviews of these systems people rated, and who did, in words.
    unjudged: how many reviews the judge of the measure has not judged, and why, in words; or "".
    """

    by: Measure
    tau: float
    other_measure: Measure | None
    systems: pd.DataFrame
    pairs: pd.DataFrame
    agreements: Mapping[str, pd.DataFrame]
    label_pairs: Mapping[str, pd.DataFrame]
    left_out: pd.DataFrame
    n_changes: int
    n_shared: int
    has_enough_ratings: bool
    ratings: str
    unjudged: str

    @property
    def measures(self) -> list[str]:
        """The names of the measures whose figures are shown."""
        return [one.name for one in (self.by, self.other_measure) if one]

    @property
    def is_by_people(self) -> bool:
        """True if people's answers order the systems."""
        return self.by.name in PEOPLE_ORDER

    @property
    def people(self) -> Measure | None:
        """The measure of `PEOPLE_ORDER` that orders the systems or is compared with the order."""
        return self.by if self.is_by_people else self.other_measure

    @property
    def automatic(self) -> Measure:
        """The measure that does not come from people, whether or not it orders the systems."""
        return self.other_measure if self.is_by_people and self.other_measure else self.by


def order_systems(run: Run, by: str | None = None, tau: float | None = None) -> Order:
    """Order the systems by `by`, or by `deciding_measure`.

    Raises:
        InputError: the measure is unknown, or no reviewer has a value of it.
    """
    answered = answered_measures(run)
    measure = named_measure(run, by or deciding_measure(run))
    other = MEASURES[DEFAULT_MEASURE]
    if is_by_score := measure.name not in PEOPLE_ORDER:
        other = named_measure(run, next(iter(answered))) if answered else MEASURES[PEOPLE]
    reviews = run.reviews.assign(
        value=measure_values(run.reviews, measure.name, tau),
        other_value=measure_values(run.reviews, other.name, tau),
        is_empty=run.reviews["n_sentences"] == 0,
    )[is_by_system(run.reviews)]
    if reviews.empty:
        raise InputError("all reviews are reference reviews", "add reviews to compare")
    counts = _count_reviews(reviews, measure.title)
    is_compared = counts["reason"] == ""
    if not is_compared.any():
        problem = f"no reviewer has a value of {measure.name}"
        if n_unscored := int(run.changes["left_out"].count()):
            problem += f" ({counted(n_unscored, 'change')} cannot be scored)"
        raise InputError(problem, "order by one that reviews have")
    reviews = reviews[reviews["system"].isin(counts.index[is_compared])]
    compared = reviews.dropna(subset="value")
    words = metric_values(run._replace(reviews=reviews), "words")
    means, other_means = (_means(compared, column) for column in ("value", "other_value"))
    estimates = _estimates(means, measure)
    labels = [name for name in label_columns(run.reviews) if name not in {measure.name, other.name}]
    label_means = {name: _means(reviews, name) for name in labels}
    systems = estimates.join(
        [
            _estimates(other_means, other).add_prefix("other_"),
            counts.loc[is_compared, ["n_reviews", "n", "empty"]].astype(int),
            compared.groupby("system")["other_value"].count().rename("other_n"),
            words.groupby(reviews["system"]).mean(),
            reviews.groupby(["system", "change"])[labels].mean().groupby("system").mean(),
            reviews.groupby("system")[labels].count().add_prefix("n_"),
        ]
    )
    pairs = compare_all(means[estimates.index], measure.width)
    in_both = estimates.index.intersection(other_means.columns)
    other_pairs = compare_all(other_means[in_both], other.width)
    pairs = _with_other_order(pairs, other_pairs, is_by_score=is_by_score)
    score = measure if is_by_score else other
    agreements = {
        name: agreement_with_people(run, score.name, tau, name)
        for name in [*answered, RIGHT_LABEL]
        if name != score.name
    }
    left_out = counts.loc[~is_compared, ["n_reviews", "reason"]]
    if n_reference_reviews := int((run.reviews["system"] == GROUND_TRUTH).sum()):
        left_out.loc[GROUND_TRUTH] = n_reference_reviews, "reference reviews, not compared"
    return Order(
        by=measure,
        tau=run.settings["tau"] if tau is None else tau,
        other_measure=other if answered else None,
        systems=_with_places(systems, pairs).rename_axis("system").reset_index(),
        pairs=pairs,
        agreements={name: table for name, table in agreements.items() if table is not None},
        label_pairs={
            name: compare_all(of[_estimates(of).index]) for name, of in label_means.items()
        },
        left_out=left_out.rename(columns={"n_reviews": "n"}).reset_index(),
        n_changes=int(compared["change"].nunique()),
        n_shared=int((means.count(axis=1) == len(systems)).sum()),
        has_enough_ratings=any(answered.values()),
        ratings=describe_ratings(run.reviews.loc[reviews.index]),
        unjudged=describe_unjudged(run.reviews, measure.name),
    )


def _means(reviews: pd.DataFrame, column: str) -> pd.DataFrame:
    return means_by_change(reviews[column], reviews["system"], reviews["change"])


def changes_by_systems(run: Run, by: str, tau: float | None = None) -> pd.DataFrame:
    """Return the mean of a measure by change (index) and system, the widest difference first.

    A mean is NaN if the system has no review of the change with a value. Changes that only one
    system reviewed are last.
    """
    values = measure_values(run.reviews, by, tau).where(is_by_system(run.reviews))
    table = means_by_change(values, run.reviews["system"], run.reviews["change"])
    gap = (table.max(axis=1) - table.min(axis=1)).where(table.count(axis=1) > 1, -1.0)
    return table.loc[gap.sort_values(ascending=False, kind="stable").index]


def order_document(order: Order) -> dict[str, Any]:
    """Return the figures of an order as a JSON object, without the sentences."""
    return {
        "measure": order.by.name,
        "other_measure": order.other_measure and order.other_measure.name,
        "systems": records(order.systems),
        "pairs": records(order.pairs),
        "label_pairs": {name: records(pairs) for name, pairs in order.label_pairs.items()},
        "agreements": {name: records(table) for name, table in order.agreements.items()},
        "left_out": records(order.left_out),
    }


def _count_reviews(reviews: pd.DataFrame, title: str) -> pd.DataFrame:
    """Count the reviews of each system (index), in order of first occurrence.

    `reason` says why a system cannot be compared by the measure with this title, or is "".
    """
    valued = reviews.dropna(subset="value").groupby("system")
    systems = pd.DataFrame({"n_reviews": reviews.groupby("system", sort=False).size()}).assign(
        n=valued.size(),
        empty=valued["is_empty"].sum(),
        changes=valued["change"].nunique(),
        reason="",
    )
    systems.loc[systems["n"].isna(), "reason"] = f"no value of {title}"
    has_few = (systems["reason"] == "") & (systems["changes"] < MIN_CHANGES)
    if ((systems["reason"] == "") & ~has_few).sum() >= 2:
        systems.loc[has_few, "reason"] = f"fewer than {MIN_CHANGES} changes"
    smallest = systems[systems["reason"] == ""].sort_values("n")[:-MAX_SYSTEMS]
    beyond = f"not among the {MAX_SYSTEMS} reviewers with the most reviews"
    systems.loc[smallest.index, "reason"] = beyond
    return systems


def _estimates(means: pd.DataFrame, measure: Measure | None = None) -> pd.DataFrame:
    """Return mean, low, high and rank of each system, sorted by descending mean, then by name."""
    ends = (measure and measure.ends) or (None, None)
    table = mean_estimates(means, *ends).sort_index()
    table = table.sort_values("mean", ascending=False, kind="stable")
    ranks = {
        method: table["mean"].round(9).rank(ascending=False, method=method)
        for method in ("average", "min", "max")
    }
    return table.assign(rank=ranks["average"], ranks=_ranges(ranks["min"], ranks["max"]))


def _ranges(first: "pd.Series[Any]", last: "pd.Series[Any]") -> list[str]:
    """Return ranges of places in words, such as `1` or `2 to 4`; empty for NaN."""
    return [
        "" if np.isnan(start) else f"{start:g}" if start == end else f"{start:g} to {end:g}"
        for start, end in zip(first, last, strict=True)
    ]


def _with_places(systems: pd.DataFrame, pairs: pd.DataFrame) -> pd.DataFrame:
    """Add the places of systems, which follow from the pairs whose order is significant."""
    significant = pairs[pairs["sign"] > 0]
    n_above, n_below = (
        significant[column].value_counts().reindex(systems.index, fill_value=0)
        for column in ("lower", "higher")
    )
    first, last = 1 + n_above, len(systems) - n_below
    return systems.assign(first_place=first, last_place=last, place=_ranges(first, last))


def _with_other_order(
    pairs: pd.DataFrame, other_pairs: pd.DataFrame, *, is_by_score: bool
) -> pd.DataFrame:
    """Add the columns of `Order.pairs` for the other measure, which may lack some of the pairs."""
    columns = ["difference", "low", "high", "sign", "p"]
    other = other_pairs.set_index(["higher", "lower"])[columns].add_prefix("other_")
    pairs = pairs.join(other, on=["higher", "lower"])
    pairs["other_sign"] = pairs["other_sign"].fillna(0).astype(int)
    product = pairs["difference"].round(9) * pairs["other_difference"].round(9)
    orders = pd.Series(np.sign(product)).map(ORDERS).fillna(UNKNOWN)
    is_significant = pairs["other_sign" if is_by_score else "sign"] != 0
    return pairs.assign(orders=orders, contradicted=(product < 0) & is_significant)


def answered_measures(run: Run) -> dict[str, bool]:
    """Return the measures of `PEOPLE_ORDER` that have values, deciding measures first.

    A measure is mapped to True if people answered enough of systems' reviews for it to decide.
    """
    answered = {name: run.reviews.loc[system_values(run, name).index] for name in PEOPLE_ORDER}
    decides = {name: has_enough_answers(of) for name, of in answered.items() if len(of)}
    return dict(sorted(decides.items(), key=lambda item: not item[1]))


def deciding_measure(*runs: Run) -> str:
    """Return the measure that orders systems, or compares runs, unless the user names another.

    It is people's rating of worth. If any run has too few of these, it is people's rating of
    relevance, and if any run has too few of these as well, relevance.
    """
    answered = [answered_measures(run) for run in runs]
    names = (name for name in PEOPLE_ORDER if all(decides.get(name) for decides in answered))
    return next(names, DEFAULT_MEASURE)


def agreement_with_people(
    run: Run, measure: str, tau: float | None = None, people: str = PEOPLE
) -> pd.DataFrame | None:
    """Correlate a measure, and simple metrics, with `people`, a measure of people's answers.

    Returns the table of `compare_metrics`, the measure first, with the title of `people` as label;
    None with too few answers.
    """
    values, answers = system_values(run, measure, tau), system_values(run, people)
    if not has_enough_answers(run.reviews.loc[values.index.intersection(answers.index)]):
        return None
    label = DEFAULT_MEASURE if people == PEOPLE else people
    table = compare_metrics(run, [measure, *SIMPLE_METRICS], labels=[label], tau=tau)
    return table.assign(label=named_measure(run, people).title)
