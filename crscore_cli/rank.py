"""`crscore rank`."""

import os

from crscore_cli import options, output


def rank(
    *,
    data: options.Data,
    by: options.Measure = None,
    tau: options.Tau = None,
    as_json: options.Json = False,
) -> int:
    """Order the reviewers of a run and compare all pairs.

    Intervals are 95%, over changes. Differences of two reviewers are tested with
    Holm's correction; reviewers that do not differ significantly share places.
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
    from crscore_eval.table import ColumnRole, remarks

    run, threshold, status = options.open_at_tau(data, tau, lambda of: check_names(of, (), by))
    run = run if as_json else with_titles(run, data)
    order = order_systems(run, by, threshold)
    sentences = verdict(order)
    signature = figures_signature(run.settings, order.measures, threshold)
    if as_json:
        said, basis = " ".join(sentences), order_basis(order)
        texts = {"verdict": said, "basis": basis, "signature": signature}
        output.print_json({"run": data, "tau": threshold, **texts, **order_document(order)})
        return status
    for sentence in [*sentences, order_basis(order), f"signature {signature}"]:
        output.print_line(sentence)
    if not os.path.isfile(data):  # a file's are printed already
        columns = [ColumnRole(**one) for one in run.settings.get("columns", ())]
        numeric = (one for one in columns if one.is_numeric and one.alternatives)
        guessed = [one for one in numeric if one.ends or not order.has_enough_ratings]
        output.print_warnings(remarks({"columns": [one._asdict() for one in guessed]}))
    output.print_table(systems_table(order), 2)
    output.print_line(systems_caption(order))
    if not order.pairs.empty:
        output.print_table(pairs_table(order), 3)
        output.print_line(pairs_caption(order))
    return status
