"""The chart of scores and people's ratings, and the points chosen in it."""

import numpy as np
import plotly.graph_objects as go
import streamlit as st
from crscore_core.validity.failures import Failures
from numpy.typing import NDArray
from pages.components.source.model import Source

from crscore_core.text import capital
from crscore_eval.statistics import rank_correlation
from pages.components.charts import chosen_points, show_chart
from pages.components.failures_cases import Cases
from pages.components.text import counted, escape_hover, escape_markdown, system_name

MOST_POINTS = 5_000
"""Most points of one chart: a browser draws more of them slowly, and nobody tells them apart."""

_KEPT, _TURN = "failures_points", "failures_chart"
_HEIGHT, _MOST_LEVELS = 460, 10
_WIDE, _HIGH = 0.008, 0.3
_STEPS = (0.6180339887498949, 0.4142135623730950)
"""Multiples of irrational numbers fill an interval evenly (Kronecker sequences)."""

_GREY = "#7d8896"
_MARKS = (
    ("neither", {"color": _GREY, "symbol": "circle", "size": 5}),
    ("underestimated", {"color": "#3b82c4", "symbol": "triangle-up", "size": 11}),
    ("overestimated", {"color": "#c8691a", "symbol": "x", "size": 9}),
)
"""Marks that are told from each other and from the page in both themes."""


def choose_in_scatter(cases: Cases) -> frozenset[int]:
    """Show the chart; return the positions of the reviews chosen in it, empty if none is.

    They stay chosen when tau, the measure or the rule changes, until others are or none.
    """
    source, failures = cases.source, cases.failures
    positions = drawn(failures)

    def keep() -> None:
        keep_points(source, frozenset(int(np.ravel(at)[0]) for at in chosen_points(key)))

    alt = _alt(cases)
    key = f"failures_scatter_{st.session_state.get(_TURN, 0)}"
    figure = _figure(cases, positions)
    show_chart(figure, key, alt, on_select=keep, selection_mode=["points", "box", "lasso"])
    words = f"{alt} Points are moved a little, as many would lie on one another. Click a point, or "
    words += "draw around some, to step through those alone."
    if failures.edges is not None:
        words += (
            f" The lowest fifth ends at {failures.edges[0]:.3f} and the highest begins at "
            f"{failures.edges[1]:.3f} (dotted lines)."
        )
    if positions.size < failures.judged.size:
        words += f" {positions.size:,} of {failures.judged.size:,} reviews are drawn."
    st.caption(escape_markdown(words))
    kept = kept_points(source)
    if kept:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f"**{counted(len(kept), 'point')} chosen**", width="content")
            st.button("Clear points", key="failures_clear_points", on_click=forget_points)
    return kept


def kept_points(source: Source) -> frozenset[int]:
    """Return the positions of the chosen reviews of a source; empty if none is.

    The session holds them by their ids, since Streamlit forgets them with every other figure.
    """
    name, ids = st.session_state.get(_KEPT, (None, frozenset()))
    if name != (source.kind.value, source.label) or not ids:
        return frozenset()
    return frozenset(at for at, review in enumerate(source.comparison.ids) if review in ids)


def keep_points(source: Source, positions: frozenset[int]) -> None:
    """Choose the reviews at these positions in place of all chosen before, of any source."""
    ids = frozenset(source.comparison.ids[position] for position in positions)
    st.session_state[_KEPT] = ((source.kind.value, source.label), ids)


def forget_points() -> None:
    """Choose none; a callback."""
    st.session_state.pop(_KEPT, None)
    # A chart of another key holds no choice of its own.
    st.session_state[_TURN] = st.session_state.get(_TURN, 0) + 1


def drawn(failures: Failures) -> NDArray[np.intp]:
    """Return rising positions of the reviews to draw: failures first, others evenly chosen."""
    judged = failures.judged
    if judged.size <= MOST_POINTS:
        return judged
    failing = failures.both[:MOST_POINTS]
    others = np.setdiff1d(judged, failing)
    kept = np.linspace(0, others.size - 1, MOST_POINTS - failing.size).astype(np.intp)
    return np.union1d(failing, others[kept])


def jitter(positions: NDArray[np.intp], width: float, axis: int) -> NDArray[np.float64]:
    """Return how far each review is moved along an axis, 0 or 1, at most `width` to each side.

    It depends on nothing but the review's position, so that no point moves without a reason.
    """
    shares = (positions.astype(np.float64) + 1) * _STEPS[axis] % 1
    return np.asarray(width * (2 * shares - 1), dtype=np.float64)


def _figure(cases: Cases, positions: NDArray[np.intp]) -> go.Figure:
    """Draw a trace for each kind of review, each point with the position of its review."""
    failures, reviews = cases.failures, cases.source.comparison
    compared = failures.compared
    scores, people = compared.scores, compared.people
    low, high = min(0.0, np.nanmin(scores)), max(1.0, np.nanmax(scores))
    levels = np.unique(people[failures.judged])
    # Half the way to the next level on either side.
    around = float(np.diff(levels).min()) / 2 if levels.size > 1 else 0.5
    figure = go.Figure()
    for kind, (name, marker) in zip(
        (np.setdiff1d(positions, failures.both), failures.underestimated, failures.overestimated),
        _MARKS,
        strict=True,
    ):
        of_kind = np.intersect1d(positions, kind)
        figure.add_scatter(
            x=np.round(scores[of_kind] + jitter(of_kind, _WIDE * (high - low), 0), 4),
            y=np.round(people[of_kind] + jitter(of_kind, 2 * _HIGH * around, 1), 3),
            mode="markers",
            marker={**marker, "opacity": 0.75},
            customdata=of_kind,
            hovertext=[
                f"{escape_hover(system_name(cases.source, reviews.system[at]), 60)}<br>"
                f"review {escape_hover(reviews.ids[at], 60)}<br>"
                f"score {scores[at]:.3f}, rated {people[at]:g}"
                for at in of_kind
            ],
            hovertemplate="%{hovertext}<extra></extra>",
            name=name,
        )
    for edge in failures.edges or ():
        figure.add_vline(edge, line={"dash": "dot", "width": 1, "color": _GREY})
    margin = 0.03 * (high - low)
    figure.update_layout(height=_HEIGHT, legend={"orientation": "h", "y": 1.1})
    figure.update_xaxes(title=escape_hover(cases.title, 60), range=[low - margin, high + margin])
    figure.update_yaxes(
        title=escape_hover(compared.title, 60),
        range=[compared.lowest - around, compared.highest + around],
        tickvals=levels.tolist() if levels.size <= _MOST_LEVELS else None,
    )
    return figure


def _alt(cases: Cases) -> str:
    failures = cases.failures
    judged, compared = failures.judged, failures.compared
    rho = rank_correlation(compared.scores[judged], compared.people[judged]).spearman.value
    correlation = "not defined" if rho is None else f"{rho:.3f}"
    return (
        f"{capital(cases.title)} of {counted(judged.size, 'review')} and "
        f"{compared.title}, reference reviews left out: {failures.underestimated.size:,} "
        f"underestimated, {failures.overestimated.size:,} overestimated; Spearman's rho "
        f"{correlation}."
    )
