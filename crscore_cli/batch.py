"""`crscore batch`."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from crscore_cli import options, output
from crscore_core.claims import DEFAULT_CLAIMS, MAX_TOKENS, ModelOptions
from crscore_core.scoring import DEFAULT_ENCODER
from crscore_core.text import counted


def batch(
    *,
    source: Annotated[
        Path, typer.Argument(metavar="INPUT", help="JSON Lines, JSON, CSV, Parquet or XLSX.")
    ],
    target: Annotated[
        Path, typer.Option("-o", "--output", metavar="OUT", help="Folder for the run.")
    ],
    resume: Annotated[bool, typer.Option(metavar="", help="Resume an unfinished run.")] = False,
    column: options.Columns = None,
    ask: Annotated[
        bool, typer.Option(metavar="", help="Stop if a column's role would have to be guessed.")
    ] = False,
    group: Annotated[
        bool,
        typer.Option(metavar="", help="Join a reviewer's comments on a change, with mean figures."),
    ] = False,
    name: Annotated[
        str, typer.Option(metavar="NAME", help="Name of the run; by default the file's.")
    ] = "",
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
    max_tokens: options.MaxTokens = MAX_TOKENS,
    progress: options.ProgressJson = None,
    as_json: options.Json = False,
) -> int:
    """Score a file of reviews into a run.

    The file has one review per row, in columns such as diff, review and system. An interrupted
    run continues with --resume. The exit status is 3 if rows were rejected or changes cannot be
    scored. An empty review of a scored change has no score and counts as 0 in means.
    """
    from crscore_eval.run.batch import run_batch
    from crscore_eval.run.folder import REVIEWS, iter_parts
    from crscore_eval.run.parts import BatchOptions
    from crscore_eval.table import ColumnRole, count_warnings, remarks, run_signature
    from crscore_eval.table.cells import list_columns
    from crscore_eval.table.warning_kinds import sum_warning_counts

    model_options = ModelOptions(model, base_url=base_url, max_tokens=max_tokens)
    roles = dict(column or ())
    chosen = BatchOptions(claims, model_options, encoder, tau, analyzers, roles, name, group)
    with output.progress_reporter("reading rows", progress) as show:
        settings = run_batch(
            source, target, chosen, engine=engine, resume=resume, ask=ask, on_progress=show
        )
    if progress:
        return options.exit_status(settings)
    n_scored, warning_counts = 0, []
    for part in iter_parts(target, REVIEWS, ["change", "warnings", "relevance"]):
        n_scored += int(part["relevance"].count())
        warning_counts.append(count_warnings(part))
    signature = str(run_signature(settings))
    if as_json:
        figures = {"output": str(target), "n_scored": n_scored, "signature": signature}
        output.print_json({**settings, **figures})
    else:
        reviews = counted(settings["n_reviews"], "review")
        changes = counted(settings["n_changes"], "change")
        output.print_line(f"scored {n_scored:,} of {reviews} of {changes} into {target}")
        columns = [ColumnRole(**role) for role in settings["columns"]]
        by_title: dict[str, list[str]] = {}
        for one in columns:
            by_title.setdefault(one.title, []).append(one.column)
        read = [f"{title} ({list_columns(names)})" for title, names in by_title.items()]
        output.print_line(f"columns: {'; '.join(read)}")
        output.print_line(f"next: crscore rank {target}")
        output.print_line(f"signature {signature}")
    output.print_warnings(remarks(settings))
    kinds = sum_warning_counts(warning_counts)
    output.print_warnings(
        f"{counted(n, 'review')}{', for example' if n > 1 else ''}: {example}"
        for n, example in zip(kinds["reviews"], kinds["example"], strict=True)
    )
    return options.exit_status(settings)
