"""`crscore compare`."""

from typing import TYPE_CHECKING, Annotated

import typer

from crscore_cli.options import Json, ProgressJson, Tau, tau_of
from crscore_cli.output import (
    INCOMPLETE,
    print_json,
    print_line,
    print_table,
    print_warnings,
    progress_reporter,
)
from crscore_core.text import figure

if TYPE_CHECKING:
    import pandas as pd

    from crscore_eval.table import Run


def compare(
    *,
    data: Annotated[
        str,
        typer.Option(
            metavar="NAME_OR_FILE", help="study, kinds, a run, or a file of rated reviews."
        ),
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
    with progress_reporter("Comparing metrics", progress) as show:
        run = open_data(data, show)
        figures = compare_metrics(
            run,
            names,
            label_names=label or (),
            tau=tau_of(run, tau),
            on_progress=show,
        )
    rejected = run.settings.get("n_rejected", 0)
    if rejected:
        print_warnings([f"{rejected:,} rows of {data} were rejected"])
    if as_json:
        print_json({**compare_document(run, figures), "data": data})
    else:
        for name, of_label in figures[figures["language"] == ""].groupby("label", sort=False):
            _print_label(run, str(name), of_label)
    return INCOMPLETE if rejected else 0


def _print_label(run: "Run", label: str, figures: "pd.DataFrame") -> None:
    from crscore_eval.metrics import labels, metric_title
    from crscore_eval.validity import remark

    given = int(labels(run.reviews)[label].notna().sum())
    main = str(figures["statistic"].iloc[0])
    rows = []
    for metric, of_metric in figures.groupby("metric", sort=False):
        number = int(of_metric["rows"].iloc[0])
        shown = of_metric.set_index("statistic").reindex([main, "difference", "p_corrected"])
        cells = shown[["value", "low", "high"]].astype("float64").itertuples(index=False)
        more = remark(str(metric), number, given)
        rows.append((metric_title(str(metric)), f"{number:,}", *(figure(*c) for c in cells), more))
    print_line()
    print_line(f"{label} ({'0 or 1' if main == 'auc' else 'graded'}, {given:,} reviews)")
    print_table(("metric", "rows", main, "difference", "p", ""), rows, left=(0, 5))
