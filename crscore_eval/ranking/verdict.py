"""State what an order of systems shows, in sentences that claim only what was measured."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pandas as pd

from crscore_core.text import counted, listed, shorten
from crscore_eval.data.ratings import MIN_RATED, MIN_RATED_CHANGES
from crscore_eval.formatting import capitalize_first, format_figure, in_words
from crscore_eval.metrics.agreement import corrected_p, findings, p_in_words
from crscore_eval.ranking.order import OPPOSITE, PEOPLE_MEASURES, SAME, TIED, UNKNOWN, Order
from crscore_eval.statistics.bootstrap import MIN_CHANGES, ROUNDING
from crscore_eval.statistics.difference import is_constant
from crscore_eval.table import JUDGE_PREFIX, LABEL_PREFIX, PEOPLE, RIGHT_LABEL, SCORES, label_title

LIMIT_TEMPLATE = "{} does not say whether a review is right or worth saying."
"""The limit of a measure, named by its title: relevance, as scored and as rated by people."""

_KINDS = {
    SAME: "in the same order",
    OPPOSITE: "in the opposite order",
    TIED: "tied by people or by the measure",
    UNKNOWN: "without values of both",
}

NameOf = Callable[[str], str]
"""Returns a system's display name."""


def verdict(order: Order, name_of: NameOf = str) -> list[str]:
    """Return sentences on which system is ahead and by how much, the most important first.

    The first sentences say which system is first, if people decide the order, and where the measure
    contradicts them; or else whether too few reviews are rated to show quality.
    """

    def short_name(system: str) -> str:
        return shorten(name_of(system))

    first = _first_place_sentences(order, short_name)
    return [
        *(first[:1] if order.is_by_people else []),
        *_contradiction_sentences(order, short_name),
        *_unrated_sentences(order),
        *first[order.is_by_people :],
        *_orders_sentences(order, short_name),
        *_right_sentences(order, short_name),
        *_label_sentences(order, short_name),
        *_agreement_sentences(order),
        *_limit_sentences(order),
        *(
            f"Left out: {in_words([*map(short_name, group['system'])])} ({reason})."
            for reason, group in order.left_out.groupby("reason", sort=False)
        ),
    ]


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
    if n_empty and order.by.name in SCORES:
        sentence += f" Empty reviews, which score 0: {n_empty:,}."
    if order.n_several:
        n_several = counted(order.n_several, "review")
        sentence += f" Several by a system on one change, which count as their mean: {n_several}."
    if order.n_without_value and not order.is_by_people:
        sentence += f" Without a value: {counted(order.n_without_value, 'review')}."
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


def significance(pair: "Mapping[Any, Any] | pd.Series[Any]") -> str:
    """Return a table cell that says whether a pair's difference is significant, with its p."""
    if np.isnan(pair["p"]):
        return "too few changes"
    said = {1: "yes", 0: "no", -1: "reversed on shared changes"}[int(pair["sign"])]
    return f"{said}, {p_in_words(pair['p'])}"


def shared_changes(pair: "Mapping[Any, Any] | pd.Series[Any]") -> str:
    """Return a table cell with the number of changes that a difference covers."""
    n = f"{int(pair['changes']):,}"
    return n if pair["same_changes"] else f"all of each, at least {n}"


def _contradiction_sentences(order: Order, short_name: NameOf) -> list[str]:
    """Name the pairs that people and the measure order oppositely; labels are not counted."""
    pairs = order.pairs[order.pairs["contradicted"]]
    if pairs.empty or order.scored_by.name.startswith(LABEL_PREFIX):
        return []
    own, others = ("other_", "") if order.is_by_people else ("", "other_")
    pairs = pairs.sort_values(f"{others}difference", key=abs, ascending=False, kind="stable")
    pairs["how"] = np.where(pairs[f"{own}sign"] != 0, "significantly", "without significance")
    ranked = [
        f"{how}, it ranks {listed(_ranked(group, f'{own}difference', short_name))}"
        for how, group in pairs.groupby("how")
    ]
    title = capitalize_first(order.scored_by.title)
    which = f"{len(pairs):,} of {counted(len(order.pairs), 'pair')} of systems"
    contradicts = f"{title} contradicts people's significant preference in {which}"
    return [f"{contradicts}: {'; '.join(ranked)}."]


def _ranked(pairs: pd.DataFrame, difference: str, short_name: NameOf) -> list[str]:
    """Name the systems of each pair in the order of a column of differences."""
    return [
        " above ".join(map(short_name, (lower, higher) if by < 0 else (higher, lower)))
        for higher, lower, by in pairs[["higher", "lower", difference]].to_numpy()
    ]


def _unrated_sentences(order: Order) -> list[str]:
    """Warn that an order by a score does not show quality if too few reviews are rated.

    Another order is suggested if it covers every system and at least half of the reviews.
    """
    if order.has_enough_ratings or order.by.name not in SCORES or len(order.systems) == 1:
        return []
    systems = order.systems

    def covers(count: str) -> bool:
        is_half = 2 * systems[count].sum() >= systems["n"].sum()
        return bool(is_half and (systems[count] >= MIN_CHANGES).all())

    n_reviews, n_answered = systems[["n", "other_n"]].sum()
    rated = f"Rated: {n_answered:,} of {counted(n_reviews, 'review')}"
    if n_answered:
        rated += f" of {counted(order.n_other_changes, 'change')}"
    else:  # or that columns were not read as ratings
        rated = capitalize_first(order.ratings)
    if order.other_measure and covers("other_n"):
        rated += f"; to order by these ratings, choose {label_title(order.other_measure.name)}"
    labels = [name for name in order.labels if covers(f"n_{name}") and systems[name].nunique() > 1]
    instead = f" Or order by a label: {listed(labels)}." if labels else ""
    needed = f"at least {MIN_RATED} reviews of at least {MIN_RATED_CHANGES} changes"
    advice = f"To find out, ask people whether {needed} are right and worth saying"
    n_texts = n_reviews - systems["empty"].sum()
    if n_texts < MIN_RATED or order.n_changes < MIN_RATED_CHANGES:
        has = f"{counted(n_texts, 'review')} with text of {counted(order.n_changes, 'change')}"
        advice = f"People's ratings decide it if {needed} have them; this run has only {has}"
    return [f"This order does not show whose reviews are better. {advice}. {rated}.{instead}"]


def _first_place_sentences(order: Order, short_name: NameOf) -> list[str]:
    """Compare the first system with those that share its place, or with the next one."""
    measure, names = order.by, order.systems["system"].tolist()
    first = short_name(names[0])
    if len(names) == 1:
        mean = f"mean {order.systems['mean'][0]:.3f}"
        return [f"Only {first} can be compared by {measure.title} ({mean})."]
    tied = order.systems["system"][1:][order.systems["first_place"][1:] == 1].tolist()
    pairs = order.pairs[order.pairs["higher"] == names[0]].set_index("lower")
    pair = pairs.loc[tied[0] if tied else names[1]]
    second, n_tests = short_name(str(pair.name)), int(order.pairs["p"].count())
    difference = f"{describe_difference(pair)}; {corrected_p(pair['p'], n_tests)}"
    if np.isnan(pair["p"]):
        return [f"Too few changes to compare {first} and {second}: {MIN_CHANGES} are needed."]
    if pair["sign"] < 0:
        highest = f"{first} has the highest mean, but not every system reviewed every change"
        shared = measure.conclusion_template.format(one=second, other=first)
        minus = f"{first} minus {second}: {difference}"
        return [f"{highest}. On the changes that both reviewed, {shared} ({minus})."]
    if not tied:
        claim = capitalize_first(measure.conclusion_template).format(one=first, other=second)
        return [f"{claim}{', the next system compared' if len(names) > 2 else ''}: {difference}."]
    rows, sentences = pairs.loc[tied], []
    for is_ahead, group in rows.groupby(is_constant(rows) & (rows["difference"] > ROUNDING)):
        others = [*map(short_name, group.index)]
        p = "" if np.isnan(group["p"].iloc[0]) else f"; {corrected_p(group['p'].iloc[0], n_tests)}"
        minus = f"{first} minus {others[0]}: {describe_difference(group.iloc[0])}{p}"
        sentence = f"First place is undecided between {in_words([first, *others])}: they do not "
        sentence += f"differ significantly by {measure.title} ({minus})."
        if is_ahead:
            n_changes = counted(int(group["changes"].max()), "change")
            sentence = f"{first} is ahead of {in_words(others)} by {measure.title} on all changes, "
            sentence += f"but {n_changes} are too few for significance ({minus})."
        sentences.append(sentence)
    if lower := [short_name(name) for name in pairs.index[pairs["sign"] > 0]]:
        sentences.append(f"Significantly lower than {first} by {measure.title}: {in_words(lower)}.")
    return sentences


def _orders_sentences(order: Order, short_name: NameOf) -> list[str]:
    """Count the pairs by how the other measure orders them, and name those in opposite order."""
    pairs = order.pairs.sort_values("contradicted", ascending=False, kind="stable")
    counts = pairs["orders"].value_counts()
    if order.other_measure is None or counts.drop(UNKNOWN, errors="ignore").empty:
        return []
    kinds = [f"{counts[kind]:,} {words}" for kind, words in _KINDS.items() if kind in counts]
    people = PEOPLE_MEASURES[order.people.name] if order.people else ""
    ranks = f"{order.other_measure.title} ranks" if order.is_by_people else f"{people} rank"
    n_pairs, compared = f"{len(pairs):,} pairs", ", ".join(kinds)
    if len(pairs) == 1:
        n_pairs, compared = "the only pair", _KINDS[pairs["orders"].iloc[0]]
    sentence = f"{capitalize_first(ranks)} {n_pairs} of systems: {compared}."
    is_untested = pairs["p" if order.is_by_people else "other_p"].isna()
    preference = np.where(pairs["contradicted"], "significant", "not significant")
    pairs["preference"] = np.where(is_untested, "not tested (too few changes)", preference)
    is_said = pairs["contradicted"] & (not order.scored_by.name.startswith(LABEL_PREFIX))
    opposite = pairs[(pairs["orders"] == OPPOSITE) & ~is_said]
    for preferred, group in opposite.groupby("preference", sort=False):
        ranked = listed(_ranked(group, "other_difference", short_name))
        sentence += f" Opposite, where people's preference is {preferred}: {ranked}."
    return [sentence]


def _right_sentences(order: Order, short_name: NameOf) -> list[str]:
    if order.fewer_right.empty:
        return []
    n_tests = counted(int(order.label_pairs[RIGHT_LABEL]["p"].count()), "comparison")
    parts = []
    for lower, pairs in order.fewer_right.groupby("lower", sort=False):
        cells = pairs[["higher", "p"]].to_numpy()
        others = in_words([f"{short_name(name)} ({p_in_words(p)})" for name, p in cells])
        parts.append(f"for {short_name(str(lower))} than for {others}")
    lower = f"The share of right reviews is significantly lower {listed(parts)}"
    few = _untested_by(order, RIGHT_LABEL, short_name)
    return [f"{lower}, after Holm's correction for {n_tests}.{few}"]


def _untested_by(order: Order, label: str, short_name: NameOf) -> str:
    """Name the systems without a pair that is tested by a label, or return ""."""
    pairs = order.label_pairs[label].dropna(subset="p")
    compared = {*pairs["higher"], *pairs["lower"]}
    names = [short_name(name) for name in order.systems["system"] if name not in compared]
    untested = f" Not tested by {label_title(label)} (too few labelled changes): "
    return f"{untested}{in_words(names)}." if names else ""


def _label_sentences(order: Order, short_name: NameOf) -> list[str]:
    """Name the pairs of systems that a label orders oppositely, and whether significantly.

    The widest gap comes first. Pairs that the measure ties, means of labels that are equal to three
    decimals, and systems with fewer than `MIN_CHANGES` labels are left out.
    """
    sentences = []
    for label in order.labels:
        systems = order.systems[order.systems[f"n_{label}"] >= MIN_CHANGES].set_index("system")
        cells = {
            name: f"{short_name(name)} ({mean:.3f}, {counted(n, 'review')})"
            for name, mean, n in systems[[label, f"n_{label}"]].itertuples()
        }
        pairs = order.label_pairs[label]
        one, two = (systems.reindex(pairs[side]).reset_index() for side in ("higher", "lower"))
        gaps = one[label].round(3) - two[label].round(3)
        opposite = gaps[(gaps > 0) & (one["rank"] > two["rank"])]
        if len(opposite):
            widest_first = opposite.sort_values(ascending=False, kind="stable").index
            named = [
                f"{cells[pair['higher']]} above {cells[pair['lower']]}, "
                f"significant: {significance(pair)}"
                for pair in pairs.loc[widest_first].to_dict("records")
            ]
            of_all = f"{len(opposite):,} of {counted(int(gaps.count()), 'pair')} of systems"
            puts = f"The label {label_title(label)} puts {of_all} in the opposite order"
            few = _untested_by(order, label, short_name)
            sentences.append(f"{puts}: {listed(named)}.{few}")
    return sentences


def _agreement_sentences(order: Order) -> list[str]:
    title, sentences = order.scored_by.title, []
    for name, agreement in order.agreements.items():
        own, people = agreement.iloc[0], PEOPLE_MEASURES[name]
        undefined = f"undefined, because {own['remark']}"
        rho = format_figure(own["value"], own["low"], own["high"], missing=undefined)
        sentences.append(f"Spearman's correlation of {title} with {people}: {rho}.")
        if not order.scored_by.name.startswith(LABEL_PREFIX):
            sentences += findings(agreement, people, title)
    return sentences


def _limit_sentences(order: Order) -> list[str]:
    if order.by.name.startswith(JUDGE_PREFIX):
        return ["A language model judged these reviews; only people's answers show if it is right."]
    title = "relevance" if order.by.name == PEOPLE else order.by.title
    is_limited = order.by.name in {PEOPLE, *SCORES}
    return [LIMIT_TEMPLATE.format(capitalize_first(title))] if is_limited else []
