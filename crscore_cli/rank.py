"""`crscore rank`."""

import os
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
    from crscore_eval.table.mapping import is_unread_rating

    run, threshold = options.open_at_tau(data, tau, partial(check_names, floors=(), by=by))
    run = run if as_json else with_titles(run, data)
    order = order_systems(run, by, threshold)
    sentences = verdict(order)
    signature = figures_signature(run.settings, [order.by.name], threshold)
    if as_json:
        texts = {"verdict": " ".join(sentences), "basis": order_basis(order)}
        texts["signature"] = signature
        output.print_json({"run": data, "tau": threshold, **texts, **order_document(order)})
        return options.exit_status(run.settings, data)
    for sentence in [*sentences, order_basis(order)]:
        output.print_line(sentence)
    if not order.has_enough_ratings and not os.path.isfile(data):  # a file's remarks are printed
        columns = run.settings.get("columns", ())
        output.print_remarks({"columns": [one for one in columns if is_unread_rating(one)]})
    output.print_line(f"signature {signature}")
    _print_systems(order, mean_words(run))
    _print_pairs(order)
    return options.exit_status(run.settings, data)


def _print_systems(order: "Order", words: "pd.Series[float]") -> None:
    from crscore_eval.export.captions import systems_caption
    from crscore_eval.table import label_title

    systems = order.systems
    table = systems[["place", "system"]].assign(reviews=systems["n"].map("{:,}".format))
    table[order.by.title] = output.figures(systems, "mean", "low", "high")
    added = {f"label {label_title(name)}": (name, f"n_{name}") for name in order.labels}
    if order.other_measure:
        added = {f"{order.other_measure.title} (rank)": ("other_mean", "other_n")} | added
    for head, (name, count) in added.items():
        cells = systems[name].map(format_figure)
        if name == "other_mean":
            cells += (" (" + systems["other_ranks"] + ")").where(systems[name].notna(), "")
        has_others = not systems[count].equals(systems["n"])  # then it rests on other reviews
        counts = systems[count].map("{:,}".format)
        table[f"{head}, n" if has_others else head] = cells + ", " + counts if has_others else cells
    if "words" not in table:  # they may be the measure
        table["words"] = systems["system"].map(words).map("{:.0f}".format)
    output.print_table(table, 2)
    output.print_line(systems_caption(order))


def _print_pairs(order: "Order") -> None:
    from crscore_eval.export.captions import pairs_caption
    from crscore_eval.ranking.verdict import shared_changes, significance

    if order.pairs.empty:
        return
    pairs = order.pairs[:_MAX_PAIRS]
    table = pairs[["higher", "lower"]].assign(
        significant=pairs.apply(significance, axis=1),
        difference=output.figures(pairs, "difference", "low", "high"),
        changes=pairs.apply(shared_changes, axis=1),
    )
    if order.other_measure:
        other = output.figures(pairs, "other_difference")
        table[f"difference by {order.other_measure.title}"] = other
    output.print_table(table, 3)
    output.print_line(pairs_caption(order))
    if (n_pairs := len(order.pairs)) > _MAX_PAIRS:
        output.print_line(f"--json has all {n_pairs:,} pairs.")
