"""Systems on the page Rankings: table, pairs, and where their reviews differ."""

from collections.abc import Callable, Sequence

import numpy as np
import plotly.graph_objects as go
import streamlit as st
from crscore_core.corpus.measures import (
    MEASURES,
    PEOPLE,
    Measure,
    MeasuredReviews,
    unchecked_judges,
)
from crscore_core.corpus.model import GROUND_TRUTH
from crscore_core.corpus.systems import ChangesBySystems, changes_by_systems
from crscore_core.ranking.order import SystemOrder, SystemRow
from crscore_core.ranking.verdict import order_words
from pages.components.source.model import Source

from crscore_core.text import capital
from crscore_eval.statistics import SURE, Estimate
from pages.components.charts import chosen_points, show_chart
from pages.components.controls import two_columns
from pages.components.markup import Plotted, text_table
from pages.components.review_choice import ORDER, Positions, most_wrong, show_review
from pages.components.review_view import walk_through
from pages.components.text import (
    SHORT_NAMES,
    distinct,
    escape_hover,
    figure,
    number,
    shorten,
    system_name,
    wrap_hover,
)

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
        return Plotted(figure(mean, digits), *places)

    axis = f" ({low:.3g} to {high:.3g})"
    return f"{(title or measure.title).removesuffix(axis)}{axis}", list(map(cell, means))


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


def show_wrong(source: Source, name: Name) -> None:
    """Show the findings that judges call wrong, each with the line of the diff that shows it."""
    wrong = [] if source.run is None else source.run.judgements.wrong(source.comparison)
    if not wrong:
        return
    with st.expander(f"Findings that a language model calls wrong: {len(wrong):,}"):
        text_table(
            [
                {
                    "judge": each.judge,
                    "system": name(each.review.system),
                    "finding": each.finding,
                    "line of the diff": each.line,
                }
                for each in wrong
            ],
            wide=("finding", "line of the diff"),
            caption=unchecked_judges(source.comparison, {each.judge for each in wrong}) or None,
        )
        st.page_link(
            "pages/heatmap.py",
            label="Step through these reviews in the Heatmap",
            icon=":material/grid_on:",
            query_params={ORDER: most_wrong(wrong[0].judge)},
        )


def show_pairs(order: SystemOrder, name: Name) -> None:
    """Show the difference of each pair of systems, and what would settle those that are open."""
    with_people = any(pair.other for pair in order.pairs) and order.measure.name != PEOPLE
    text_table(
        [
            {
                "higher": name(pair.higher),
                "lower": name(pair.lower),
                "difference (95 %)": figure(pair.difference.estimate),
                "probability": (
                    "–"
                    if pair.difference.probability is None
                    else f"{pair.difference.probability:.0%}"
                ),
                "order": order_words(pair),
                **(
                    {_BY_PEOPLE: figure(pair.other.estimate, 2) if pair.other else "–"}
                    if with_people
                    else {}
                ),
                "changes": f"{pair.difference.changes:,}"
                + ("" if pair.difference.is_paired else ", not the same"),
            }
            for pair in order.pairs
        ],
        wide=("difference (95 %)", _BY_PEOPLE),
        caption=f"Differences of the mean: {order.ordered_by.title}",
        most_rows=_MOST_PAIRS,
    )
    st.caption(
        "An order is clear where its p-value, corrected for the number of pairs by Holm's method, "
        f"is below {SURE}. Intervals are t intervals over the changes that both systems reviewed; "
        "the probability is the share of resamples of the changes with this order. The changes "
        "named settle an open pair four times in five, if its difference stays."
    )


_MOST_CHANGES, _MOST_SYSTEMS = 20, 12
_ROW, _MARGIN = 24, 160
_CHART, _LAST = "rankings_changes", "rankings_last_cell"


def show_changes(source: Source, measured: MeasuredReviews, systems: list[str], tau: float) -> None:
    """Show the changes on which systems differ most, and the reviews of a chosen one."""
    table = changes_by_systems(measured, systems[:_MOST_SYSTEMS], _MOST_CHANGES)
    changes = source.comparison.changes
    titles = distinct([shorten(changes[at].title or changes[at].id, 80) for at in table.change])
    _take_from_chart(source, measured, table)
    left, right = two_columns()
    with left:
        show_chart(
            _map(source, table, titles, measured.measure),
            _CHART,
            f"{capital(measured.measure.title)} of {len(table.systems)} systems' reviews of "
            f"{len(titles)} changes. Systems differ most on {titles[0]}.",
            on_select="rerun",
            selection_mode="points",
        )
        words = f"The {len(titles)} of {table.n_changes:,} changes with the widest gap. "
        if len(systems) > len(table.systems):
            words += f"The first {len(table.systems)} systems are shown. "
        words += "A blank cell has no score. Click a cell to read its review."
        st.caption(words)
    with right:
        walk_through(source, _in_order(measured, table), tau)


def _in_order(measured: MeasuredReviews, table: ChangesBySystems) -> Positions:
    """Return the reviews of the map's changes, change by change, the highest first."""
    change = measured.reviews.change
    place = np.full(len(measured.reviews.changes), -1)
    place[table.change] = np.arange(table.change.size)
    of_systems = np.isin(measured.reviews.system, table.systems)
    positions = np.flatnonzero((place[change] >= 0) & of_systems)
    values = -np.nan_to_num(measured.values[positions], nan=-np.inf)
    return positions[np.lexsort((values, place[change[positions]]))]


def _take_from_chart(source: Source, measured: MeasuredReviews, table: ChangesBySystems) -> None:
    """Show the review of the cell that a person chose since the last run."""
    chosen = next(iter(chosen_points(_CHART)), None)
    if isinstance(chosen, list) and chosen != st.session_state.get(_LAST):
        at, system = int(chosen[0]), str(chosen[1])
        reviews = measured.reviews
        is_cell = (reviews.change == at) & (reviews.system == system)
        if at in table.change and is_cell.any():
            show_review(source.comparison.ids[int(np.flatnonzero(is_cell)[0])])
    st.session_state[_LAST] = chosen


def _map(source: Source, table: ChangesBySystems, titles: list[str], measure: Measure) -> go.Figure:
    rows, columns = table.values.shape
    names = [escape_hover(system_name(source, system), 24) for system in table.systems]
    cells = list(np.ndindex(rows, columns))
    known = {at: number(float(table.values[at])) for at in cells if not np.isnan(table.values[at])}
    chart = go.Figure(
        go.Heatmap(
            z=table.values.tolist(),
            zmin=float(np.nanmin(table.values)) if measure.lowest is None else measure.lowest,
            zmax=float(np.nanmax(table.values)) if measure.highest is None else measure.highest,
            xgap=2,
            ygap=2,
            texttemplate="%{z:.2f}",
            textfont={"weight": 700, "shadow": "auto"},
            hoverinfo="skip",
            colorbar={
                "orientation": "h",
                "thickness": 10,
                "y": 0,
                "yanchor": "top",
                "title": {"text": wrap_hover(measure.title, 40), "side": "bottom"},
            },
        )
    )
    chart.add_scatter(
        x=[column for _, column in cells],
        y=[row for row, _ in cells],
        mode="markers",
        marker={"symbol": "square", "size": _ROW, "opacity": 0},
        customdata=[[int(table.change[row]), table.systems[column]] for row, column in cells],
        hovertext=[
            f"{escape_hover(titles[row], 60)}<br>{names[column]}: "
            f"{known.get((row, column), 'no score')}"
            for row, column in cells
        ],
        hovertemplate="%{hovertext}<extra></extra>",
        showlegend=False,
    )
    axis = {"showgrid": False, "zeroline": False, "automargin": True}
    chart.update_layout(
        height=_MARGIN + _ROW * rows,
        margin={"l": 10, "r": 10, "t": 10, "b": 10},
        clickmode="event+select",
        dragmode=False,
        xaxis=axis | {"tickvals": list(range(columns)), "ticktext": names, "side": "top"},
        yaxis=axis
        | {
            "tickvals": list(range(rows)),
            "ticktext": [escape_hover(title, 24) for title in titles],
            "range": [rows - 0.5, -0.5],
        },
    )
    return chart
