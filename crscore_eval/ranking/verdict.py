"""State what an order of systems shows, in sentences that claim only what was measured."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pandas as pd

from crscore_core.text import capital, counted, listed, shorten
from crscore_eval.metrics import metric_title
from crscore_eval.ranking.order import Order
from crscore_eval.ranking.people import MIN_RATED, MIN_RATED_CHANGES, agrees
from crscore_eval.statistics import MIN_CHANGES, SURE
from crscore_eval.table import JUDGE, LABEL, SCORES, label_title

NOT_MEASURED = "{} does not say whether a review is right or worth saying."
"""The limit of relevance, as scored and as rated by people."""

Name = Callable[[str], str]


def verdict(order: Order, name: Name = str) -> list[str]:
    """Say which system is ahead, and how clearly; the sentence to lead with is the first.

    Without enough ratings the first sentence says so; if people significantly contradict an order
    by a measure, it says that. `name` returns the name of a system for readers.
    """

    def called(system: str) -> str:
        return shorten(name(system))

    first, reverse = _first_places(order, called), _reversed_pairs(order, called)
    is_by_label = order.by.name.startswith(LABEL)
    is_contradicted = not (order.by_people or is_by_label) and order.pairs["contradicted"].any()
    return [
        *_unrated(order),
        *(reverse + first if is_contradicted else first + reverse),
        *_labels(order, called),
        *agreement_words(order, called),
        *_caveats(order),
        *(
            f"Left out, {reason}: {listed([called(system) for system in group['system']])}."
            for reason, group in order.left_out.groupby("reason", sort=False)
        ),
    ]


def basis(order: Order) -> str:
    """Say how many ratings of how many reviews, and by whom, an order rests on."""
    facts, empty = order.facts, int(order.systems["empty"].sum())
    title = "people's ratings" if order.by_people else order.by.title
    words = (
        f"Based on {title}: {counted(facts['reviews'], 'review')} of "
        f"{counted(facts['changes'], 'change')} by {counted(len(order.systems), 'system')}; "
        f"{facts['ratings']}."
    )
    return f"{words} Empty reviews, which score 0: {empty:,}." if empty else words


def agreement_words(order: Order, called: Name = str) -> list[str]:
    """Say how far the measure agrees with people, next to the best simple metric."""
    if order.agreement is None or np.isnan(order.agreement["spearman"][0]):
        return []
    figures, title = order.agreement.iloc[0], capital(order.measure.title)
    if order.measure.name.startswith(LABEL):
        rho = f"{figures['spearman']:.2f}"
        return [f"Spearman's correlation of {order.measure.title} with people's ratings: {rho}."]
    if agrees(order.agreement):
        claim = f"{title} agrees with people's ratings"
    elif figures["high"] < 0:
        claim = f"{title} contradicts people's ratings"
    elif figures["low"] > 0:
        claim = f"{title} is not shown to agree with people's ratings better than simple metrics do"
    else:
        claim = f"{title} is not shown to agree with people's ratings"
    simple = order.agreement[1:].dropna(subset="spearman").sort_values("spearman")
    if (simple["difference"].lt(0) & simple["p"].lt(SURE)).iloc[-1:].any():
        claim = f"{title} agrees less with people's ratings than the best simple metric does"
    reach = f"Spearman {figures['spearman']:.2f}"
    if len(simple):
        best = simple.iloc[-1]
        reach += (
            f"; the best simple metric, {metric_title(best['name'])}, reaches "
            f"{best['spearman']:.2f}"
        )
    sentences = [f"{claim} ({reach})."]
    if figures["without_lowest"]:
        low, high = (called(figures[f"without_{end}"]) for end in ("lowest", "highest"))
        sentences.append(
            f"With one system left out, the correlation is {figures['lowest']:.2f} (without {low}) "
            f"to {figures['highest']:.2f} (without {high})."
        )
    return sentences


def difference_words(pair: "Mapping[Any, Any] | pd.Series[Any]", *, is_signed: bool = False) -> str:
    """Say the size of a difference, its interval and over which changes.

    `pair` has the columns of `DIFFERENCE`, changes and same_changes. Without its sign, a difference
    is that of the higher and the lower mean.
    """
    turned = -1 if pair["difference"] < 0 and not is_signed else 1
    form = "{:+.2f}" if is_signed else "{:z.2f}"
    size, *ends = (form.format(turned * pair[name]) for name in ("difference", "low", "high"))
    if turned < 0:
        ends.reverse()
    between = "" if np.isnan(pair["low"]) else f" (95% interval {ends[0]} to {ends[1]})"
    over = counted(int(pair["changes"]), "change")
    over = over if pair["same_changes"] else f"different changes, at least {over} each"
    return f"{size}{between} over {over}"


def pair_words(pair: "Mapping[Any, Any] | pd.Series[Any]") -> str:
    """Say in a cell of a table whether the order of a pair is clear."""
    if np.isnan(pair["p"]):
        return "too few changes"
    return ("open", "clear", "clear the other way where both reviewed")[int(pair["sign"])]


def _first_places(order: Order, called: Name) -> list[str]:
    """Compare the first system with those that share its place, or with the next one."""
    measure, names = order.by, order.systems["system"].tolist()
    best = called(names[0])
    if len(names) == 1:
        mean = f"{measure.title} {order.systems['mean'][0]:.2f}"
        return [f"All reviews are {best}'s ({mean}): there is no other system to compare with."]
    tied = order.systems["system"][1:][order.systems["first_place"][1:] == 1].tolist()
    other = tied[0] if tied else names[1]
    pairs = order.pairs[order.pairs["higher"] == names[0]].set_index("lower")
    pair = pairs.loc[other]
    by = f"by {difference_words(pair)}"
    if np.isnan(pair["p"]):
        pair_of = f"{best} and {called(other)}"
        return [f"Too few changes to compare {pair_of}: {MIN_CHANGES} are needed."]
    if pair["sign"] < 0:
        turned = measure.higher.format(one=called(other), other=best)
        own = f"{best} has the highest mean, over changes that not all systems reviewed"
        return [f"{own}; where both reviewed, {turned}, {by}."]
    if not tied:
        higher = capital(measure.higher).format(one=best, other=called(other))
        return [f"{higher}{', the next system' if len(names) > 2 else ''}, {by}."]
    together = listed([best, *map(called, tied)])
    lead = f"{best} and {called(other)} differ {by}"
    sentences = [f"By {measure.title}, the order of these is open: {together}. {lead}."]
    if behind := [called(lower) for lower in pairs.index[pairs["sign"] > 0]]:
        sentences.append(f"Clearly lower than {best} by {measure.title}: {listed(behind)}.")
    return sentences


def _labels(order: Order, called: Name) -> list[str]:
    """Name the labels by which another system than the first has the highest mean."""
    systems = order.systems.set_index("system")
    first = systems.index[0]
    sentences = []
    for label in order.facts["labels"]:
        means = systems[label].dropna()
        if first in means.index and means[first] < means.max():
            highest, *others = means.index[means == means.max()]
            best = f"{called(highest)} and others have" if others else f"{called(highest)} has"
            sentences.append(
                f"By the label {label_title(label)}, {best} the highest mean "
                f"({means.max():.2f}); {called(first)} has {means[first]:.2f}."
            )
    return sentences


def _reversed_pairs(order: Order, called: Name) -> list[str]:
    """Name the pairs that the measure and people put in different orders."""
    if order.other is None or order.pairs.empty:
        return []
    against = order.pairs[order.pairs["reversed"]].sort_values("contradicted", ascending=False)
    who = f"{capital(order.other.title)} ranks" if order.by_people else "People's ratings rank"
    if against.empty:
        return [f"{who} the systems in the same order."] if order.by_people else []
    above = [
        f"{called(lower)} above {called(higher)}"
        for lower, higher in zip(against["lower"], against["higher"], strict=True)
    ]
    clear = int(against["contradicted"].sum())
    if order.by_people and len(against) == clear == 1 and not against["other_sign"].iloc[0]:
        names = " and ".join(map(called, against[["higher", "lower"]].iloc[0]))
        return [f"{capital(order.other.title)} does not clearly separate {names}; people do."]
    if len(against) == clear == 1:
        preference = "against" if order.by_people else "with"
        return [f"{who} {above[0]}, {preference} a clear preference of people."]
    which = f"{len(against):,} of {counted(len(order.pairs), 'pair')} in the opposite order"
    preferred = f"people's preference is clear in {clear or 'none'} of them"
    return [f"{who} {which}; {preferred}: {listed(above)}."]


def _unrated(order: Order) -> list[str]:
    """Say that an order by a score is not one of quality, where too few reviews are rated."""
    if order.facts["is_rated"] or order.by.name not in SCORES:
        return []
    needed = f"{MIN_RATED} reviews of {MIN_RATED_CHANGES} changes"
    labels = order.facts["labels"]
    instead = f", or order by {' or '.join(labels)}" if labels else ""
    advice = f"have people rate {needed} on the app's page Rate{instead}"
    return [f"This order does not show whose reviews are better: {advice}."]


def _caveats(order: Order) -> list[str]:
    """Say what is not measured, and that a judge is unchecked."""
    sentences = []
    if order.by_people or order.by.name in SCORES:
        title = "relevance" if order.by_people else order.by.title
        sentences.append(NOT_MEASURED.format(capital(title)))
    if order.by.name.startswith(JUDGE):
        remark = order.facts["unchecked"] or "see its agreement with people"
        sentences.append(f"A language model judged these reviews: {remark}.")
    return sentences
