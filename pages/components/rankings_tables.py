"""Systems as a table that draws their means, and their pairs."""

from collections.abc import Callable, Sequence

import streamlit as st

from crscore_core.corpus.measures import MEASURES, PEOPLE, Measure
from crscore_core.corpus.model import GROUND_TRUTH
from crscore_core.ranking.order import SystemOrder, SystemRow
from crscore_core.ranking.verdict import order_words
from crscore_core.statistics import SURE, Estimate
from pages.components.markup import Plotted, text_table
from pages.components.names import SHORT_NAMES, between, number

_MOST_PAIRS = 100
_BY_PEOPLE = "difference by people"

Name = Callable[[str], str]
"""Gives the name of a system."""


def show_systems(rows: Sequence[SystemRow], measure: Measure, name: Name) -> None:
    """Show one row a system, the highest first, with its means of the measure and of ratings."""
    columns = [_plotted([row.mean for row in rows], measure, 3)]
    if measure.name != PEOPLE and any(row.people.value is not None for row in rows):
        columns.append(_plotted([row.people for row in rows], MEASURES[PEOPLE], 2, "people"))
    text_table(
        [
            {
                "place": row.places,
                "system": name(row.system),
                **{head: cells[at] for head, cells in columns},
                "reviews": row.reviews,
            }
            for at, row in enumerate(rows)
        ],
        wide=(),
        caption=f"Systems by {measure.title}: means with 95 % intervals over changes; those that "
        "share places are tied",
    )
    if any(row.system == GROUND_TRUTH for row in rows):
        st.caption("The ground truth, the reviews that came with the data, has no place.")


def _plotted(
    means: Sequence[Estimate], measure: Measure, digits: int, title: str = ""
) -> tuple[str, list[Plotted | str]]:
    """Return the head and the cells of a column of means, on an axis that the head names."""
    ends = [end for mean in means for end in (mean.ends or (mean.value,)) if end is not None]
    low = min(ends, default=0.0) if measure.lowest is None else measure.lowest
    high = max(ends, default=0.0) if measure.highest is None else measure.highest

    def cell(mean: Estimate) -> Plotted | str:
        if mean.value is None:
            return number(None)
        first, last = mean.ends or (mean.value, mean.value)
        places = ((end - low) / ((high - low) or 1) for end in (first, mean.value, last))
        return Plotted(_words(mean, digits), *places)

    axis = f" ({low:.3g} to {high:.3g})"
    return f"{(title or measure.title).removesuffix(axis)}{axis}", list(map(cell, means))


def _words(mean: Estimate, digits: int) -> str:
    if mean.interval is None:
        return number(mean.value, digits)
    return f"{number(mean.value, digits)} ({between(mean.interval, digits)})"


def show_scores(rows: Sequence[SystemRow], name: Name) -> None:
    """Show the means of all scores, and the mean length of reviews, which is a baseline."""
    text_table(
        [
            {
                "system": name(row.system),
                **dict(zip(SHORT_NAMES.values(), row.scores or [None] * 3, strict=True)),
                "words": round(row.words),
                "empty reviews": row.empty,
            }
            for row in rows
        ],
        wide=(),
        caption="Means at this tau",
    )


def show_pairs(order: SystemOrder, name: Name) -> None:
    """Show the difference of each pair of systems, and what would settle those that are open."""
    with_people = any(pair.other for pair in order.pairs) and order.measure.name != PEOPLE
    text_table(
        [
            {
                "higher": name(pair.higher),
                "lower": name(pair.lower),
                "difference": number(pair.difference.estimate.value),
                "95 %": between(pair.difference.estimate.interval),
                "probability": (
                    "–"
                    if pair.difference.probability is None
                    else f"{pair.difference.probability:.0%}"
                ),
                "order": order_words(pair),
                **(
                    {_BY_PEOPLE: _words(pair.other.estimate, 2) if pair.other else "–"}
                    if with_people
                    else {}
                ),
                "changes": f"{pair.difference.changes:,}"
                + ("" if pair.difference.is_paired else ", not the same"),
            }
            for pair in order.pairs
        ],
        wide=("95 %", _BY_PEOPLE),
        caption=f"Differences of the mean: {order.ordered_by.title}",
        most_rows=_MOST_PAIRS,
    )
    st.caption(
        "An order is clear where its p-value, corrected for the number of pairs by Holm's method, "
        f"is below {SURE}. Intervals are t intervals over the changes that both systems reviewed; "
        "the probability is the share of resamples of the changes with this order. The changes "
        "named settle an open pair four times in five, if its difference stays."
    )
