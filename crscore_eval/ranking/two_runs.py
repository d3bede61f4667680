"""Two runs side by side: differences of means, and pairs of reviews of the same change."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

import pandas as pd

from crscore_core.errors import InputError
from crscore_core.text import counted, listed
from crscore_eval.formatting import in_words
from crscore_eval.statistics.difference import difference_table
from crscore_eval.table import (
    MEASURES,
    SCORES,
    Run,
    is_by_system,
    measure_named,
    measure_names,
    measure_values,
    scoring_differences,
)
from crscore_eval.table.schema import UNNAMED
from crscore_eval.table.settings import change_digest


def compare_runs(
    run: Run, baseline: Run, measures: Sequence[str], tau: float | None = None
) -> pd.DataFrame:
    """Compare the means of measures in two runs, over all systems and for each system.

    Both runs are scored at `tau`, by default the tau of `run`. Changes with the same diff are the
    same change. Each measure that both runs have values of has a row for all systems, then one for
    each system; a system that one of them lacks has no value there. Columns:

        measure, system: the system is "" for all of them together
        value, compared_with: the means of the run and of the baseline
        difference and others: as in `difference_table`, for `value` minus `compared_with`; p is
            corrected over the systems of a measure

    Raises:
        InputError: scores are compared, and the runs were scored differently; the message has all
            of `scoring_differences`.
    """
    sides = run, baseline
    keys = [change_keys(side, number) for number, side in enumerate(sides)]
    if not set(SCORES).isdisjoint(measures):
        _check_scored_alike(run, baseline, *keys)
    tau = run.settings["tau"] if tau is None else tau
    tables = [pd.DataFrame(columns=["measure", "system", "value", "compared_with", "sign"])]
    for measure in measures:
        if all(measure in measure_names(side.reviews) for side in sides):
            values = [system_values(side, measure, tau) for side in sides]
            means = [
                of.groupby([side.reviews["system"], key]).mean()
                for of, side, key in zip(values, sides, keys, strict=True)
            ]
            overall = [of.groupby(key).mean() for of, key in zip(values, keys, strict=True)]
            names = {name: None for of in means for name in of.index.unique(0)}
            by_system = {
                name: [of[of.index.isin([name], 0)].droplevel(0) for of in means] for name in names
            }
            if all(map(len, values)):
                tables += [_table(measure, {"": overall}), _table(measure, by_system)]
    return pd.concat([table for table in tables if len(table)] or tables, ignore_index=True)


def _table(measure: str, compared: Mapping[str, Sequence["pd.Series[float]"]]) -> pd.DataFrame:
    span = MEASURES[measure].span if measure in MEASURES else None
    tables = (pd.concat(means, axis=1) for means in compared.values())
    table = difference_table(tables, span=span)
    table = table.rename(columns={"first": "value", "second": "compared_with"})
    table.insert(0, "system", list(compared))
    table.insert(0, "measure", measure)
    return table


def lower_systems(comparison: pd.DataFrame, run: Run, name_of: Callable[[str], str] = str) -> str:
    """Name the systems in a table of `compare_runs` with a significantly lower mean, if any."""
    is_named = ~comparison["system"].isin(["", UNNAMED])
    lower = comparison[is_named & (comparison["sign"] < 0)]
    parts = [
        f"{in_words([*map(name_of, names)])} by {measure_named(run.reviews, str(measure)).title}"
        for measure, names in lower.groupby("measure", sort=False)["system"]
    ]
    return f"Significantly lower: {listed(parts)}." if parts else ""


def system_values(run: Run, measure: str, tau: float | None = None) -> "pd.Series[float]":
    """Return the values of a measure for the reviews by systems that have one."""
    return measure_values(run.reviews, measure, tau)[is_by_system(run.reviews)].dropna()


def _check_scored_alike(
    run: Run, baseline: Run, changes: "pd.Series[str]", other_changes: "pd.Series[str]"
) -> None:
    """Raise an InputError if the scores of two runs differ in kind.

    Claims about a change that both runs have must be the same, unless rules make them.
    """
    digests = []
    for side, keys in ((run, changes), (baseline, other_changes)):
        of_change = side.changes.set_index("change")["references"].map(
            partial(change_digest, claims=side.settings["claims"])
        )
        digests.append(side.reviews["change"].map(of_change).groupby(keys).first())
    both = pd.concat(digests, axis=1, join="inner").dropna()
    differences = scoring_differences(
        run.settings, baseline.settings, same_changes={*changes} == {*other_changes}
    )
    if n_other := int((both.iloc[:, 0] != both.iloc[:, 1]).sum()):
        n_shared = counted(len(both), "shared change")
        differences.append(f"the claims about {n_other} of {n_shared} differ")
    if differences:
        raise InputError(
            f"the runs were scored differently: {'; '.join(differences)}",
            "score both alike, or compare people's ratings or a label",
        )


def change_keys(run: Run, number: int) -> "pd.Series[str]":
    """Return a key of each review's change, (n,): its diff, else its title and reference review.

    The language of a bare hunk, which has no file name, is part of its key, as scores depend on it.
    A change without any of these equals no change of the run with another `number`.
    """
    changes = run.changes.set_index("change")
    names = run.reviews["change"]
    titles = names.map(changes["title"]).fillna("")
    if "reference" in run.reviews:
        titles = titles + "\n" + run.reviews["reference"].fillna("")
    diffs = names.map(changes["diff"]).fillna("")
    languages = names.map(changes["language"]).fillna("")
    diffs = diffs.where(~diffs.str.startswith("@@"), languages + "\n" + diffs)
    return diffs.where(diffs != "", titles.where(titles.str.strip() != "", f"{number} " + names))


class RunPairs(NamedTuple):
    """Reviews of a run and of an earlier run that belong together.

    pairs: a row for each pair, the widest difference first. Columns: row and earlier_row (in the
        two tables of reviews), system, value, earlier_value and difference (NaN if one of the
        reviews has no value).
    n_only_here, n_only_earlier: numbers of changes that only one of the runs has.
    n_unpaired, n_earlier_unpaired: numbers of reviews of shared changes without a counterpart.
    """

    pairs: pd.DataFrame
    n_only_here: int
    n_only_earlier: int
    n_unpaired: int
    n_earlier_unpaired: int


def pair_reviews(run: Run, earlier: Run, measure: str, tau: float) -> RunPairs:
    """Pair the reviews of systems in two runs, see `compare_runs` for equal changes.

    Reviews of the same change by the same system are a pair, in the order of the tables if there
    are several. If the runs have no system in common, such as versions of one bot, the systems
    do not matter.
    """
    here, there = (
        pd.DataFrame(
            {
                f"{prefix}row": range(len(side.reviews)),
                "key": change_keys(side, number),
                "system": side.reviews["system"],
                f"{prefix}value": measure_values(side.reviews, measure, tau),
            }
        )[is_by_system(side.reviews)]
        for number, (prefix, side) in enumerate({"": run, "earlier_": earlier}.items())
    )
    keys = ["key", "system"] if {*here["system"]} & {*there["system"]} else ["key"]
    sides = [side.assign(nth=side.groupby(keys).cumcount()) for side in (here, there)]
    pairs = sides[0].merge(sides[1], on=[*keys, "nth"], suffixes=("", "_earlier"))
    pairs["difference"] = pairs["value"] - pairs["earlier_value"]
    order = pairs["difference"].abs().sort_values(ascending=False, kind="stable").index
    columns = ["row", "earlier_row", "system", "value", "earlier_value", "difference"]
    shared = {*here["key"]} & {*there["key"]}
    return RunPairs(
        pairs.loc[order, columns].reset_index(drop=True),
        *(side["key"].nunique() - len(shared) for side in (here, there)),
        *(int(side["key"].isin(shared).sum()) - len(pairs) for side in (here, there)),
    )
