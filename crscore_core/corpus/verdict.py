"""Whose reviews are the best, in sentences that a person can sign."""

from collections.abc import Callable, Sequence

import numpy as np

from crscore_core.corpus.model import GROUND_TRUTH
from crscore_core.corpus.two_orders import (
    MeasuredReviews,
    SystemPair,
    TwoOrders,
    if_unclear,
    listed,
    short_name,
)
from crscore_core.predicted.model_file import fitted_model
from crscore_core.predicted.seen import SeenChange
from crscore_core.statistics import FEWEST_CHANGES, SURE, Estimate, MeanDifference

_MOST_TIMES = 20
"""More changes than so many times those at hand are not worth a number."""


def verdict(orders: TwoOrders, name: Callable[[str], str] = str) -> str:
    """Say which system's reviews are the best by predicted relevance, and how sure that is.

    An order is sure by the t interval over changes, corrected for the number of pairs. Systems
    whose order is not sure are tied. Where Rel says the opposite, a further sentence tells. `name`
    gives the name of a system for readers.
    """

    def called(system: str) -> str:
        return short_name(name(system))

    first = orders.systems[0]
    best = called(first.system)
    if not orders.pairs:
        return (
            f"All reviews are {best}'s, with predicted relevance {first.predicted.mean.value:.2f}: "
            "there is no other system to compare them with."
        )
    tied = [each.system for each in orders.systems[1:] if each.place[0] == 1]
    other = tied[0] if tied else orders.systems[1].system
    pair = next(pair for pair in orders.pairs if (pair.better, pair.worse) == (first.system, other))
    figures = difference_words(pair.of)
    if pair.p is None:
        few = f"Too few changes to say whose reviews are better, {best}'s or {called(other)}'s"
        sentences = [f"{few}: {FEWEST_CHANGES} are needed; {figures}."]
    elif pair.is_reversed:
        own = f"{best} has the highest mean, over changes that not all systems reviewed"
        sentences = [
            f"{own}; where both reviewed, {called(other)}'s reviews are better: {figures}."
        ]
    elif tied:
        names = [best, *map(called, tied)]
        sentences = [f"{_all_of(names)} cannot be told apart: {figures}."]
        if more := _to_settle(pair):
            sentences.append(f"{more.capitalize()} would settle it, if the difference stays.")
        sure = (pair for pair in orders.pairs if pair.better == first.system and pair.is_sure)
        if behind := [called(pair.worse) for pair in sure]:
            sentences.append(f"Clearly behind {best}: {_all_of(behind)}.")
    else:
        next_one = "" if len(orders.systems) == 2 else ", the next best"
        holds = f"it holds in {pair.probability:.0%} of resamples".replace("%", " %")
        better = f"{best}'s reviews are better than {called(other)}'s{next_one}"
        sentences = [f"{better}: {figures}; {holds}."]
    sentences += _opposite(orders, called)
    return " ".join(filter(None, sentences))


def difference_words(of: MeanDifference) -> str:
    """Say two means of predicted relevance, their difference, and over which changes."""
    changes = f"{of.changes:,} change{'' if of.changes == 1 else 's'}"
    if not of.is_paired and of.p is not None:
        changes = f"on changes of their own, at least {changes} each"
    return (
        f"predicted relevance {of.one:.2f} against {of.other:.2f}, "
        f"difference {_with_ends(of.estimate)}, {changes}"
    )


def no_worse(of: MeanDifference, margin: float | None = None) -> tuple[bool, str]:
    """Say whether the first of two means is no lower than the second, and why, in words.

    Without a `margin` it is lower where that is beyond chance, with one where it is not shown to
    be lower by less than the margin.
    """
    ends = of.estimate.ends
    if of.p is None or ends is None:
        return margin is None, "too few changes to tell"
    if margin is not None:
        is_shown = ends[0] > -margin
        return is_shown, f"{'' if is_shown else 'not '}shown to be less than {margin:g} worse"
    if of.p < SURE:
        is_better = of.one > of.other
        return is_better, "clearly better" if is_better else "clearly worse"
    return True, "not clearly different"


def order_words(pair: SystemPair) -> str:
    """Say in a cell of a table whether the order of a pair is sure, and what would settle it."""
    if pair.p is None or pair.is_sure:
        return "too few changes" if pair.p is None else "sure"
    if pair.is_reversed:
        return "sure the other way where both reviewed"
    return ": ".join(filter(None, ["open", _to_settle(pair)]))


def _to_settle(pair: SystemPair) -> str:
    """Say how many more changes settle an open pair; nothing where that cannot be told."""
    changes = pair.of.changes
    if pair.settles_at is None:
        return ""
    if pair.settles_at > _MOST_TIMES * changes:
        return f"more than {_MOST_TIMES} times as many changes"
    return f"about {max(1, pair.settles_at - changes):,} more changes"


def rests_on(orders: TwoOrders) -> str:
    """Say how many reviews, changes and ratings a verdict rests on."""
    rated = "all" if orders.rated == orders.reviews else f"{orders.rated:,}"
    ratings = f"people rated {rated} of them" if orders.rated else "nobody rated them"
    shown = len(orders.systems)
    left_out = ""
    if orders.systems_left_out:
        left_out = f", of which the {shown} with the most reviews are compared"
    return (
        f"It rests on {orders.reviews:,} reviews of {orders.changes:,} changes by "
        f"{shown + orders.systems_left_out:,} systems{left_out}; {ratings}.{_without_score(orders)}"
    )


def why_no_verdict(reviews: MeasuredReviews) -> str:
    """Say why no system of these reviews has a place: `two_orders` gives None."""
    is_of_a_system = np.array([name != GROUND_TRUTH for name in reviews.systems])[reviews.system]
    if not is_of_a_system.any():
        return "No verdict: there is no review of a system."
    is_predicted = is_of_a_system & ~np.isnan(reviews.predicted)
    if reviews.is_empty[is_predicted if is_predicted.any() else is_of_a_system].all():
        return "No verdict: all reviews are empty, so none has a score."
    return (
        "No verdict: no review of a system has predicted relevance, which needs the embedded "
        "encoder."
    )


def _without_score(orders: TwoOrders) -> str:
    """Say how many reviews are empty, and which systems therefore have no score."""
    words = ""
    if empty := sum(each.empty for each in orders.systems):
        words = f" Empty reviews, without a score and 0 in the means: {empty:,}."
    if orders.without_score:
        names = listed([short_name(name) for name in orders.without_score])
        words += f" Systems without a score, as all their reviews are empty: {names}."
    return words


def caution(encoder: str, changes: Sequence[SeenChange]) -> str:
    """Say in what the changes differ from those that predicted relevance was fitted to.

    Nothing where they do not differ much, or there is no model for the encoder.
    """
    fitted = fitted_model("relevance", encoder)
    differences = fitted.provenance.seen.unlike(changes) if fitted and changes else []
    if not differences:
        return ""
    return (
        f"Of {len(changes):,} changes, {'; '.join(differences)}. Predicted relevance was fitted to "
        "few reviews of such changes, so its figures may be off."
    )


def _opposite(orders: TwoOrders, called: Callable[[str], str]) -> list[str]:
    """Say that Rel orders systems oppositely: the best and another one, or else another pair."""
    if not orders.opposite:
        return []
    best = orders.systems[0].system
    pair = max(orders.opposite, key=lambda pair: pair.better == best)
    mean = {each.system: each.rel.mean.value or 0.0 for each in orders.systems}
    about = "" if pair.better == best else f" of {called(pair.better)} and {called(pair.worse)}"
    by_rel = f"{mean[pair.worse]:.2f} against {mean[pair.better]:.2f}"
    more = f"{called(pair.worse)}'s reviews talk about more of the change, {by_rel}"
    return [f"Rel says the opposite{about}{if_unclear(pair.rel)}: {more}."]


def _with_ends(estimate: Estimate) -> str:
    ends = estimate.ends
    between = "" if ends is None else f" ({ends[0]:.2f} to {ends[1]:.2f})"
    return f"{estimate.value or 0:.2f}{between}"


def _all_of(names: list[str]) -> str:
    if len(names) > 5 or len(names) == 1:
        return listed(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"
