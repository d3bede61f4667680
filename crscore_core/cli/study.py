"""`crscore study`: fetch, check and calibrate."""

import sys
from dataclasses import asdict
from pathlib import Path

import click

from crscore_core.cli.inputs import json_option
from crscore_core.cli.output import (
    StatusLine,
    check_file_to_write,
    print_json,
    print_line,
    print_progress,
    print_warnings,
    write_file,
)
from crscore_core.datasets.manifest import compare_with_published
from crscore_core.datasets.study.load import load_study
from crscore_core.datasets.study.location import default_study_folder, find_release
from crscore_core.datasets.study.model import STUDY_LANGUAGES, study_contents
from crscore_core.predicted.model import CalibratedModel, HeldOut
from crscore_core.predicted.model_file import model_document, model_text

_SECONDS_BETWEEN_LINES = 5
_MEGABYTE = 1_000_000
_PLURALS = {"change": "changes", "system": "systems"}

_folder_argument = click.argument(
    "folder", metavar="[DIR]", required=False, type=click.Path(path_type=Path)
)


@click.group("study")
def command() -> None:
    """Get and check the human study of the paper."""


@command.command()
@click.option(
    "--to",
    "folder",
    type=click.Path(path_type=Path),
    help="Folder to download into. [default: the one that CRSCORE_STUDY names, or one among your "
    "data]",
)
@click.option(
    "--no-context",
    is_flag=True,
    help="Leave out the whole files before and after each change, most of the 16 MB.",
)
@click.option(
    "--source",
    help="Address of a mirror, that the path of each file follows. [default: the one that "
    "CRSCORE_STUDY_SOURCE names, or the authors' repository]",
)
def fetch(*, folder: Path | None, no_context: bool, source: str | None) -> None:
    """Download the human study, as far as it is not there yet."""
    from crscore_core.datasets.fetch import fetch_study
    from crscore_core.datasets.manifest import study_manifest

    manifest = study_manifest()
    print_line(f"human study of CRScore, licence {manifest.license}, from {manifest.address}")
    with StatusLine(_SECONDS_BETWEEN_LINES) as line:
        result = fetch_study(
            folder or default_study_folder(),
            context_files=not no_context,
            source=source,
            progress=lambda now: line.show(
                lambda: (
                    f"{now.files} of {now.all_files} files, {now.size / _MEGABYTE:.1f} of "
                    f"{now.all_size / _MEGABYTE:.1f} MB"
                )
            ),
        )
    print_line(
        f"{result.files} files are in {result.folder}: {result.fetched_files} fetched "
        f"({result.fetched_bytes / _MEGABYTE:.1f} MB), {result.kept_files} were there already"
    )


@command.command()
@_folder_argument
@json_option
def check(*, folder: Path | None, as_json: bool) -> None:
    """Read the study in DIR, and say what it holds; DIR defaults to where fetch puts it."""
    folder = folder or default_study_folder()
    study = load_study(folder)
    contents = study_contents(study)
    published = compare_with_published(find_release(folder))
    if as_json:
        document = {"folder": str(folder), **asdict(contents), "missing": study.missing}
        print_json(document | {"published_files": asdict(published), "oddities": study.oddities})
        return
    print_line(f"study: {folder}")
    for language, numbers in contents.languages.items():
        print_line(
            f"{STUDY_LANGUAGES[language]}: {numbers.changes} changes, {numbers.rated_changes} of "
            f"them rated; {numbers.coded_claims} claims coded"
        )
    print_line(
        f"ratings: {contents.ratings}, without ground truth {contents.ratings_without_ground_truth}"
    )
    print_line(
        f"pairs: {contents.pairs['addressed']} addressed, "
        f"{contents.pairs['not_addressed']} not addressed"
    )
    print_line(f"rated by two people: {contents.double_ratings} reviews")
    print_line(
        f"context files: {contents.context_files['present']} present, "
        f"{contents.context_files['missing']} missing"
    )
    print_line(
        f"published files: {published.same} as published, {len(published.different)} differ, "
        f"{len(published.missing)} missing"
    )
    print_warnings(f"{line}; left out" for line in study.oddities)


@command.command()
@_folder_argument
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
    folder = folder or default_study_folder()
    model = _fitted(folder)
    if output:
        write_file(output, model_text(model))
    if as_json:
        print_json(model_document(model))
        return
    provenance = model.provenance
    print_line(f"study: {folder}")
    print_line(f"fitted to {provenance.ratings} ratings of {provenance.changes} changes")
    print_line(f"encoder: {model.encoder}; pseudo-references: {', '.join(provenance.claims)}")
    for result in provenance.held_out:
        print_line(_in_words(result))
    if output:
        print_line(f"written: {output}")


def _fitted(folder: Path) -> CalibratedModel:
    from crscore_core.datasets.study.pseudo_references import compare_study, study_references
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


def _in_words(result: HeldOut) -> str:
    interval = "no interval"
    if bounds := result.spearman.interval:
        interval = f"{100 * bounds.level:g} % interval {bounds.low:.3f} to {bounds.high:.3f}"
    return (
        f"on {_PLURALS.get(result.left_out, result.left_out)} left out, pseudo-references "
        f"{result.claims}: Spearman {result.spearman.value:.3f}, {interval}, "
        f"{result.reviews} reviews"
    )
