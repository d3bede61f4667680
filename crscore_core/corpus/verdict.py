"""Whose reviews are the best, in sentences that a person can sign."""

from collections.abc import Callable, Sequence

import numpy as np

from crscore_core.corpus.at_odds import OWN, if_unclear, listed, short_name
from crscore_core.corpus.model import GROUND_TRUTH
from crscore_core.corpus.two_orders import MeasuredReviews, SystemPair, TwoOrders
from crscore_core.predicted.model_file import fitted_model
from crscore_core.predicted.seen import SeenChange
from crscore_core.statistics import FEWEST_CHANGES, MeanDifference

_RATED = "mean rating (1 to 5)"
_MOST_TIMES = 20
"""More changes than so many times those at hand are not worth a number."""


def verdict(orders: TwoOrders, name: Callable[[str], str] = str) -> str:
    """Say which system's reviews are the best by predicted relevance, and how sure that is.

    An order is sure by the t interval over changes, corrected for the number of pairs. Systems
    whose order is not sure are tied. A verdict that people's ratings clearly contradict opens with
    what people say. Where Rel says the opposite, a further sentence tells, and the last ones name
    who was left out. `name` gives the name of a system for readers.
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
    of_first = {pair.worse: pair for pair in orders.pairs if pair.better == first.system}
    pair = of_first[other]
    figures = difference_words(pair.of)
    if pair.p is None:
        few = f"Too few changes to say whose reviews are better, {best}'s or {called(other)}'s"
        sentences = [f"{few}: {FEWEST_CHANGES} are needed; {figures}."]
    elif pair.is_reversed:
        own = f"{best} has the highest mean, over changes that not all systems reviewed"
        turned = difference_words(pair.of.turned)
        sentences = [f"{own}; where both reviewed, {called(other)}'s reviews are better: {turned}."]
    elif tied:
        names = [best, *map(called, tied)]
        sentences = [f"{_all_of(names)} cannot be told apart: {figures}."]
        if more := _to_settle(pair):
            sentences.append(f"{more.capitalize()} would settle it, if the difference stays.")
        if behind := [called(worse) for worse, pair in of_first.items() if pair.is_sure]:
            sentences.append(f"Clearly behind {best}: {_all_of(behind)}.")
    else:
        next_one = "" if len(orders.systems) == 2 else ", the next best"
        holds = f"; it holds in {pair.probability:.0%} of resamples".replace("%", " %")
        if pair.predicted.interval is None:
            holds = ", the same on each"
        better = f"{best}'s reviews are better than {called(other)}'s{next_one}"
        sentences = [f"{better}: {figures}{holds}."]
    against = [
        (people, one)
        for one in of_first.values()
        if (people := one.people) and people.sign < 0 and not one.is_reversed
    ]
    if against:
        people, preferred = max(against, key=lambda one: one[0].other)
        says = "does not tell these two apart"
        if preferred.is_sure:
            says = f"disagrees and puts {best} first"
        sentences = [
            _higher(called(preferred.worse), best, people.turned),
            f"Predicted relevance {says}: {difference_words(preferred.of)}.",
        ]
    elif pair.people and pair.p is not None:
        sentences.append(_people(pair, called))
    return " ".join(sentences + _opposite(orders, called) + _left_out(orders, called))


def _people(pair: SystemPair, called: Callable[[str], str]) -> str:
    """Say whether people's ratings of two systems agree with what predicted relevance says."""
    people = pair.people
    if people is None or people.p is None:
        return "People rated reviews of too few changes to confirm that."
    said = int(pair.is_sure) - int(pair.is_reversed)
    figures = difference_words(people.turned if (people.sign or said) < 0 else people, _RATED)
    if people.sign == 0:
        return f"People's ratings do not tell these two apart: {figures}."
    if people.sign == said:
        return f"People agree: {figures}."
    names = called(pair.better), called(pair.worse)
    return _higher(*names, people) if people.sign > 0 else _higher(*names[::-1], people.turned)


def _higher(one: str, other: str, people: MeanDifference) -> str:
    figures = difference_words(people, _RATED)
    return f"People rated {one}'s reviews higher than {other}'s: {figures}."


def difference_words(of: MeanDifference, measure: str = "predicted relevance") -> str:
    """Say two means, their difference, and over which changes; the three add up as written."""
    changes = f"{of.changes:,} change{'' if of.changes == 1 else 's'}"
    if not of.is_paired and of.p is not None:
        changes = f"on changes of their own, at least {changes} each"
    value, ends = of.one - of.other, of.estimate.ends
    digits = next(
        (
            n
            for n in (2, 3)
            if round(round(of.one, n) - round(of.other, n) - round(value, n), 9) == 0
        ),
        4,
    )
    between = "" if ends is None else f" ({ends[0]:.{digits}f} to {ends[1]:.{digits}f})"
    return (
        f"{measure} {of.one:.{digits}f} against {of.other:.{digits}f}, "
        f"difference {value:.{digits}f}{between}, {changes}"
    )


def no_worse(of: MeanDifference, margin: float | None = None) -> tuple[bool, str]:
    """Say whether the first of two means is no lower than the second, and why, in words.

    Without a `margin` it is lower where that is beyond chance, with one where it is not shown to
    be lower by less than the margin.
    """
    if of.p is None:
        return margin is None, "too few changes to tell"
    if margin is not None:
        lowest, _ = of.estimate.ends or (of.one - of.other, None)
        is_shown = lowest > -margin
        return is_shown, f"{'' if is_shown else 'not '}shown to be less than {margin:g} worse"
    words = ("not clearly different", "clearly better", "clearly worse")
    return of.sign >= 0, words[of.sign]


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
    own = next((one for one in orders.agreement if one.measured.data == OWN), None)
    if own:
        ratings += f", and its Spearman correlation with them is {own.measured.estimate}"
    numbers = (orders.reviews, orders.changes, len(orders.systems) + orders.systems_left_out)
    things = [
        f"{n:,} {thing}{'' if n == 1 else 's'}"
        for n, thing in zip(numbers, ("review", "change", "system"), strict=True)
    ]
    counts = "{} of {} by {}".format(*things)
    return (
        f"Systems are ranked by predicted relevance of {counts}; {ratings}.{_without_score(orders)}"
    )


def _left_out(orders: TwoOrders, called: Callable[[str], str]) -> list[str]:
    """Say which systems are not compared."""
    sentences = []
    if more := orders.systems_left_out:
        shown = len(orders.systems)
        sentences.append(
            f"{shown} of {shown + more:,} systems are compared, those with the most reviews; of "
            "equally many those with the highest predicted relevance."
        )
    if orders.few_changes:
        names = listed([called(system) for system in orders.few_changes])
        sentences.append(f"Left out, with fewer than {FEWEST_CHANGES} changes: {names}.")
    return sentences


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
    about = "" if pair.better == best else f" of {called(pair.better)} and {called(pair.worse)}"
    more, rel = pair.better, pair.rel
    if rel.one < rel.other:
        more, rel = pair.worse, rel.turned
    talks = f"{called(more)}'s reviews talk about more of the change"
    figures = f"{talks}, {difference_words(rel, 'Rel')}"
    return [f"Rel says the opposite{about}{if_unclear(rel.estimate)}: {figures}."]


def _all_of(names: list[str]) -> str:
    if len(names) > 5 or len(names) == 1:
        return listed(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"
