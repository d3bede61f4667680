"""`crscore compare`."""

from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from crscore_cli import options, output
from crscore_core.text import counted, listed
from crscore_eval.formatting import format_figure

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
    label: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Label to compare with; by default all; repeatable."),
    ] = None,
    tau: options.Tau = None,
    as_json: options.Json = False,
) -> int:
    """Compare metrics by their agreement with people.

    Ratings are compared by Spearman's rho, labels of 0 and 1 by the area under the ROC curve, with
    95% intervals over changes. p-values are corrected for the number of metrics.
    """
    from crscore_eval.table import run_signature
    from crscore_eval.validity import compare_document, compare_metrics
    from crscore_eval.validity.compare import check_comparison

    data = named_data or data
    names = [name.strip() for name in ",".join(metrics or ()).split(",") if name.strip()]
    run = options.open_and_warn(data, partial(check_comparison, metrics=names, names=label or ()))
    threshold = options.resolve_run_tau(run, tau)
    with output.progress_reporter("comparing metrics") as show:
        figures = compare_metrics(run, names, labels=label or (), tau=threshold, on_progress=show)
    signature = str(run_signature(run.settings, threshold))
    if as_json:
        output.print_json({**compare_document(run, figures), "data": data, "signature": signature})
    else:
        output.print_line(f"signature {signature}")
        _print_tables(run, figures[figures["language"] == ""])
    return options.exit_status(run, data)


def _print_tables(run: "Run", figures: "pd.DataFrame") -> None:
    """Print a table for each label with the metrics that have values, and name the others."""
    from crscore_eval.metrics import metric_title
    from crscore_eval.validity import remark

    n_rows = figures.groupby("metric", sort=False)["rows"].max()
    has_values = figures["metric"].map(n_rows) > 0
    size = f"{counted(len(run.reviews), 'review')} of {counted(len(run.changes), 'change')}"
    output.print_line(f"Agreement of metrics with ratings and labels, {size}")
    base = ""
    for label, label_figures in figures[has_values].groupby("label", sort=False):
        base = _print_label(run, str(label), label_figures)
    output.print_line()
    output.print_line("Higher is better; chance is a Spearman of 0 or an AUC of 0.5.")
    output.print_line("In parentheses: 95% intervals over changes, without correction.")
    output.print_line("The metrics of a table are compared on the reviews that each scores.")
    if base:
        output.print_line(f"difference: the metric minus {metric_title(base)}.")
        output.print_line("p: after Holm's correction for the metrics listed.")
    missing = n_rows.index[n_rows == 0].to_series()
    for reason, names in missing.groupby(lambda name: remark(name, 0, len(run.reviews))):
        output.print_line(f"Not computed, {reason}: {', '.join(map(metric_title, names))}.")


def _print_label(run: "Run", label: str, figures: "pd.DataFrame") -> str:
    """Print the table of a label, and return the metric that the others are compared with."""
    from crscore_eval.metrics import label_heading, labels_by_name, metric_title
    from crscore_eval.validity import compared_with_base, findings

    n_labelled = int(labels_by_name(run.reviews)[label].notna().sum())
    heading = label_heading(run.reviews, label)
    statistic = "AUC" if figures["statistic"].iloc[0] == "auc" else "Spearman"
    base, rows = compared_with_base(figures)
    n_compared = rows["rows"][rows["remark"] == ""].max()
    is_constant = rows["value"].isna() & (rows["remark"] == "")
    rows.loc[is_constant, "remark"] = "all values or all labels are equal"
    columns: dict[str, output.Cell] = {
        "metric": lambda row: metric_title(row["metric"]),
        statistic: lambda row: format_figure(row["value"], row["low"], row["high"]),
        "difference": lambda row: format_figure(
            row["difference"], row["difference_low"], row["difference_high"]
        ),
        "p": lambda row: format_figure(row["p"]),
    }
    size = f"{n_compared:,} of {counted(n_labelled, 'review')}"
    output.print_frame(rows, columns, title=f"{heading} ({size})")
    for remark, metrics in rows[rows["remark"] != ""].groupby("remark", sort=False)["metric"]:
        output.print_line(f"{listed([*map(metric_title, metrics)])}: {remark}.")
    if rows["value"].notna().any() and rows["low"].isna().all():
        output.print_line("Too few changes for intervals and p-values.")
    for sentence in findings(base, rows, heading, figures["statistic"].iloc[0]):
        output.print_line(sentence)
    return base
