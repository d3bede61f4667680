"""`crscore study calibrate`."""

import sys
from pathlib import Path

import click

from crscore_core.cli.inputs import json_option
from crscore_core.cli.output import (
    check_file_to_write,
    print_json,
    print_line,
    print_progress,
    write_file,
)
from crscore_core.datasets.study.location import default_study_folder
from crscore_core.predicted.model import CalibratedModel, HeldOut
from crscore_core.predicted.model_file import model_document, model_text

__all__ = ["calibrate"]

_ENDS = {"change": "changes", "system": "systems"}


@click.command("calibrate")
@click.argument("folder", metavar="[DIR]", required=False, type=click.Path(path_type=Path))
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    help="File to write the model to, as JSON.",
)
@json_option
def calibrate(*, folder: Path | None, output: Path | None, as_json: bool) -> None:
    """Fit the calibrated relevance to the study in DIR, and measure it on what is left out.

    DIR defaults to where fetch puts the study. The model that comes with this package was made
    so; nothing here changes which one `crscore score` uses.
    """
    if output:
        check_file_to_write(output)
    where = folder or default_study_folder()
    model = _fitted(where)
    if output:
        write_file(output, model_text(model))
    if as_json:
        print_json(model_document(model))
        return
    made = model.provenance
    print_line(f"study: {where}")
    print_line(f"fitted to {made.ratings} ratings of {made.changes} changes")
    print_line(f"encoder: {model.encoder}; pseudo-references: {', '.join(made.claims)}")
    for one in made.held_out:
        print_line(_in_words(one))
    if output:
        print_line(f"written: {output}")


def _fitted(folder: Path) -> CalibratedModel:
    from crscore_core.datasets.study.comparison import compare_study
    from crscore_core.datasets.study.load import load_study
    from crscore_core.datasets.study.pseudo_references import study_references
    from crscore_core.scoring import CachedEncoder
    from crscore_core.validity.calibrate import CALIBRATION_CLAIMS, number_of_fits
    from crscore_core.validity.calibrate import calibrate as calibrate_on

    study, encoder = load_study(folder), CachedEncoder()
    print_progress("making pseudo-references and comparing reviews with them; this takes minutes")
    comparisons = [
        compare_study(study_references(study, claims), encoder) for claims in CALIBRATION_CLAIMS
    ]
    fits = number_of_fits(comparisons)
    with click.progressbar(length=fits, label="fitting", file=sys.stderr) as bar:
        return calibrate_on(comparisons, lambda: bar.update(1))


def _in_words(one: HeldOut) -> str:
    found = one.agreement.interval
    interval = "no interval"
    if found:
        interval = f"{100 * found.level:g} % interval {found.low:.3f} to {found.high:.3f}"
    return (
        f"on {_ENDS.get(one.left_out, one.left_out)} left out, pseudo-references {one.claims}: "
        f"Spearman {one.agreement.spearman:.3f}, {interval}, {one.agreement.n} reviews"
    )
