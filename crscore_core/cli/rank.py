"""`crscore rank`."""

from pathlib import Path

import click

from crscore_core.cli.gate import FAILED, baseline_check, baseline_options
from crscore_core.cli.inputs import corpus_path, json_option
from crscore_core.cli.output import print_json, print_line


@click.command("rank")
@click.argument("path", type=corpus_path, metavar="RUN")
@baseline_options
@json_option
def command(
    *, path: Path, baseline: Path | None, margin: float | None, may_be_missing: bool, as_json: bool
) -> int:
    """Say whose reviews are the best in a finished run, how sure that is, and compare all pairs.

    Systems stand by mean predicted relevance; intervals are over changes, and an order is sure
    after a correction for the number of pairs. Systems that share places are tied. With a baseline
    the exit status is 4 where the run is worse.
    """
    from crscore_core.cli.two_orders import print_orders
    from crscore_core.corpus.run.finished import FinishedRun
    from crscore_core.corpus.two_orders import two_orders
    from crscore_core.corpus.verdict import (
        caution,
        order_words,
        rests_on,
        verdict,
        why_no_verdict,
    )
    from crscore_core.errors import BatchError

    run = FinishedRun.open(path)
    check = baseline_check(run, baseline, margin, may_be_missing=may_be_missing)
    reviews = run.measured_reviews()
    orders = two_orders(reviews)
    if orders is None:
        raise BatchError(f"the run {str(path)!r}: {why_no_verdict(reviews)}")
    status = FAILED if check and not check.is_met else 0
    if as_json:
        warning = caution(run.encoder, [*run.changes().values()])
        found = {"run": str(path), "verdict": verdict(orders), "warning": warning or None}
        of_baseline = {"baseline": check and check.document}
        print_json(found | {"rests_on": rests_on(orders)} | orders.as_json() | of_baseline)
        return status
    print_orders(orders, run, run.tau)
    if check:
        print_line(f"baseline: {check.words}")
    for pair in orders.pairs:
        print_line(f"{pair.better} above {pair.worse} by {pair.predicted}: {order_words(pair)}")
    return status
