"""`crscore rank`."""

from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from crscore_cli import options, output
from crscore_eval.formatting import format_figure

if TYPE_CHECKING:
    import pandas as pd

    from crscore_eval.ranking.order import Order

_MAX_PAIRS = 20


def rank(
    *,
    data: options.Data,
    by: Annotated[
        str | None,
        typer.Option(
            metavar="MEASURE",
            help="relevance, no_threshold, conciseness, comprehensiveness, people or a column of "
            "numbers; by default label_worth or people if 50 reviews of 10 changes have it, else "
            "relevance.",
        ),
    ] = None,
    tau: options.Tau = None,
    as_json: options.Json = False,
) -> int:
    """Order the systems of a run and compare all pairs.

    Intervals are 95%, over changes. Differences of two systems are tested with
    Holm's correction; systems that do not differ significantly share places.
    """
    from crscore_eval.data.sources import with_titles
    from crscore_eval.ranking.order import order_document, order_systems
    from crscore_eval.ranking.people import mean_words
    from crscore_eval.ranking.verdict import order_basis, verdict
    from crscore_eval.table import measure_named, run_signature

    check = partial(measure_named, name=by) if by else None
    run = options.open_and_warn(data, check)
    run = run if as_json else with_titles(run, data)
    threshold = options.resolve_run_tau(run, tau)
    order = order_systems(run, by, threshold)
    sentences, signature = verdict(order), str(run_signature(run.settings, threshold))
    if as_json:
        texts = {"verdict": " ".join(sentences), "basis": order_basis(order)}
        texts["signature"] = signature
        output.print_json({"run": data, "tau": threshold, **texts, **order_document(order)})
        return options.exit_status(run, data)
    for sentence in [*sentences, order_basis(order)]:
        output.print_line(sentence)
    output.print_line(f"signature {signature}")
    _print_systems(order, mean_words(run))
    _print_pairs(order)
    return options.exit_status(run, data)


def _print_systems(order: "Order", words: "pd.Series[float]") -> None:
    from crscore_eval.table import label_title

    columns: dict[str, output.Cell] = {
        "place": lambda row: row["place"],
        "system": lambda row: row["system"],
        "reviews": lambda row: f"{row['n']:,}",
        order.by.title: lambda row: format_figure(row["mean"], row["low"], row["high"]),
    }
    legend = (
        "Means, 95% intervals over changes. place: possible, given the significant differences."
    )
    if order.other_measure:
        columns[f"{order.other_measure.title} (rank)"] = lambda row: (
            f"{row['other_mean']:.3f} ({row['other_ranks']})" if row["other_rank"] > 0 else ""
        )
        legend += f" rank: by {order.other_measure.title} of the same reviews."
    for label in order.labels:
        columns[f"label {label_title(label)}"] = _figure(label)
    columns.setdefault("words", lambda row: format_figure(words[row["system"]], digits=0))
    output.print_frame(order.systems, columns, left=(0, 1))
    output.print_line(legend)


def _figure(column: str) -> output.Cell:
    return lambda row: format_figure(row[column])


def _print_pairs(order: "Order") -> None:
    from crscore_eval.ranking.verdict import significance

    if order.pairs.empty:
        return
    columns: dict[str, output.Cell] = {
        "higher": lambda pair: pair["higher"],
        "lower": lambda pair: pair["lower"],
        "difference": lambda pair: format_figure(pair["difference"], pair["low"], pair["high"]),
        "significant": significance,
    }
    if order.other_measure:
        columns[f"difference by {order.other_measure.title}"] = _figure("other_difference")
    output.print_frame(order.pairs[:_MAX_PAIRS], columns, left=(0, 1, 3))
    n_pairs, legend = len(order.pairs), "significant: p < 0.05 after Holm's correction."
    all_pairs = f" --json has all {n_pairs:,} pairs." if n_pairs > _MAX_PAIRS else ""
    output.print_line(f"{legend} Intervals are not corrected.{all_pairs}")
