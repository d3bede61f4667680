"""The paper's figures, and how figures are shown: order of tables, titles, decimals."""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from math import nan
from typing import NamedTuple

import pandas as pd

from crscore_eval.data.study import SYSTEM_TITLES
from crscore_eval.formatting import figure_cells
from crscore_eval.metrics.agreement import p_digits

INTERVALS_NOTE = (
    "Intervals are over changes. Correlations over systems have none, since an interval would need "
    "other systems."
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


class TableInfo(NamedTuple):
    """A table's title, its place in the paper ("" if none), and the decimals of its figures."""

    title: str
    source: str
    digits: int = 3


TABLES: Mapping[str, TableInfo] = {
    "claim_quality": TableInfo(
        "Quality of the study's own claims, in percent", "Table 1 and section 5.1", 2
    ),
    "procedure_taus": TableInfo("Thresholds computed on these reviews", "section 3.3"),
    "krippendorff_alpha_ordinal": TableInfo("Raters, Krippendorff's alpha", "section 4.2"),
    "system_level": TableInfo("Order of systems, relevance with people", "Table 2"),
    "review_level": TableInfo("Agreement of the metric with people on reviews", "Tables 3 and 9"),
    "no_threshold": TableInfo("Agreement without a threshold", ""),
    "matching": TableInfo("How well the encoder finds what a review addresses", "Table 4"),
    "human_means_0_to_1": TableInfo("Means of systems, people (0 to 1)", "Table 10"),
    "metric_means": TableInfo("Means of systems, metric", "Table 10"),
    "review_level_by_language": TableInfo("Agreement of relevance by language", "Table 11"),
    "review_level_by_system": TableInfo("Agreement of relevance within each system", ""),
    "failures": TableInfo(
        "Failures of relevance by the paper's rule", "section 5.4 and appendix E.1"
    ),
}
"""The tables in the order of the paper."""

_COLUMN_TITLES = {
    "spearman": "Spearman's rho",
    "kendall": "Kendall's tau-b",
    "spearman_p": "Spearman's p-value",
    "kendall_p": "Kendall's p-value",
    "auc": "area under the ROC curve",
    "f1": "F1",
}
_COLUMN_DIGITS = dict.fromkeys(("claims", "n", "pairs", "reviews"), 0)  # unlike their table's


def shown_tables(tables: pd.DataFrame, tau: float) -> dict[str, pd.DataFrame]:
    """Return the tables in a frame of `validity_tables` for display, keyed by heading.

    A heading names the place in the paper, and the tau unless it is `tau`, the tau in use. The
    rows also have the columns `row_title`, `column_title` and `digits`, the number of decimals.
    """
    has_paper, shown = tables["paper"].notna().any(), {}
    for (key, tau_name), figures in tables.groupby(["table", "tau_name"], sort=False):
        title, source, digits = TABLES[str(key)]
        at = f" at {tau_name}" if tau_name and figures["tau"].iloc[0] != tau else ""
        place = f" ({source})" if has_paper and source else ""
        shown[f"{title}{at}{place}"] = figures.assign(
            digits=[
                p_digits(figure) if column.endswith("_p") else _COLUMN_DIGITS.get(column, digits)
                for column, figure in figures[["column", "recomputed"]].to_numpy()
            ],
            row_title=[SYSTEM_TITLES.get(row, row) for row in figures["row"]],
            column_title=figures["column"].map(column_title),
        )
    return shown


def column_title(column: str) -> str:
    """Return a column's display title."""
    return _COLUMN_TITLES.get(column) or column.replace("_", " ")


def wide_table(figures: pd.DataFrame) -> pd.DataFrame:
    """Pivot figures of `shown_tables` into a table of strings, with a column for each figure.

    The paper's figures are in separate rows, with `paper` in the column `from`.
    """
    recomputed = figures.rename(columns={"recomputed": "value"}).assign(source="recomputed")
    paper = figures.assign(value=figures["paper"], low=nan, high=nan, source="paper")
    both = pd.concat([recomputed, paper.dropna(subset="paper")]).sort_index(kind="stable")
    both["cell"] = figure_cells(both, "value", "low", "high", "digits")
    keys = ["row_title", "source"]
    wide = both.pivot(index=keys, columns="column_title", values="cell").fillna("")
    order = pd.MultiIndex.from_frame(both[keys].drop_duplicates())
    wide = wide.loc[order, figures["column_title"].unique()].reset_index()
    wide = wide.rename(columns={"row_title": "", "source": "from"}).rename_axis(columns=None)
    return wide if len(wide) > wide[""].nunique() else wide.drop(columns="from")
