"""`crscore judge`."""

from functools import partial
from pathlib import Path
from typing import Annotated, Literal

import typer

from crscore_cli import options, output
from crscore_core.claims import ModelOptions, language_model
from crscore_core.text import counted


def judge(
    *,
    source: Annotated[
        str, typer.Argument(metavar="INPUT", help="A run, a file of reviews, study or kinds.")
    ],
    target: Annotated[
        str,
        typer.Option("-o", "--output", metavar="OUT", help="Run, or csv, jsonl or parquet file."),
    ],
    question: Annotated[
        Literal["review", "relevance", "reference"],
        typer.Option("--question", help="What the model is asked about each review."),
    ] = "review",
    name: Annotated[
        str, typer.Option("--as", metavar="NAME", help="Name of the judge in the columns.")
    ] = "",
    backend: Annotated[
        str, typer.Option(metavar="NAME", help="endpoint, or magicoder in 4 bits on this machine.")
    ] = "endpoint",
    base_url: options.BaseUrl = None,
    model: options.Model = None,
    device: options.Device = None,
    cache: options.Cache = True,
    progress: options.ProgressJson = None,
    as_json: options.Json = False,
) -> int:
    """Let a language model judge reviews.

    --question review asks whether the findings are right and whether the review is worth saying,
    relevance for a grade, reference how much of the reference review the review contains. Figures
    become columns judge_*. OUT is a run if INPUT is one, and may be INPUT; else it is a file. The
    exit status is 3 if a review has no judgement or a row was rejected.
    """
    from crscore_eval.data.sources import SHIPPED_DATA
    from crscore_eval.export import EXPORTS, export_table
    from crscore_eval.judge import (
        JUDGE_QUESTIONS,
        column_prefix,
        judge_reviews,
        judge_run,
        with_judgements,
    )
    from crscore_eval.table import read_table

    prefix = column_prefix(question, name)
    judging_model = language_model(backend, ModelOptions(model, device, base_url, use_cache=cache))
    ask = partial(judge_reviews, question, judging_model)
    path = SHIPPED_DATA.get(source, Path(source))
    rejected: list[object] = []
    with output.progress_reporter("judging reviews", progress) as show:
        if path.is_dir():
            unjudged = judge_run(path, Path(target), ask, prefix, show)
        else:
            file = output.file_to_write(target, EXPORTS)
            reviews = read_table(path)
            judgements = ask(reviews, on_progress=show)
            judged, unjudged = with_judgements(reviews, judgements, prefix)
            export_table(judged, file)
            rejected = reviews.attrs["rejected"]
    if as_json:
        output.print_json({"output": target, "prefix": prefix, "without_judgement": unjudged})
    elif progress is None:
        columns = ", ".join(f"{prefix}_{name}" for name in JUDGE_QUESTIONS[question].columns)
        output.print_line(f"wrote columns {columns} to {target}")
    if unjudged:
        n_unjudged = counted(unjudged, "review")
        output.print_warnings([f"no judgement of {n_unjudged}: see {prefix}_reason"])
    if rejected:
        output.print_warnings([f"{counted(len(rejected), 'row')} of {source} rejected"])
    return output.INCOMPLETE if unjudged or rejected else 0
