"""`crscore compare`."""

from typing import TYPE_CHECKING, Annotated

import typer

from crscore_cli import options, output
from crscore_core.text import listed

if TYPE_CHECKING:
    import pandas as pd

    from crscore_eval.table import Run


def compare(
    *,
    data: options.Data = "study",
    named_data: Annotated[str | None, typer.Option("--data", hidden=True)] = None,
    metrics: Annotated[
        list[str] | None,
        typer.Option(metavar="A,B", help="Metrics or columns; by default all metrics."),
    ] = None,
    column: options.Columns = None,
    tau: options.Tau = None,
    as_json: options.Json = False,
) -> int:
    """Compare metrics by their agreement with people.

    Ratings are compared by Spearman's rho, labels of 0 and 1 by the area under the ROC curve, with
    95% intervals over changes. p-values are corrected for the number of metrics.
    """
    from crscore_eval.metrics.values import figures_signature
    from crscore_eval.validity.compare import check_comparison, compare_document, compare_metrics

    data = named_data or data
    names = [name.strip() for name in ",".join(metrics or ()).split(",") if name.strip()]
    run, threshold, status = options.open_at_tau(
        data, tau, lambda of: check_comparison(of, metrics=names, names=()), column
    )
    with output.progress_reporter("comparing metrics") as show:
        is_study = data == "study"
        table = compare_metrics(run, names, tau=threshold, is_study=is_study, on_progress=show)
    signature = figures_signature(run.settings, table["metric"], threshold)
    if as_json:
        output.print_json({**compare_document(run, table), "data": data, "signature": signature})
    else:
        output.print_line(f"signature {signature}")
        _print_tables(run, table)
    return status


def _print_tables(run: "Run", table: "pd.DataFrame") -> None:
    """Print a table for each label with the metrics that have values, and name the others."""
    from crscore_eval.metrics.values import metric_title
    from crscore_eval.validity.shown_tables import PAPER_NOTE

    n_rows = table.groupby("metric", sort=False)["rows"].max()
    has_values = table["metric"].map(n_rows) > 0
    for label, rows in table[has_values].groupby("label", sort=False):
        _print_label(run, str(label), rows)
    if table["paper"].notna().any():
        output.print_line(PAPER_NOTE)
    missing = table[~has_values].drop_duplicates("metric")
    for reason, names in missing.groupby("remark")["metric"]:
        output.print_line(f"Not computed, {reason}: {', '.join(map(metric_title, names))}.")


def _print_label(run: "Run", label: str, rows: "pd.DataFrame") -> None:
    from crscore_eval.export.shown import metrics_caption, metrics_table
    from crscore_eval.metrics.values import label_heading, metric_title
    from crscore_eval.validity.compare import findings, label_notes

    heading = label_heading(run.reviews, label)
    output.print_table(metrics_table(rows)[rows["value"].notna().to_numpy()], title=heading)
    output.print_line(metrics_caption(rows))
    for note in label_notes(run.reviews, label, rows):
        output.print_line(note)
    for remark, metrics in rows[rows["remark"] != ""].groupby("remark", sort=False)["metric"]:
        output.print_line(f"{listed([*map(metric_title, metrics)])}: {remark}.")
    for sentence in findings(rows, heading):
        output.print_line(sentence)
