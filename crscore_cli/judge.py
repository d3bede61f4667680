"""`crscore judge`."""

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from crscore_cli.options import (
    BaseUrl,
    Device,
    Json,
    Model,
    NoCache,
    ProgressJson,
    claim_options,
)
from crscore_cli.output import (
    SET_ASIDE,
    file_to_write,
    print_json,
    print_line,
    print_warnings,
    progress_reporter,
    write_file,
)
from crscore_core.claims import language_model
from crscore_core.errors import InputError


def judge(
    *,
    source: Annotated[str, typer.Argument(metavar="INPUT", help="A run, or a file of reviews.")],
    output: Annotated[
        str,
        typer.Option(
            "-o",
            "--output",
            metavar="OUT",
            help="A run, which may be INPUT, or a file (.csv, .jsonl).",
        ),
    ],
    kind: Annotated[
        str, typer.Option("--question", help="review, relevance or reference.")
    ] = "review",
    name: Annotated[
        str, typer.Option("--as", metavar="NAME", help="Tells this judge from others.")
    ] = "",
    backend: Annotated[
        str, typer.Option(help="endpoint, or magicoder in 4 bits here.")
    ] = "endpoint",
    base_url: BaseUrl = None,
    model: Model = None,
    device: Device = None,
    no_cache: NoCache = False,
    progress: ProgressJson = None,
    as_json: Json = False,
) -> int:
    """Let a language model judge each review and write its figures as judge_* columns.

    The question `review` asks whether the findings are right and worth saying. Answers are cached,
    so a repeated command asks nothing twice. The exit status is 3 if a review has no judgement.
    """
    from crscore_eval.judge import PROMPTS, column_prefix, judge_reviews, judge_run

    if kind not in PROMPTS:
        raise InputError(f"--question must be one of {', '.join(PROMPTS)}, not {kind[:40]!r}")
    prefix = column_prefix(kind, name)
    judging_model = language_model(
        backend, claim_options(base_url, model, device, no_cache=no_cache)
    )
    path = Path(source)
    with progress_reporter("Judging reviews", progress) as show:
        if path.is_dir():
            judged = partial(judge_reviews, kind, judging_model)
            without = judge_run(path, Path(output), judged, prefix, show)
        else:
            import pandas as pd

            from crscore_eval.table import RejectedRow, read_reviews

            target = file_to_write(output)
            rows = [row for row in read_reviews(path) if not isinstance(row, RejectedRow)]
            reviews = pd.DataFrame([row.model_dump() for row in rows])
            if missing := {*PROMPTS[kind].needs} - {*reviews.columns}:
                raise InputError(f"{source!r} has no column {missing.pop()!r}")
            figures = judge_reviews(kind, judging_model, reviews, show)
            without = int(figures.drop(columns=["reason", "model"]).isna().all(axis=1).sum())
            judged_file = reviews.join(figures.add_prefix(f"{prefix}_"))
            is_csv = target.suffix == ".csv"
            write_file(
                target,
                judged_file.to_csv(index=False)
                if is_csv
                else judged_file.to_json(orient="records", lines=True, force_ascii=False),
            )
    if as_json:
        print_json({"output": output, "columns": prefix, "without_judgement": without})
    elif progress is None:
        print_line(f"{output}: columns {prefix}_{', '.join(PROMPTS[kind].figures)}")
    if without:
        print_warnings([f"{without:,} reviews have no judgement; {prefix}_reason says why"])
    return SET_ASIDE if without else 0
