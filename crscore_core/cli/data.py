"""`crscore data`: list, fetch and check the data sets with human labels."""

from pathlib import Path

import click

from crscore_core.cli.inputs import json_option
from crscore_core.cli.output import SET_ASIDE, print_json, print_line, print_warnings
from crscore_core.errors import DatasetError

_name_argument = click.argument("name", metavar="NAME")


@click.group("data")
def command() -> None:
    """List, download and check data sets with human labels."""


@command.command("list")
@json_option
def list_data(*, as_json: bool) -> None:
    """List the data sets, with contents, licence and place on this machine."""
    from crscore_core.datasets.registry import DATA_SETS

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
        return
    for row in rows:
        print_line(f"{row['name']}: {row['title']}, {row['contents']}")
        print_line(f"  licence: {row['licence']}; from: {row['origin']}")
        print_line(f"  {'at' if row['is_there'] else 'not at'} {row['path']}")


@command.command()
@_name_argument
@click.option(
    "--to",
    "folder",
    type=click.Path(path_type=Path),
    help="Folder to download into. [default: the one that `crscore data list` names]",
)
@click.option(
    "--source",
    help="Address of the file, or for the study of a mirror that the path of each file follows.",
)
@click.option("--sha256", help="Checksum that the file must have, in hexadecimal digits.")
@click.pass_context
def fetch(
    context: click.Context,
    *,
    name: str,
    folder: Path | None,
    source: str | None,
    sha256: str | None,
) -> None:
    """Download a data set, after a word on its licence."""
    from crscore_core.datasets.fetch_file import fetch_file
    from crscore_core.datasets.registry import data_set

    known = data_set(name)
    if not known.file:
        from crscore_core.cli.study import fetch as fetch_study

        if sha256:
            raise DatasetError("the study's files have checksums of their own; leave out --sha256")
        context.invoke(fetch_study, folder=folder, no_context=False, source=source)
        return
    print_line(f"{known.title}; licence: {known.licence}")
    if source is None:
        raise DatasetError(
            f"{known.title} has no address that is pinned here; find {known.file} in the "
            f"{known.origin} and give the address of the file with --source"
        )
    fetched = fetch_file(source, folder or known.path(name), known.file, known.load, sha256)
    data = known.load(fetched.path)
    print_line(f"{fetched.path}: {fetched.size:,} bytes, sha256 {fetched.sha256}")
    print_line(f"{len(data.reviews.reviews):,} reviews of {len(data.corpus.changes):,} changes")


@command.command()
@_name_argument
@click.argument("path", metavar="[PATH]", required=False, type=click.Path(path_type=Path))
@click.option(
    "--label", "labels", multiple=True, metavar="NAME", help="Column of a file that is a label."
)
@json_option
def check(*, name: str, path: Path | None, labels: tuple[str, ...], as_json: bool) -> int:
    """Read a data set, or a file of your own, and say what it holds."""
    from crscore_core.datasets.own import OWN
    from crscore_core.datasets.registry import load_data

    data = load_data(name, path, labels)
    reviews = data.reviews
    status = SET_ASIDE if data.name == OWN and data.oddities else 0
    languages = sorted(set(reviews.language.tolist()))
    systems = sorted({review.system for review in reviews.reviews})
    with_reference = sum(map(bool, reviews.references))
    counts = {
        label: {f"{value:g}": count for value, count in of.counts().items()}
        for label, of in reviews.labels.items()
    }
    if as_json:
        print_json(
            {
                "data": data.name,
                "title": data.title,
                "changes": len(data.corpus.changes),
                "reviews": len(reviews.reviews),
                "systems": systems,
                "languages": languages,
                "with_reference": with_reference,
                "labels": {
                    label: {"is_binary": reviews.labels[label].is_binary, "values": of_label}
                    for label, of_label in counts.items()
                },
                "oddities": list(data.oddities),
            }
        )
        return status
    print_line(
        f"{data.title}: {len(reviews.reviews):,} reviews of {len(data.corpus.changes):,} changes, "
        f"{with_reference:,} with a reference review"
    )
    print_line(f"systems: {', '.join(systems)}")
    print_line(f"languages: {', '.join(name or 'unknown' for name in languages)}")
    for label, of_label in counts.items():
        values = ", ".join(f"{value}: {count:,}" for value, count in of_label.items())
        print_line(f"{label}: {sum(of_label.values()):,} reviews ({values})")
    print_warnings(f"{oddity}; left out" for oddity in data.oddities)
    return status
