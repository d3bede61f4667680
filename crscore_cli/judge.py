"""`crscore judge`."""

from functools import partial
from pathlib import Path
from typing import Annotated, Literal

import typer

from crscore_cli import options
from crscore_cli.output import (
    INCOMPLETE,
    file_to_write,
    print_json,
    print_line,
    print_warnings,
    progress_reporter,
)
from crscore_core.claims import ClaimOptions, language_model
from crscore_core.text import counted


def judge(
    *,
    source: Annotated[str, typer.Argument(metavar="INPUT", help="A run, or a file of reviews.")],
    output: Annotated[
        str,
        typer.Option(
            "-o",
            "--output",
            metavar="OUT",
            help="A run, also INPUT itself, or a csv, jsonl or parquet file.",
        ),
    ],
    kind: Annotated[
        Literal["review", "relevance", "reference"],
        typer.Option("--question", help="What the model is asked about each review; see above."),
    ] = "review",
    name: Annotated[
        str, typer.Option("--as", metavar="NAME", help="Name of the judge in the columns.")
    ] = "",
    backend: Annotated[
        str, typer.Option(help="endpoint, or magicoder in 4 bits on this machine.")
    ] = "endpoint",
    base_url: options.BaseUrl = None,
    model: options.Model = None,
    device: options.Device = None,
    cache: options.Cache = True,
    progress: options.ProgressJson = None,
    as_json: options.Json = False,
) -> int:
    """Let a language model judge each review and write its figures as judge_* columns.

    --question review asks whether the findings are right and the review is worth saying, relevance
    asks for a grade, and reference how much of the reference review it has. Answers are cached. The
    exit status is 3 if a review has no judgement or a row was rejected.
    """
    from crscore_eval.export import EXPORTS, export_table
    from crscore_eval.judge import PROMPTS, column_prefix, judge_reviews, judge_run
    from crscore_eval.table import read_table

    prefix = column_prefix(kind, name)
    judging_model = language_model(backend, ClaimOptions(model, device, base_url, use_cache=cache))
    path, rejected = Path(source), []
    with progress_reporter("Judging reviews", progress) as show:
        if path.is_dir():
            judged = partial(judge_reviews, kind, judging_model)
            without = judge_run(path, Path(output), judged, prefix, show)
        else:
            target = file_to_write(output, EXPORTS)
            reviews = read_table(path)
            figures = judge_reviews(kind, judging_model, reviews, show)
            without = int(figures.drop(columns=["reason", "model"]).isna().all(axis=1).sum())
            named = figures.add_prefix(f"{prefix}_")
            others = reviews.drop(columns=named.columns, errors="ignore")
            export_table(others.join(named), target)
            rejected = reviews.attrs["rejected"]
    if as_json:
        print_json({"output": output, "columns": prefix, "without_judgement": without})
    elif progress is None:
        print_line(f"{output}: columns {prefix}_{', '.join(PROMPTS[kind].figures)}")
    if without:
        print_warnings([f"no judgement of {counted(without, 'review')}: see {prefix}_reason"])
    if rejected:
        print_warnings([f"{counted(len(rejected), 'row')} of {source} rejected"])
    return INCOMPLETE if without or rejected else 0
