"""The chart of scores and people's ratings, and the points chosen in it."""

import numpy as np
import plotly.graph_objects as go
import streamlit as st

from crscore_core.text import counted
from crscore_eval.validity.failures import OVER, UNDER
from pages.components.charts import chosen_points, show_chart
from pages.components.data import current_key, system_title
from pages.components.failures_cases import Cases, describe
from pages.components.text import escape_hover

MAX_POINTS = 5_000
"""Points of one chart; more are slow to draw and hide each other."""

_KEPT, _TURN = "failures_points", "failures_chart"
_HEIGHT, _MAX_LEVELS = 460, 10
_WIDE, _HIGH = 0.008, 0.3

_NEITHER = "neither"
_MARKS = {
    _NEITHER: {"color": "#7d8896", "symbol": "circle", "size": 5},
    UNDER: {"color": "#3b82c4", "symbol": "triangle-up", "size": 11},
    OVER: {"color": "#c8691a", "symbol": "x", "size": 9},
}


def choose_in_scatter(cases: Cases) -> frozenset[int]:
    """Show the chart; return the rows of the chosen reviews, empty if none is chosen.

    They stay chosen when tau, the measure or the rule changes.
    """

    def keep() -> None:
        chosen = frozenset(int(np.ravel(row)[0]) for row in chosen_points(key))
        st.session_state[_KEPT] = current_key(), chosen

    key = f"failures_scatter_{st.session_state.get(_TURN, 0)}"
    alt = " ".join(describe(cases))
    show_chart(_figure(cases), key, alt, on_select=keep, selection_mode=["points", "box", "lasso"])
    st.caption(
        "Reference reviews are left out, and points are jittered. Click a point, or draw around "
        "several, to step through only these."
    )
    run_key, rows = st.session_state.get(_KEPT, (None, frozenset()))
    if run_key != current_key() or not rows:
        return frozenset()
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"**{counted(len(rows), 'review')} selected**", width="content")
        st.button("Clear selection", key="failures_clear_points", on_click=forget_points)
    return frozenset(rows)


def forget_points() -> None:
    """Clear the chosen points; a callback."""
    st.session_state.pop(_KEPT, None)
    # A chart with another key has no selection of its own.
    st.session_state[_TURN] = st.session_state.get(_TURN, 0) + 1


def _drawn(cases: Cases) -> np.ndarray:
    """Return the rows of the reviews to draw: all failures, and an even choice of the others."""
    judged = cases.gaps.dropna().index.to_numpy()
    if judged.size <= MAX_POINTS:
        return judged
    failing = cases.failures.index.to_numpy()[:MAX_POINTS]
    others = np.setdiff1d(judged, failing)
    kept = np.linspace(0, others.size - 1, MAX_POINTS - failing.size).astype(np.intp)
    return np.union1d(failing, others[kept])


def _figure(cases: Cases) -> go.Figure:
    """Draw a trace for each kind of review; a point has the row of its review."""
    scores, people, reviews = cases.scores, cases.people, cases.run.reviews
    low, high = min(0.0, scores.min()), max(1.0, scores.max())
    levels = np.unique(people[cases.gaps.notna()])
    around = float(np.diff(levels).min()) / 2 if levels.size > 1 else 0.5
    kinds = cases.failures["failure"].reindex(reviews.index).fillna(_NEITHER)
    rows = _drawn(cases)
    # Jitter, the same at every tau.
    jitter = np.random.default_rng(0).uniform(-1, 1, (len(reviews), 2))
    jitter *= _WIDE * (high - low), 2 * _HIGH * around
    figure = go.Figure()
    for name, marker in _MARKS.items():
        of_kind = rows[kinds[rows] == name]
        figure.add_scatter(
            x=np.round(scores[of_kind] + jitter[of_kind, 0], 4),
            y=np.round(people[of_kind] + jitter[of_kind, 1], 3),
            mode="markers",
            marker={**marker, "opacity": 0.75},
            customdata=of_kind,
            hovertext=[
                f"{escape_hover(system_title(reviews['system'][row]), 60)}<br>"
                f"review {escape_hover(reviews['id'][row], 60)}<br>"
                f"score {scores[row]:.3f}, rated {people[row]:g}"
                for row in of_kind
            ],
            hovertemplate="%{hovertext}<extra></extra>",
            name=name,
        )
    margin = 0.03 * (high - low)
    figure.update_layout(height=_HEIGHT, legend={"orientation": "h", "y": 1.1})
    figure.update_xaxes(title=escape_hover(cases.title, 60), range=[low - margin, high + margin])
    figure.update_yaxes(
        title=escape_hover(cases.people_title, 60),
        range=[levels.min() - around, levels.max() + around],
        tickvals=levels.tolist() if levels.size <= _MAX_LEVELS else None,
    )
    return figure
