"""`crscore export`."""

from pathlib import Path
from typing import Annotated

import typer

from crscore_cli.options import Tau
from crscore_cli.output import file_to_write, print_line, write_file
from crscore_core.errors import InputError


def export(
    *,
    run: Annotated[Path, typer.Argument(metavar="RUN", help="Folder of a run.")],
    output: Annotated[
        str,
        typer.Option(
            "-o", "--output", metavar="FILE", help="Its ending decides: html, csv, jsonl, parquet."
        ),
    ],
    tau: Tau = None,
) -> None:
    """Write a run as one file: a report to read (.html), or reviews to compute with.

    A report has the verdict on the systems and what it rests on. The other files hold every review
    with its change, ratings and scores; every command that takes a file of reviews reads them.
    """
    from crscore_core.scoring import resolve_tau
    from crscore_eval.run import open_run
    from crscore_eval.table.export import EXPORTS, export_reviews

    path = file_to_write(output)
    ending = path.suffix.lower().removeprefix(".")
    if ending not in {"html", *EXPORTS}:
        raise InputError(f"{output!r} does not end in .html, .{', .'.join(EXPORTS)}")
    opened = open_run(run)
    settings = opened.settings
    threshold = float(settings["tau"])
    if tau is not None:
        threshold = resolve_tau(tau, settings["encoder"], settings["claims"])
    if ending == "html":
        from crscore_eval.ranking.report import html_report

        write_file(path, html_report(opened, tau=threshold))
    else:
        write_file(path, export_reviews(opened, threshold, ending))
    print_line(f"{len(opened.reviews):,} reviews at tau {threshold:g}: {path}")
