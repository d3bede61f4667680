"""`crscore judge`."""

from pathlib import Path
from typing import Annotated

import typer

from crscore_cli import options, output
from crscore_core.claims import MAX_TOKENS, ModelOptions, language_model
from crscore_core.text import counted


def judge(
    *,
    data: options.Data,
    target: Annotated[
        Path, typer.Option("-o", "--output", metavar="OUT", help="Folder for the run.")
    ],
    name: Annotated[
        str, typer.Option("--as", metavar="NAME", help="Name of the judge in the columns.")
    ] = "",
    backend: Annotated[
        str, typer.Option(metavar="NAME", help="endpoint, or magicoder in 4 bits on this machine.")
    ] = "endpoint",
    base_url: options.BaseUrl = None,
    model: options.Model = None,
    max_tokens: options.MaxTokens = MAX_TOKENS,
    progress: options.ProgressJson = None,
    as_json: options.Json = False,
) -> int:
    """Let a language model judge reviews.

    The model says which findings are right and whether the review is worth saying. Its answers
    become columns judge_* of the run OUT, which may be DATA itself; a file is scored first. The
    exit status is 3 if a review has no judgement, a row was rejected or a change was not scored.
    """
    from crscore_eval.data.sources import data_path
    from crscore_eval.judge.judge import column_prefix, judge_run
    from crscore_eval.run.batch import run_batch
    from crscore_eval.table import RunSettings, remarks

    prefix = column_prefix(name)
    model_options = ModelOptions(model, base_url=base_url, max_tokens=max_tokens)
    judging_model = language_model(backend, model_options)
    path = data_path(data)
    settings: RunSettings = {"n_rejected": 0, "n_left_out": 0}
    with output.progress_reporter("judging reviews", progress) as show:
        if path.is_file():
            settings = run_batch(path, target, resume=True, on_progress=show)
            path = target
        n_reviews, n_unjudged = judge_run(path, target, judging_model, prefix, show)
    if as_json:
        counts = {"without_judgement": n_unjudged, "n_rejected": settings["n_rejected"]}
        texts = {"output": str(target), "prefix": prefix}
        output.print_json({**texts, "n_reviews": n_reviews, **counts})
    elif progress is None:
        judged = f"judged {n_reviews - n_unjudged:,} of {counted(n_reviews, 'review')}"
        output.print_line(f"{judged} into {target}, columns {prefix}*")
    if n_unjudged:
        output.print_warnings([f"{counted(n_unjudged, 'review')} not judged: see {prefix}reason"])
    output.print_warnings(remarks(settings))
    return output.INCOMPLETE if n_unjudged else options.exit_status(settings)
