"""`crscore validity`."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from crscore_cli import options
from crscore_cli.output import (
    Cell,
    print_frame,
    print_json,
    print_line,
    print_warnings,
    progress_reporter,
)
from crscore_core.claims import CLAIM_BACKENDS, ClaimOptions, claim_generator
from crscore_core.scoring import DEFAULT_ENCODER
from crscore_core.text import figure

if TYPE_CHECKING:
    import pandas as pd

_STUDY = "study"
_COUNTS = {"claims", "n", "pairs", "reviews"}

Folder = Annotated[
    Path | None,
    typer.Option(
        "--study",
        metavar="DIR",
        help="A clone of the study's release; by default the shipped part.",
    ),
]


def validity(
    *,
    folder: Folder = None,
    claims: options.Claims = _STUDY,
    encoder: options.EncoderName = DEFAULT_ENCODER,
    tau: options.Tau = None,
    base_url: options.BaseUrl = None,
    model: options.Model = None,
    device: options.Device = None,
    cache: options.Cache = True,
    progress: options.ProgressJson = None,
    as_json: options.Json = False,
) -> None:
    """Recompute the paper's tables on the human study, with 95% intervals over changes.

    The paper's figures stand next to those at the same threshold. tau_gt and tau_best are computed
    on the study that is read. A file of claims is JSON Lines, with a diff and its claims on each
    line.
    """
    from crscore_eval.data import read_study, shipped_pairs, shipped_run, shipped_study
    from crscore_eval.data.study_run import study_pairs, study_run
    from crscore_eval.validity import tau_of_study, validity_document, validity_tables

    backend = ClaimOptions(model, device, base_url, use_cache=cache)
    study = shipped_study() if folder is None else read_study(folder)
    is_shipped = folder is None and encoder == DEFAULT_ENCODER
    with progress_reporter("Scoring the study", progress) as show:
        if is_shipped and claims == _STUDY:
            run = shipped_run()
        else:
            source = claim_generator(claims, backend) if claims in CLAIM_BACKENDS else claims
            run = study_run(study, source, encoder, tau, partial(show, step="scoring reviews"))
        if is_shipped:
            pairs = shipped_pairs()
        else:
            pairs = study_pairs(study, encoder, partial(show, step="scoring addressed pairs"))
        show(0, None, "computing the tables")
        in_use = tau_of_study(run, tau)
        tables = validity_tables(run, in_use, study, pairs)
    print_warnings(run.settings.get("warnings", []))
    if as_json:
        print_json(validity_document(run, tables, in_use, study, pairs))
        return
    if folder is None:
        print_line("The shipped part of the human study; --study DIR reads a clone of all of it.")
    print_line(
        f"claims {run.settings['claims']}, encoder {run.settings['encoder']}, tau {in_use:.4f}"
    )
    _print_tables(tables)


def _print_tables(tables: "pd.DataFrame") -> None:
    from crscore_eval.validity import column_title, row_title, table_info

    columns: dict[str, Cell] = {
        "row": lambda row: row_title(row["row"]),
        "figure": lambda row: column_title(row["column"]),
        "paper": lambda row: figure(row["paper"], digits=row["digits"]),
        "here": lambda row: figure(row["here"], row["low"], row["high"], row["digits"]),
    }
    for name, figures in tables.groupby("table", sort=False):
        info = table_info(str(name))
        print_line()
        print_line(f"{info.title} ({info.source})" if info.source else info.title)
        digits = info.digits * ~figures["column"].isin(_COUNTS)
        print_frame(figures.assign(digits=digits), columns, left=(0, 1))
