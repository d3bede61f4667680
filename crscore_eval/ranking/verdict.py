"""State what an order of systems shows, in sentences that claim only what was measured."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from crscore_core.text import counted, listed, shorten
from crscore_eval.data.ratings import MIN_RATED, MIN_RATED_CHANGES
from crscore_eval.formatting import capitalize_first, format_figure, in_words
from crscore_eval.metrics.agreement import findings
from crscore_eval.ranking.order import OPPOSITE, SAME, TIED, Order
from crscore_eval.ranking.people import PEOPLE_MEASURES
from crscore_eval.statistics.bootstrap import MIN_CHANGES
from crscore_eval.table import JUDGE_PREFIX, LABEL_PREFIX, PEOPLE, SCORES, label_title

LIMIT_TEMPLATE = "{} does not say whether a review is right or worth saying."
"""The limit of a measure, named by its title: relevance, as scored and as rated by people."""

_MAX_GROUPS = 4  # of systems with the same mean of a label

NameOf = Callable[[str], str]
"""Returns the name of a system for readers."""


def verdict(order: Order, name_of: NameOf = str) -> list[str]:
    """Return sentences on which system is ahead and by how much, the most important first.

    The first sentence says if people rated too few reviews, or if people and the measure
    significantly contradict each other.
    """

    def short_name(system: str) -> str:
        return shorten(name_of(system))

    first_place = _first_place_sentences(order, short_name)
    orders = _orders_sentences(order, short_name)
    is_by_label = order.by.name.startswith(LABEL_PREFIX) and not order.is_by_people
    is_contradicted = not is_by_label and order.pairs["contradicted"].any()
    return [
        *_unrated_sentences(order),
        *(orders + first_place if is_contradicted else first_place + orders),
        *_right_sentences(order, short_name),
        *_label_sentences(order, short_name),
        *_agreement_sentences(order),
        *_limit_sentences(order),
        *(
            f"Left out: {in_words([short_name(system) for system in group['system']])} ({reason})."
            for reason, group in order.left_out.groupby("reason", sort=False)
        ),
    ]


def contradiction(order: Order) -> str:
    """Say in how many pairs people's significant preference is opposite to the measure's order.

    Empty without such a pair.
    """
    n_contradicted = int(order.pairs["contradicted"].sum())
    if not n_contradicted:
        return ""
    return (
        f"In {n_contradicted:,} of {counted(len(order.pairs), 'pair')} of systems people's "
        f"preference is significant and {order.scored_by.title} points the other way."
    )


def order_basis(order: Order) -> str:
    """Return a sentence on what an order is based on: reviews, changes, systems, ratings."""
    n_reviews, n_empty = order.systems[["n", "empty"]].sum()
    sentence = (
        f"Based on {order.by.title}: {counted(n_reviews, 'review')} of "
        f"{counted(order.n_changes, 'change')} by {counted(len(order.systems), 'system')}; "
    )
    if order.n_shared < order.n_changes:
        sentence += f"{counted(order.n_shared, 'change')} in common; "
    sentence += f"{order.ratings}."
    is_score = order.by.name in SCORES
    if n_empty and is_score:
        sentence += f" Scored 0: {counted(n_empty, 'empty review')}."
    if order.n_without_value and not order.is_by_people:
        sentence += f" Without a value: {counted(order.n_without_value, 'review')}."
    return sentence


def _agreement_sentences(order: Order) -> list[str]:
    title, sentences = order.scored_by.title, []
    for name, agreement in order.agreements.items():
        own, people = agreement.iloc[0], PEOPLE_MEASURES[name]
        if not np.isnan(own["value"]):
            rho = format_figure(own["value"], own["low"], own["high"])
            sentences.append(f"Spearman's correlation of {title} with {people}: {rho}.")
            if not order.scored_by.name.startswith(LABEL_PREFIX):
                sentences += findings(agreement, people, title)
    return sentences


def describe_difference(
    pair: "Mapping[Any, Any] | pd.Series[Any]", *, is_signed: bool = False
) -> str:
    """Return the size of a difference, its interval, and the number of changes, in words.

    `pair` has the columns of `difference_table`, changes and same_changes. Unless `is_signed`, the
    difference is the higher mean minus the lower one.
    """
    sign = -1 if pair["difference"] < 0 and not is_signed else 1
    form = "{:+.3f}" if is_signed else "{:z.3f}"
    size, *limits = (form.format(sign * pair[name]) for name in ("difference", "low", "high"))
    low, high = limits[::sign]
    interval = "" if np.isnan(pair["low"]) else f" (95% interval {low} to {high})"
    changes = counted(int(pair["changes"]), "change")
    changes = changes if pair["same_changes"] else f"all changes of each side, at least {changes}"
    return f"{size}{interval} over {changes}"


def significance(pair: "Mapping[Any, Any] | pd.Series[Any]") -> str:
    """Return whether the difference of a pair is significant, as a cell of a table."""
    if np.isnan(pair["p"]):
        return "too few changes"
    return {1: "yes", 0: "no", -1: "reversed on shared changes"}[int(pair["sign"])]


def shared_changes(pair: "Mapping[Any, Any] | pd.Series[Any]") -> str:
    """Return over how many changes a difference is, as a cell of a table."""
    n = f"{int(pair['changes']):,}"
    return n if pair["same_changes"] else f"all of each, at least {n}"


def _first_place_sentences(order: Order, short_name: NameOf) -> list[str]:
    """Compare the first system with those that share its place, or with the next one."""
    measure, names = order.by, order.systems["system"].tolist()
    first = short_name(names[0])
    if len(names) == 1:
        mean = f"{measure.title} {order.systems['mean'][0]:.3f}"
        return [f"Only {first} has reviews to compare ({mean})."]
    tied = order.systems["system"][1:][order.systems["first_place"][1:] == 1].tolist()
    pairs = order.pairs[order.pairs["higher"] == names[0]].set_index("lower")
    pair = pairs.loc[tied[0] if tied else names[1]]
    second = short_name(str(pair.name))
    by = f"by {describe_difference(pair)}"
    if np.isnan(pair["p"]):
        return [f"Too few changes to compare {first} and {second}: {MIN_CHANGES} are needed."]
    if pair["sign"] < 0:
        highest = f"{first} has the highest mean, but not every system reviewed every change"
        shared = measure.conclusion_template.format(one=second, other=first)
        return [f"{highest}. On the changes that both reviewed, {shared}, {by}."]
    if not tied:
        claim = capitalize_first(measure.conclusion_template).format(one=first, other=second)
        return [f"{claim}{', the next system' if len(names) > 2 else ''}, {by}."]
    sharing = f"{in_words([first, *map(short_name, tied)])} share first place"
    reason = f"they do not differ significantly by {measure.title}"
    difference = f"The difference between {first} and {second} is {describe_difference(pair)}."
    sentences = [f"{sharing}: {reason}. {difference}"]
    if lower := [short_name(name) for name in pairs.index[pairs["sign"] > 0]]:
        sentences.append(f"Significantly lower than {first} by {measure.title}: {in_words(lower)}.")
    return sentences


def _right_sentences(order: Order, short_name: NameOf) -> list[str]:
    parts = [
        f"for {short_name(lower)} than for {short_name(higher)}"
        for lower, higher in order.fewer_right.items()
    ]
    return [f"The share of right reviews is significantly lower {listed(parts)}."] if parts else []


def _label_sentences(order: Order, short_name: NameOf) -> list[str]:
    """Give the order by each label that puts a pair of systems in the opposite order.

    Means that are equal to three decimals are tied, which is not another order. Systems with fewer
    labels than `MIN_CHANGES` have no place in it.
    """
    sentences = []
    for label in order.labels:
        systems = order.systems[order.systems[f"n_{label}"] >= MIN_CHANGES]
        means = systems[label].round(3)
        if means.is_monotonic_decreasing:
            continue
        groups = []
        for mean, group in systems.groupby(-means):
            names = in_words([*map(short_name, group["system"])])
            n = counted(int(group[f"n_{label}"].sum()), "review")
            is_tie = len(group) > 1
            at = f"tied at {abs(mean):.3f} ({n} together)" if is_tie else f"{abs(mean):.3f} ({n})"
            groups.append(f"{names} {at}")
        if len(groups) > _MAX_GROUPS:
            more = f"{len(groups) - _MAX_GROUPS:,} more in between"
            groups = [*groups[: _MAX_GROUPS - 1], more, f"lowest: {groups[-1]}"]
        title = label_title(label)
        sentences.append(f"The label {title} gives another order: {'; '.join(groups)}.")
    return sentences


def _orders_sentences(order: Order, short_name: NameOf) -> list[str]:
    """Compare the order with the order by the other measure, pair by pair."""
    if order.other_measure is None or order.pairs.empty:
        return []
    title = capitalize_first(order.other_measure.title)
    people = PEOPLE_MEASURES[order.people.name] if order.people else ""
    ranks = f"{title} ranks" if order.is_by_people else f"{capitalize_first(people)} rank"
    pairs = order.pairs.sort_values("contradicted", ascending=False, kind="stable")
    opposite = pairs[pairs["orders"] == OPPOSITE]
    # As the measure of the sentence orders them, which is the reverse unless some changes differ.
    names = [
        " above ".join(map(short_name, (lower, higher) if difference < 0 else (higher, lower)))
        for higher, lower, difference in opposite[
            ["higher", "lower", "other_difference"]
        ].itertuples(index=False)
    ]
    p = opposite["p" if order.is_by_people else "other_p"]
    facts = OrdersFacts(
        n_same=int((order.pairs["orders"] == SAME).sum()),
        n_tied=int((order.pairs["orders"] == TIED).sum()),
        opposite=tuple(names),
        n_significant=int(opposite["contradicted"].sum()),
        n_untested=int(p.isna().sum()),
    )
    return compare_orders(ranks, facts)


class OrdersFacts(NamedTuple):
    """How two measures, one of them people's ratings, order the pairs of systems.

    n_same: pairs in the same order.
    n_tied: pairs that one of the two ties.
    opposite: the other pairs, in words, as the measure of the sentence orders them.
    n_significant, n_untested: opposite pairs whose order by people is significant, and those with
        too few changes for a test.
    """

    n_same: int
    n_tied: int
    opposite: tuple[str, ...]
    n_significant: int
    n_untested: int


def compare_orders(ranks: str, facts: OrdersFacts) -> list[str]:
    """Return sentences that start with `ranks`, such as `Relevance ranks`; none without pairs."""
    n_opposite = len(facts.opposite)
    n_pairs = facts.n_same + facts.n_tied + n_opposite
    if not n_pairs:
        return []
    if facts.n_same == n_pairs:
        return [f"{ranks} the systems in the same order."]
    if facts.n_tied == n_pairs:
        return [f"{capitalize_first(_systems(n_pairs))} are tied by people or by the measure."]
    of_all = f" of {n_pairs:,} pairs of systems"
    named, same = f"in the opposite order ({listed(facts.opposite)})", "in the same order"
    if n_opposite == n_pairs:
        sentence = f"{ranks} {_systems(n_pairs)} {named}."
    elif n_opposite:
        more = f" and {facts.n_same:,} {same}" if facts.n_same else ""
        sentence = f"{ranks} {n_opposite:,}{of_all} {named}{more}."
    else:
        sentence = f"{ranks} {facts.n_same:,}{of_all} {same}."
    if facts.n_tied:
        sentence += f" Tied by people or by the measure: {counted(facts.n_tied, 'pair')}."
    return [sentence + _preference(facts)]


def _systems(n_pairs: int) -> str:
    return "the systems" if n_pairs == 1 else f"all {n_pairs:,} pairs of systems"


def _preference(facts: OrdersFacts) -> str:
    """Say in which of the opposite pairs people's preference is significant."""
    n_opposite = len(facts.opposite)
    counts = (
        ("significant", "all", facts.n_significant, ""),
        ("not significant", "any", n_opposite - facts.n_significant - facts.n_untested, ""),
        ("not tested", "any", facts.n_untested, " (too few changes)"),
    )
    if not n_opposite:
        return ""
    if n_opposite == 1:
        ((kind, reason),) = ((kind, reason) for kind, _, n, reason in counts if n)
        return f" In the opposite pair, people's preference is {kind}{reason}."
    parts = [
        f"{kind} in {of_all if n == n_opposite else f'{n:,}'}{reason}"
        for kind, of_all, n, reason in counts
        if n
    ]
    return f" In the {n_opposite:,} opposite pairs, people's preference is {', '.join(parts)}."


def _unrated_sentences(order: Order) -> list[str]:
    """Say that an order by a score does not show quality, if too few reviews are rated."""
    if order.has_enough_ratings or order.by.name not in SCORES or len(order.systems) == 1:
        return []
    n_reviews, n_answered = order.systems["n"].sum(), order.systems["other_n"].sum()
    least = f"at least {MIN_RATED} reviews of at least {MIN_RATED_CHANGES} changes"
    advice = f"To find out, ask people of {least} whether they are right and worth saying."
    if n_answered == n_reviews:
        advice = f"People rated all of them, but it takes ratings of {least}."
    elif n_reviews < MIN_RATED or order.n_changes < MIN_RATED_CHANGES:
        advice = (
            f"To find out, collect {least}, and ask people whether these reviews are right and "
            "worth saying."
        )
    means = (order.systems[label] for label in order.labels)
    labels = [str(mean.name) for mean in means if mean.notna().all() and mean.nunique() > 1]
    labels += order.other_labels
    instead = f" Or order by a label: {listed(labels)}." if labels else ""
    return [f"This order does not show whose reviews are better. {advice}{instead}"]


def _limit_sentences(order: Order) -> list[str]:
    sentences = []
    if order.by.name == PEOPLE or order.by.name in SCORES:
        title = "relevance" if order.by.name == PEOPLE else order.by.title
        sentences.append(LIMIT_TEMPLATE.format(capitalize_first(title)))
    if order.by.name.startswith(JUDGE_PREFIX):
        sentences.append(
            "A language model judged these reviews; only answers of people show if it is right."
        )
    return sentences
