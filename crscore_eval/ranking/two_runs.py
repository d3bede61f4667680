"""Compare two runs: the differences of their means, and pairs of reviews of the same change."""

from collections.abc import Sequence
from typing import NamedTuple

import pandas as pd

from crscore_core.errors import InputError
from crscore_core.text import counted, in_words, listed
from crscore_eval.formatting import p_in_words
from crscore_eval.metrics.values import named_measure
from crscore_eval.statistics.bootstrap import MIN_CHANGES, SIGNIFICANCE_LEVEL, holm
from crscore_eval.statistics.difference import difference_table
from crscore_eval.table import HUMAN, SCORES, ColumnRole, Run, is_by_system
from crscore_eval.table.measures import DEFAULT_MEASURE, PEOPLE, measure_names, measure_values
from crscore_eval.table.roles import RATING, scale_ends
from crscore_eval.table.schema import UNNAMED, is_of_rater
from crscore_eval.table.settings import scoring_differences


def compare_runs(
    run: Run, baseline: Run, measures: Sequence[str], tau: float | None = None
) -> pd.DataFrame:
    """Compare the means of measures in two runs, over all systems and for each system.

    Both runs are scored at `tau`, by default the tau of `run`. `change_keys` matches their changes.
    Each measure in both runs has a row for all systems, then a row for each system; ratings on
    `other_scales` have none. Columns:

        measure, system: the system is "" for all systems together
        value, compared_with: the means of the run and of the baseline
        left_out: for all systems together, the number of pairs of a system and a change that
            are not compared since only one run has them
        other columns: as in `difference_table`, for `value` minus `compared_with`; p is corrected
            over the measures for all systems together, else over the systems of a measure

    A mean of all systems is over the pairs of a system and a change that are in both runs. If the
    runs share only one system, it has no row of its own; with fewer than `MIN_CHANGES` shared
    changes, its mean is over all of them. Systems are ignored if the runs share none.

    Raises:
        InputError: scores are compared, and the runs were scored differently.
    """
    sides = run, baseline
    keys = [change_keys(side, number) for number, side in enumerate(sides)]
    if not set(SCORES).isdisjoint(measures):
        _check_scored_alike(run, baseline, keys)
    tau = run.settings["tau"] if tau is None else tau
    tables = []
    for measure in measures:
        columns = [
            system_values(side, measure, tau).groupby([side.reviews["system"], key]).mean()
            for side, key in zip(sides, keys, strict=True)
        ]
        means = pd.concat(columns, axis="columns", keys=["value", "compared_with"])
        if means.notna().any().all() and not other_scales(run, baseline, measure):
            of_all, left_out = _of_all_systems(means)
            systems = {str(name): of for name, of in means.groupby("system", sort=False)}
            shared = [name for name, of in systems.items() if of.notna().any().all()]
            by_system = {name: of for name, of in systems.items() if [name] != shared}
            for of, n in (({"": of_all}, left_out), (by_system, 0)):
                table = difference_table(of.values(), named_measure(run, measure).width)
                tables.append(table.assign(measure=measure, system=[*of], left_out=n))
    none = difference_table([]).assign(measure="", system="", left_out=0)
    compared = pd.concat(tables or [none], ignore_index=True)
    is_of_all = compared["system"] == ""
    compared.loc[is_of_all, "p"] = holm(compared["p"][is_of_all])
    compared["sign"] *= compared["p"] < SIGNIFICANCE_LEVEL
    return compared.rename(columns={"first": "value", "second": "compared_with"})


def other_scales(run: Run, baseline: Run, measure: str) -> str:
    """Describe the scales of people's ratings in two runs if they differ, otherwise return "".

    Ratings without a column in the file were given in the app, from 1 to 5. Labels have no scale.
    """
    column = HUMAN[DEFAULT_MEASURE] if measure == PEOPLE else measure
    here, there = (rating_scale(side, column) or "1 to 5" for side in (run, baseline))
    return "" if here == there else f"rated {here} in this run, {there} in the baseline"


def rating_scale(run: Run, column: str) -> str:
    """Return the scale of a column of ratings in the file, such as `1 to 10`; "" without one."""
    roles = [ColumnRole(**role) for role in run.settings.get("columns", ())]
    ratings = [role for role in roles if role.kind == RATING]
    scales = [role.scale for role in ratings if role.read_as.partition(":")[0] == column]
    return "{:g} to {:g}".format(*scale_ends(scales[0])) if scales else ""


def _of_all_systems(means: pd.DataFrame) -> tuple[pd.DataFrame, int]:
    """Return the mean per change of both runs, with the same systems in both, see `compare_runs`.

    The number is how many pairs of a system and a change are left out.
    """
    in_both = means.groupby("system").filter(lambda of: of.notna().any().all())
    if in_both.empty:
        means = in_both = pd.concat({"": means.groupby("key").mean()}, names=["system"])
    used = in_both.dropna()
    if len(used) < MIN_CHANGES and in_both.index.unique("system").size == 1:
        used = in_both
    return used.groupby("key").mean(), len(means) - len(used)


def lower_systems(comparison: pd.DataFrame, run: Run) -> str:
    """Name the systems in a table of `compare_runs` with a significantly lower mean, if any."""
    is_named = ~comparison["system"].isin(["", UNNAMED])
    lower = comparison[is_named & (comparison["sign"] < 0)]
    parts = []
    for measure, of in lower.groupby("measure", sort=False):
        cells = of[["system", "p"]].to_numpy()
        names = in_words([f"{name} ({p_in_words(p)})" for name, p in cells])
        parts.append(f"{names} by {named_measure(run, str(measure)).title}")
    which = f"Significantly lower than in the baseline: {listed(parts)}"
    which += ", after Holm's correction for the reviewers of a measure"
    return f"{which}. No condition covers a single reviewer." if parts else ""


def system_values(run: Run, measure: str, tau: float | None = None) -> "pd.Series[float]":
    """Return a measure's values for reviews by systems; empty if the run lacks the measure."""
    if measure not in [*measure_names(run.reviews), *filter(is_of_rater, map(str, run.reviews))]:
        return pd.Series(dtype=float)
    return measure_values(run.reviews, measure, tau)[is_by_system(run.reviews)].dropna()


def _check_scored_alike(run: Run, baseline: Run, keys: Sequence["pd.Series[str]"]) -> None:
    """Raise an InputError if two runs were scored differently.

    Analyzers may differ if both runs have the same changes with the same pseudo-references, since
    analyzers affect scores in no other way.
    """
    first, second = map(_references, (run, baseline), keys)
    same_changes = first.index.equals(second.index)
    here, there = first.align(second, join="inner")
    is_scored = (here != "") & (there != "")
    n_other = int(((here != there) & is_scored).sum())
    settings = [side.settings for side in (run, baseline)]
    if same_changes and not n_other:
        settings = [{**one, "analyzers": []} for one in settings]
    differences = scoring_differences(*settings, same_changes=same_changes)
    if n_other:
        n_shared = counted(int(is_scored.sum()), "shared change")
        differences.append(f"the pseudo-references of {n_other} of {n_shared} differ")
    if differences:
        raise InputError(
            f"the runs were scored differently: {'; '.join(differences)}",
            "score both with the same options, columns and installation of crscore (`crscore "
            "batch`), or compare people's ratings or a label",
        )


def _references(run: Run, key: "pd.Series[str]") -> "pd.Series[str]":
    """Return the distinct pseudo-references of each key of `change_keys`; "" without any."""
    texts = [
        str(sorted((one["text"], *one["wordings"]) for one in of) or "")
        for of in run.changes["references"]
    ]
    of_reviews = pd.Series(texts, run.changes["change"]).loc[run.reviews["change"]]
    distinct = pd.DataFrame({"key": key.to_numpy(), "text": of_reviews.to_numpy()})
    return distinct.drop_duplicates().sort_values("text").groupby("key")["text"].agg("\n".join)


def change_keys(run: Run, number: int) -> "pd.Series[str]":
    """Return a key of each review's change, (n,): its diff, else its title.

    A change without either matches no change of a run with another `number`.
    """
    changes = run.changes.set_index("change").fillna({"diff": "", "title": ""})
    keys = changes["diff"].where(changes["diff"] != "", changes["title"])
    keys = keys.where(keys.str.strip() != "", f"{number} " + changes.index)
    return run.reviews["change"].map(keys).rename("key")


class RunPairs(NamedTuple):
    """Matching reviews of a run and of an earlier run.

    pairs: the widest difference first. Columns: row and earlier_row (in the two tables of reviews),
        system, value, earlier_value and difference (NaN if one of the reviews has no value).
    n_only_here, n_only_earlier: numbers of changes that occur in only one of the runs.
    n_unpaired, n_earlier_unpaired: numbers of reviews of shared changes without a counterpart.
    """

    pairs: pd.DataFrame
    n_only_here: int
    n_only_earlier: int
    n_unpaired: int
    n_earlier_unpaired: int


def pair_reviews(run: Run, earlier: Run, measure: str, tau: float) -> RunPairs:
    """Pair the reviews of the same change by the same system in two runs, in order if several.

    If the runs share no system, such as two versions of one bot, systems are ignored.
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
