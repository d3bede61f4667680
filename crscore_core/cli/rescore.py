"""`crscore rescore`."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from crscore_core.cli.inputs import corpus_path, json_option
from crscore_core.cli.output import print_json, print_line

if TYPE_CHECKING:
    from crscore_core.corpus.run.finished import FinishedRun
    from crscore_core.corpus.run.rescore import SystemMeans

_SHORT = ("Con", "Comp", "Rel")
_LONGEST_NAME = 40


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
    type=click.Path(path_type=Path),
    metavar="OUT.parquet",
    help="Folder to write the run with the new scores to; without it, mean scores are shown.",
)
@json_option
def command(*, path: Path, tau: str, output: Path | None, as_json: bool) -> None:
    """Score a finished run of `crscore batch` at another tau; no model is needed."""
    from crscore_core.cli.batch_progress import shown_progress
    from crscore_core.corpus.run.finished import FinishedRun
    from crscore_core.corpus.run.rescore import means_by_system, rescore
    from crscore_core.scoring import resolve_tau

    run = FinishedRun.open(path)
    threshold = resolve_tau(tau, run.encoder, run.claims)
    if output is not None:
        with shown_progress() as note:
            document = rescore(run, threshold, output, note)
        if as_json:
            print_json(document.as_json())
        else:
            print_line(f"{document.reviews:,} reviews at tau {threshold:g}: {output}")
        return
    reviews = run.reviews()
    means = means_by_system(reviews, [run.tau, threshold])
    if as_json:
        print_json(_document(run, threshold, means) | {"empty_reviews": reviews.empty})
        return
    _print_means(run, threshold, means)
    if reviews.empty:
        print_line(f"{reviews.empty:,} reviews say nothing, and count 0 in these means")


def _document(run: "FinishedRun", tau: float, systems: Sequence["SystemMeans"]) -> dict[str, Any]:
    from crscore_core.corpus.model import DIMENSIONS

    return {
        "run": str(run.folder.path),
        "encoder": run.encoder,
        "run_tau": run.tau,
        "tau": tau,
        "reviews_without_pseudo_references": _left_out(run, systems),
        "systems": [
            {
                "system": one.system,
                "reviews": one.reviews,
                "at_run_tau": dict(zip(DIMENSIONS, one.means[:, 0].tolist(), strict=True)),
                "at_tau": dict(zip(DIMENSIONS, one.means[:, 1].tolist(), strict=True)),
            }
            for one in systems
        ],
    }


def _print_means(run: "FinishedRun", tau: float, systems: Sequence["SystemMeans"]) -> None:
    from crscore_core.text import short_name

    print_line(f"mean scores at the run's tau {run.tau:g} -> at tau {tau:g}")
    if left_out := _left_out(run, systems):
        print_line(f"left out: {left_out:,} reviews of changes without pseudo-references")
    names = [short_name(one.system, _LONGEST_NAME) for one in systems]
    width = max([len("system"), *map(len, names)])
    print_line(
        f"{'system':<{width}}  reviews  {'  '.join(f'{name:^14}' for name in _SHORT)}".rstrip()
    )
    for name, one in zip(names, systems, strict=True):
        cells = "  ".join(f"{before:.3f} -> {at:.3f}" for before, at in one.means)
        print_line(f"{name:<{width}}  {one.reviews:>7,}  {cells}")


def _left_out(run: "FinishedRun", systems: Sequence["SystemMeans"]) -> int:
    return run.document.reviews - sum(one.reviews for one in systems)
