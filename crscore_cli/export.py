"""`crscore export`."""

from typing import Annotated

import typer

from crscore_cli.options import Data, Tau, open_and_warn, reading_status, resolve_run_tau
from crscore_cli.output import file_to_write, print_line
from crscore_core.text import counted


def export(
    *,
    run: Data,
    output: Annotated[
        str,
        typer.Option("-o", "--output", metavar="FILE", help="An html, csv, jsonl or parquet file."),
    ],
    tau: Tau = None,
) -> int:
    """Write a run as a report or as data.

    A report (.html) has the verdict on the systems and its basis. Other files have every review
    with its change, ratings and scores, for every command that reads files of reviews.
    """
    from crscore_eval.data import with_titles
    from crscore_eval.export import export_reviews, report
    from crscore_eval.table import EXPORTS

    path = file_to_write(output, ("html", *EXPORTS))
    ending = path.suffix.lower()[1:]
    opened = open_and_warn(run)
    threshold = resolve_run_tau(opened, tau)
    if ending == "html":
        path.write_text(report(with_titles(opened, run), tau=threshold), encoding="utf-8")
    else:
        path.write_bytes(export_reviews(opened, threshold, ending))
    print_line(f"wrote {counted(len(opened.reviews), 'review')} at tau {threshold:g} to {path}")
    return reading_status(run, opened)
