"""A run as one file that people take away and that import reads back, and tables for a paper."""

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from crscore_core.errors import InputError
from crscore_core.text import counted, figure
from crscore_eval.table.cells import as_cell
from crscore_eval.table.schema import DIMENSIONS, Run, own_columns
from crscore_eval.table.scores import no_threshold, scores_at

EXPORTS = ("csv", "jsonl", "parquet")
"""Endings of the files that `export_reviews` makes."""

_LATEX = str.maketrans(
    {
        **{mark: f"\\{mark}" for mark in "_%&#${}"},
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
    }
)
_SIGN = re.compile(r"(?<![\w.{-])([-<])(?=\d)")
"""A minus or a less-than before a number, which LaTeX sets as such in formulas only."""

_LONG = 40
"""Most rows that fit a page of a paper."""


def export_reviews(run: Run, tau: float, ending: str) -> bytes:
    """Write all reviews with their changes, ratings, own columns and scores at `tau`.

    Reading the file gives the same changes, reviews, ratings, labels and own columns. In CSV, a
    text that a spreadsheet would take for a formula begins with an apostrophe, which reading
    removes. A review without scores has blank cells.

    Raises:
        InputError: there is no such format, or `tau` is not a finite number.
    """
    return _content(exported(run, tau), ending)


def export_table(table: pd.DataFrame, path: Path) -> None:
    """Write any table of reviews to a file of one of `EXPORTS`, by its ending.

    Raises:
        InputError: the ending is another one.
    """
    path.write_bytes(_content(table, path.suffix.lower().removeprefix(".")))


def exported(run: Run, tau: float) -> pd.DataFrame:
    """Return the table that `export_reviews` writes, with columns as import knows them."""
    reviews = run.reviews
    changes = run.changes.set_index("change")[["title", "diff"]]
    changes["claims"] = [_claims(list(references)) for references in run.changes["references"]]
    table = reviews[["id", "system", "review", "change", "language"]].join(changes, on="change")
    table[own_columns(reviews)] = reviews[own_columns(reviews)]
    table[["n_pseudo_references", "n_sentences"]] = reviews[["n_pseudo_references", "n_sentences"]]
    table[list(DIMENSIONS)] = scores_at(reviews, tau)
    return table.assign(
        no_threshold=no_threshold(reviews)["relevance"],
        tau=tau,
        warnings=["; ".join(warnings) for warnings in reviews["warnings"]],
        encoder=run.settings["encoder"],
        claims_by=run.settings["claims"],
    )


def data_line(run: Run) -> str:
    """Return what the figures of a run are computed from."""
    changes = counted(len(run.changes), "change")
    encoder, claims = run.settings["encoder"], run.settings["claims"]
    return f"Data: {run.settings['name']}, {changes}; encoder: {encoder}; claims: {claims}"


def figure_cells(table: pd.DataFrame, digits: Sequence[int] = ()) -> pd.DataFrame:
    """Return a table of figures as texts, with the columns `low` and `high` in the one before them.

    `digits` has the decimals of each row, by default 3.
    """
    decimals = digits or [3] * len(table)
    cells = table.copy()
    for column in table.select_dtypes(float):
        values = zip(table[column], decimals, strict=True)
        cells[column] = [figure(value, digits=n) for value, n in values]
    if "low" not in table:
        return cells
    value = table.columns[list(table).index("low") - 1]
    rows = zip(table[value], table["low"], table["high"], decimals, strict=True)
    cells[value] = [figure(middle, low, high, n) for middle, low, high, n in rows]
    return cells.drop(columns=["low", "high"]).rename(columns={value: f"{value} (95% interval)"})


def latex_table(cells: pd.DataFrame, title: str, name: str, run: Run, tau: float | None) -> str:
    """Return the cells of a table as LaTeX whose caption says what they are computed from.

    `tau` is None if the figures do not depend on it. A comment names the packages that LaTeX needs.
    """
    at = "" if tau is None else f"; tau: {tau:.3f}"
    caption = f"{title}. {data_line(run)}{at}. 95% intervals resample changes."
    latex = cells.to_latex(
        index=False,
        escape=True,
        longtable=len(cells) > _LONG,
        caption=caption.translate(_LATEX),
        label=f"tab:{name}".replace(" ", "-"),
    )
    latex = _SIGN.sub(r"$\1$", latex)
    return f"% \\usepackage{{booktabs,longtable}}\n{latex}"


def _claims(references: list[dict[str, Any]]) -> str | None:
    """Return the claims among pseudo-references as JSON; None if import generates the same."""
    claims = [reference for reference in references if reference["kind"] != "smell"]
    if all(claim["source"] == "symbolic" for claim in claims):
        return None
    return json.dumps(claims, ensure_ascii=False, default=list)


def _content(table: pd.DataFrame, ending: str) -> bytes:
    if ending not in EXPORTS:
        raise InputError(f"there is no format {ending[:20]!r}; choose one of {', '.join(EXPORTS)}")
    if ending == "parquet":
        return table.to_parquet(compression="zstd", index=False)
    if ending == "jsonl":
        lines = table.to_json(orient="records", lines=True, force_ascii=False, double_precision=15)
        return lines.encode("utf-8", "replace")
    cells = table.map(as_cell).rename(columns=as_cell)
    return cells.to_csv(index=False, lineterminator="\r\n").encode("utf-8", "replace")
