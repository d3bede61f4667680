"""`crscore rank`."""

import os
from functools import partial
from typing import Annotated

import typer

from crscore_cli import options, output

_MAX_PAIRS = 20


def rank(
    *,
    data: options.Data,
    by: Annotated[
        str | None,
        typer.Option(
            metavar="MEASURE",
            help="relevance, no_threshold, conciseness, comprehensiveness, people, or a column of "
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
    from crscore_eval.export.shown import (
        pairs_caption,
        pairs_table,
        systems_caption,
        systems_table,
    )
    from crscore_eval.metrics.values import figures_signature
    from crscore_eval.ranking.gate import check_names
    from crscore_eval.ranking.order import order_document, order_systems
    from crscore_eval.ranking.verdict import order_basis, verdict
    from crscore_eval.table import ColumnRole

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
    if not order.has_enough_ratings and not os.path.isfile(data):  # a file's are printed already
        columns = run.settings.get("columns", ())
        unread = [one for one in columns if ColumnRole(**one).may_be_rating]
        output.print_remarks({"columns": unread})
    output.print_line(f"signature {signature}")
    output.print_table(systems_table(order), 2)
    output.print_line(systems_caption(order))
    if order.pairs.empty:
        return options.exit_status(run.settings, data)
    output.print_table(pairs_table(order)[:_MAX_PAIRS], 3)
    output.print_line(pairs_caption(order))
    if (n_pairs := len(order.pairs)) > _MAX_PAIRS:
        output.print_line(f"--json has all {n_pairs:,} pairs.")
    return options.exit_status(run.settings, data)
