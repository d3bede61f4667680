"""State what an order of systems shows, in sentences that claim only what was measured."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from crscore_core.text import counted, in_words, listed, shorten
from crscore_eval.data.ratings import MIN_RATED, MIN_RATED_CHANGES
from crscore_eval.formatting import capitalize_first, corrected_p, p_in_words
from crscore_eval.ranking.order import ORDERS, UNKNOWN, Order
from crscore_eval.statistics.bootstrap import MIN_CHANGES
from crscore_eval.table import JUDGE_PREFIX, RIGHT_LABEL, SCORES, label_title
from crscore_eval.validity.compare import findings

LIMIT = "The scores do not say whether a review is right or worth saying."
_MAX_PLACES = 12  # systems that a sentence names
_JUDGED = "A language model judged these reviews; only people's answers show if it is right."


def verdict(order: Order) -> list[str]:
    """Return sentences on which system is ahead and by how much, the most important first.

    The first sentences say which system is first, if people decide the order, and where the measure
    contradicts them; or else whether too few reviews are rated to show quality.
    """
    first = _first_place_sentences(order)
    return [
        *(first[:1] if order.is_by_people else []),
        *_contradiction_sentences(order),
        *_unrated_sentences(order),
        *first[order.is_by_people :],
        *_places_sentences(order),
        *_orders_sentences(order),
        *_label_sentences(order),
        *(
            sentence
            for table in order.agreements.values()
            for sentence in findings(table, table["label"].iloc[0])
        ),
        *[_JUDGED] * order.by.name.startswith(JUDGE_PREFIX),
        *filter(None, [order.unjudged]),
        LIMIT,
        *(
            f"Left out: {in_words([*map(shorten, group['system'])])} ({reason})."
            for reason, group in order.left_out.groupby("reason", sort=False)
        ),
    ]


def order_basis(order: Order) -> str:
    """Return a sentence on what an order is based on: reviews, changes, systems, ratings."""
    n_reviews, n_empty = order.systems[["n", "empty"]].sum().astype(int)
    empty = f" ({n_empty:,} of them state nothing)" if n_empty else ""
    sentence = (
        f"Based on {order.by.title}: {counted(n_reviews, 'review')}{empty} of "
        f"{counted(order.n_changes, 'change')} by {counted(len(order.systems), 'system')}; "
    )
    if order.n_shared < order.n_changes:
        sentence += f"{counted(order.n_shared, 'change')} in common; "
    sentence += f"{order.ratings}."
    if order.people and order.pairs[["p", "other_p"]].notna().any(axis=None):
        sentence += " Significance is tested over changes and says nothing about other raters."
    return sentence


def describe_difference(pair: "Mapping[Any, Any] | pd.Series[Any]") -> str:
    """Return a difference with its sign, its interval, and the number of changes, in words.

    `pair` has the columns of `difference_table`.
    """
    size, low, high = (f"{pair[name]:+z.3f}" for name in ("difference", "low", "high"))
    interval = "" if np.isnan(pair["low"]) else f" (95% interval {low} to {high})"
    changes = counted(int(pair["changes"]), "change")
    changes = changes if pair["same_changes"] else f"all changes of each side, at least {changes}"
    return f"difference {size}{interval} over {changes}"


def shared_changes(pair: "Mapping[Any, Any] | pd.Series[Any]") -> str:
    """Return a table cell with the number of changes that a difference covers."""
    n = f"{int(pair['changes']):,}"
    return n if pair["same_changes"] or n == "0" else f"all of each, at least {n}"


def _contradiction_sentences(order: Order) -> list[str]:
    """Name the pairs that people order significantly, and the measure oppositely."""
    pairs = order.pairs[order.pairs["contradicted"]]
    if pairs.empty:
        return []
    own, others = ("other_", "") if order.is_by_people else ("", "other_")
    pairs = pairs.sort_values([f"{own}sign", f"{others}difference"], key=abs, ascending=False)
    cells, ranked = pairs[["higher", "lower", f"{own}difference", f"{own}p"]].to_numpy(), []
    title = order.scored_by.title
    for *names, difference, p in cells:
        first, second = map(shorten, names[::-1] if difference < 0 else names)
        tested = f"{title}: {p_in_words(p)}" if p_in_words(p) else "not tested"
        ranked.append(f"{first} above {second} ({tested})")
    which = f"{len(pairs):,} of {counted(len(order.pairs), 'pair')} of systems"
    opposite = f"orders {which} opposite to people's significant preference"
    n_significant = int((pairs[f"{own}sign"] != 0).sum()) or "none"
    opposite += f", {n_significant} of them significantly"
    return [f"{capitalize_first(title)} {opposite}: {listed(ranked)}."]


def _unrated_sentences(order: Order) -> list[str]:
    """Warn that an order by a score does not show quality if too few reviews are rated."""
    if order.has_enough_ratings or order.by.name not in SCORES or len(order.systems) == 1:
        return []
    needed = f"at least {MIN_RATED} reviews of at least {MIN_RATED_CHANGES} changes have them"
    answers = "people's answers on whether reviews are worth saying"
    sentence = f"This order does not show whose reviews are better: {answers} decide that, if "
    is_right_only = RIGHT_LABEL in order.systems and order.other_measure is None
    so_far = " Reviews have answers on whether they are right, but not on worth." * is_right_only
    return [f"{sentence}{needed}.{so_far}"]


def _first_place_sentences(order: Order) -> list[str]:
    """Compare the first system with those that share its place, or with the next one."""
    measure, names = order.by, order.systems["system"].tolist()
    first = shorten(names[0])
    if len(names) == 1:
        mean = f"mean {order.systems['mean'][0]:.3f}"
        return [f"No other system can be compared with {first} by {measure.title} ({mean})."]
    tied = order.systems["system"][1:][order.systems["first_place"][1:] == 1].tolist()
    pairs = order.pairs[order.pairs["higher"] == names[0]].set_index("lower")
    pair = pairs.loc[[*pairs.index[pairs["sign"] < 0], *tied, names[1]][0]]
    second, n_tests = shorten(str(pair.name)), int(order.pairs["p"].count())
    difference = f"{describe_difference(pair)}; {corrected_p(pair['p'], n_tests)}"
    if np.isnan(pair["p"]):
        return [f"Too few changes to compare {first} and {second}: {MIN_CHANGES} are needed."]
    if pair["sign"] < 0:
        highest = f"{first} has the highest mean, but not every system reviewed every change"
        shared = measure.conclusion(second, first)
        minus = f"{first} minus {second}: {difference}"
        return [f"{highest}. On the changes that both reviewed, {shared} ({minus})."]
    if not tied:
        claim = capitalize_first(measure.conclusion(first, second))
        return [f"{claim}{', the next system compared' if len(names) > 2 else ''}: {difference}."]
    sharing = in_words([first, *map(shorten, tied)])
    sentence = f"First place is undecided between {sharing}: they do not differ significantly by "
    return [f"{sentence}{measure.title} ({first} minus {second}: {difference})."]


def _places_sentences(order: Order) -> list[str]:
    """Name the systems by their possible places, if any pair was tested."""
    if not order.pairs["p"].notna().any():
        return []
    systems = order.systems.sort_values(["first_place", "last_place"], kind="stable")
    named = systems[:_MAX_PLACES]
    places = [
        f"{place}, {in_words([*map(shorten, group)])}"
        for place, group in named.groupby("place", sort=False)["system"]
    ]
    more = counted(len(systems) - len(named), "more system")
    places += [f"and {more}"] * (len(systems) > len(named))
    return [f"Places by {order.by.title}: {'; '.join(places)}."]


def _orders_sentences(order: Order) -> list[str]:
    counts = order.pairs["orders"].value_counts()
    if order.people is None or counts.drop(UNKNOWN, errors="ignore").empty:
        return []
    kinds = [f"{counts[kind]:,} {kind}" for kind in [*ORDERS.values(), UNKNOWN] if kind in counts]
    pairs = f"{counted(len(order.pairs), 'pair')} of systems"
    both = f"by {order.scored_by.title} and by {order.people.title}"
    return [f"{pairs} {both}: {', '.join(kinds)}."]


def _label_sentences(order: Order) -> list[str]:
    """Name the systems that a label puts significantly below others, and those not tested."""
    sentences = []
    for label, pairs in order.label_pairs.items():
        tested, parts = pairs.dropna(subset="p"), []
        for lower, group in tested[tested["sign"] > 0].groupby("lower", sort=False):
            cells = group[["higher", "p"]].to_numpy()
            others = in_words([f"{shorten(name)} ({p_in_words(p)})" for name, p in cells])
            parts.append(f"{shorten(str(lower))} than {others}")
        compared = {*tested["higher"], *tested["lower"]}
        few = [shorten(name) for name in order.systems["system"] if name not in compared]
        untested = f" Not tested (too few labelled changes): {in_words(few)}." if few else ""
        lower = f"Significantly lower by the label {label_title(label)}: {listed(parts)}"
        corrected = f"after Holm's correction for {counted(len(tested), 'comparison')}"
        if parts:
            sentences.append(f"{lower}, {corrected}.{untested}")
    return sentences
