"""`crscore batch`."""

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from crscore_cli import options
from crscore_cli.output import INCOMPLETE, print_json, print_line, print_warnings, progress_reporter
from crscore_core.claims import DEFAULT_CLAIMS, ClaimOptions
from crscore_core.scoring import DEFAULT_ENCODER
from crscore_core.text import counted

_SHOWN = 10


def batch(
    *,
    source: Annotated[
        Path, typer.Argument(metavar="INPUT", help="JSON Lines, JSON, CSV, Parquet or XLSX.")
    ],
    output: Annotated[
        Path, typer.Option("-o", "--output", metavar="OUT", help="Folder for the run.")
    ],
    resume: Annotated[bool, typer.Option(metavar="", help="Resume an unfinished run.")] = False,
    column: Annotated[
        list[str] | None,
        typer.Option(metavar="FIELD=COLUMN", help="Column that holds a field, such as diff=patch."),
    ] = None,
    name: Annotated[str, typer.Option(help="Name of the run; by default the file name.")] = "",
    claims: options.Claims = DEFAULT_CLAIMS,
    encoder: options.EncoderName = DEFAULT_ENCODER,
    tau: options.PresetTau = None,
    analyzers: Annotated[
        bool, typer.Option(metavar="", help="Add smells from static analyzers.")
    ] = True,
    engine: Annotated[
        Literal["local", "ray"], typer.Option(help="Ray uses the cluster of RAY_ADDRESS.")
    ] = "local",
    base_url: options.BaseUrl = None,
    model: options.Model = None,
    device: options.Device = None,
    cache: options.Cache = True,
    progress: options.ProgressJson = None,
    as_json: options.Json = False,
) -> int:
    """Score a file with one review per row; its columns are diff, review and, if known, system.

    An interrupted run continues with --resume. The exit status is 3 if rows were rejected or
    changes cannot be scored.
    """
    import pandas as pd

    from crscore_eval.run import Settings, run_batch

    settings = Settings(
        claims,
        ClaimOptions(model, device, base_url, use_cache=cache),
        encoder,
        tau,
        analyzers,
        dict(options.pair_of("--column FIELD=COLUMN", pair) for pair in column or ()),
        name,
    )
    with progress_reporter("reading", progress) as show:
        done = run_batch(source, output, settings, engine=engine, resume=resume, on_progress=show)
    if as_json:
        print_json({**done, "output": str(output)})
    elif progress is None:
        reviews = counted(done["n_reviews"], "review")
        print_line(f"scored {reviews} of {counted(done['n_changes'], 'change')} into {output}")
        _print_remarks(done, pd.read_parquet(output, columns=["warnings"])["warnings"])
    return INCOMPLETE if done["n_rejected"] or done["n_left_out"] else 0


def _print_remarks(done: dict[str, Any], warnings: Iterable[list[str]]) -> None:
    """Print what limits scores, and columns not read as their names suggest."""
    rejected, left_out = done["n_rejected"], done["n_left_out"]
    rows = [f"row {row['row']}: {row['reason']}" for row in done["rejected"][:_SHOWN]]
    if rejected:
        rows.append(f"rejected rows: {rejected:,}, listed in _run.json")
    if left_out:
        rows.append(f"changes that cannot be scored: {left_out:,}; see column `warnings`")
    if warned := sum(len(each) > 0 for each in warnings):
        rows.append(f"{counted(warned, 'review')} with warnings: see column `warnings`")
    columns = ((column["column"], column["note"]) for column in done["columns"])
    notes = [f"column {name!r}: {note}" for name, note in columns if note]
    print_warnings([*done["warnings"], *rows, *notes])
