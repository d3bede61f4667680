"""`crscore data`: list, fetch and check the data sets with human labels; fit models to them."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from crscore_core.cli.inputs import json_option
from crscore_core.cli.output import (
    SET_ASIDE,
    print_json,
    print_line,
    print_progress,
    print_warnings,
    write_file,
)
from crscore_core.errors import DatasetError

if TYPE_CHECKING:
    from crscore_core.predicted.model import HeldOut
    from crscore_core.statistics import Estimate
    from crscore_core.validity.fit_predicted import FittedPredictions

_PLURALS = {"change": "changes", "patch": "patches", "system": "systems"}

_name_argument = click.argument("name", metavar="NAME")


@click.group("data")
def command() -> None:
    """List, download and check data sets with human labels; fit models to them."""


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


@command.command()
@click.option("--study", type=click.Path(path_type=Path), help="Folder of the human study.")
@click.option("--clearcrc", type=click.Path(path_type=Path), help="Table of ClearCRC.")
@click.option(
    "--ratings",
    type=click.Path(path_type=Path, exists=True),
    help="File of reviews that you rated, or a finished run: refit predicted relevance to these.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder to write the models to, a JSON file each, and the transfer table.",
)
@json_option
def fit(
    *,
    study: Path | None,
    clearcrc: Path | None,
    output: Path | None,
    as_json: bool,
    ratings: Path | None = None,
) -> None:
    """Fit the models of predicted ratings, and measure them.

    They are fitted to the human study and to ClearCRC, which are looked for where `crscore data
    list` says. Figures are for reviews that a fit left out, with the transfer table: relevance
    fitted to one data set and measured on another. The models that come with this package were
    made so; nothing here changes which ones are used.

    With --ratings, the package's model of relevance is refitted to ratings of relevance from 1 to 5
    (column human_relevance) instead, and measured on changes left out, beside the package's.
    Name the folder in CRSCORE_PREDICTED to predict with what is written there.
    """
    if ratings:
        if study or clearcrc:
            raise click.UsageError("--ratings goes with neither --study nor --clearcrc")
        _refit(ratings, output, as_json=as_json)
        return
    from crscore_core.predicted.model_file import (
        TRANSFER,
        model_document,
        model_text,
        transfer_document,
        transfer_markdown,
        transfer_text,
    )

    fitted = _fitted(study, clearcrc)
    if output:
        output.mkdir(parents=True, exist_ok=True)
        for model in fitted.models:
            write_file(output / f"{model.predicts}.json", model_text(model))
        write_file(output / f"{TRANSFER}.json", transfer_text(fitted.models, fitted.transfer))
    if as_json:
        print_json(
            {
                "models": list(map(model_document, fitted.models)),
                "transfer": list(map(transfer_document, fitted.transfer)),
            }
        )
        return
    for model in fitted.models:
        of = model.provenance
        print_line(f"{model.predicts}: {of.ratings} labels of {of.changes} changes; {of.data}")
        for figure in of.held_out:
            print_line(f"  {_in_words(figure)}")
        for beside in of.beside_rel:
            rel, words = _value(beside.rel), _value(beside.difference)
            print_line(f"  {_in_words(beside.measured)}; Rel {rel}, difference {words}")
    print_line("relevance, fitted to one data set and measured on another:")
    for line in transfer_markdown(fitted.transfer).splitlines():
        print_line(line)


def _refit(ratings: Path, output: Path | None, *, as_json: bool) -> None:
    from crscore_core.corpus.run.finished import FinishedRun
    from crscore_core.datasets.own import load_own
    from crscore_core.predicted.model_file import model_document
    from crscore_core.validity.metric_columns import Scoring
    from crscore_core.validity.refit import refit

    if ratings.is_dir():
        comparison = FinishedRun.open(ratings).comparison()
    else:
        data = load_own(ratings)
        print_warnings(f"{oddity}; left out" for oddity in data.oddities)
        comparison = Scoring().compare(data)
    done = refit(comparison)
    if output:
        output.mkdir(parents=True, exist_ok=True)
        for name, content in done.files.items():
            write_file(output / name, content.decode())
    if as_json:
        print_json({**done.as_json(), "models": [model_document(done.model)]})
        return
    print_line(done.verdict)


def _fitted(study: Path | None, clearcrc: Path | None) -> "FittedPredictions":
    from crscore_core.datasets.registry import load_data
    from crscore_core.scoring import CachedEncoder
    from crscore_core.validity.fit_predicted import FIT_CLAIMS, fit_predictions, number_of_fits
    from crscore_core.validity.metric_columns import Scoring

    encoder = CachedEncoder()
    rated, labelled = load_data("study", study), load_data("clearcrc", clearcrc)
    print_progress("making pseudo-references and comparing reviews with them; this takes minutes")
    of_study = [Scoring(claims, encoder).compare(rated) for claims in FIT_CLAIMS]
    of_clearcrc = Scoring(None, encoder).compare(labelled)
    with click.progressbar(
        length=number_of_fits(of_study), label="fitting", file=sys.stderr
    ) as bar:
        return fit_predictions(of_study, of_clearcrc, encoder, lambda: bar.update(1))


def _in_words(figure: "HeldOut") -> str:
    left_out = _PLURALS.get(figure.left_out)
    seen = f"{left_out} left out" if left_out else "never seen"
    return (
        f"{figure.measure} on {figure.data}, {seen}, "
        f"claims {figure.claims}: {_value(figure.estimate)}, {figure.reviews} reviews"
    )


def _value(estimate: "Estimate") -> str:
    value = "undefined" if estimate.value is None else f"{estimate.value:.3f}"
    bounds = estimate.interval
    if bounds is None:
        return f"{value}, no interval"
    return f"{value}, {100 * bounds.level:g} % interval {bounds.low:.3f} to {bounds.high:.3f}"
