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
from crscore_eval.table import JUDGE_PREFIX, SCORES
from crscore_eval.table.measures import label_title
from crscore_eval.validity.compare import findings

LIMIT = "The scores do not say whether a review is right or worth saying."
_JUDGED = "A language model judged these reviews; only people's answers show if it is right."


def verdict(order: Order) -> list[str]:
    """Return the sentences of `headline`, and those of `details` with what they are about."""
    rows = [f"{capitalize_first(about)}: {text}" for about, text in details(order)]
    return headline(order) + rows


def headline(order: Order) -> list[str]:
    """Return up to three sentences: which system is first, and what people say of the measure.

    A measure that contradicts people, or an order that too few ratings support, comes before the
    system that is first by a score. Figures of tests are in `details`.
    """
    first, people = [_first_place(order)[0]], _people_sentences(order)
    if order.is_by_people:
        return first + people
    unrated = _unrated_sentences(order)
    is_contradicted = bool(order.pairs["contradicted"].any())
    return people + unrated + first if is_contradicted else unrated + first + people


def details(order: Order) -> list[tuple[str, str]]:
    """Return further findings, with figures, each after what it is about."""
    rows = [("first place", _first_place(order)[1]), ("pairs of reviewers", _count_orders(order))]
    rows += [
        (f"label {label_title(label)}", _label_differences(order, label))
        for label in order.label_pairs
    ]
    for table in order.agreements.values():
        label = table["label"].iloc[0]
        rows.append((f"agreement with {label}", " ".join(findings(table, label))))
    judged = _JUDGED * order.by.name.startswith(JUDGE_PREFIX)
    rows += [("judge", judged), ("not judged", order.unjudged), ("limits", LIMIT)]
    rows += [
        ("left out", f"{in_words([*map(shorten, group['system'])])} ({reason}).")
        for reason, group in order.left_out.groupby("reason", sort=False)
    ]
    return [(about, text) for about, text in rows if text]


def order_basis(order: Order) -> str:
    """Return a sentence on what an order is based on: reviews, changes, systems, ratings."""
    n_reviews, n_empty = order.systems[["n", "empty"]].sum().astype(int)
    empty = f" ({n_empty:,} of them state nothing)" if n_empty else ""
    sentence = (
        f"Based on {order.by.title}: {counted(n_reviews, 'review')}{empty} of "
        f"{counted(order.n_changes, 'change')} by {counted(len(order.systems), 'reviewer')}; "
    )
    if order.n_shared < order.n_changes:
        sentence += f"{counted(order.n_shared, 'change')} in common; "
    sentence += f"{order.ratings}."
    if order.people and order.pairs[["p", "other_p"]].notna().any(axis=None):
        sentence += " Significance is tested over changes and says nothing about other raters."
    return sentence


def describe_difference(pair: "Mapping[Any, Any] | pd.Series[Any]") -> str:
    """Return a row of `difference_table` in words: the difference, its interval, and changes."""
    size, low, high = (f"{pair[name]:+z.3f}" for name in ("difference", "low", "high"))
    interval = "" if np.isnan(pair["low"]) else f" (95% interval {low} to {high})"
    changes = counted(int(pair["changes"]), "change")
    changes = changes if pair["same_changes"] else f"all changes of each side, at least {changes}"
    return f"difference {size}{interval} over {changes}"


def shared_changes(pair: "Mapping[Any, Any] | pd.Series[Any]") -> str:
    """Return a table cell with the number of changes that a difference covers."""
    n = f"{int(pair['changes']):,}"
    return n if pair["same_changes"] or n == "0" else f"all of each, at least {n}"


def _people_sentences(order: Order) -> list[str]:
    """Count the pairs that people order significantly, and those that the measure reverses."""
    sign, p = ("sign", "p") if order.is_by_people else ("other_sign", "other_p")
    if order.people is None or not (n_tested := int(order.pairs[p].count())):
        return []
    n_significant = int((order.pairs[sign] != 0).sum())
    n_reversed = int(order.pairs["contradicted"].sum())
    people, pairs = capitalize_first(order.people.title), counted(n_tested, "tested pair")
    sentence = f"{people} differ significantly in {n_significant or 'none'} of {pairs} of reviewers"
    if n_significant and order.other_measure:
        n = n_reversed or "none"
        sentence += f"; {order.automatic.title} orders {n} of these the other way"
    return [f"{sentence}."]


def equal_differences_note(pairs: pd.DataFrame) -> str:
    """Explain p of the rows of `difference_table` that differ equally on every change, if any."""
    is_equal = pairs["p"].notna() & pairs["low"].isna() & (pairs["difference"].round(9) != 0)
    note = " If every change has the same difference, p is computed as if one had none."
    return note if is_equal.any() else ""


def _unrated_sentences(order: Order) -> list[str]:
    """Warn that an order by a score does not show quality if too few reviews are rated."""
    if order.has_enough_ratings or order.by.name not in SCORES or len(order.systems) == 1:
        return []
    needed = f"at least {MIN_RATED} reviews of at least {MIN_RATED_CHANGES} changes"
    sentence = "This order does not show whose reviews are better. To find out, let people rate "
    return [f"{sentence}whether {needed} are worth saying."]


def _first_place(order: Order) -> tuple[str, str]:
    """Compare the first system with those that share its place, or the next one; add figures."""
    measure, names = order.by, order.systems["system"].tolist()
    first = shorten(names[0])
    if len(names) == 1:
        mean = f"mean {order.systems['mean'][0]:.3f}"
        return f"No other reviewer can be compared with {first} by {measure.title} ({mean}).", ""
    tied = order.systems["system"][1:][order.systems["first_place"][1:] == 1].tolist()
    pairs = order.pairs[order.pairs["higher"] == names[0]].set_index("lower")
    pair = pairs.loc[[*pairs.index[pairs["sign"] < 0], *tied, names[1]][0]]
    second = shorten(str(pair.name))
    if np.isnan(pair["p"]):
        return f"Too few changes to compare {first} and {second}: {MIN_CHANGES} are needed.", ""
    p = corrected_p(pair["p"], int(order.pairs["p"].count()))
    figures = f"{first} minus {second}: {describe_difference(pair)}; {p}."
    sharing = in_words([first, *map(shorten, tied)])
    sentence = f"First place is undecided between {sharing}, by {measure.title}."
    if pair["sign"] < 0:
        shared = measure.conclusion(second, first)
        sentence = f"{first} has the highest mean, but on the changes that both reviewed, {shared}."
    elif not tied:
        claim = capitalize_first(measure.conclusion(first, second))
        sentence = f"{claim}{', the next in the order' if len(names) > 2 else ''}."
    return sentence, figures


def _count_orders(order: Order) -> str:
    """Count the pairs by how people and the measure order them, and name the contradictions."""
    counts = order.pairs["orders"].value_counts()
    if order.people is None or counts.drop(UNKNOWN, errors="ignore").empty:
        return ""
    kinds = [f"{counts[kind]:,} {kind}" for kind in [*ORDERS.values(), UNKNOWN] if kind in counts]
    n_rated = int(order.systems["n" if order.is_by_people else "other_n"].sum())
    both = f"{order.automatic.title} and {order.people.title} ({counted(n_rated, 'rated review')})"
    own, others = ("other_", "") if order.is_by_people else ("", "other_")
    pairs = order.pairs[order.pairs["contradicted"]]
    pairs = pairs.sort_values([f"{own}sign", f"{others}difference"], key=abs, ascending=False)
    cells, ranked = pairs[["higher", "lower", f"{own}difference", f"{own}p"]].to_numpy(), []
    for *names, difference, p in cells:
        first, second = map(shorten, names[::-1] if difference < 0 else names)
        ranked.append(f"{first} above {second} ({p_in_words(p) or 'not tested'})")
    opposite = (
        f" Opposite to people's significant order (p by {order.automatic.title}): {listed(ranked)}."
        if ranked
        else ""
    )
    return f"By {both}: {', '.join(kinds)}.{opposite}"


def _label_differences(order: Order, label: str) -> str:
    """Name the systems that a label puts significantly below others, and those not tested."""
    tested, parts = order.label_pairs[label].dropna(subset="p"), []
    for lower, group in tested[tested["sign"] > 0].groupby("lower", sort=False):
        cells = group[["higher", "p"]].to_numpy()
        others = in_words([f"{shorten(name)} ({p_in_words(p)})" for name, p in cells])
        parts.append(f"{shorten(str(lower))} than {others}")
    if not parts:
        return ""
    compared = {*tested["higher"], *tested["lower"]}
    few = [shorten(name) for name in order.systems["system"] if name not in compared]
    untested = f" Not tested (too few labelled changes): {in_words(few)}." if few else ""
    corrected = f"after Holm's correction for {counted(len(tested), 'comparison')}"
    return f"Significantly lower: {listed(parts)}, {corrected}.{untested}"
