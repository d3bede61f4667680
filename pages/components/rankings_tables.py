"""Systems as a table and a chart, and their pairs."""

from collections.abc import Callable, Sequence

import streamlit as st
from plotly.subplots import make_subplots

from crscore_core.corpus.measures import MEASURES, PEOPLE, Measure
from crscore_core.corpus.model import DIMENSIONS, GROUND_TRUTH
from crscore_core.ranking.order import SystemOrder, SystemRow
from crscore_core.ranking.verdict import order_words
from crscore_core.statistics import SURE, Estimate
from crscore_core.text import capital
from pages.components.charts import error_bars, show_chart
from pages.components.markup import text_table
from pages.components.names import SHORT_NAMES, between, number
from pages.components.text import escape_hover

_MOST_PAIRS = 100
_PEOPLE, _BY_PEOPLE = "people (1 to 5)", "difference by people"
_ROW, _MARGIN, _LONGEST = 26, 70, 32


def show_systems(rows: Sequence[SystemRow], measure: Measure, name: Callable[[str], str]) -> None:
    """Show one row a system, the highest first, and the means with their intervals as a chart."""
    is_rated = any(row.people.value is not None for row in rows) and measure.name != PEOPLE
    is_any_empty = any(row.empty for row in rows)
    others = [(at, each) for at, each in enumerate(DIMENSIONS) if each != measure.name][::-1]
    text_table(
        [
            {
                "place": row.places,
                "system": name(row.system),
                measure.title: _mean(row.mean, 3),
                **({_PEOPLE: _mean(row.people, 2)} if is_rated else {}),
                **{SHORT_NAMES[each]: row.scores and row.scores[at] for at, each in others},
                "words": round(row.words),
                "reviews": row.reviews,
                **({"empty": row.empty} if is_any_empty else {}),
            }
            for row in rows
        ],
        wide=(),
        caption=f"Systems by {measure.title}; those that share places are tied",
    )
    shown = [row for row in rows if row.mean.value is not None]
    _show_means(shown, measure, [name(row.system) for row in shown], is_rated=is_rated)
    words = "Means with 95 % intervals over changes. Words, the mean length, are a baseline."
    if any(row.system == GROUND_TRUTH for row in rows):
        words += " The ground truth, the reviews that came with the data, has no place."
    st.caption(words)


def _mean(mean: Estimate, digits: int) -> str:
    if mean.interval is None:
        return number(mean.value, digits)
    return f"{number(mean.value, digits)} ({between(mean.interval, digits)})"


def _show_means(
    rows: Sequence[SystemRow], measure: Measure, names: Sequence[str], *, is_rated: bool
) -> None:
    """Show means of the measure, and next to them people's."""
    panels = [(measure, [row.mean for row in rows])]
    if is_rated:
        panels.append((MEASURES[PEOPLE], [row.people for row in rows]))
    figure = make_subplots(1, len(panels), shared_yaxes=True, horizontal_spacing=0.06)
    places = list(range(len(rows)))
    for at, (of, means) in enumerate(panels, start=1):
        figure.add_scatter(
            x=[mean.value for mean in means],
            y=places,
            mode="markers",
            cliponaxis=False,
            marker={"size": 9, "symbol": "circle" if at == 1 else "diamond"},
            error_x=error_bars([Estimate(m.value or 0.0, m.interval) for m in means])
            | {"thickness": 2, "width": 4},
            hovertext=[
                f"{escape_hover(name, 60)}<br>{escape_hover(of.title)} {_mean(mean, 3)}"
                for name, mean in zip(names, means, strict=True)
            ],
            hovertemplate="%{hovertext}<extra></extra>",
            showlegend=False,
            row=1,
            col=at,
        )
        ends = None if of.lowest is None else [of.lowest, of.highest]
        figure.update_xaxes(
            title={"text": escape_hover(of.title)}, range=ends, zeroline=False, row=1, col=at
        )
    figure.update_yaxes(
        tickvals=places,
        ticktext=[escape_hover(name, _LONGEST) for name in names],
        range=[len(rows) - 0.5, -0.5],
        automargin=True,
        zeroline=False,
    )
    figure.update_layout(
        height=_MARGIN + _ROW * len(rows),
        margin={"l": 10, "r": 20, "t": 10, "b": 10},
        dragmode=False,
    )
    said = "; ".join(
        f"{name} {_mean(row.mean, 3)}" for name, row in zip(names[:10], rows, strict=False)
    )
    show_chart(figure, "rankings_means", f"{capital(measure.title)} of systems: {said}.")


def show_pairs(order: SystemOrder, name: Callable[[str], str]) -> None:
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
                    {_BY_PEOPLE: _mean(pair.other.estimate, 2) if pair.other else "–"}
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
