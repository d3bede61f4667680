"""`crscore export`."""

from functools import partial
from typing import Annotated

import typer

from crscore_cli import options, output
from crscore_core.errors import InputError


def export(
    *,
    data: options.Data,
    target: Annotated[
        str,
        typer.Option("-o", "--output", metavar="FILE", help="An html, csv, jsonl or parquet file."),
    ],
    by: options.Measure = None,
    tau: options.Tau = None,
) -> int:
    """Write a run as a report or as data.

    A report (.html) has the verdict on the reviewers, ordered by --by, and its basis. Other files
    have every review with its change, ratings and scores, and can be read again.
    """
    from crscore_eval.data.sources import with_titles
    from crscore_eval.export.report import report
    from crscore_eval.export.reviews import export_frame
    from crscore_eval.ranking.gate import check_names
    from crscore_eval.table import EXPORTS, file_content

    path = output.file_to_write(target, ("html", *EXPORTS))
    ending = path.suffix.lower()[1:]
    if by and ending != "html":
        raise InputError("--by orders only a report", "name a file that ends in .html")
    run, threshold, status = options.open_at_tau(data, tau, partial(check_names, floors=(), by=by))
    if ending == "html":
        path.write_text(report(with_titles(run, data), by, threshold), encoding="utf-8")
    else:
        path.write_bytes(file_content(export_frame(run, threshold), ending))
    output.print_line(f"wrote {path} at tau {threshold:g}")
    return status
