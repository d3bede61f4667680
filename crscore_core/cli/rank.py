"""`crscore rank`."""

from pathlib import Path

import click

from crscore_core.cli.gate import FAILED, baseline_check, baseline_options
from crscore_core.cli.inputs import corpus_path, json_option
from crscore_core.cli.output import print_json, print_line
from crscore_core.cli.ranks import by_option, print_order, ranked


@click.command("rank")
@click.argument("path", type=corpus_path, metavar="RUN")
@by_option
@baseline_options
@json_option
def command(
    *,
    path: Path,
    measure: str | None,
    baseline: Path | None,
    margin: float | None,
    may_be_missing: bool,
    as_json: bool,
) -> int:
    """Order the systems of a finished run by a measure, and compare all pairs.

    Intervals are over changes. An order is clear after a correction for the number of pairs;
    systems whose order is open share places. With a baseline the exit status is 4 where the run is
    lower.
    """
    from crscore_core.corpus.measures import DEFAULT_MEASURE
    from crscore_core.corpus.run.finished import FinishedRun
    from crscore_core.errors import BatchError
    from crscore_core.ranking.verdict import order_words, verdict, why_no_order

    run = FinishedRun.open(path)
    check = baseline_check(run, baseline, margin, measure=measure, may_be_missing=may_be_missing)
    order = ranked(run, measure)
    if order is None:
        measured = run.measured(measure or DEFAULT_MEASURE)
        raise BatchError(f"the run {str(path)!r}: {why_no_order(measured)}")
    status = FAILED if check and not check.is_met else 0
    if as_json:
        found = {"run": str(path), "verdict": verdict(order), **order.as_json()}
        print_json(found | {"baseline": check and check.document})
        return status
    print_order(order)
    if check:
        print_line(f"baseline: {check.words}")
    for pair in order.pairs:
        print_line(f"{pair.higher} above {pair.lower} by {pair.difference}: {order_words(pair)}")
    return status
