"""Two runs compared, and conditions on a run: floors, and means no lower than an earlier run's."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from crscore_core.errors import InputError
from crscore_core.text import counted, listed
from crscore_eval.ranking.order import DIFFERENCE, difference_figures
from crscore_eval.ranking.people import of_systems, ratings_words, unchecked_note
from crscore_eval.ranking.verdict import difference_words
from crscore_eval.statistics import MIN_CHANGES, ScoresByChange, mean_difference
from crscore_eval.table import (
    DEFAULT_MEASURE,
    PEOPLE,
    SCORES,
    Run,
    measure_named,
    measure_names,
    measure_values,
)

PASSED, FAILED, NOT_COMPARED = "passed", "failed", "not compared"

MIN_SCORED = 0.7
"""Share of the reviews that must have a score unless another floor is given."""

BY_PEOPLE = {
    PEOPLE: "people's rating of relevance",
    "label_right": "people's answers on what is right",
    "label_worth": "people's rating of worth",
}
"""Measures by people, with titles, that are compared in addition if both runs have them."""

SAME = ("encoder", "claims", "analyzers")
"""Settings that two runs must share for their scores to be compared."""


def share_scored(run: Run, tau: float | None) -> tuple[float, str]:  # noqa: ARG001 - at any tau
    """Return the share of the reviews that have a score; rejected rows have none."""
    rejected = run.settings.get("n_rejected", len(run.settings.get("rejected", ())))
    reviews = run.reviews[of_systems(run)]
    is_unscored, is_empty = reviews["relevance"].isna(), reviews["n_sentences"] == 0
    n, scored_ones = len(reviews) + rejected, int((~is_unscored).sum())
    counts = {
        "empty": int((is_unscored & is_empty).sum()),
        "cannot be scored": int((is_unscored & ~is_empty).sum()),
        "rejected rows": rejected,
        "reference reviews, not counted": len(run.reviews) - len(reviews),
    }
    words = [f"{name}: {number:,}" for name, number in counts.items() if number]
    share = scored_ones / n if n else 0.0
    return share, "; ".join([f"{scored_ones:,} of {counted(n, 'review')}", *words])


FIGURES: Mapping[str, Callable[[Run, float | None], tuple[float, str]]] = {"scored": share_scored}
"""Figures of a run that may have a floor, in addition to means of measures, by their names.

Each takes the run and tau, None for the run's own, and returns the figure and what to say of it.
Add a condition here.
"""


def compare_runs(
    one: Run, other: Run, measures: Sequence[str], tau: float | None = None
) -> pd.DataFrame:
    """Compare the means of measures in two runs, a row for each that both have values of.

    Columns: measure, one, other, difference (`one` less `other`), low, high, sign (of a significant
    difference, else 0), p, changes, same_changes. Means are over the changes, by their diff, that
    both runs have, or over all changes if too few are shared. Both runs are scored at `tau`, by
    default the tau of `one`. The reviews of all systems count.

    Raises:
        InputError: the runs were scored in different ways.
    """
    tau = one.settings["tau"] if tau is None else tau
    differ = [name for name in SAME if one.settings.get(name) != other.settings.get(name)]
    if differ and not set(SCORES).isdisjoint(measures):
        which = [
            f"{name} ({one.settings.get(name)}, {other.settings.get(name)})" for name in differ
        ]
        raise InputError(f"the runs have different {' and '.join(which)}; score one again")
    diffs = [_diffs(run, number) for number, run in enumerate((one, other))]
    changes = pd.factorize(np.concatenate(diffs))[0]
    sides = list(zip((one, other), np.split(changes, [len(one.reviews)]), strict=True))
    rows = []
    for measure in measures:
        means = []
        for run, change in sides:
            if measure in measure_names(run.reviews):
                values = measure_values(run.reviews, measure, tau).to_numpy()
                counts = of_systems(run) & ~np.isnan(values)
                if counts.any():
                    means.append(ScoresByChange.of(values[counts], change[counts]))
        if len(means) == len(sides):
            result = mean_difference(means[0], means[1])
            figures = (*difference_figures(result), result.p, result.changes, result.is_paired)
            rows.append((measure, result.one, result.other, *figures))
    columns = ["measure", "one", "other", *DIFFERENCE, "p", "changes", "same_changes"]
    return pd.DataFrame(rows, columns=columns).astype({"p": float})


def gate(
    run: Run,
    floors: Mapping[str, float] | None = None,
    baseline: Run | None = None,
    by: str = DEFAULT_MEASURE,
    tau: float | None = None,
) -> pd.DataFrame:
    """Check a run against floors, and against an earlier run; a row for each condition.

    `floors` are the minimum values of `FIGURES` and of means of measures, by name. Against a
    `baseline` the run fails if its mean of `by` is significantly lower, and if both runs have
    ratings or answers by people, also if these are significantly lower. Columns: condition, result
    (`PASSED`, `FAILED` or `NOT_COMPARED`), words, then the figures: measure, one (the mean), other
    (what it is compared with), difference, low, high, p, changes.

    Raises:
        InputError: there is nothing to check, a floor names no measure, no review has a value, or
            the runs cannot be compared.
    """
    if not floors and baseline is None:
        raise InputError("there is nothing to check: give --fail-under COLUMN=X or --baseline RUN")
    floors = {"scored": MIN_SCORED, **(floors or {})}
    rows = [_floor(run, name, least, tau) for name, least in floors.items()]
    if baseline is not None:
        by = measure_named(run.reviews, by).name
        comparison = compare_runs(run, baseline, [by, *BY_PEOPLE], tau)
        differences = {row["measure"]: row for row in comparison.to_dict("records")}
        if by not in differences:
            raise InputError(f"no review of the run or of the baseline has a value of {by}")
        rows += [
            _no_lower(run, baseline, name, differences.get(name))
            for name in dict.fromkeys([by, *BY_PEOPLE])
            if name in {by, PEOPLE} or name in run.reviews or name in baseline.reviews
        ]
    figures = ["measure", "one", "other", *DIFFERENCE[:3], "p", "changes"]
    return pd.DataFrame(rows, columns=["condition", "result", "words", *figures])


def passed(checks: pd.DataFrame) -> bool:
    """Return True if no condition failed."""
    return bool((checks["result"] != FAILED).all())


def conclusion(checks: pd.DataFrame) -> str:
    """Say whether a run passed, and what no condition checked."""
    if not passed(checks):
        failed = checks["condition"][checks["result"] == FAILED]
        return f"Failed: {listed(failed.to_list())}."
    by_people = checks[checks["measure"].isin([*BY_PEOPLE]) & (checks["result"] == PASSED)]
    if len(by_people):
        over = counted(int(by_people["changes"].min()), "change")
        return f"Passed, also by people's ratings of {over}."
    return (
        "Passed, but people's ratings were not compared, so quality was not checked; "
        "--fail-under people=3 demands ratings."
    )


def _floor(run: Run, name: str, least: float, tau: float | None) -> dict[str, Any]:
    """Check that a figure or the mean of a measure is at least so high."""
    if name in FIGURES:
        mean, words = FIGURES[name](run, tau)
    else:
        values = measure_values(run.reviews, name, tau)[of_systems(run)].dropna()
        if values.empty and name != PEOPLE:
            raise InputError(f"no review has a value of {name}; choose another floor")
        changes = run.reviews["change"][values.index].nunique()
        mean = float(values.mean())
        words = f"mean {mean:.3f}, {counted(values.size, 'review')} of {counted(changes, 'change')}"
        words = "; ".join(filter(None, [words, unchecked_note(run, name)]))
        if values.empty:
            words = "nobody rated this run: have people rate it on the app's page Rate"
    is_met = mean >= least - 1e-12
    return {
        "condition": f"{name} at least {least:g}",
        "result": PASSED if is_met else FAILED,
        "words": words,
        "measure": name,
        "one": mean,
        "other": least,
    }


def _no_lower(
    run: Run, baseline: Run, measure: str, difference: dict[Any, Any] | None
) -> dict[str, Any]:
    """Check that a mean is no lower than the baseline's; `difference` is from `compare_runs`."""
    title = BY_PEOPLE.get(measure) or measure_named(run.reviews, measure).title
    row = {
        "condition": f"{title} no lower than the baseline's",
        "measure": measure,
        **(difference or {}),
    }
    notes = [unchecked_note(run, measure)]
    if measure == PEOPLE:
        notes += [f"this run: {ratings_words(run)}", f"baseline: {ratings_words(baseline)}"]
    elif {*run.reviews["system"]} != {*baseline.reviews["system"]}:
        notes.append("the reviews are by other systems")
    if difference is None:
        notes.insert(0, "people did not rate both runs")
        return row | {"result": NOT_COMPARED, "words": "; ".join(filter(None, notes))}
    if np.isnan(difference["p"]):
        result, words = NOT_COMPARED, f"too few changes, {MIN_CHANGES} are needed"
    else:
        result = FAILED if difference["sign"] < 0 else PASSED
        words = ("no clear difference", "higher", "lower")[int(difference["sign"])]
    means = f"{difference['one']:.3f} against {difference['other']:.3f}"
    size = f"difference {difference_words(difference, is_signed=True)}"
    if result == PASSED and difference["sign"] == 0 and difference["low"] < 0:
        notes.insert(0, f"a drop of up to {-difference['low']:.2f} is not ruled out")
    words = "; ".join(filter(None, [f"{words}: {means}, {size}", *notes]))
    return row | {"result": result, "words": words}


def _diffs(run: Run, number: int) -> NDArray[np.object_]:
    """Return the identity of each review's change, (n,): its diff, else its title and reference.

    A change without any of these is the same as no other of the run with another `number`.
    """
    changes = run.changes.set_index("change")
    names = run.reviews["change"]
    texts = names.map(changes["title"]).fillna("")
    if "reference" in run.reviews:
        texts = texts + "\n" + run.reviews["reference"].fillna("")
    nameless = f"of run {number}: " + names
    diffs = names.map(changes["diff"]).fillna("")
    keys: NDArray[np.object_] = diffs.where(
        diffs != "", texts.where(texts.str.strip() != "", nameless)
    ).to_numpy(object)
    return keys
