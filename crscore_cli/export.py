"""`crscore export`."""

from typing import TYPE_CHECKING, Annotated

import typer

from crscore_cli.options import RunName, Tau, tau_of
from crscore_cli.output import file_to_write, print_line

if TYPE_CHECKING:
    from crscore_eval.table import Run


def export(
    *,
    run: RunName,
    output: Annotated[
        str,
        typer.Option("-o", "--output", metavar="FILE", help="Ends in html, csv, jsonl or parquet."),
    ],
    tau: Tau = None,
) -> None:
    """Write a run as one file: a report to read (.html), or reviews to compute with.

    A report has the verdict on the systems and what it rests on. The other files hold every review
    with its change, ratings and scores; every command that takes a file of reviews reads them.
    """
    from crscore_eval.data import open_data
    from crscore_eval.table.export import EXPORTS, export_reviews

    path = file_to_write(output, ("html", *EXPORTS))
    ending = path.suffix.lower()[1:]
    opened = open_data(run)
    at = tau_of(opened, tau)
    threshold = float(opened.settings["tau"]) if at is None else at
    if ending == "html":
        path.write_text(_report(opened, threshold), encoding="utf-8")
    else:
        path.write_bytes(export_reviews(opened, threshold, ending))
    print_line(f"{len(opened.reviews):,} reviews at tau {threshold:g}: {path}")


def _report(run: "Run", tau: float) -> str:
    """Return the report with the failure cases, if people rated."""
    from crscore_eval.ranking import report
    from crscore_eval.table import has_ratings, measure_values
    from crscore_eval.validity.failures import failures, people_next_to

    cases = None
    if has_ratings(run.reviews):
        scores = measure_values(run.reviews, "relevance", tau)
        cases = failures(scores, people_next_to(run.reviews, "relevance"))
    return report(run, tau=tau, failures=cases)
