"""The paper's figures, and how figures are shown: titles and decimals."""

from functools import cache
from importlib.resources import files
from math import nan

import pandas as pd

from crscore_eval.data.study import SYSTEM_TITLES
from crscore_eval.formatting import figure_cells

INTERVALS_NOTE = (
    "Intervals are over changes, for these reviewers. Correlations over reviewers have none, since "
    "an interval would need other reviewers."
)

PRESETS_NOTE = (
    "tau_gt and tau_best are computed from these reviews and claims. Presets are those of the "
    "study's claims on these changes, so figures may be optimistic."
)

PAPER_SETTING_NOTE = (
    "paper: with its encoder (mxbai-embed-large-v1) and thresholds, over the whole study."
)

PAPER_NOTE = (
    "paper: Spearman in its tables 3 and 9, over the whole study, only for metrics without "
    "an encoder or a judge, as these may differ."
)
"""Definition of the paper's figures for other metrics."""


@cache
def paper_figures() -> pd.DataFrame:
    """Return the paper's figures by table, name of the tau ("" for none), row and column."""
    with files("crscore_eval.validity").joinpath("paper.csv").open(encoding="utf-8") as file:
        figures = pd.read_csv(file, comment="#", dtype={"row": str, "column": str})
    return figures.fillna({"tau_name": ""})


TABLES = {
    "claim_quality": "Quality of the study's own claims, in percent (paper: Table 1, section 5.1)",
    "krippendorff_alpha_ordinal": "Raters, Krippendorff's alpha (paper: section 4.2)",
    "matching": "How well the encoder finds what a review addresses (paper: Table 4)",
    "procedure_taus": "Thresholds computed on these reviews (paper: section 3.3)",
    "no_threshold": "Agreement without a threshold",
    "human_means_0_to_1": "Means of reviewers, people (0 to 1; paper: Table 10)",
    "system_level": "Order of reviewers, relevance with people (paper: Table 2)",
    "review_level": "Agreement of the metric with people on reviews (paper: Tables 3 and 9)",
    "review_level_not_empty": "Agreement of relevance, over reviews that state something",
    "metric_means": "Means of reviewers, metric (paper: Table 10)",
    "review_level_by_language": "Agreement of relevance by language (paper: Table 11)",
    "review_level_by_system": "Agreement of relevance within each reviewer, over the same reviews",
}
"""Titles of the tables, in the order in which they are shown."""

_COLUMN_TITLES = {
    "spearman": "Spearman's rho",
    "kendall": "Kendall's tau-b",
    "spearman_p": "Spearman's p-value",
    "kendall_p": "Kendall's p-value",
    "auc": "area under the ROC curve",
    "f1": "F1",
}
COUNTS = frozenset({"claims", "n", "pairs"})
"""Columns of whole numbers."""


def shown_tables(tables: pd.DataFrame, tau: float) -> dict[str, pd.DataFrame]:
    """Return the tables in a frame of `validity_tables` for display, keyed by heading.

    A heading names the tau unless it is `tau`, the tau in use. The rows also have the columns
    `row_title`, `column_title` and `digits`, the number of decimals.
    """
    titled = tables.assign(
        digits=3 * ~tables["column"].isin(COUNTS),
        row_title=tables["row"].replace(SYSTEM_TITLES | {"systems": "reviewers"}),
        column_title=tables["column"].map(column_title),
    )
    shown = {}
    for (key, name), figures in titled.groupby(["table", "tau_name"], sort=False):
        at = f", at {name}" if name and figures["tau"].iloc[0] != tau else ""
        shown[f"{TABLES[str(key)]}{at}"] = figures
    return shown


def column_title(column: str) -> str:
    """Return a column's display title."""
    return _COLUMN_TITLES.get(column) or column.replace("_", " ")


def wide_table(figures: pd.DataFrame) -> pd.DataFrame:
    """Pivot figures of `shown_tables` into a table of strings, with a column for each figure.

    The paper's figures are in rows of their own.
    """
    paper = figures.dropna(subset="paper")
    paper = paper.assign(recomputed=paper["paper"], low=nan, high=nan)
    both = pd.concat([figures, paper.assign(row_title=paper["row_title"] + ", paper")])
    both = both.sort_index(kind="stable")
    both["cell"] = figure_cells(both, "recomputed", "low", "high", "digits")
    wide = both.pivot(index="row_title", columns="column_title", values="cell").fillna("")
    wide = wide.loc[both["row_title"].unique(), figures["column_title"].unique()]
    return wide.rename_axis(index="", columns=None).reset_index()
