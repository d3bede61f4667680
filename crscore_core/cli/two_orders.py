"""Systems of a finished run by predicted relevance, beside Rel, as commands print them."""

from typing import TYPE_CHECKING

from crscore_core.cli.output import print_line

if TYPE_CHECKING:
    from crscore_core.corpus.run.finished import FinishedRun
    from crscore_core.corpus.two_orders import TwoOrders
    from crscore_core.statistics import Estimate

_MOST_SHOWN, _LONGEST_NAME = 20, 40


def print_orders(orders: "TwoOrders | None", run: "FinishedRun", tau: float) -> None:
    """Print the verdict on a run, systems with Rel at `tau`, and where the measures disagree."""
    from crscore_core.corpus.at_odds import short_name
    from crscore_core.corpus.verdict import caution, rests_on, verdict

    if orders is None:
        print_line("predicted relevance: no review has any")
        return
    print_line(f"{verdict(orders)} {rests_on(orders)}")
    print_line(
        "systems by predicted relevance, which tau does not change, and Rel: how much of the "
        f"change reviews talk about, at tau {tau:g}"
    )
    shown = orders.systems[:_MOST_SHOWN]
    names = [short_name(each.system, _LONGEST_NAME) for each in shown]
    width = max([len("system"), *map(len, names)])
    people = "" if not orders.rated else f"{'':<19}  people (1 to 5)"
    head = f"{'place':>5}  {'system':<{width}}  reviews  {'predicted relevance':<22}  Rel{people}"
    print_line(head)
    for name, each in zip(names, shown, strict=True):
        place = "-".join(map(str, dict.fromkeys(each.place)))
        print_line(
            f"{place:>5}  {name:<{width}}  {each.reviews:>7,}  "
            f"{_figure(each.predicted.mean):<22}  {_figure(each.rel.mean):<22}  "
            f"{_figure(each.people, 2) if each.people else ''}".rstrip()
        )
    if more := len(orders.systems) - len(shown) + orders.systems_left_out:
        print_line(f"and {more:,} more systems")
    for sentence in orders.disagreement():
        print_line(sentence)
    if warning := caution(run.encoder, [*run.changes().values()]):
        print_line(f"careful: {warning}")


def _figure(mean: "Estimate", digits: int = 3) -> str:
    low, high = mean.ends or (None, None)
    ends = "" if low is None else f" ({low:.{digits}f} to {high:.{digits}f})"
    return f"{mean.value:.{digits}f}{ends}"
