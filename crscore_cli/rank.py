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
            help="relevance, no_threshold, conciseness, comprehensiveness, people, a column of "
            "numbers or a metric such as words; by default label_worth or people if 50 reviews of "
            "10 changes have it, else relevance.",
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
    from crscore_eval.metrics.values import figures_signature
    from crscore_eval.ranking.gate import check_names
    from crscore_eval.ranking.order import mean_words, order_document, order_systems
    from crscore_eval.ranking.verdict import order_basis, verdict

    check = partial(check_names, floors=(), by=by)
    run = options.open_and_warn(data, check)
    run = run if as_json else with_titles(run, data)
    threshold = options.resolve_run_tau(run, tau)
    order = order_systems(run, by, threshold)
    sentences = verdict(order)
    signature = figures_signature(run.settings, [order.by.name], threshold)
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
    from crscore_eval.export.captions import systems_caption
    from crscore_eval.table import label_title

    columns: dict[str, output.Cell] = {
        "place": lambda row: row["place"],
        "system": lambda row: row["system"],
        "reviews": lambda row: f"{row['n']:,}",
        order.by.title: lambda row: format_figure(row["mean"], row["low"], row["high"]),
    }
    if order.other_measure:
        columns[f"{order.other_measure.title} (rank)"] = lambda row: (
            f"{row['other_mean']:.3f} ({row['other_ranks']})" if row["other_rank"] > 0 else ""
        )
        _add_counts(columns, order.systems, "other_n")
    for label in order.labels:
        columns[f"label {label_title(label)}"] = _figure(label)
        _add_counts(columns, order.systems, f"n_{label}")
    columns.setdefault("words", lambda row: format_figure(words[row["system"]], digits=0))
    output.print_frame(order.systems, columns, left=(0, 1))
    output.print_line(systems_caption(order))


def _add_counts(columns: dict[str, output.Cell], systems: "pd.DataFrame", count: str) -> None:
    """Add the number of reviews to the cells of the last column, if it is not that of the mean."""
    if not systems[count].equals(systems["n"]):
        head, cell = columns.popitem()
        columns[f"{head}, n"] = lambda row: f"{cell(row)}, {row[count]:,}"


def _figure(column: str) -> output.Cell:
    return lambda row: format_figure(row[column])


def _print_pairs(order: "Order") -> None:
    from crscore_eval.export.captions import pairs_caption
    from crscore_eval.ranking.verdict import shared_changes, significance

    if order.pairs.empty:
        return
    columns: dict[str, output.Cell] = {
        "higher": lambda pair: pair["higher"],
        "lower": lambda pair: pair["lower"],
        "difference": lambda pair: format_figure(pair["difference"], pair["low"], pair["high"]),
        "changes": shared_changes,
        "significant": significance,
    }
    if order.other_measure:
        columns[f"difference by {order.other_measure.title}"] = _figure("other_difference")
    output.print_frame(order.pairs[:_MAX_PAIRS], columns, left=(0, 1, 4))
    output.print_line(pairs_caption(order))
    if (n_pairs := len(order.pairs)) > _MAX_PAIRS:
        output.print_line(f"--json has all {n_pairs:,} pairs.")
