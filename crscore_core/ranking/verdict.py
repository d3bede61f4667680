"""State what a ranking of systems shows, in sentences that claim only what was measured."""

from collections.abc import Callable, Sequence

from crscore_core.corpus.measures import (
    FEWEST_RATED,
    FEWEST_RATED_CHANGES,
    MEASURES,
    PEOPLE,
    Measure,
    MeasuredReviews,
)
from crscore_core.corpus.model import GROUND_TRUTH
from crscore_core.ranking.order import SystemOrder, SystemPair
from crscore_core.text import capital, counted, listed, short_name
from crscore_eval.statistics import FEWEST_CHANGES, MeanDifference

_MOST_TIMES = 20
"""More changes than so many times those at hand are not worth a number."""

_NOT_SAID = "This order does not say whether reviews are right, or worth saying."

Name = Callable[[str], str]


def verdict(order: SystemOrder, name: Name = str) -> str:
    """Say which system is ahead by the measure that orders the systems, and how clearly.

    An order is clear by the t interval over changes, corrected for the number of pairs. If people
    clearly contradict an order by a measure, the verdict opens with that. An order by people goes
    on with how well the measure agrees with them. Scores and ratings of relevance say nothing
    about whether reviews are right, as the verdict states. `name` gives the name of a system for
    readers.
    """
    return " ".join(verdict_sentences(order, name))


def verdict_sentences(order: SystemOrder, name: Name = str) -> list[str]:
    """Return the sentences of `verdict`, the one to lead with first."""

    def called(system: str) -> str:
        return short_name(name(system))

    sentences = [*_contradiction(order, called), *_first_places(order, called)]
    if order.by_people:
        sentences += _agreement(order, called)
    elif order.agreement is None and order.rated and order.pairs:
        sentences.append(
            f"People rated {order.rated:,} of these reviews: too few to order systems by "
            f"({FEWEST_RATED} reviews of {FEWEST_RATED_CHANGES} changes are needed)."
        )
    if order.pairs and order.ordered_by.name in MEASURES:
        sentences.append(_NOT_SAID)
    sentences += filter(None, [order.remark])
    return [*sentences, *_left_out(order, called)]


def difference_words(of: MeanDifference, measure: Measure) -> str:
    """Say two means, their difference, and over which changes; the three add up as written."""
    changes = counted(of.changes, "change")
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
        f"{measure.title} {of.one:.{digits}f} against {of.other:.{digits}f}, "
        f"difference {value:.{digits}f}{between}, {changes}"
    )


def no_lower(of: MeanDifference, margin: float | None = None) -> tuple[bool, str]:
    """Say whether the first of two means is no lower than the second, and why, in words.

    Without a `margin` it is lower where that is beyond chance, with one where it is not shown to
    be lower by less than the margin.
    """
    if of.p is None:
        return margin is None, "too few changes to compare"
    if margin is not None:
        lowest, _ = of.estimate.ends or (of.one - of.other, None)
        is_shown = lowest > -margin
        return is_shown, f"{'' if is_shown else 'not '}shown to be less than {margin:g} lower"
    return of.sign >= 0, ("no clear difference", "higher", "lower")[of.sign]


def order_words(pair: SystemPair) -> str:
    """Say in a cell of a table whether the order of a pair is clear, and what would settle it."""
    if pair.difference.p is None:
        return "too few changes"
    if pair.difference.sign:
        return "clear" if pair.difference.sign > 0 else "clear the other way where both reviewed"
    return ": ".join(filter(None, ["open", _to_settle(pair)]))


def rests_on(order: SystemOrder) -> str:
    """Say how many reviews, changes, systems and ratings an order rests on."""
    rated = "all" if order.rated == order.reviews else f"{order.rated:,}"
    ratings = f"people rated {rated} of them" if order.rated else "nobody rated their relevance"
    numbers = (order.reviews, order.changes, len(order.systems) + order.systems_left_out)
    things = map(counted, numbers, ("review", "change", "system"))
    words = "{} of {} by {}".format(*things)
    title = "people's ratings" if order.by_people else order.measure.title
    words = f"The verdict rests on {title}: {words}; {ratings}."
    if empty := sum(each.empty for each in order.systems):
        words += f" Empty reviews have no score and count 0 in means of scores: {empty:,}."
    return words


def why_no_order(measured: MeasuredReviews) -> str:
    """Say why `rank` gives None."""
    if all(name == GROUND_TRUTH for name in measured.reviews.systems):
        return "No ranking: there is no review of a system."
    if measured.measure.is_score and measured.reviews.is_empty.all():
        return "No ranking: all reviews are empty, so none has a score."
    return f"No ranking: no review of a system has a value of {measured.measure.title}."


def _first_places(order: SystemOrder, called: Name) -> list[str]:
    """Compare the first system with those that share its place, or with the next one."""
    measure, first = order.ordered_by, order.systems[0]
    best = called(first.system)
    if not order.pairs:
        mean = f"{measure.title} {first.mean.value:.2f}"
        return [f"All reviews are {best}'s ({mean}): there is no other system to compare with."]
    tied = [each.system for each in order.systems[1:] if each.place and each.place[0] == 1]
    other = tied[0] if tied else order.systems[1].system
    of_first = {pair.lower: pair for pair in order.pairs if pair.higher == first.system}
    pair = of_first[other]
    figures = difference_words(pair.difference, measure)
    if pair.difference.p is None:
        few = f"Too few changes to compare {best} and {called(other)}"
        return [f"{few}: {FEWEST_CHANGES} are needed; {figures}."]
    if pair.difference.sign < 0:
        turned = difference_words(pair.difference.turned, measure)
        higher = measure.higher.format(one=called(other), other=best)
        own = f"{best} has the highest mean, over changes that not all systems reviewed"
        return [f"{own}; where both reviewed, {higher}: {turned}."]
    if not tied:
        higher = capital(measure.higher).format(one=best, other=called(other))
        next_one = "" if len(order.systems) == 2 else ", the next system"
        return [f"{higher}{next_one}: {figures}."]
    names = _all_of([best, *map(called, tied)])
    by = "People's ratings do" if order.by_people else f"{capital(measure.title)} does"
    sentences = [f"{by} not tell {names} apart: {figures}."]
    if more := _to_settle(pair):
        sentences.append(f"{capital(more)} would settle it, if the difference stays.")
    if behind := [called(lower) for lower, one in of_first.items() if one.difference.sign > 0]:
        sentences.append(f"Clearly lower than {best}: {_all_of(behind)}.")
    return sentences


def _contradiction(order: SystemOrder, called: Name) -> list[str]:
    """Open an order by a measure with the pair that people order otherwise most widely."""
    if order.by_people or not order.contradicted:
        return []
    pair = order.contradicted[0]
    if pair.other is None:
        return []
    figures = difference_words(pair.other.turned, MEASURES[PEOPLE])
    more = len(order.contradicted) - 1
    others = "" if not more else f" They contradict it on {counted(more, 'more pair')}."
    return [
        (
            f"People's ratings contradict this order: they rated {called(pair.lower)}'s reviews as "
            f"more relevant than {called(pair.higher)}'s, {figures}.{others}"
        )
    ]


def _agreement(order: SystemOrder, called: Name) -> list[str]:
    """Say how well the measure agrees with people, and which pairs it orders otherwise."""
    title, agreement = capital(order.measure.title), order.agreement
    if agreement is None or agreement.value is None:
        return []
    how = ("does not clearly agree", "agrees", "disagrees")[agreement.sign]
    sentences = [
        (
            f"{title} {how} with people's ratings of these {order.rated:,} reviews: Spearman "
            f"correlation {agreement}."
        )
    ]
    if against := order.contradicted:
        pairs = [f"{called(pair.lower)} above {called(pair.higher)}" for pair in against]
        clear = sum(pair.difference.sign > 0 for pair in order.pairs)
        sentences.append(
            f"It puts {len(against):,} of the {clear:,} pairs that people clearly order the other "
            f"way round: {listed(pairs)}."
        )
    return sentences


def _to_settle(pair: SystemPair) -> str:
    """Say how many more changes settle an open pair; nothing where that cannot be told."""
    changes = pair.difference.changes
    if pair.settles_at is None:
        return ""
    if pair.settles_at > _MOST_TIMES * changes:
        return f"more than {_MOST_TIMES} times as many changes"
    more = max(1, pair.settles_at - changes)
    return f"about {counted(more, 'more change')}"


def _left_out(order: SystemOrder, called: Name) -> list[str]:
    """Say which systems are not compared."""
    sentences = []
    if more := order.systems_left_out:
        shown = len(order.systems)
        sentences.append(
            f"{shown} of {shown + more:,} systems are compared, those with the most reviews; of "
            "equally many those with the highest mean."
        )
    if order.few_changes:
        names = listed([called(system) for system in order.few_changes])
        sentences.append(f"Left out, with fewer than {FEWEST_CHANGES} changes: {names}.")
    if order.without_score:
        names = listed([called(system) for system in order.without_score])
        sentences.append(f"Left out, as all their reviews are empty: {names}.")
    return sentences


def _all_of(names: Sequence[str]) -> str:
    if len(names) > 5 or len(names) == 1:
        return listed(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"
