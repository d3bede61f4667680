"""`crscore study`: list, fetch and check the human study and the other data with labels."""

import os
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import click

from crscore_core.cli.inputs import json_option
from crscore_core.cli.output import (
    SET_ASIDE,
    StatusLine,
    print_facts,
    print_json,
    print_line,
    print_warnings,
)
from crscore_core.corpus.run.sources import is_run
from crscore_core.datasets.registry import DATA_SETS, OWN, data_set, load_data
from crscore_core.datasets.study.load import load_study
from crscore_core.datasets.study.location import default_study_folder, find_release
from crscore_core.datasets.study.model import study_contents
from crscore_core.errors import InputError

_STUDY = "study"


@click.group("study")
def command() -> None:
    """List, download and check the human study and other data with people's labels."""


@command.command("list")
@json_option
def list_data(*, as_json: bool) -> None:
    """List the data sets, with contents, licence and place on this machine."""
    rows = [
        {
            "name": name,
            "title": known.title,
            "contents": known.contents,
            "licence": known.licence,
            "origin": known.origin,
            "path": str(known.path(name)),
            "is_there": known.is_there(name),
        }
        for name, known in DATA_SETS.items()
    ]
    if as_json:
        print_json({"data": rows})
    for row in () if as_json else rows:
        print_facts(row)
        print_line()


@command.command()
@click.argument("name", metavar="[NAME]", default=_STUDY)
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
    help="Leave out the whole files before and after each change, most of the study's 16 MB.",
)
@click.option(
    "--source",
    help="Address of a mirror, to which the path of each file is added. [default: the one that "
    "CRSCORE_STUDY_SOURCE names, or the authors' repository]",
)
def fetch(*, name: str, folder: Path | None, no_context: bool, source: str | None) -> None:
    """Download the files of the human study that are missing, or say where to get NAME."""
    from crscore_core.datasets.fetch import STUDY_LICENSE, STUDY_PAGE, fetch_study

    known = data_set(name)
    if name != _STUDY:
        raise InputError(
            f"{known.title} has no address that is pinned here; download {known.file} from the "
            f"{known.origin} to {known.path(name)} (licence: {known.licence})"
        )
    folder = folder or default_study_folder()
    print_line(f"human study of CRScore, licence {STUDY_LICENSE}, from {STUDY_PAGE}")
    with StatusLine() as line:
        result = fetch_study(
            folder,
            context_files=not no_context,
            source=source,
            progress=lambda now: line.show(lambda: f"{now.files} of {now.all_files} files"),
        )
    print_line(
        f"{result.files} files are in {folder}: {result.fetched} fetched, "
        f"{result.files - result.fetched} were there already"
    )


@command.command()
@click.argument("name", metavar="[DIR_OR_NAME]", required=False)
@click.option(
    "--path",
    type=click.Path(path_type=Path),
    help="Where the data set called NAME lies. [default: where `crscore study list` says]",
)
@click.option(
    "--label", "labels", multiple=True, metavar="NAME", help="Column of a file that is a label."
)
@json_option
def check(*, name: str | None, path: Path | None, labels: tuple[str, ...], as_json: bool) -> int:
    """Read the study in DIR, another data set, or a file or run of your own; show its contents.

    DIR defaults to the folder that `crscore study fetch` fills.
    """
    if name is not None and not _is_study(name):
        return _check_labelled(name, path, labels, as_json=as_json)
    if path or labels:
        raise InputError("--path and --label do not apply to the human study")
    folder = Path(name) if name and os.path.isdir(name) else default_study_folder()
    _check_study(folder, as_json=as_json)
    return 0


def _is_study(name: str) -> bool:
    """Return True for the study's name, and for a folder that is neither a run nor a data set."""
    place = Path(name)
    is_folder = name not in DATA_SETS and os.path.isdir(name) and not is_run(place)
    return name == _STUDY or is_folder


def _check_study(folder: Path, *, as_json: bool) -> None:
    from crscore_core.datasets.fetch import is_whole, study_files

    study = load_study(folder)
    release, files = find_release(folder), study_files()
    other = [path for path, checksum in files.items() if not is_whole(release / path, checksum)]
    missing = [path for path in other if not os.path.exists(release / path)]
    different = [path for path in other if path not in missing]
    published = {"same": len(files) - len(other), "different": different, "missing": missing}
    document = {"folder": str(folder), **asdict(study_contents(study)), "missing": study.missing}
    document |= {"published_files": published}
    _print(document, study.oddities, as_json=as_json)


def _check_labelled(name: str, path: Path | None, labels: tuple[str, ...], *, as_json: bool) -> int:
    data = load_data(name, path, labels)
    reviews = data.reviews
    document = {
        "data": data.name,
        "title": data.title,
        "changes": len(data.corpus.changes),
        "reviews": len(reviews.reviews),
        "systems": sorted({review.system for review in reviews.reviews}),
        "languages": sorted(set(reviews.language.tolist())),
        "with_reference": sum(map(bool, reviews.references)),
        "labels": {
            label: {
                "is_binary": of.is_binary,
                "values": {f"{value:g}": count for value, count in of.counts().items()},
            }
            for label, of in reviews.labels.items()
        },
    }
    _print(document, data.oddities, as_json=as_json)
    return SET_ASIDE if data.name == OWN and data.oddities else 0


def _print(document: dict[str, object], oddities: Sequence[str], *, as_json: bool) -> None:
    if as_json:
        print_json(document | {"oddities": oddities})
    else:
        print_facts(document)
        print_warnings(f"{oddity}; left out" for oddity in oddities)
