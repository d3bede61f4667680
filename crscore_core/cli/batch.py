"""`crscore batch`."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from crscore_core.cli.analyze import jshint_option, pmd_option
from crscore_core.cli.claims import ClaimChoice, claim_options, shown_answers
from crscore_core.cli.inputs import (
    column_option,
    corpus_path,
    encoder_option,
    json_option,
    read_columns,
    tau_option,
)
from crscore_core.cli.output import (
    SET_ASIDE,
    SHOWN_ROWS,
    print_json,
    print_line,
    print_warnings,
    shown_progress,
)
from crscore_core.cli.rank import print_order, ranked
from crscore_core.corpus.reading import FIELDS, unread_ratings
from crscore_core.corpus.run.folder import REJECTS, RunDocument, RunFolder

if TYPE_CHECKING:
    from crscore_core.corpus.run import Engine, Recipe

_FIELDS = tuple(field.name for field in FIELDS)


@click.command("batch")
@click.argument("corpus", type=corpus_path, metavar="INPUT")
@click.option(
    "-o",
    "--output",
    "folder",
    required=True,
    type=click.Path(path_type=Path),
    metavar="OUT.parquet",
    help="Folder of Parquet files that the scores go to.",
)
@click.option("--resume", is_flag=True, help="Go on with an unfinished run in OUT.parquet.")
@column_option
@click.option(
    "--label",
    "labels",
    multiple=True,
    metavar="COLUMN",
    help="Column with a label, a number that people or outcomes gave; repeat for several. "
    "[default: columns that begin with label_ or outcome_]",
)
@claim_options(others="changes may bring theirs in `claims`")
@click.option(
    "--no-analyzers", is_flag=True, help="Compare reviews with claims alone, not with smells."
)
@pmd_option
@jshint_option
@encoder_option
@tau_option
@click.option(
    "--engine",
    "engine_name",
    type=click.Choice(["local", "ray"]),
    default="local",
    show_default=True,
    help="Where the work is done: in this process, or by workers of Ray.",
)
@click.option(
    "--ray-address",
    metavar="ADDRESS",
    help="ray: HOST:PORT of a cluster, or auto for the one that this machine is part of. Its "
    "machines need this package and the models too. [default: this machine alone]",
)
@click.option(
    "--workers",
    type=click.IntRange(1),
    metavar="N",
    help="ray: how many processes hold the model of a step. [default: one a GPU, or one for every "
    "four cores]",
)
@json_option
def command(
    *,
    corpus: Path,
    folder: Path,
    resume: bool,
    columns: tuple[str, ...],
    labels: tuple[str, ...],
    claims: ClaimChoice,
    no_analyzers: bool,
    pmd_rulesets: tuple[str, ...],
    jshint: str,
    encoder: str,
    tau: str | None,
    engine_name: str,
    ray_address: str | None,
    workers: int | None,
    as_json: bool,
) -> int:
    """Score a corpus: JSON Lines, CSV or Parquet, each row a `diff` and a `review`.

    A `system` in a row names the author. After an interruption the same command with --resume
    goes on. The exit status is 3 where some rows have no scores.
    """
    from crscore_core.corpus.run import BatchJob, Recipe, run_batch
    from crscore_core.corpus.run.finished import FinishedRun
    from crscore_core.corpus.run.sources import row_stream
    from crscore_core.scoring import canonical_name, resolve_tau

    if engine_name == "local" and (ray_address is not None or workers is not None):
        raise click.UsageError("--ray-address and --workers are for --engine ray.")
    recipe = Recipe(
        resolve_tau(tau, canonical_name(encoder), claims.name),
        claims.name,
        claims.options,
        analyzers=not no_analyzers,
        pmd_rulesets=pmd_rulesets,
        jshint=jshint,
        encoder=encoder,
    )
    chosen = read_columns(columns, _FIELDS)
    job = BatchJob(corpus, folder, recipe, chosen, labels or None, resume=resume)
    with (
        shown_progress() as note,
        _engine(engine_name, recipe, ray_address, workers) as engine,
    ):
        try:
            run = run_batch(job, engine, note)
        except KeyboardInterrupt:
            print_warnings([f"what is done is in {folder}; go on with --resume"])
            raise
    if as_json:
        print_json(run.as_json())
    else:
        print_line(f"{run.reviews:,} reviews of {run.changes:,} changes: {folder}")
        print_order(ranked(FinishedRun.open(folder), None) if run.reviews else None)
    print_warnings(_remarks(run, folder))
    unread = unread_ratings(row_stream(corpus).columns(), chosen, labels)
    print_warnings(
        f"the column {name!r} is not read, as another holds that rating; --column takes it"
        for name in unread
    )
    return SET_ASIDE if run.rejected or run.unscored else 0


@contextmanager
def _engine(
    name: str, recipe: "Recipe", ray_address: str | None, workers: int | None
) -> Iterator["Engine"]:
    """The engine called `name`, at work for as long as this lasts."""
    if name == "ray":
        from crscore_core.corpus.run.ray_engine import ray_engine

        with ray_engine(recipe, ray_address, workers) as engine:
            yield engine
    else:
        from crscore_core.corpus.run import LocalEngine

        with shown_answers() as progress:
            yield LocalEngine(progress)


def _remarks(run: RunDocument, folder: Path) -> list[str]:
    """Say which rows were not scored, and where to find them."""
    remarks = []
    if run.rejected:
        remarks += [
            f"row {one.number}: {one.reason}" for one in RunFolder(folder).rejects(SHOWN_ROWS)
        ]
        remarks.append(f"rows set aside: {run.rejected:,}, with reasons in {folder / REJECTS}")
    if run.unscored:
        remarks.append(
            f"reviews without scores: {run.unscored:,}; their column `warnings` says why"
        )
    return remarks
