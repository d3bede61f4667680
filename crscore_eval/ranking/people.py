"""People's ratings: when they decide, who gave them, and how far a measure agrees with them."""

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from crscore_core.text import counted, shorten
from crscore_eval.data.study import GROUND_TRUTH
from crscore_eval.metrics import SIMPLE_METRICS, metric_values
from crscore_eval.statistics import (
    SURE,
    ClusterBootstrap,
    ClusteredPairs,
    Mask,
    holm,
    resampled_p,
)
from crscore_eval.table import (
    JUDGE,
    PEOPLE,
    Run,
    measure_values,
    relevance_ratings,
    split_judge_column,
)

MIN_RATED, MIN_RATED_CHANGES = 50, 10
"""Fewest rated reviews and changes for people's ratings to decide."""

UNCHECKED = "not checked against people here"
"""Label of a judge's figure until people have rated enough of the same reviews."""

_MEASURE = ""
"""Key of the measure next to the names of simple metrics, which its own name may equal."""

_ANSWERS = {"right": "label_right", "wrong": "label_right", "worth": "label_worth"}


def of_systems(run: Run) -> Mask:
    """Mark the reviews of systems, (n,); reference reviews are not a system's."""
    marks: Mask = (run.reviews["system"] != GROUND_TRUTH).to_numpy()
    return marks


def change_numbers(run: Run) -> NDArray[np.intp]:
    """Return the position of each review's change in the table of changes, (n,)."""
    numbers: NDArray[np.intp] = pd.Index(run.changes["change"]).get_indexer(run.reviews["change"])
    return numbers


def is_enough(run: Run, answered: Mask) -> bool:
    """Return True if the marked reviews, (n,), are enough for people's answers to decide."""
    n_changes = run.reviews["change"][answered].nunique()
    return bool(answered.sum() >= MIN_RATED and n_changes >= MIN_RATED_CHANGES)


def people_decide(run: Run) -> bool:
    """Return True if people rated enough reviews of systems for the order to be theirs."""
    return is_enough(run, of_systems(run) & relevance_ratings(run.reviews).notna().to_numpy())


def ratings_words(run: Run) -> str:
    """Say how many reviews of systems people rated, and who rated how many of them.

    The raters are those of `settings["raters"]`, the number of rated reviews by rater.
    """
    among = of_systems(run)
    rated = int((among & relevance_ratings(run.reviews).notna().to_numpy()).sum())
    if not rated:
        return "nobody rated their relevance"
    raters = run.settings.get("raters") or {}
    by = ", ".join(f"{shorten(str(name))} {number:,}" for name, number in raters.items())
    return (
        f"people rated {rated:,} of {counted(int(among.sum()), 'review')} "
        f"({f'{sum(raters.values()):,} ratings: {by}' if by else 'raters not recorded'})"
    )


def mean_words(run: Run) -> "pd.Series[float]":
    """Return the mean number of words of each system's reviews; the index is the system."""
    return metric_values(run, "words").groupby(run.reviews["system"]).mean()


def unchecked_note(run: Run, measure: str) -> str:
    """Return `UNCHECKED` for a judge's figure that too few answers of people check, else ""."""
    if not measure.startswith(JUDGE):
        return ""
    column = _ANSWERS.get(split_judge_column(measure)[1], "human_relevance")
    if column not in run.reviews:
        return UNCHECKED
    both = run.reviews[[column, measure]].notna().all(axis=1)
    return "" if is_enough(run, both.to_numpy()) else UNCHECKED


def agreement_with_people(
    run: Run, measure: str, tau: float | None = None, bootstrap: ClusterBootstrap | None = None
) -> pd.DataFrame | None:
    """Correlate a measure with people's ratings of relevance, next to simple metrics.

    None unless people rated enough. A row for the measure, then one for each simple metric: name,
    reviews, spearman with its interval low and high (over resamples of changes); difference (the
    measure's less the simple metric's) and its two-sided p after Holm's correction; lowest and
    highest, Spearman's rho with one system left out, and without_lowest and without_highest, that
    system.

    Raises:
        InputError: there is no such measure.
    """
    values, ratings = measure_values(run.reviews, measure, tau), relevance_ratings(run.reviews)
    is_rated = of_systems(run) & values.notna().to_numpy() & ratings.notna().to_numpy()
    if measure == PEOPLE or not is_enough(run, is_rated):
        return None
    rated = run._replace(reviews=run.reviews[is_rated].reset_index(drop=True))
    columns = pd.DataFrame({_MEASURE: values[is_rated].to_numpy()})
    for name in SIMPLE_METRICS:
        columns[name] = metric_values(rated, name)
    columns["people"] = ratings[is_rated].to_numpy()
    bootstrap = bootstrap or ClusterBootstrap.for_size(len(run.changes), len(columns))
    cluster = change_numbers(rated) % bootstrap.weights.shape[1]
    weights = np.vstack([np.ones_like(bootstrap.weights[:1]), bootstrap.weights])
    rho = {
        name: ClusteredPairs(columns[name], columns["people"], cluster).spearman(weights)
        for name in (_MEASURE, *SIMPLE_METRICS)
    }
    p = holm({name: resampled_p(rho[_MEASURE][1:] - rho[name][1:]) for name in SIMPLE_METRICS})
    rows = []
    for name, samples in rho.items():
        ends = bootstrap.interval_of(samples[1:]) or (np.nan, np.nan)
        is_simple = name in SIMPLE_METRICS
        difference = rho[_MEASURE][0] - samples[0] if is_simple else np.nan
        extremes = _left_out_range(columns[[name, "people"]], rated.reviews["system"])
        figures = (samples[0], *ends, difference, p.get(name), *extremes)
        rows.append((name or measure, len(columns), *figures))
    names = ["name", "reviews", "spearman", "low", "high", "difference", "p", "lowest",
             "without_lowest", "highest", "without_highest"]  # fmt: skip
    return pd.DataFrame(rows, columns=names).astype({"p": float})


def agrees(agreement: pd.DataFrame) -> bool:
    """Return True if a measure agrees with people, and better than the number of words does.

    The interval of its correlation is above 0, and the difference from the number of words (the
    first simple metric) is positive and significant after Holm's correction. `agreement` is
    from `agreement_with_people`.
    """
    measure, length = agreement.iloc[0], agreement.iloc[1]
    return bool(measure["low"] > 0 and length["difference"] > 0 and length["p"] < SURE)


def _left_out_range(
    columns: pd.DataFrame, system: "pd.Series[str]"
) -> tuple[float, str, float, str]:
    """Return the lowest and highest correlation if a system is left out, each with that system."""
    numbers, names = pd.factorize(system)
    pairs = ClusteredPairs(columns.iloc[:, 0], columns.iloc[:, 1], numbers)
    rho = pairs.spearman(1 - np.eye(names.size)) if names.size > 2 else [np.nan] * names.size
    ordered = sorted(pair for pair in zip(rho, names, strict=True) if not np.isnan(pair[0]))
    return (*ordered[0], *ordered[-1]) if ordered else (np.nan, "", np.nan, "")
