"""`crscore compare`."""

from typing import TYPE_CHECKING, Annotated

import typer

from crscore_cli import output
from crscore_cli.options import Json, ProgressJson, Tau, tau_of
from crscore_core.text import figure

if TYPE_CHECKING:
    import pandas as pd

    from crscore_eval.table import Run


def compare(
    *,
    data: Annotated[
        str,
        typer.Option(metavar="DATA", help="study, kinds, a run, or a file of rated reviews."),
    ] = "study",
    metrics: Annotated[
        str, typer.Option(metavar="A,B", help="Metrics or columns; by default all metrics.")
    ] = "",
    label: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="A label, repeatable; by default all."),
    ] = None,
    tau: Tau = None,
    progress: ProgressJson = None,
    as_json: Json = False,
) -> int:
    """Compare metrics by their agreement with people on the same reviews.

    Ratings are compared by Spearman's rho, labels of 0 and 1 by the area under the ROC curve, with
    95% intervals over changes. p-values are corrected for the number of metrics.
    """
    from crscore_eval.data import open_data
    from crscore_eval.validity import compare as compare_metrics
    from crscore_eval.validity import compare_document

    names = [name.strip() for name in metrics.split(",") if name.strip()]
    with output.progress_reporter("Comparing metrics", progress) as show:
        run = open_data(data, show)
        figures = compare_metrics(
            run, names, label_names=label or (), tau=tau_of(run, tau), on_progress=show
        )
    rejected = run.settings.get("n_rejected", 0)
    if rejected:
        output.print_warnings([f"{rejected:,} rows of {data} were rejected"])
    if as_json:
        output.print_json({**compare_document(run, figures), "data": data})
    else:
        for name, of_label in figures[figures["language"] == ""].groupby("label", sort=False):
            _print_label(run, str(name), of_label)
    return output.INCOMPLETE if rejected else 0


def _print_label(run: "Run", label: str, figures: "pd.DataFrame") -> None:
    from crscore_eval.metrics import labels, metric_title
    from crscore_eval.validity import N_RESAMPLES, compared_with_base

    given = int(labels(run.reviews)[label].notna().sum())
    main = str(figures["statistic"].iloc[0])
    base, rows = compared_with_base(figures, given)
    columns: dict[str, output.Cell] = {
        "metric": lambda row: metric_title(row["metric"]),
        "rows": lambda row: f"{row['rows']:,}",
        main: lambda row: figure(row["value"], row["low"], row["high"]),
        "difference": lambda row: figure(*row["difference"]),
        "p": lambda row: figure(row["p"]),
    }
    output.print_line()
    output.print_line(f"{label} ({'0 or 1' if main == 'auc' else 'graded'}, {given:,} reviews)")
    output.print_frame(rows, columns)
    for number, remark in (
        rows.loc[rows["remark"] != "", ["rows", "remark"]].drop_duplicates().values
    ):
        output.print_line(f"{number:,} rows: {remark}.")
    output.print_line(
        f"difference: {metric_title(base)} minus the metric, over the reviews that both score; p: "
        f"after Holm's correction, at least {min(1, 2 / (N_RESAMPLES + 1) * (len(rows) - 1)):.3f}."
    )
