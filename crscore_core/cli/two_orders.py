"""Systems of a finished run by predicted relevance, beside Rel, as commands print them."""

from typing import TYPE_CHECKING

from crscore_core.cli.output import print_line

if TYPE_CHECKING:
    from crscore_core.corpus.two_orders import TwoOrders
    from crscore_core.statistics import Estimate

_MOST_SHOWN, _LONGEST_NAME = 20, 40


def print_orders(orders: "TwoOrders | None", tau: float) -> None:
    """Print the verdict, systems with Rel at `tau`, and where the two measures disagree."""
    from crscore_core.corpus.verdict import rests_on, verdict

    if orders is None:
        print_line("predicted relevance: no review has any")
        return
    print_line(f"{verdict(orders)} {rests_on(orders)}")
    print_line(
        "systems by predicted relevance, which tau does not change, and Rel: how much of the "
        f"change reviews talk about, at tau {tau:g}"
    )
    shown = orders.systems[:_MOST_SHOWN]
    names = [each.system[:_LONGEST_NAME] for each in shown]
    width = max([len("system"), *map(len, names)])
    print_line(f"{'place':>5}  {'system':<{width}}  reviews  {'predicted relevance':<22}  Rel")
    for name, each in zip(names, shown, strict=True):
        place = "-".join(map(str, dict.fromkeys(each.place)))
        print_line(
            f"{place:>5}  {name:<{width}}  {each.reviews:>7,}  "
            f"{_figure(each.predicted.mean):<22}  {_figure(each.rel.mean)}"
        )
    if more := len(orders.systems) - len(shown) + orders.systems_left_out:
        print_line(f"and {more:,} more systems")
    for sentence in orders.disagreement():
        print_line(sentence)


def _figure(mean: "Estimate") -> str:
    ends = "" if mean.ends is None else " ({:.3f} to {:.3f})".format(*mean.ends)
    return f"{mean.value:.3f}{ends}"
