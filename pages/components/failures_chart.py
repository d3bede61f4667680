"""The chart of scores and people's ratings, in which reviews can be selected."""

import numpy as np
import plotly.graph_objects as go
import streamlit as st

from crscore_eval.validity.failures import OVER, UNDER
from pages.components.charts import LEGEND_BELOW, MARGIN_FOR_LEGEND, chosen_points, show_chart
from pages.components.current_run import system_title
from pages.components.failures_cases import Cases, describe_cases
from pages.components.review_choice import show_review
from pages.components.text import escape_hover

MAX_POINTS = 5_000
"""Maximum number of points in the chart; more are slow to draw and hide each other."""

_KEY = "failures_chart"
_HEIGHT, _MAX_LEVELS = 400, 10
_JITTER_X, _JITTER_Y = 0.008, 0.3  # shares of the range of scores, of a step between ratings

_NEITHER = "neither"
_MARKERS = {
    _NEITHER: {"color": "#7d8896", "symbol": "circle", "size": 5},
    UNDER: {"color": "#3b82c4", "symbol": "triangle-up", "size": 11},
    OVER: {"color": "#c8691a", "symbol": "x", "size": 9},
}


def show_cases(cases: Cases, row: int | None) -> None:
    """Show the chart, with the review in `row` encircled; a click on a point shows its review."""
    show_chart(
        _draw(cases, row),
        _KEY,
        " ".join(describe_cases(cases)),
        on_select=lambda: _show_clicked(cases),
        selection_mode="points",
    )
    n = cases.gaps.notna().sum()
    sample = f" It shows {MAX_POINTS:,} of {n:,} reviews." if n > MAX_POINTS else ""
    st.caption(
        "Click a point to read the review. The chart moves points slightly apart and leaves out "
        f"reference reviews.{sample}"
    )


def _show_clicked(cases: Cases) -> None:
    for row in chosen_points(_KEY)[:1]:
        show_review(str(cases.run.reviews["id"].iat[int(np.ravel(row)[0])]))


def _rows_to_draw(cases: Cases) -> np.ndarray:
    """Return the rows of the reviews to draw: all failures, and an even sample of the others."""
    compared = cases.gaps.dropna().index.to_numpy()
    if compared.size <= MAX_POINTS:
        return compared
    failing = cases.failures.index.to_numpy()[:MAX_POINTS]
    others = np.setdiff1d(compared, failing)
    sample = np.linspace(0, others.size - 1, MAX_POINTS - failing.size).astype(np.intp)
    return np.union1d(failing, others[sample])


def _draw(cases: Cases, current: int | None) -> go.Figure:
    """Draw a trace for each kind of review; `customdata` has the row of each review."""
    scores, people, reviews = cases.scores, cases.people, cases.run.reviews
    low, high = min(0.0, scores.min()), max(1.0, scores.max())
    levels = np.unique(people[cases.gaps.notna()])
    half_step = float(np.diff(levels).min()) / 2 if levels.size > 1 else 0.5
    kinds = cases.failures["failure"].reindex(reviews.index).fillna(_NEITHER)
    rows = _rows_to_draw(cases)
    # The jitter is the same at every tau.
    jitter = np.random.default_rng(0).uniform(-1, 1, (len(reviews), 2))
    jitter *= _JITTER_X * (high - low), 2 * _JITTER_Y * half_step
    chart = go.Figure()
    for name, marker in _MARKERS.items():
        kind_rows = rows[kinds[rows] == name]
        chart.add_scatter(
            x=np.round(scores[kind_rows] + jitter[kind_rows, 0], 4),
            y=np.round(people[kind_rows] + jitter[kind_rows, 1], 3),
            mode="markers",
            marker={**marker, "opacity": 0.75},
            customdata=kind_rows,
            hovertext=[
                f"{escape_hover(system_title(reviews['system'][row]), 60)}<br>"
                f"review {escape_hover(reviews['id'][row], 60)}<br>"
                f"score {scores[row]:.3f}, rated {people[row]:g}"
                for row in kind_rows
            ],
            hovertemplate="%{hovertext}<extra></extra>",
            name=name,
        )
    if current is not None and not np.isnan(cases.gaps[current]):
        chart.add_scatter(
            x=[scores[current] + jitter[current, 0]],
            y=[people[current] + jitter[current, 1]],
            mode="markers",
            marker={"color": "#d1352b", "symbol": "circle-open", "size": 18, "line_width": 3},
            hoverinfo="skip",
            name="shown",
        )
    margin, title = 0.03 * (high - low), escape_hover(cases.measure_title, 60)
    chart.update_layout(height=_HEIGHT, margin=MARGIN_FOR_LEGEND, legend=LEGEND_BELOW)
    chart.update_xaxes(title=title, range=[low - margin, high + margin])
    chart.update_yaxes(
        title=escape_hover(cases.people_title, 60),
        range=[levels.min() - half_step, levels.max() + half_step],
        tickvals=levels.tolist() if levels.size <= _MAX_LEVELS else None,
    )
    return chart
