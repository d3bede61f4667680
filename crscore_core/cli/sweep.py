"""`crscore sweep`."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click
import numpy as np

from crscore_core.cli.inputs import corpus_path, csv_option, json_option
from crscore_core.cli.output import print_facts, print_json, print_line, print_table, write_file
from crscore_core.text import csv_text
from crscore_eval.statistics import number_or_none

if TYPE_CHECKING:
    from crscore_core.validity.thresholds import ThresholdSweep

_ROWS = 10

Row = Mapping[str, float | None]
"""Figures at one tau by name, None where a figure is not defined."""

_HEADS = {
    "tau": ("", "tau"),
    "conciseness": ("mean", "Con"),
    "comprehensiveness": ("mean", "Comp"),
    "relevance": ("mean", "Rel"),
    "share_zero": ("share", "Rel 0"),
    "share_one": ("share", "Rel 1"),
    "spearman_conciseness": ("rho", "Con"),
    "spearman_comprehensiveness": ("rho", "Comp"),
    "spearman_relevance": ("rho", "Rel"),
    "kendall_conciseness": ("tau-b", "Con"),
    "kendall_comprehensiveness": ("tau-b", "Comp"),
    "kendall_relevance": ("tau-b", "Rel"),
    "system_spearman": ("rho", "systems"),
}
"""Every column of a sweep, and the two lines at its head."""


@click.command("sweep")
@click.argument("path", type=corpus_path, metavar="RUN")
@click.option(
    "--taus",
    default=101,
    show_default=True,
    type=click.IntRange(2, 10_001),
    help="Number of thresholds from 0 to 1.",
)
@csv_option
@json_option
def command(*, path: Path, taus: int, csv_file: Path | None, as_json: bool) -> None:
    """Show how the scores of a finished run of `crscore batch` depend on tau, without a model.

    At each tau: mean scores, shares of reviews whose Rel is 0 and 1, and correlations with people
    if the corpus has ratings.
    """
    from crscore_core.corpus.run.finished import FinishedRun
    from crscore_core.validity.thresholds import sweep_thresholds

    run = FinishedRun.open(path)
    reviews = run.reviews()
    sweep = sweep_thresholds(reviews, np.arange(taus) / (taus - 1))
    rows = _rows(sweep)
    if csv_file:
        cells = ([row[name] for name in _HEADS] for row in rows)
        write_file(csv_file, csv_text([_HEADS, *cells]))
    compared = reviews.system.size
    counts = {
        "reviews": sweep.reviews,
        "ground_truth_left_out": compared - sweep.reviews,
        "reviews_without_pseudo_references": run.document.reviews - compared,
        "systems_left_out": sweep.systems_left_out,
        "empty_reviews": reviews.empty,
        "rated_reviews": int(reviews.is_judged_in("relevance").sum()),
        "systems": len(reviews.systems),
    }
    made = {"run": str(path), "encoder": run.encoder, "tau": run.tau} | counts
    if as_json:
        print_json(made | {"taus": rows, "best": _best(sweep, rows)})
        return
    print_facts(made)
    print_line()
    _print_table(sweep, rows)


def _rows(sweep: "ThresholdSweep") -> list[Row]:
    """Figures at each tau."""
    columns = sweep.columns
    return [
        {name: number_or_none(values[at]) for name, values in columns.items()}
        for at in range(sweep.taus.size)
    ]


def _best(sweep: "ThresholdSweep", rows: Sequence[Row]) -> dict[str, Row]:
    """Tau at which each correlation is highest, and its value there."""
    return {
        name: {"tau": rows[at]["tau"], "value": rows[at][name]} for name, at in sweep.best.items()
    }


def _print_table(sweep: "ThresholdSweep", rows: Sequence[Row]) -> None:
    """Every so many taus and those at which a correlation is highest, which is marked."""
    best = sweep.best
    shown = sorted({*range(0, len(rows), max(1, len(rows) // _ROWS)), *best.values()})
    names = [name for name in _HEADS if any(row[name] is not None for row in rows)]
    table = [[*heads] for heads in zip(*(_HEADS[name] for name in names), strict=True)]
    for at in shown:
        cells = (
            f"{_number(rows[at][name])}{'*' if best.get(name) == at else ' '}" for name in names[1:]
        )
        table.append([f"{sweep.taus[at]:.4f}", *cells])
    print_table(table, left=())
    print_line("every tau: --csv FILE or --json")
    if best:
        print_line("rho is Spearman's, tau-b Kendall's rank correlation with people; * is highest")


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"
