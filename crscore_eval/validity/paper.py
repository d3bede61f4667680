"""The figures that the paper prints, in `paper.csv`."""

from functools import cache
from importlib.resources import files

import pandas as pd

PAPER_NOTE = (
    "paper: Spearman in its tables 3 and 9, over all 291 changes of the study, only of metrics "
    "that need no encoder and no judge, as these may differ."
)
"""Definition of the paper's figures of other metrics."""


@cache
def paper_figures() -> pd.DataFrame:
    """Return the paper's figures by table, name of the tau ("" for none), row and column."""
    with files("crscore_eval.validity").joinpath("paper.csv").open(encoding="utf-8") as file:
        return pd.read_csv(file, comment="#", dtype={"row": str, "column": str}).fillna(
            {"tau_name": ""}
        )
