"""Conditions on a run: minimum values, and means that are not lower than an earlier run's."""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from crscore_core.errors import InputError
from crscore_core.text import counted, listed
from crscore_eval.data.ratings import describe_ratings
from crscore_eval.ranking.people import unchecked_note
from crscore_eval.ranking.verdict import describe_difference
from crscore_eval.statistics import MIN_CHANGES, difference_table, mean_difference
from crscore_eval.table import (
    DEFAULT_MEASURE,
    LABEL_PREFIX,
    MEASURES,
    PEOPLE,
    SCORES,
    Run,
    is_by_system,
    label_title,
    measure_named,
    measure_names,
    measure_values,
    scoring_differences,
)
from crscore_eval.table.settings import change_digest

PASSED, FAILED, NOT_COMPARED = "passed", "failed", "not compared"
_OUTCOMES = {1: "higher", 0: "no significant difference", -1: "lower"}

SCORED = "scored"  # the share of reviews with a score; may have a floor, like a measure

MIN_SCORED = 0.7
"""Minimum share of reviews with a score, unless another floor is given."""

PEOPLE_MEASURES = {
    PEOPLE: MEASURES[PEOPLE].title,
    "label_right": "people's answers on whether reviews are right",
    "label_worth": "people's rating of worth",
}
"""Titles of the measures that people give; they are compared too if both runs have values."""


def share_scored(run: Run) -> tuple[float, str]:
    """Return the share of reviews with a score, and the counts as text; rejected rows have none."""
    rejected = run.settings.get("n_rejected", 0)
    reviews = run.reviews[is_by_system(run.reviews)]
    is_unscored, is_empty = reviews["relevance"].isna(), reviews["n_sentences"] == 0
    n, n_scored = len(reviews) + rejected, int((~is_unscored).sum())
    counts = {
        "empty": int((is_unscored & is_empty).sum()),
        "cannot be scored": int((is_unscored & ~is_empty).sum()),
        "rejected rows": rejected,
        "reference reviews, not counted": len(run.reviews) - len(reviews),
    }
    notes = [f"{name}: {number:,}" for name, number in counts.items() if number]
    share = n_scored / n if n else 0.0
    return share, "; ".join([f"{n_scored:,} of {counted(n, 'review')}", *notes])


def compare_runs(
    run: Run, baseline: Run, measures: Sequence[str], tau: float | None = None
) -> pd.DataFrame:
    """Compare the means of measures in two runs, over the reviews of all systems.

    Both runs are scored at `tau`, by default the tau of `run`. Changes with the same diff are the
    same change. Returns a row for each measure that both runs have values of. Columns:

        measure
        value, compared_with: the means of the run and of the baseline
        difference and the next columns: as in `difference_table`, for `value` minus `compared_with`

    Raises:
        InputError: scores are compared, and the runs were scored differently; the message has all
            of `scoring_differences`.
    """
    tau = run.settings["tau"] if tau is None else tau
    runs = (run, baseline)
    changes, other_changes = (change_keys(side, number) for number, side in enumerate(runs))
    if not set(SCORES).isdisjoint(measures):
        differences = scoring_differences(
            run.settings, baseline.settings, same_changes={*changes} == {*other_changes}
        )
        differences += _claims_differences(run, baseline, changes, other_changes)
        if differences:
            raise InputError(f"the runs were scored differently: {'; '.join(differences)}")
    compared = {}
    for measure in measures:
        if all(measure in measure_names(side.reviews) for side in runs):
            values, others = (_system_values(side, measure, tau) for side in runs)
            if len(values) and len(others):
                by_change = values.groupby(changes).mean(), others.groupby(other_changes).mean()
                compared[measure] = mean_difference(pd.concat(by_change, axis=1))
    rows = [(name, found.first, found.second) for name, found in compared.items()]
    means = pd.DataFrame(rows, columns=["measure", "value", "compared_with"])
    return means.join(difference_table(compared.values()))


def _claims_differences(
    run: Run, baseline: Run, changes: "pd.Series[str]", other_changes: "pd.Series[str]"
) -> list[str]:
    """Return a sentence if changes of both runs have other pseudo-references, unless by rules."""
    digests = []
    for side, keys in ((run, changes), (baseline, other_changes)):
        of_change = side.changes.set_index("change")["references"].map(
            partial(change_digest, claims=side.settings["claims"])
        )
        digests.append(side.reviews["change"].map(of_change).groupby(keys).first())
    both = pd.concat(digests, axis=1, join="inner").dropna()
    n_other = int((both.iloc[:, 0] != both.iloc[:, 1]).sum())
    return [f"the claims about {n_other} of {counted(len(both), 'shared change')} differ"] * (
        n_other > 0
    )


def check_names(reviews: pd.DataFrame, floors: Iterable[str], by: str | None) -> None:
    """Raise an InputError if a floor or `by` names no measure of a table."""
    for name in {by or DEFAULT_MEASURE, *floors} - {SCORED, PEOPLE}:
        measure_named(reviews, name)


def check_run(
    run: Run,
    floors: Mapping[str, float] | None = None,
    baseline: Run | None = None,
    by: str = DEFAULT_MEASURE,
    tau: float | None = None,
) -> pd.DataFrame:
    """Check a run against floors and an earlier run.

    `floors` are minimum values of `SCORED` and of means of measures, by name. The run fails
    against a `baseline` if its mean of `by`, or of `PEOPLE_MEASURES` if both runs have values of
    them, is significantly lower. Returns a row for each condition. Columns:

        condition, detail: what is checked, and the figures with notes, as texts
        result: `PASSED`, `FAILED` or `NOT_COMPARED`
        measure: name of the figure or measure
        value, compared_with: the figure or mean of the run; the floor or the mean of the baseline
        difference, low, high, p: as in `compare_runs`; empty for a floor
        changes: number of changes compared, or with a value of the measure

    Raises:
        InputError: a floor or `by` names no measure or has no values, or the runs differ.
    """
    floors = {SCORED: MIN_SCORED, **(floors or {})}
    by = measure_named(run.reviews, by).name
    rows = [_check_floor(run, name, floor, tau) for name, floor in floors.items()]
    if baseline is not None:
        comparison = compare_runs(run, baseline, [by, *PEOPLE_MEASURES], tau)
        differences = {row["measure"]: row for row in comparison.to_dict("records")}
        if by not in differences:
            side = "run" if _system_values(run, by, tau).empty else "baseline"
            raise InputError(f"the {side} has no value of {by}; choose another measure")
        rows += [
            _check_not_lower(run, baseline, name, differences.get(name))
            for name in dict.fromkeys([by, *PEOPLE_MEASURES])
            if name in {by, PEOPLE} or name in run.reviews or name in baseline.reviews
        ]
    figures = ["measure", "value", "compared_with", "difference", "low", "high", "p", "changes"]
    return pd.DataFrame(rows, columns=["condition", "result", "detail", *figures])


def gate_passed(checks: pd.DataFrame) -> bool:
    """Return True if no condition failed."""
    return bool((checks["result"] != FAILED).all())


def gate_conclusion(checks: pd.DataFrame) -> str:
    """Return a sentence on whether a run passed and whether people's ratings were compared."""
    if not gate_passed(checks):
        failed = checks["condition"][checks["result"] == FAILED]
        return f"Failed. Not met: {listed(failed.to_list())}."
    is_by_people = (checks["measure"] == PEOPLE) | checks["measure"].str.startswith(LABEL_PREFIX)
    by_people = checks[is_by_people & (checks["result"] == PASSED)]
    skipped = checks["condition"][~is_by_people & (checks["result"] == NOT_COMPARED)]
    sentence = (
        "Passed by scores alone, which do not measure quality; people's ratings were not compared. "
        "To require them, add a floor such as people=3."
    )
    if len(by_people):
        changes = counted(int(by_people["changes"].min()), "change")
        names = dict.fromkeys(map(_people_title, by_people["measure"]))
        sentence = f"Passed, also by {listed([*names])} of {changes}."
    return f"{sentence} Not compared: {listed([*skipped])}." if len(skipped) else sentence


def _people_title(measure: str) -> str:
    return MEASURES[PEOPLE].title if measure == PEOPLE else f"label {label_title(measure)}"


def _check_floor(run: Run, name: str, floor: float, tau: float | None) -> dict[str, Any]:
    """Check a figure or the mean of a measure against a floor; return a row of `check_run`."""
    measure = MEASURES[PEOPLE]
    if name not in {SCORED, PEOPLE}:
        measure = measure_named(run.reviews, name)
        name = measure.name
    lowest, highest = (0.0, 1.0) if name == SCORED else (measure.lowest, measure.highest)
    if lowest is not None and highest is not None and not lowest <= floor <= highest:
        raise InputError(
            f"the floor {name}={floor:g} checks nothing: {name} is from {lowest:g} to {highest:g}"
        )
    title = "share of scored reviews" if name == SCORED else measure.title
    n_changes = None
    if name == SCORED:
        figure, detail = share_scored(run)
    else:
        figure, n_changes, detail = _system_mean(run, name, tau)
    return {
        "condition": f"{title} at least {floor:g}",
        "result": PASSED if figure >= floor - 1e-12 else FAILED,
        "detail": detail,
        "measure": name,
        "value": figure,
        "compared_with": floor,
        "changes": n_changes,
    }


def _system_mean(run: Run, measure: str, tau: float | None) -> tuple[float, int, str]:
    """Return the mean of a measure, the number of its changes, and both in words.

    The mean is NaN if nobody rated.

    Raises:
        InputError: no review has a value of another measure than people's ratings.
    """
    values = _system_values(run, measure, tau)
    if values.empty and measure == PEOPLE:
        advice = "have people answer the questions for studies of the metric on the app's Rate page"
        return np.nan, 0, f"nobody rated its relevance: {advice}"
    if values.empty:
        raise InputError(f"no review has a value of {measure}; choose another floor")
    by_change = values.groupby(run.reviews["change"]).mean()
    size = f"{counted(values.size, 'review')} of {counted(by_change.size, 'change')}"
    notes = [f"mean {by_change.mean():.3f}, {size}", unchecked_note(run, measure)]
    return float(by_change.mean()), by_change.size, "; ".join(filter(None, notes))


def _check_not_lower(
    run: Run, baseline: Run, measure: str, difference: dict[Any, Any] | None
) -> dict[str, Any]:
    """Check that a mean is not significantly lower; `difference` is a row of `compare_runs`."""
    title = PEOPLE_MEASURES.get(measure) or measure_named(run.reviews, measure).title
    row = {"condition": f"{title} no lower than the baseline's", "measure": measure}
    row |= difference or {}
    notes = [unchecked_note(run, measure)]
    if measure == PEOPLE:
        notes += [f"this run: {describe_ratings(run)}", f"baseline: {describe_ratings(baseline)}"]
    elif {*run.reviews["system"]} != {*baseline.reviews["system"]}:
        notes.append("the runs have different systems")
    if difference is None:
        notes.insert(0, "people have not rated both runs")
        return row | {"result": NOT_COMPARED, "detail": "; ".join(filter(None, notes))}
    if np.isnan(difference["p"]):
        result, outcome = NOT_COMPARED, f"too few changes, {MIN_CHANGES} are needed"
    else:
        result = FAILED if difference["sign"] < 0 else PASSED
        outcome = _OUTCOMES[int(difference["sign"])]
    means = f"{difference['value']:.3f} against {difference['compared_with']:.3f}"
    size = f"difference {describe_difference(difference, is_signed=True)}"
    if result == PASSED and difference["sign"] == 0 and difference["low"] < 0:
        notes.insert(0, f"a drop of up to {-difference['low']:.3f} is not ruled out")
    detail = "; ".join(filter(None, [f"{outcome}: {means}, {size}", *notes]))
    return row | {"result": result, "detail": detail}


def _system_values(run: Run, measure: str, tau: float | None) -> "pd.Series[float]":
    return measure_values(run.reviews, measure, tau)[is_by_system(run.reviews)].dropna()


def change_keys(run: Run, number: int) -> "pd.Series[str]":
    """Return a key of each review's change, (n,): its diff, else its title and reference review.

    A change without any of these equals no change of the run with another `number`.
    """
    changes = run.changes.set_index("change")
    names = run.reviews["change"]
    titles = names.map(changes["title"]).fillna("")
    if "reference" in run.reviews:
        titles = titles + "\n" + run.reviews["reference"].fillna("")
    diffs = names.map(changes["diff"]).fillna("")
    return diffs.where(diffs != "", titles.where(titles.str.strip() != "", f"{number} " + names))
