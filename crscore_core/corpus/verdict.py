"""Whose reviews are the best, in sentences that a person can sign."""

from collections.abc import Callable

from crscore_core.corpus.two_orders import FEWEST_CHANGES, SystemPair, TwoOrders

SURE = 0.05
"""Corrected p-value below which the order of two systems counts as sure."""

_MOST_TIMES = 20
"""More changes than so many times those at hand are not worth a number."""


def verdict(orders: TwoOrders, name: Callable[[str], str] = str) -> str:
    """Say which system's reviews are the best by predicted relevance, and how sure that is.

    An order is sure where the difference to the next system, over resamples of the changes and
    corrected for the number of pairs, is no chance. Where Rel says the opposite, a further
    sentence tells. `name` gives the name of a system for readers.
    """
    first = orders.systems[0]
    best = name(first.system)
    if not orders.pairs:
        return (
            f"All reviews are {best}'s, with predicted relevance {first.predicted.mean.value:.2f}: "
            "there is no other system to compare them with."
        )
    pair, second = orders.pairs[0], orders.systems[1]
    figures = (
        f"predicted relevance {first.predicted.mean.value:.2f} against "
        f"{second.predicted.mean.value:.2f}, difference {_difference(pair)}, "
        f"{pair.changes:,} changes"
    )
    other = name(second.system)
    if pair.p is None:
        sentence = (
            f"Too few changes to say whose reviews are better: {best} and {other} have "
            f"{pair.changes:,}, and {FEWEST_CHANGES} are the fewest; {figures}."
        )
    elif pair.p < SURE:
        holds = f"it holds in {pair.probability:.0%} of resamples"
        next_one = "" if len(orders.systems) == 2 else ", the next best"
        sentence = f"{best}'s reviews are better than {other}'s{next_one}: {figures}; {holds}."
    else:
        sentence = f"{best} and {other} cannot be told apart: {figures}.{_settled(pair)}"
    return " ".join([sentence, *orders.disagreement(name)[:1]] if orders.opposite else [sentence])


def _difference(pair: SystemPair) -> str:
    value, ends = pair.predicted.value or 0.0, pair.predicted.ends
    return f"{value:.2f}" + ("" if ends is None else f" ({ends[0]:.2f} to {ends[1]:.2f})")


def _settled(pair: SystemPair) -> str:
    """Say how many changes would settle a pair, as intervals shrink with the root of their number.

    Nothing where the difference is too small for a number that anybody would score.
    """
    value, ends = pair.predicted.value, pair.predicted.ends
    if not value or ends is None:
        return ""
    times = ((ends[1] - ends[0]) / 2 / value) ** 2
    if not 1 < times <= _MOST_TIMES:
        return ""
    return f" If the difference stays, about {round(times * pair.changes):,} changes settle it."
