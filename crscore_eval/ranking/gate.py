"""Check a run against minimum values and against the means of an earlier run."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import pandas as pd

from crscore_core.errors import InputError
from crscore_core.text import counted, listed
from crscore_eval.formatting import p_in_words
from crscore_eval.metrics.values import named_measure
from crscore_eval.ranking.order import deciding_measure
from crscore_eval.ranking.two_runs import compare_runs, other_scales, system_values
from crscore_eval.ranking.verdict import describe_difference
from crscore_eval.statistics.bootstrap import MIN_CHANGES, SIGNIFICANCE_LEVEL
from crscore_eval.statistics.difference import mean_estimates, means_by_change
from crscore_eval.table import DIMENSIONS, Run, is_by_system
from crscore_eval.table.measures import (
    DEFAULT_MEASURE,
    PEOPLE,
    RIGHT_LABEL,
    WORTH_LABEL,
    Measure,
)

PEOPLE_MEASURES = (PEOPLE, RIGHT_LABEL, WORTH_LABEL)

PASSED, FAILED, NOT_COMPARED = "passed", "failed", "not compared"
_OUTCOMES = {1: "higher", 0: "no significant difference", -1: "lower"}

SCORED = "scored"  # the share of reviews with a score; may have a floor, like a measure

MIN_SCORED = 0.7  # unless another floor is given

_SHARE_SCORED = Measure(SCORED, "share of scored reviews")


def check_names(run: Run, floors: Iterable[str], by: str | None) -> None:
    """Raise an InputError if a floor or `by` does not name a measure of a run."""
    for name in {by or DEFAULT_MEASURE, *floors} - {SCORED}:
        named_measure(run, name)


def check_run(
    run: Run,
    floors: Mapping[str, float] | None = None,
    baseline: Run | None = None,
    by: str | None = None,
    tau: float | None = None,
) -> pd.DataFrame:
    """Check a run against floors and an earlier run.

    `floors` maps `SCORED` or a measure to the minimum share or mean. The run fails against a
    `baseline` if its mean of `by` is significantly lower; by default, `by` is the
    `deciding_measure` of both runs. It also fails if the mean of any of `PEOPLE_MEASURES` that both
    runs have is significantly lower. Returns a row for each condition. Columns:

        condition, detail: what is checked, and the figures with notes, in words
        title: title of the measure that is compared with the baseline; "" for a floor
        result: `PASSED`, `FAILED` or `NOT_COMPARED`
        measure: name of the figure or measure
        value, compared_with: the figure or mean of the run; the floor or the mean of the baseline
        difference, low, high, p: as in `compare_runs`; empty for a floor, which is not tested
        changes: number of changes compared, or with a value of the measure

    Raises:
        InputError: a floor or `by` is not a measure or has no values, or the scoring differs.
    """
    floors = {SCORED: MIN_SCORED, **(floors or {})}
    rows = [_check_floor(run, name, floor, tau) for name, floor in floors.items()]
    if baseline is not None:
        by = named_measure(run, by or deciding_measure(run, baseline)).name
        names = [*dict.fromkeys([by, *PEOPLE_MEASURES])]
        compared = compare_runs(run, baseline, names, tau).query("system == ''")
        differences = {row["measure"]: row for row in compared.to_dict("records")}
        for side, one in {"run": run, "baseline": baseline}.items():
            if system_values(one, by, tau).empty:
                raise InputError(f"the {side} has no value of {by}", "choose another measure")
        rows += [
            _check_not_lower(run, baseline, name, differences.get(name), tau)
            for name in names
            if any(not system_values(side, name, tau).empty for side in (run, baseline))
        ]
    figures = ["measure", "value", "compared_with", "difference", "low", "high", "p", "changes"]
    return pd.DataFrame(rows, columns=["condition", "result", "detail", "title", *figures])


def gate_result(checks: pd.DataFrame) -> str:
    """Return `FAILED` if a condition failed, else whether the measure that decides was compared.

    Its condition is the first that compares the run with a baseline.
    """
    if FAILED in checks["result"].to_numpy():
        return FAILED
    compared = checks["result"][checks["title"] != ""]
    return str(next(iter(compared), PASSED))


def gate_conclusion(checks: pd.DataFrame) -> str:
    """State the result of a run, the conditions that it does not meet, and those not compared.

    If it fails, the measures that are significantly higher are also named.
    """
    titles, is_skipped = checks["title"], checks["result"] == NOT_COMPARED
    is_higher = (checks["p"] < SIGNIFICANCE_LEVEL) & (checks["difference"] > 0)
    failed = [*checks["condition"][checks["result"] == FAILED]]
    higher, skipped = [*titles[is_higher]], [*titles[is_skipped]]
    results = {FAILED: f"Failed: {listed(failed)}.", NOT_COMPARED: "Undecided."}
    verdict = results.get(gate_result(checks), "Passed.")
    if failed and higher:
        verdict += f" Significantly higher: {listed(higher)}."
    return f"{verdict} Not compared: {listed(skipped)}." if skipped else verdict


def _check_floor(run: Run, name: str, floor: float, tau: float | None) -> dict[str, Any]:
    measure, title, ends = _SHARE_SCORED if name == SCORED else named_measure(run, name)
    if ends and not ends[0] <= floor <= ends[1]:
        reason = f"in a run, {name} is from {ends[0]:g} to {ends[1]:g}"
        raise InputError(f"the floor {name}={floor:g} checks nothing: {reason}")
    figures = _share_scored(run) if name == SCORED else _system_mean(run, measure, tau)
    of = " of 1 to 5" if ends and ends[0] == 1 else ""
    result = PASSED if figures["value"] >= floor - 1e-12 else FAILED
    row = {
        "condition": f"{title} must be at least {floor:g}{of}",
        "result": result,
        "title": "",
        "measure": measure,
    }
    return row | {"compared_with": floor} | figures


def _share_scored(run: Run) -> dict[str, Any]:
    """Return the share of reviews with a score as a row of `check_run`; rejected rows lack one."""
    rejected = run.settings.get("n_rejected", 0)
    reviews = run.reviews[is_by_system(run.reviews)]
    n, n_scored = len(reviews) + rejected, int(reviews["relevance"].count())
    counts = {
        "rejected rows": rejected,
        "reference reviews, not counted": len(run.reviews) - len(reviews),
    }
    notes = [f"{name}: {number:,}" for name, number in counts.items() if number]
    detail = "; ".join([f"{n_scored:,} of {counted(n, 'review')}", *notes])
    return {"value": n_scored / max(1, n), "detail": detail}


def _system_mean(run: Run, measure: str, tau: float | None) -> dict[str, Any]:
    values = system_values(run, measure, tau)
    if values.empty:
        raise InputError(f"no reviewer has a value of {measure}", "choose another floor")
    reviews = run.reviews.loc[values.index]
    by_change = means_by_change(values, reviews["system"], reviews["change"]).mean(axis="columns")
    ends = named_measure(run, measure).ends or (None, None)
    mean, low, high = mean_estimates(by_change.to_frame(), *ends).iloc[0]
    n = f"{counted(values.size, 'review')} of {counted(by_change.size, 'change')}"
    n_without = int(is_by_system(run.reviews).sum()) - values.size
    interval = "" if np.isnan(low) else f"; 95% interval {low:.3f} to {high:.3f}"
    detail = f"mean {mean:.3f}, {n}{interval}"
    detail += f"; without a value: {counted(n_without, 'review')}" if n_without else ""
    return {"value": mean, "changes": by_change.size, "detail": detail}


def _check_not_lower(
    run: Run, baseline: Run, measure: str, difference: dict[Any, Any] | None, tau: float | None
) -> dict[str, Any]:
    """Check that a mean is not significantly lower; `difference` is a row of `compare_runs`."""
    sides = {"this run": run, "the baseline": baseline}
    values = {name: system_values(side, measure) for name, side in sides.items()}
    having = baseline if values["this run"].empty else run
    title = named_measure(having, measure).title
    condition = f"{title} must not be significantly lower than in the baseline"
    row = {"condition": condition, "title": title, "measure": measure}
    if difference is None:
        lacking = [name for name, of in values.items() if of.empty]
        detail = f"no values in {' and '.join(lacking)}"
        detail = detail if lacking else other_scales(run, baseline, measure)
        return row | {"result": NOT_COMPARED, "detail": detail}
    is_tested = not np.isnan(difference["p"])
    detail = outcome_of(difference) + " after Holm's correction for the measures" * is_tested
    if difference["changes"]:
        means = f"{difference['value']:.3f} against {difference['compared_with']:.3f}"
        detail += f": {means}, {describe_difference(difference)}"
    if n := int(difference["left_out"]):
        detail += f"; left out, in one run only: {counted(n, 'pair')} of a reviewer and a change"
    here, there = (side.reviews["system"][values[name].index] for name, side in sides.items())
    if not here.isin(there).any():
        detail += "; no reviewer is in both, so reviewers are ignored"
    scored, tau = baseline.settings["tau"], run.settings["tau"] if tau is None else tau
    if measure in DIMENSIONS and scored != tau:
        detail += f"; the baseline was scored at tau {scored:g}; both are compared at {tau:g}"
    result = FAILED if difference["sign"] < 0 else PASSED
    return difference | row | {"result": result if is_tested else NOT_COMPARED, "detail": detail}


def outcome_of(difference: Mapping[Any, Any]) -> str:
    """Describe the outcome of a test in words; `difference` is a row of `compare_runs`."""
    if np.isnan(difference["value"]) != np.isnan(difference["compared_with"]):
        return "in one run only"
    if np.isnan(difference["p"]):
        return f"too few changes, {MIN_CHANGES} are needed"
    return f"{_OUTCOMES[int(difference['sign'])]}, {p_in_words(difference['p'])}"
