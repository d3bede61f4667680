"""`crscore rescore`."""

from pathlib import Path

import click

from crscore_core.cli.inputs import corpus_path, json_option
from crscore_core.cli.output import print_json, print_line, shown_progress


@click.command("rescore")
@click.argument("path", type=corpus_path, metavar="RUN")
@click.option(
    "--tau",
    required=True,
    metavar="X",
    help="Similarity threshold: a number, or tau_best or tau_gt of the run's encoder.",
)
@click.option(
    "-o",
    "--output",
    required=True,
    type=click.Path(path_type=Path),
    metavar="OUT.parquet",
    help="Folder to write the run with the new scores to.",
)
@json_option
def command(*, path: Path, tau: str, output: Path, as_json: bool) -> None:
    """Score a finished run of `crscore batch` at another tau; no model is needed."""
    from crscore_core.corpus.run.finished import FinishedRun
    from crscore_core.corpus.run.rescore import rescore
    from crscore_core.scoring import resolve_tau

    run = FinishedRun.open(path)
    threshold = resolve_tau(tau, run.encoder, run.claims)
    with shown_progress() as note:
        document = rescore(run, threshold, output, note)
    if as_json:
        print_json(document.as_json())
    else:
        print_line(f"{document.reviews:,} reviews at tau {threshold:g}: {output}")
