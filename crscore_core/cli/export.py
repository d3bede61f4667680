"""`crscore export`."""

from pathlib import Path

import click

from crscore_core.cli.inputs import corpus_path
from crscore_core.cli.output import file_to_write, print_line, write_file
from crscore_core.errors import InputError


@click.command("export")
@click.argument("path", type=corpus_path, metavar="RUN")
@click.option(
    "-o",
    "--output",
    type=file_to_write,
    metavar="FILE",
    help="File to write; the ending .html, .csv, .jsonl or .parquet decides what. [default: "
    "a report named after the run and its day]",
)
@click.option(
    "--tau",
    metavar="X",
    help="Similarity threshold: a number, or tau_best or tau_gt. [default: the run's]",
)
def command(*, path: Path, output: Path | None, tau: str | None) -> None:
    """Write a finished run as one file: a report to read, or reviews to compute with.

    The report (.html) has the verdict on the systems and what it rests on. The other files hold
    every review with its change, ratings and scores; any command that takes a corpus reads them.
    """
    from crscore_core.corpus.exports import FORMATS, export_reviews
    from crscore_core.corpus.run.finished import FinishedRun
    from crscore_core.corpus.run.store import run_info
    from crscore_core.ranking.html_report import file_name, html_report
    from crscore_core.scoring import resolve_tau

    run, info = FinishedRun.open(path), run_info(path)
    output = output or file_to_write(file_name(info.name, info.created, "html"))
    ending = output.suffix.lower().removeprefix(".")
    if ending not in {"html", *FORMATS}:
        raise InputError(f"{str(output)!r} does not end in .html, .{', .'.join(FORMATS)}")
    threshold = run.tau if tau is None else resolve_tau(tau, run.encoder, run.claims)
    comparison = run.reviews()
    if ending == "html":
        content = html_report(
            comparison, threshold, info.name, note=info.origin, scored_at=info.created,
            version=info.version, run=run,
        ).encode()  # fmt: skip
    else:
        content = export_reviews(comparison, threshold, ending)
    write_file(output, content)
    print_line(f"{len(comparison):,} reviews at tau {threshold:g}: {output}")
