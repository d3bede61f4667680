"""Conditions on a run: minimum values, and means that are not lower than an earlier run's."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from crscore_core.errors import InputError
from crscore_core.text import counted, listed
from crscore_eval.data.ratings import describe_ratings
from crscore_eval.ranking.people import unchecked_note
from crscore_eval.ranking.verdict import describe_difference
from crscore_eval.statistics import (
    MIN_CHANGES,
    MeanDifference,
    difference_table,
    holm,
    mean_difference,
)
from crscore_eval.table import (
    DEFAULT_MEASURE,
    LABEL_PREFIX,
    MEASURES,
    PEOPLE,
    SCORES,
    Run,
    has_ratings,
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
    PEOPLE: "people's ratings of relevance",
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
    changes, other_changes = _keys_of_changes(run, baseline, measures)
    compared = {}
    for measure, (values, others) in _values_of_both(run, baseline, measures, tau).items():
        by_change = values.groupby(changes).mean(), others.groupby(other_changes).mean()
        compared[measure] = mean_difference(pd.concat(by_change, axis=1))
    return _table(compared)


def compare_systems(
    run: Run, baseline: Run, measures: Sequence[str], tau: float | None = None
) -> pd.DataFrame:
    """Compare the means of measures in two runs for each system that both runs have.

    Returns the table of `compare_runs` with another column, system, after the measure; p is
    corrected by Holm's method over the systems with the same measure.

    Raises:
        InputError: as in `compare_runs`.
    """
    changes, other_changes = _keys_of_changes(run, baseline, measures)
    tables = [pd.DataFrame(columns=["measure", "system"])]
    for measure, sides in _values_of_both(run, baseline, measures, tau).items():
        values, others = (
            side.groupby([of.reviews["system"], keys]).mean()
            for side, of, keys in zip(sides, (run, baseline), (changes, other_changes), strict=True)
        )
        shared = [name for name in values.index.unique(0) if name in others.index.unique(0)]
        compared = {
            name: mean_difference(pd.concat([values[name], others[name]], axis=1))
            for name in shared
        }
        p = holm({name: None if np.isnan(of.p) else of.p for name, of in compared.items()})
        corrected = {name: of._replace(p=p.get(name, np.nan)) for name, of in compared.items()}
        systems = _table(corrected).rename(columns={"measure": "system"})
        systems.insert(0, "measure", measure)
        tables.append(systems)
    return pd.concat([table for table in tables if len(table)] or tables, ignore_index=True)


def _keys_of_changes(
    run: Run, baseline: Run, measures: Sequence[str]
) -> tuple["pd.Series[str]", "pd.Series[str]"]:
    """Return the keys of both runs' changes; raise if scores are compared that differ in kind."""
    keys = change_keys(run, 0), change_keys(baseline, 1)
    if not set(SCORES).isdisjoint(measures):
        differences = scoring_differences(
            run.settings, baseline.settings, same_changes={*keys[0]} == {*keys[1]}
        )
        differences += _claims_differences(run, baseline, *keys)
        if differences:
            raise InputError(
                f"the runs were scored differently: {'; '.join(differences)}",
                "score both alike, or compare people's ratings or a label",
            )
    return keys


def _values_of_both(
    run: Run, baseline: Run, measures: Sequence[str], tau: float | None
) -> dict[str, "tuple[pd.Series[float], pd.Series[float]]"]:
    """Return the values of the measures that both runs have, of reviews by systems."""
    tau = run.settings["tau"] if tau is None else tau
    found = {}
    for measure in measures:
        if all(measure in measure_names(side.reviews) for side in (run, baseline)):
            values, others = (_system_values(side, measure, tau) for side in (run, baseline))
            if len(values) and len(others):
                found[measure] = values, others
    return found


def _table(compared: Mapping[str, MeanDifference]) -> pd.DataFrame:
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
    them, is significantly lower. If too few changes have a value of `by`, relevance is compared
    too, unless the runs were scored differently. Returns a row for each condition. Columns:

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
        names = [by, *PEOPLE_MEASURES]
        differences = _differences(run, baseline, names, tau)
        if by not in differences:
            side = "run" if _system_values(run, by, tau).empty else "baseline"
            raise InputError(f"the {side} has no value of {by}; choose another measure")
        if by != DEFAULT_MEASURE and np.isnan(differences[by]["p"]):
            with suppress(InputError):
                differences |= _differences(run, baseline, [DEFAULT_MEASURE], tau)
                names.insert(1, DEFAULT_MEASURE)
        rows += [
            _check_not_lower(run, baseline, name, differences.get(name))
            for name in dict.fromkeys(names)
            if name in {by, PEOPLE} or name in run.reviews or name in baseline.reviews
        ]
    figures = ["measure", "value", "compared_with", "difference", "low", "high", "p", "changes"]
    return pd.DataFrame(rows, columns=["condition", "result", "detail", *figures])


def gate_passed(checks: pd.DataFrame) -> bool:
    """Return True if no condition failed."""
    return bool((checks["result"] != FAILED).all())


def _differences(
    run: Run, baseline: Run, measures: Sequence[str], tau: float | None
) -> dict[str, dict[Any, Any]]:
    """Return the rows of `compare_runs` by measure."""
    comparison = compare_runs(run, baseline, measures, tau)
    return {row["measure"]: row for row in comparison.to_dict("records")}


def gate_conclusion(checks: pd.DataFrame, *, takes_floors: bool = True) -> str:
    """Return a sentence on whether a run passed, and by what.

    It says if nothing was compared with the earlier run and if people's ratings were not compared.
    With `takes_floors` it also says how to require these.
    """
    is_not_compared = checks["result"] == NOT_COMPARED
    is_comparison = is_not_compared | checks["difference"].notna()
    nothing = ""
    if is_comparison.any() and is_not_compared[is_comparison].all():
        nothing = "Nothing was compared with the earlier run."
    if not gate_passed(checks):
        failed = checks["condition"][checks["result"] == FAILED]
        return f"Failed. Not met: {listed(failed.to_list())}. {nothing}".strip()
    is_by_people = (checks["measure"] == PEOPLE) | checks["measure"].str.startswith(LABEL_PREFIX)
    is_passed = checks["result"] == PASSED
    by_people = checks[is_by_people & is_passed]
    is_score = ~is_by_people & (checks["measure"] != SCORED)
    skipped = checks["condition"][~is_by_people & is_not_compared]
    if len(by_people):
        changes = counted(int(by_people["changes"].min()), "change")
        names = dict.fromkeys(map(_people_title, by_people["measure"]))
        sentence = f"Passed, also by {listed([*names])} of {changes}."
    else:
        sentence = "people's ratings were not compared."
        if (is_score & is_passed).any():
            sentence = f"Passed by scores alone, which do not measure quality; {sentence}"
        else:
            sentence = f"Passed by the share of scored reviews alone; {sentence}"
        if takes_floors:
            sentence += " To require them, add a floor such as people=3."
    parts = [nothing, sentence, f"Not compared: {listed([*skipped])}." if len(skipped) else ""]
    return " ".join(filter(None, parts))


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
    sides = {"this run": run, "the baseline": baseline}
    if measure == PEOPLE:
        notes += [f"{name}: {_rated_in_words(side)}" for name, side in sides.items()]
    elif difference is None:
        has_none = [name for name, side in sides.items() if not _has_values(side, measure)]
        what = title.removeprefix("people's ")
        notes.insert(0, f"no {what} in {' and '.join(has_none)}")
    elif {*run.reviews["system"]} != {*baseline.reviews["system"]}:
        notes.append("the runs have different systems")
    if difference is None:
        return row | {"result": NOT_COMPARED, "detail": "; ".join(filter(None, notes))}
    outcome = outcome_of(difference)
    result = FAILED if difference["sign"] < 0 else PASSED
    if np.isnan(difference["p"]):
        result = NOT_COMPARED
    means = f"{difference['value']:.3f} against {difference['compared_with']:.3f}"
    size = f"difference {describe_difference(difference, is_signed=True)}"
    if result == PASSED and difference["sign"] == 0 and difference["low"] < 0:
        notes.insert(0, f"a drop of up to {-difference['low']:.3f} is not ruled out")
    detail = "; ".join(filter(None, [f"{outcome}: {means}, {size}", *notes]))
    return row | {"result": result, "detail": detail}


def outcome_of(difference: Mapping[Any, Any]) -> str:
    """Return what the test of a difference, a row of `compare_runs`, found, in words."""
    if np.isnan(difference["p"]):
        return f"too few changes, {MIN_CHANGES} are needed"
    return _OUTCOMES[int(difference["sign"])]


def _rated_in_words(run: Run) -> str:
    return describe_ratings(run) if has_ratings(run.reviews) else "nobody rated relevance"


def _has_values(run: Run, measure: str) -> bool:
    return measure in run.reviews and not _system_values(run, measure, None).empty


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
