"""`crscore rank`."""

from pathlib import Path

import click

from crscore_core.cli.inputs import json_option
from crscore_core.cli.output import print_json, print_line


@click.command("rank")
@click.argument("path", type=click.Path(path_type=Path), metavar="RUN")
@json_option
def command(*, path: Path, as_json: bool) -> None:
    """Say whose reviews are the best in a finished run, how sure that is, and every pair.

    Systems stand by mean predicted relevance; intervals resample changes, and an order is sure
    after a correction for the number of pairs.
    """
    from crscore_core.cli.two_orders import print_orders
    from crscore_core.corpus.run.finished import FinishedRun
    from crscore_core.corpus.two_orders import two_orders
    from crscore_core.corpus.verdict import verdict
    from crscore_core.errors import BatchError

    run = FinishedRun.open(path)
    orders = two_orders(run.measured_reviews())
    if orders is None:
        raise BatchError(
            f"the run {str(path)!r} has no predicted relevance, so no system can be ranked; "
            "score it with the embedded encoder"
        )
    if as_json:
        print_json({"run": str(path), "verdict": verdict(orders)} | orders.as_json())
        return
    print_line(verdict(orders))
    print_line()
    print_orders(orders, run.tau)
    for pair in orders.pairs:
        ends = (
            ""
            if pair.predicted.ends is None
            else " ({:.3f} to {:.3f})".format(*pair.predicted.ends)
        )
        sure = "too few changes" if pair.p is None else "sure" if pair.is_sure else "not sure"
        print_line(f"{pair.better} above {pair.worse} by {pair.predicted.value:.3f}{ends}: {sure}")
