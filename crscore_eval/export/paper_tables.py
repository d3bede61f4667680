"""Tables of figures with intervals, as text and as LaTeX for a paper."""

import re
from math import nan

import pandas as pd

from crscore_core.text import counted
from crscore_eval.figures import format_figure
from crscore_eval.table import Run

_LATEX = str.maketrans(
    {
        **{mark: f"\\{mark}" for mark in "_%&#${}"},
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
    }
)
_PAPER_ENCODER = "mixedbread-ai/mxbai-embed-large-v1"
"""Encoder of the paper's figures (section 3.3)."""

_MINUS = "\N{MINUS SIGN}"
_SIGN = re.compile(r"(?<![\w.{-])([-<])(?=\d)")
"""A minus or less-than sign before a number; LaTeX needs a formula for it."""


def describe_data(run: Run) -> str:
    """Return what the figures of a run are computed from."""
    changes = counted(len(run.changes), "change")
    encoder, claims = run.settings["encoder"], run.settings["claims"]
    return f"Data: {run.settings['name']}, {changes}; encoder: {encoder}; claims: {claims}"


def figure_cell(value: float, low: float = nan, high: float = nan, digits: int = 3) -> str:
    """Return a figure and its interval, with true minus signs, so that no cell is a formula."""
    return format_figure(value, low, high, digits).replace("-", _MINUS)


def p_value_cells(p_values: "pd.Series[float]", n_resamples: int) -> list[str]:
    """Return p-values from resamples after Holm's correction; the smallest possible has a ≤."""
    smallest = 2 / (n_resamples + 1) * p_values.notna().sum()
    return [("≤" if p < 1.001 * smallest else "") + figure_cell(p) for p in p_values]


def wide_table(figures: pd.DataFrame) -> pd.DataFrame:
    """Pivot figures into a table of texts, with a column for each name in `column`.

    `figures` are those of a `ShownTable`. The paper's figures are in separate rows, with `paper` in
    the column `from`.
    """
    cells = [
        figure_cell(figure["recomputed"], figure["low"], figure["high"], figure["digits"])
        for figure in figures.to_dict("records")
    ]
    paper_cells = [
        figure_cell(value, digits=digits)
        for value, digits in zip(figures["paper"], figures["digits"], strict=True)
    ]
    recomputed = figures.assign(cell=cells, source="recomputed")
    paper = figures.assign(cell=paper_cells, source="paper")
    both = pd.concat([recomputed, paper[figures["paper"].notna()]]).sort_index(kind="stable")
    wide = both.set_index(["row", "source", "column"])["cell"].unstack(fill_value="")
    order = pd.MultiIndex.from_frame(both[["row", "source"]].drop_duplicates())
    wide = wide.reindex(index=order, columns=figures["column"].unique()).reset_index()
    wide.columns.name = None
    if wide["source"].nunique() == 1:
        return wide.drop(columns="source")
    return wide.rename(columns={"source": "from"})


def latex_table(cells: pd.DataFrame, caption: str, name: str, run: Run, tau: float | None) -> str:
    """Return a table as LaTeX, with the data of the figures in its caption.

    `tau` is None if the figures do not depend on it. A comment names the packages that LaTeX needs.
    """
    data = describe_data(run) + ("" if tau is None else f"; tau: {tau:.3f}")
    caption += f" {data}. In parentheses: 95% intervals, which resample changes."
    if "from" in cells:
        caption += f" Rows from the paper: its figures, with the encoder {_PAPER_ENCODER}."
    if any("p-value" in str(column) for column in cells):
        caption += " The p-values assume independent reviews, as in the paper."
    latex = cells.to_latex(
        index=False,
        escape=True,
        na_rep="",
        column_format="l" + "r" * (cells.shape[1] - 1),
        caption=caption.translate(_LATEX),
        label=f"tab:{re.sub('[^A-Za-z0-9_]+', '-', name)}",
    )
    fitted = "\\begin{adjustbox}{max width=\\linewidth}\n\\begin{tabular}"
    latex = latex.replace("\\begin{tabular}", fitted).replace("≤", r"$\leq$")
    latex = latex.replace("\\end{tabular}", "\\end{tabular}\n\\end{adjustbox}")
    latex = _SIGN.sub(r"$\1$", latex.replace(_MINUS, "-"))
    return f"% \\usepackage{{adjustbox,booktabs}}\n{latex}"
