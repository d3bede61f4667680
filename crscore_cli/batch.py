"""`crscore batch`."""

from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from crscore_cli import options
from crscore_cli.output import INCOMPLETE, print_json, print_line, print_warnings, progress_reporter
from crscore_core.claims import DEFAULT_CLAIMS, ClaimOptions
from crscore_core.scoring import DEFAULT_ENCODER
from crscore_core.text import counted

_MAX_REJECTED = 10


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
        typer.Option(metavar="FIELD=COLUMN", help="Read FIELD from COLUMN, or from no column."),
    ] = None,
    name: Annotated[str, typer.Option(metavar="NAME", help="By default the file's name.")] = "",
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
    """Score a file of reviews into a run.

    The file has one review per row, in columns such as diff, review and system. An interrupted
    run continues with --resume. The exit status is 3 if rows were rejected or changes cannot be
    scored.
    """
    import pandas as pd

    from crscore_eval.run import BatchOptions, run_batch
    from crscore_eval.table import kinds_of_warnings

    pairs = (options.split_pair("--column", "FIELD=COLUMN", pair) for pair in column or ())
    columns = {field.removeprefix("human_"): holder for field, holder in pairs}
    backend = ClaimOptions(model, device, base_url, use_cache=cache)
    settings = BatchOptions(claims, backend, encoder, tau, analyzers, columns, name)
    with progress_reporter("reading rows", progress) as show:
        facts = run_batch(source, output, settings, engine=engine, resume=resume, on_progress=show)
    if as_json:
        print_json({**facts, "output": str(output)})
    elif progress is None:
        reviews = pd.read_parquet(output, columns=["change", "relevance", "warnings"])
        size = f"{counted(len(reviews), 'review')} of {counted(facts['n_changes'], 'change')}"
        print_line(f"scored {reviews['relevance'].count():,} of {size} into {output}")
        used = [column for column in facts["columns"] if column["kind"] in {"field", "rating"}]
        print_line("read " + ", ".join(f"{row['read_as']} from {row['column']!r}" for row in used))
        _print_warnings(facts, kinds_of_warnings(reviews).to_dict("records"))
    return INCOMPLETE if facts["n_rejected"] or facts["n_left_out"] else 0


def _print_warnings(facts: dict[str, Any], kinds: list[dict[Any, Any]]) -> None:
    """Print what limits scores, and columns that are not read as their names suggest."""
    limits = [f"row {row['row']}: {row['reason']}" for row in facts["rejected"][:_MAX_REJECTED]]
    if facts["n_rejected"]:
        limits.append(f"{counted(facts['n_rejected'], 'row')} rejected: see _run.json")
    limits += [f"{counted(kind['reviews'], 'review')}: {kind['example']}" for kind in kinds]
    columns = ((column["column"], column["note"]) for column in facts["columns"])
    notes = [f"column {name!r}: {note}" for name, note in columns if note]
    print_warnings([*facts["warnings"], *limits, *notes])
