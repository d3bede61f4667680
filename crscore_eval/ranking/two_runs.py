"""Compare two runs: the differences of their means, and pairs of reviews of the same change."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import pandas as pd

from crscore_core.errors import InputError
from crscore_core.text import counted, listed
from crscore_eval.formatting import in_words
from crscore_eval.statistics.difference import difference_table
from crscore_eval.table import (
    SCORES,
    Run,
    is_by_system,
    measure_named,
    measure_names,
    measure_values,
    scoring_differences,
)
from crscore_eval.table.schema import UNNAMED


def compare_runs(
    run: Run, baseline: Run, measures: Sequence[str], tau: float | None = None
) -> pd.DataFrame:
    """Compare the means of measures in two runs, over all systems and for each system.

    Both runs are scored at `tau`, by default the tau of `run`. `change_keys` matches their changes.
    Each measure in both runs has a row for all systems, then a row for each system. Columns:

        measure, system: the system is "" for all systems together
        value, compared_with: the means of the run and of the baseline
        other columns: as in `difference_table`, for `value` minus `compared_with`; p is
            corrected over the systems of a measure

    Raises:
        InputError: scores are compared, and the runs were scored differently.
    """
    sides = run, baseline
    keys = [change_keys(side, number) for number, side in enumerate(sides)]
    if not set(SCORES).isdisjoint(measures):
        _check_scored_alike(run, baseline, keys)
    tau = run.settings["tau"] if tau is None else tau
    tables = [pd.DataFrame(columns=["measure", "system", "value", "compared_with", "sign"])]
    for measure in measures:
        means = pd.concat(
            [_means(side, key, measure, tau) for side, key in zip(sides, keys, strict=True)],
            axis="columns",
        )
        if means.notna().any().all():
            groups = {str(name): of for name, of in means.groupby("system", sort=False)}
            span = measure_named(run.reviews, measure).span
            for systems in ([*groups][:1], [*groups][1:]):
                table = difference_table((groups[name] for name in systems), span=span)
                tables.append(table.assign(measure=measure, system=systems))
    compared = pd.concat([table for table in tables if len(table)] or tables, ignore_index=True)
    compared = compared.rename(columns={"first": "value", "second": "compared_with"})
    return compared[[*tables[0], *compared.columns.difference(tables[0].columns, sort=False)]]


def _means(run: Run, key: "pd.Series[str]", measure: str, tau: float | None) -> "pd.Series[float]":
    """Return the mean per system and change, after the mean per change as the system ""."""
    columns = {"system": run.reviews["system"], "key": key}
    values = pd.DataFrame(columns | {"value": system_values(run, measure, tau)}).dropna()
    both = pd.concat([values.assign(system=""), values])
    return both.groupby(["system", "key"])["value"].mean()


def lower_systems(comparison: pd.DataFrame, run: Run, name_of: Callable[[str], str] = str) -> str:
    """Name the systems in a table of `compare_runs` with a significantly lower mean, if any."""
    is_named = ~comparison["system"].isin(["", UNNAMED])
    lower = comparison[is_named & (comparison["sign"] < 0)]
    parts = [
        f"{in_words([*map(name_of, names)])} by {measure_named(run.reviews, str(measure)).title}"
        for measure, names in lower.groupby("measure", sort=False)["system"]
    ]
    which = f"Significantly lower than in the baseline: {listed(parts)}"
    return f"{which}. No condition covers a single system." if parts else ""


def system_values(run: Run, measure: str, tau: float | None = None) -> "pd.Series[float]":
    """Return a measure's values for reviews by systems; empty if the run lacks the measure."""
    if measure not in measure_names(run.reviews):
        return pd.Series(dtype=float)
    return measure_values(run.reviews, measure, tau)[is_by_system(run.reviews)].dropna()


def _check_scored_alike(run: Run, baseline: Run, keys: Sequence["pd.Series[str]"]) -> None:
    """Raise an InputError if two runs were scored differently.

    Analyzers may differ if both runs have the same changes with the same pseudo-references, since
    analyzers affect scores in no other way.
    """
    sides = run, baseline
    references = [
        side.reviews["change"].map(side.changes.set_index("change")["references"].map(_texts))
        for side in sides
    ]
    found = [of.groupby(key).first() for of, key in zip(references, keys, strict=True)]
    same_changes = found[0].index.equals(found[1].index)
    both = pd.concat(found, axis="columns", join="inner").dropna()
    n_other = int((both.iloc[:, 0] != both.iloc[:, 1]).sum())
    settings = [side.settings for side in sides]
    if same_changes and not n_other:
        settings = [{**one, "analyzers": []} for one in settings]
    differences = scoring_differences(*settings, same_changes=same_changes)
    if n_other:
        n_shared = counted(len(both), "shared change")
        differences.append(f"the pseudo-references of {n_other} of {n_shared} differ")
    if differences:
        raise InputError(
            f"the runs were scored differently: {'; '.join(differences)}",
            "score both with the same options and installation of crscore (`crscore batch`), or "
            "compare people's ratings or a label",
        )


def _texts(references: Iterable[Mapping[str, Any]]) -> str | None:
    texts = sorted((one["text"], *one["wordings"]) for one in references)
    return str(texts) if texts else None  # such a change has no scores


def change_keys(run: Run, number: int) -> "pd.Series[str]":
    """Return a key of each review's change, (n,): its diff, else its title and reference review.

    Scores of a bare hunk, without a file name, depend on its language, so the key includes it.
    A change without any of these matches no change of a run with another `number`.
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
