"""Reviews of the same change in two runs, those whose values differ most first."""

from typing import NamedTuple

import pandas as pd

from crscore_eval.ranking.gate import change_keys
from crscore_eval.table import Run, is_by_system, measure_values


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
    sides = [_side(side, number, measure, tau) for number, side in enumerate((run, earlier))]
    here, there = sides
    keys = ["key", "system"] if {*here["system"]} & {*there["system"]} else ["key"]
    here, there = (side.assign(nth=side.groupby(keys).cumcount()) for side in sides)
    pairs = here.merge(there, on=[*keys, "nth"], suffixes=("", "_earlier"))
    difference = pairs["value"] - pairs["value_earlier"]
    order = difference.abs().sort_values(ascending=False, kind="stable", na_position="last").index
    shared = {*here["key"]} & {*there["key"]}
    return RunPairs(
        pairs.assign(difference=difference)
        .loc[order, ["row", "row_earlier", "system", "value", "value_earlier", "difference"]]
        .rename(columns={"row_earlier": "earlier_row", "value_earlier": "earlier_value"})
        .reset_index(drop=True),
        here["key"].nunique() - len(shared),
        there["key"].nunique() - len(shared),
        *(int(side["key"].isin(shared).sum()) - len(pairs) for side in (here, there)),
    )


def _side(run: Run, number: int, measure: str, tau: float) -> pd.DataFrame:
    columns = {
        "row": range(len(run.reviews)),
        "key": change_keys(run, number),
        "system": run.reviews["system"],
        "value": measure_values(run.reviews, measure, tau),
    }
    return pd.DataFrame(columns)[is_by_system(run.reviews)]
