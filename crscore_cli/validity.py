"""`crscore validity`."""

from functools import partial
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from crscore_cli.options import (
    BaseUrl,
    Device,
    EncoderName,
    Json,
    Model,
    NoCache,
    ProgressJson,
    claim_options,
)
from crscore_cli.output import (
    print_json,
    print_line,
    print_table,
    print_warnings,
    progress_reporter,
    write_file,
)
from crscore_core.claims import CLAIM_BACKENDS, ClaimGenerator, ClaimOptions, claim_generator
from crscore_core.scoring import DEFAULT_ENCODER

if TYPE_CHECKING:
    import pandas as pd

_STUDY = "study"
_COUNTS = {"claims", "n", "pairs", "reviews"}

Folder = Annotated[
    Path | None,
    typer.Option(
        "--study",
        metavar="DIR",
        help="A clone of the study's release. [default: the shipped part, 183 changes]",
    ),
]
StudyClaims = Annotated[
    str,
    typer.Option(
        "--claims",
        metavar="NAME_OR_FILE",
        help="study, symbolic, magicoder, endpoint, or a JSON Lines file of claims with diffs.",
    ),
]
StudyTau = Annotated[
    str | None,
    typer.Option(
        metavar="X",
        help="A number, or tau_gt or tau_best as the procedure gives them on this study. "
        "[default: the encoder's preset]",
    ),
]


def validity(
    *,
    folder: Folder = None,
    claims: StudyClaims = _STUDY,
    encoder: EncoderName = DEFAULT_ENCODER,
    tau: StudyTau = None,
    resamples: Annotated[int, typer.Option(min=2, metavar="N", help="Resamples.")] = 1000,
    csv_file: Annotated[
        Path | None, typer.Option("--csv", metavar="FILE", help="Write the figures as CSV.")
    ] = None,
    base_url: BaseUrl = None,
    model: Model = None,
    device: Device = None,
    no_cache: NoCache = False,
    progress: ProgressJson = None,
    as_json: Json = False,
) -> None:
    """Recompute the paper's tables on the human study: paper, here, 95 % interval.

    Intervals resample changes. A figure of the paper stands next to one of the same threshold.
    """
    from crscore_eval.data import read_study, shipped_pairs, shipped_run, shipped_study
    from crscore_eval.data.study_run import study_pairs, study_run
    from crscore_eval.validity import tau_of_study, validity_document, validity_tables

    options = claim_options(base_url, model, device, no_cache=no_cache)
    study = shipped_study() if folder is None else read_study(folder)
    is_shipped = folder is None and encoder == DEFAULT_ENCODER
    with progress_reporter("Scoring the study", progress) as show:
        if is_shipped and claims == _STUDY:
            run = shipped_run()
        else:
            source = _generator(claims, options)
            run = study_run(study, source, encoder, tau, partial(show, step="scoring reviews"))
        if is_shipped:
            pairs = shipped_pairs()
        else:
            pairs = study_pairs(study, encoder, partial(show, step="scoring addressed pairs"))
        show(0, None, "computing the tables")
        in_use = tau_of_study(run, tau)
        tables = validity_tables(run, in_use, study, pairs, resamples)
    print_warnings(run.settings.get("warnings", []))
    if csv_file:
        write_file(csv_file, tables.to_csv(index=False))
    if as_json:
        document = validity_document(run, tables, in_use, study, pairs)
        print_json(document | {"resamples": resamples})
        return
    if folder is None:
        print_line("The shipped part of the human study; --study DIR reads a clone of all of it.")
    print_line(
        f"claims {run.settings['claims']}, encoder {run.settings['encoder']}, tau {in_use:.4f}"
    )
    _print_tables(tables)


def _generator(claims: str, options: ClaimOptions) -> str | ClaimGenerator:
    return claim_generator(claims, options) if claims in CLAIM_BACKENDS else claims


def _print_tables(tables: "pd.DataFrame") -> None:
    from crscore_eval.validity import column_title, row_title, table_info

    for name, figures in tables.groupby("table", sort=False):
        info = table_info(str(name))
        print_line()
        print_line(f"{info.title} ({info.source})" if info.source else info.title)
        rows = []
        for one in figures.to_dict("records"):
            digits = 0 if one["column"] in _COUNTS else info.digits
            low, high = _number(one["low"], digits), _number(one["high"], digits)
            interval = f"{low} to {high}" if low else ""
            numbers = [_number(one[side], digits) for side in ("paper", "here")]
            rows.append((row_title(one["row"]), column_title(one["column"]), *numbers, interval))
        print_table(("row", "figure", "paper", "here", "interval"), rows, left=(0, 1))


def _number(value: float, digits: int) -> str:
    if isnan(value):
        return ""
    return f"{value:.1e}" if 0 < abs(value) < 0.001 else f"{value:.{digits}f}"
