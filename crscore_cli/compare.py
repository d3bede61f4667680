"""`crscore compare`."""

from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from crscore_cli.options import Json, ProgressJson, Tau
from crscore_cli.output import (
    SET_ASIDE,
    print_json,
    print_line,
    print_table,
    print_warnings,
    progress_reporter,
    write_file,
)

if TYPE_CHECKING:
    import pandas as pd

    from crscore_eval.table import Run

Data = Annotated[
    str,
    typer.Option(metavar="NAME_OR_FILE", help="study, kinds, a run, or a file of rated reviews."),
]
Labels = Annotated[
    list[str] | None,
    typer.Option("--label", metavar="NAME", help="A label; repeat for several. [default: all]"),
]


def compare(
    *,
    data: Data = "study",
    metrics: Annotated[
        str, typer.Option(metavar="A,B", help="Metrics or columns. [default: all metrics]")
    ] = "",
    label: Labels = None,
    against: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Metric to test all others against. [default: rel]"),
    ] = None,
    tau: Tau = None,
    resamples: Annotated[int, typer.Option(min=2, metavar="N", help="Resamples.")] = 1000,
    csv_file: Annotated[
        Path | None, typer.Option("--csv", metavar="FILE", help="Write the figures as CSV.")
    ] = None,
    progress: ProgressJson = None,
    as_json: Json = False,
) -> int:
    """Compare metrics by their agreement with people on the same reviews.

    Ratings are compared by Spearman's rho, labels of 0 and 1 by the area under the ROC curve, with
    95 % intervals over changes. p-values are corrected for the number of metrics.
    """
    from crscore_core.scoring import resolve_tau
    from crscore_eval.data import open_data
    from crscore_eval.validity import compare as compare_metrics
    from crscore_eval.validity import compare_document

    names = [name.strip() for name in metrics.split(",") if name.strip()]
    with progress_reporter("Comparing metrics", progress) as show:
        run = open_data(data, lambda of: show(of.done, of.total, "scoring reviews"))
        settings = run.settings
        at = None if tau is None else resolve_tau(tau, settings["encoder"], settings["claims"])
        figures = compare_metrics(
            run,
            names,
            label_names=label or (),
            against=against,
            tau=at,
            n_resamples=resamples,
            on_progress=lambda step, done, total: show(done, total, step),
        )
    rejected = settings.get("n_rejected") or len(settings.get("rejected", []))
    if rejected:
        print_warnings([f"{rejected:,} rows of {data} were set aside"])
    if csv_file:
        write_file(csv_file, figures.to_csv(index=False))
    if as_json:
        print_json({**compare_document(run, figures), "data": data})
    else:
        for name, of_label in figures.groupby("label", sort=False):
            _print_label(run, str(name), of_label)
    return SET_ASIDE if rejected else 0


def _print_label(run: "Run", label: str, figures: "pd.DataFrame") -> None:
    from crscore_eval.metrics import labels, metric_title
    from crscore_eval.validity import remark

    given = int(labels(run.reviews)[label].notna().sum())
    of_all = figures[figures["language"] == ""]
    main = str(of_all["statistic"].iloc[0])
    kind = "0 or 1" if main == "auc" else "graded"
    print_line()
    print_line(f"{label} ({kind}, {given:,} reviews)")
    cells = {
        (str(one["metric"]), str(one["statistic"])): [one["value"], one["low"], one["high"]]
        for one in of_all.to_dict("records")
    }
    others = [name for name in dict.fromkeys(of_all["statistic"]) if name in _MORE]
    rows: list[tuple[str, ...]] = []
    without: dict[str, list[str]] = {}
    for metric in dict.fromkeys(of_all["metric"]):
        number = int(of_all.loc[of_all["metric"] == metric, "rows"].iloc[0])
        reason = remark(metric, number, given)
        if not number:
            without.setdefault(reason, []).append(metric)
            continue
        rows.append(
            (
                metric_title(metric),
                f"{number:,}",
                _interval(cells.get((metric, main))),
                *(_number(cells[metric, name][0]) for name in others),
                _interval(cells.get((metric, "difference"))),
                _number(cells.get((metric, "p_corrected"), [None])[0]),
                reason,
            )
        )
    more = [name.replace("_", " ") for name in others]
    head = ("metric", "rows", main, *more, "difference", "p", "")
    print_table(head, rows, left=(0, len(head) - 1))
    for reason, names in without.items():
        print_line(f"no value ({reason}): {', '.join(names)}")


_MORE = ("kendall", "pairwise", "average_precision", "balanced_accuracy", "kappa")


def _interval(figure: list[float] | None) -> str:
    if figure is None:
        return ""
    value, low, high = map(_number, figure)
    return f"{value} ({low} to {high})" if low else value


def _number(value: float | None) -> str:
    return "" if value is None or isnan(value) else f"{value:.3f}"
