"""Changes by systems on the page Rankings: a heat map, and the reviews of one change."""

import numpy as np
import plotly.graph_objects as go
import streamlit as st

from crscore_core.corpus.measures import PEOPLE, Measure, MeasuredReviews
from crscore_core.corpus.systems import ChangesBySystems, changes_by_systems
from crscore_core.text import capital
from pages.components.case_view import show_warnings
from pages.components.charts import choose_points, chosen_points
from pages.components.markup import diff_view, plain_text
from pages.components.names import distinct, keep_options, number, system_name
from pages.components.source.model import Source
from pages.components.text import escape_hover, escape_markdown, shorten, wrap_hover

_MOST_CHANGES, _MOST_SYSTEMS, _MOST_LISTED, _MOST_REVIEWS = 30, 12, 300, 12
_BESIDE = 3
_ROW, _MARGIN = 24, 140
_CHART, _CHANGE, _LAST = "rankings_changes", "rankings_change", "rankings_last_cell"
_DIFF_HEIGHT = 380


def show_changes(source: Source, measured: MeasuredReviews, systems: list[str]) -> None:
    """Show the changes on which systems differ most, and the reviews of a chosen one."""
    shown = systems[:_MOST_SYSTEMS]
    table = changes_by_systems(measured, shown, _MOST_LISTED)
    changes = source.comparison.changes
    titles = distinct([shorten(changes[at].title or changes[at].id, 80) for at in table.change])
    named = dict(zip((changes[at].id for at in table.change), titles, strict=True))
    _take_from_chart(list(named))
    figure = _heatmap(source, table, titles, measured.measure)
    rows = min(len(titles), _MOST_CHANGES)
    choose_points(figure, _CHART, _in_words(table, titles, measured.measure))
    words = [f"Each cell is the {measured.measure.title} of a review; {rows:,} of"]
    words += [f"{table.n_changes:,} changes, the widest gap between systems first."]
    if len(systems) > len(shown):
        words.append(f"The {len(shown)} systems that stand first are shown.")
    words.append(
        "Click a cell, or choose a change in the list, to read its reviews next to each other."
    )
    st.caption(" ".join(words))
    keep_options(_CHANGE, named)
    chosen = st.selectbox(
        "Change",
        list(named),
        index=None,
        format_func=lambda change: named.get(change, change),
        placeholder="Choose a change, here or in the chart",
        key=_CHANGE,
        bind="query-params",
        help=f"The first {_MOST_LISTED:,} changes in this order.",
    )
    if chosen is not None:
        position = next(at for at in table.change if changes[at].id == chosen)
        _show_reviews(source, measured, int(position))


def _take_from_chart(changes: list[str]) -> None:
    """Take the cell that a person chose since the last run."""
    chosen = next(iter(chosen_points(_CHART)), None)
    if not isinstance(chosen, list):
        chosen = None
    if chosen and chosen[0] in changes and chosen != st.session_state.get(_LAST):
        st.session_state[_CHANGE] = chosen[0]
    st.session_state[_LAST] = chosen


def _heatmap(
    source: Source, table: ChangesBySystems, titles: list[str], measure: Measure
) -> go.Figure:
    values = table.values[:_MOST_CHANGES]
    rows, columns = values.shape
    names = [escape_hover(system_name(source, system), 24) for system in table.systems]
    cells = [(row, column) for row in range(rows) for column in range(columns)]
    ids = [source.comparison.changes[at].id for at in table.change[:rows]]
    font = {"weight": 700, "shadow": "auto"}
    figure = go.Figure(
        go.Heatmap(
            z=values.tolist(),
            zmin=float(np.nanmin(values)) if measure.lowest is None else measure.lowest,
            zmax=float(np.nanmax(values)) if measure.highest is None else measure.highest,
            xgap=2,
            ygap=2,
            texttemplate="%{z:.2f}",
            textfont=font,
            hoverinfo="skip",
            colorbar={"title": {"text": wrap_hover(measure.title, 14)}, "len": 1, "thickness": 12},
        )
    )
    figure.add_scatter(
        x=[column for _, column in cells],
        y=[row for row, _ in cells],
        mode="markers",
        marker={"symbol": "square", "size": _ROW, "opacity": 0},
        customdata=[[ids[row], table.systems[column]] for row, column in cells],
        hovertext=[
            f"{escape_hover(titles[row], 60)}<br>{names[column]}: "
            f"{'no score' if np.isnan(values[row, column]) else number(values[row, column])}"
            for row, column in cells
        ],
        hovertemplate="%{hovertext}<extra></extra>",
        showlegend=False,
    )
    axis = {"showgrid": False, "zeroline": False, "automargin": True}
    figure.update_layout(
        height=_MARGIN + _ROW * rows,
        margin={"l": 10, "r": 10, "t": 10, "b": 10},
        clickmode="event+select",
        dragmode=False,
        xaxis=axis
        | {
            "tickvals": list(range(columns)),
            "ticktext": names,
            "side": "top",
            "title": {"text": "system", "standoff": 20},  # the tool bar stands beside it
        },
        yaxis=axis
        | {
            "tickvals": list(range(rows)),
            "ticktext": [escape_hover(title, 44) for title in titles[:rows]],
            "range": [rows - 0.5, -0.5],
        },
    )
    return figure


def _in_words(table: ChangesBySystems, titles: list[str], measure: Measure) -> str:
    return (
        f"{capital(measure.title)} of {len(table.systems)} systems' reviews of {len(titles)} "
        f"changes. Systems differ most on {titles[0]}."
    )


def _show_reviews(source: Source, measured: MeasuredReviews, position: int) -> None:
    """Show a change, and below it its reviews next to each other, the highest first."""
    comparison = source.comparison
    change = comparison.changes[position]
    clicked = st.session_state.get(_LAST)
    st.markdown(f"**{escape_markdown(shorten(change.title or change.id, 120))}**")
    with st.container(height=_DIFF_HEIGHT if change.diff.count("\n") > 18 else "content"):
        diff_view(change.diff, change.language or None)
    places = np.flatnonzero(measured.reviews.change == position).tolist()
    places.sort(key=lambda at: -np.nan_to_num(measured.values[at], nan=-np.inf))
    for start in range(0, min(len(places), _MOST_REVIEWS), _BESIDE):
        for at, column in zip(places[start : start + _BESIDE], st.columns(_BESIDE), strict=False):
            review = comparison[at]
            with column, st.container(border=True):
                name = shorten(system_name(source, review.system), 60)
                is_clicked = [comparison.changes[position].id, review.system] == clicked
                mark = " :material/ads_click: the cell clicked" if is_clicked else ""
                st.markdown(f"**{escape_markdown(name)}**{mark}")
                st.caption(escape_markdown(_value(measured, at)))
                plain_text(review.text)
                show_warnings(source, (review,))
                st.page_link(
                    "pages/heatmap.py",
                    label="Why, in the Heatmap",
                    icon=":material/grid_on:",
                    query_params={"review": review.id},
                )
    if len(places) > _MOST_REVIEWS:
        st.caption(f"The first {_MOST_REVIEWS} of {len(places):,} reviews of this change.")


def _value(measured: MeasuredReviews, at: int) -> str:
    """Return a review's value of the measure, and people's rating, in words."""
    measure, value, rating = measured.measure, measured.values[at], measured.people[at]
    words = f"{measure.title} {'not known' if np.isnan(value) else number(value)}"
    if measure.is_score and measured.reviews.is_empty[at]:
        words = "no score: the review is empty"
    is_rated = measure.name != PEOPLE and not np.isnan(rating)
    return words + (f", people rated it {rating:g} of 5" if is_rated else "")
