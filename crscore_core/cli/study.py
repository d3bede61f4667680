"""`crscore study`: fetch and check."""

from dataclasses import asdict
from pathlib import Path

import click

from crscore_core.cli.inputs import json_option, study_argument, study_option
from crscore_core.cli.output import (
    StatusLine,
    print_json,
    print_line,
    print_warnings,
)
from crscore_core.datasets.manifest import compare_with_published
from crscore_core.datasets.study.load import load_study
from crscore_core.datasets.study.location import default_study_folder, find_release
from crscore_core.datasets.study.model import STUDY_LANGUAGES, study_contents

_SECONDS_BETWEEN_LINES = 5
_MEGABYTE = 1_000_000
_MOST_FILES = 10


@click.group("study")
def command() -> None:
    """Download and check the human study of the paper."""


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
    help="Address of a mirror, to which the path of each file is added. [default: the one that "
    "CRSCORE_STUDY_SOURCE names, or the authors' repository]",
)
def fetch(*, folder: Path | None, no_context: bool, source: str | None) -> None:
    """Download those files of the human study that are missing."""
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
@study_argument
@study_option
@json_option
def check(*, folder: Path | None, named_folder: Path | None, as_json: bool) -> None:
    """Read the study in DIR, and say what it holds.

    DIR defaults to the folder that `crscore study fetch` fills.
    """
    folder = folder or named_folder or default_study_folder()
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
    for what, paths in (("differs", published.different), ("missing", published.missing)):
        for path in paths[:_MOST_FILES]:
            print_line(f"  {what}: {path}")
        if paths[_MOST_FILES:]:
            print_line(f"  {what}: {len(paths) - _MOST_FILES:,} more, which --json names")
    print_warnings(f"{line}; left out" for line in study.oddities)
