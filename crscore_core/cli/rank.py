"""`crscore rank`, and systems in order as other commands print them."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from crscore_core.cli.inputs import corpus_path, json_option
from crscore_core.cli.output import print_json, print_line, print_table

if TYPE_CHECKING:
    from crscore_core.corpus.run.finished import FinishedRun
    from crscore_core.ranking.order import SystemOrder

_MOST_SHOWN, _LONGEST_NAME = 20, 40

by_option = click.option(
    "--by",
    "measure",
    metavar="MEASURE",
    help="relevance, no_threshold, conciseness, comprehensiveness, people, or a label. [default: "
    "people where they rated 50 reviews of 10 changes, else relevance]",
)


def ranked(run: "FinishedRun", measure: str | None) -> "SystemOrder | None":
    """Order the systems of a run by a measure; by default by people where they rated enough."""
    from crscore_core.corpus.measures import DEFAULT_MEASURE
    from crscore_core.ranking.order import rank

    measured = run.measured(measure or DEFAULT_MEASURE)
    return rank(measured, is_chosen=measure is not None)


def print_order(order: "SystemOrder | None") -> None:
    """Print the verdict, and a row a system."""
    from crscore_core.corpus.measures import MEASURES, PEOPLE
    from crscore_core.ranking.verdict import rests_on, verdict
    from crscore_core.text import short_name

    if order is None:
        print_line("systems: no review of a system has a value")
        return
    print_line(f"{verdict(order)} {rests_on(order)}")
    shown = order.systems[:_MOST_SHOWN]
    other = order.measure.title if order.by_people else MEASURES[PEOPLE].title
    other = other if any(each.other.value is not None for each in shown) else ""
    rows = [("place", "system", "reviews", "words", order.ordered_by.title, other)]
    for each in shown:
        place, name = each.places.replace("–", "-"), short_name(each.system, _LONGEST_NAME)
        numbers = f"{each.reviews:,}", f"{each.words:.0f}"
        rows.append((place, name, *numbers, str(each.mean), str(each.other)))
    print_table(rows, left=(1, 4, 5))
    if more := len(order.systems) - len(shown) + order.systems_left_out:
        print_line(f"and {more:,} more systems")


@click.command("rank")
@click.argument("path", type=corpus_path, metavar="RUN")
@by_option
@json_option
def command(*, path: Path, measure: str | None, as_json: bool) -> None:
    """Order the systems of a finished run by a measure, and compare all pairs.

    Intervals are over changes. An order is clear after a correction for the number of pairs;
    systems whose order is open share places.
    """
    from crscore_core.corpus.measures import DEFAULT_MEASURE
    from crscore_core.corpus.run.finished import FinishedRun
    from crscore_core.errors import InputError
    from crscore_core.ranking.verdict import order_words, verdict, why_no_order

    run = FinishedRun.open(path)
    order = ranked(run, measure)
    if order is None:
        measured = run.measured(measure or DEFAULT_MEASURE)
        raise InputError(f"the run {str(path)!r}: {why_no_order(measured)}")
    if as_json:
        print_json({"run": str(path), "verdict": verdict(order), **order.as_json()})
        return
    print_order(order)
    for pair in order.pairs:
        print_line(
            f"{pair.higher} above {pair.lower} by {pair.difference.estimate}: {order_words(pair)}"
        )
