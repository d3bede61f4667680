"""The chart of scores and people's ratings, and the points chosen in it."""

from typing import Any

import numpy as np
import plotly.graph_objects as go
import streamlit as st
from numpy.typing import NDArray

from crscore_core.statistics import rank_correlation
from crscore_core.validity.failures import Failures
from pages.components.charts import choose_many
from pages.components.failures_cases import Cases
from pages.components.names import system_name
from pages.components.source.model import Source
from pages.components.text import escape_hover, escape_markdown

MOST_POINTS = 5_000
"""Most points of one chart: a browser draws more of them slowly, and nobody tells them apart."""

_KEPT, _TURN = "failures_points", "failures_chart"
_HEIGHT = 520
_BINS, _MOST_LEVELS = 25, 10
_WIDE, _HIGH = 0.008, 0.3
_STEPS = (0.6180339887498949, 0.4142135623730950)
"""Multiples of irrational numbers fill an interval evenly (Kronecker sequences)."""

_GREY = "#7d8896"
_KINDS = ("neither", "underestimated", "overestimated")
_COLOURS = (_GREY, "#3b82c4", "#c8691a")  # told from each other and the page in both themes
_SYMBOLS = np.array([0, 5, 4])
_SIZES = np.array([5, 11, 9])


def choose_in_scatter(cases: Cases) -> frozenset[int]:
    """Show the chart; return the positions of the reviews chosen in it, empty if none is.

    They stay chosen when tau, the measure or the rule changes, until others are or none.
    """
    source, failures = cases.source, cases.failures
    compared = failures.compared
    positions = drawn(failures)
    levels = np.unique(compared.people[failures.judged])
    # Half the way to the next level on either side.
    around = float(np.diff(levels).min()) / 2 if levels.size > 1 else 0.5
    figure = go.Figure(
        [
            _points(source, failures, positions, 2 * _HIGH * around),
            *_legend(),
            *_margins(compared.scores[failures.judged], compared.people[failures.judged]),
        ],
        _layout(cases, levels.tolist() if levels.size <= _MOST_LEVELS else None, around),
    )
    alt = _alt(cases)

    def keep(chosen: list[Any]) -> None:
        keep_points(source, frozenset(int(np.ravel(position)[0]) for position in chosen))

    choose_many(figure, f"failures_scatter_{st.session_state.get(_TURN, 0)}", alt, keep)
    st.caption(f"{escape_markdown(alt)} {_legend_words(failures, positions.size)}")
    kept = kept_points(source)
    if kept:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(
                f"**{len(kept):,}** point{'' if len(kept) == 1 else 's'} chosen; the choice stays "
                "when tau, the measure or the rule changes."
            )
            st.button("Clear points", key="failures_clear_points", on_click=forget_points)
    return kept


def kept_points(source: Source) -> frozenset[int]:
    """Return the positions of the chosen reviews of a source; empty if none is.

    The session holds them by their ids, since Streamlit forgets them with every other figure.
    """
    name, ids = st.session_state.get(_KEPT, (None, frozenset()))
    if name != (source.kind.value, source.label) or not ids:
        return frozenset()
    reviews = source.comparison
    return frozenset(position for position, review in enumerate(reviews) if review.id in ids)


def keep_points(source: Source, positions: frozenset[int]) -> None:
    """Choose the reviews at these positions in place of all chosen before, of any source."""
    ids = frozenset(source.comparison[position].id for position in positions)
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


def _points(
    source: Source,
    failures: Failures,
    positions: NDArray[np.intp],
    high: float,
) -> go.Scatter:
    """Return one trace for all points, each with the position of its review."""
    scores, people = failures.compared.scores, failures.compared.people
    kinds = np.zeros(len(people), dtype=np.intp)
    kinds[failures.underestimated], kinds[failures.overestimated] = 1, 2
    kind = kinds[positions]
    wide = _WIDE * float(np.ptp(_ends(scores[positions])))
    reviews = source.comparison
    return go.Scatter(
        x=np.round(scores[positions] + jitter(positions, wide, 0), 4),
        y=np.round(people[positions] + jitter(positions, high, 1), 3),
        mode="markers",
        # Plotly takes numbers many times faster than names and lists.
        marker={
            "color": kind,
            "colorscale": [[place / 2, colour] for place, colour in enumerate(_COLOURS)],
            "cmin": 0,
            "cmax": 2,
            "symbol": _SYMBOLS[kind],
            "size": _SIZES[kind],
            "opacity": 0.75,
        },
        customdata=positions,
        hovertext=np.array(
            [
                f"{escape_hover(system_name(source, reviews[position].system), 60)}<br>"
                f"review {escape_hover(reviews[position].id, 60)}<br>"
                f"score {scores[position]:.3f}, rated {people[position]:g}"
                for position in positions
            ],
            dtype=np.str_,
        ),
        hovertemplate="%{hovertext}<extra></extra>",
        showlegend=False,
    )


def _legend() -> list[go.Scatter]:
    marks = zip(_KINDS, _COLOURS, _SYMBOLS.tolist(), _SIZES.tolist(), strict=True)
    return [
        go.Scatter(
            x=[None],
            y=[None],
            mode="markers",
            marker={"color": colour, "symbol": symbol, "size": size},
            name=name,
        )
        for name, colour, symbol, size in marks
    ]


def _margins(scores: NDArray[np.float64], people: NDArray[np.float64]) -> list[go.Bar]:
    """Return bars of the number of reviews: by score, above, and by rating, to the right."""
    counts, edges = np.histogram(scores, _BINS, _ends(scores))
    levels, reviews = np.unique(people, return_counts=True)
    return [
        go.Bar(
            x=(edges[:-1] + edges[1:]) / 2,
            y=counts,
            yaxis="y2",
            hovertemplate="about %{x:.2f}: %{y:,} reviews<extra></extra>",
            marker={"color": _GREY},
            showlegend=False,
        ),
        go.Bar(
            x=reviews,
            y=levels,
            xaxis="x2",
            orientation="h",
            hovertemplate="rated %{y}: %{x:,} reviews<extra></extra>",
            marker={"color": _GREY},
            showlegend=False,
        ),
    ]


def _ends(scores: NDArray[np.float64]) -> tuple[float, float]:
    """Ends of the axis of scores: 0 and 1, or further out for a label."""
    return min(0.0, float(scores.min())), max(1.0, float(scores.max()))


def _layout(cases: Cases, levels: list[float] | None, around: float) -> dict[str, Any]:
    failures = cases.failures
    compared = failures.compared
    low, high = _ends(compared.scores[failures.judged])
    edge = {"type": "line", "y0": 0, "y1": 1, "yref": "y domain"}
    edge["line"] = {"dash": "dot", "width": 1, "color": _GREY}
    margin = 0.03 * (high - low)
    return {
        "height": _HEIGHT,
        "legend": {"orientation": "h", "y": 1.1, "itemsizing": "trace"},
        "xaxis": {
            "title": escape_hover(cases.title, 60),
            "range": [low - margin, high + margin],
            "domain": [0, 0.86],
        },
        "yaxis": {
            "title": escape_hover(compared.title, 60),
            "range": [compared.lowest - around, compared.highest + around],
            "tickvals": levels,
            "domain": [0, 0.83],
        },
        "xaxis2": {"domain": [0.875, 1], "showticklabels": False},
        "yaxis2": {"domain": [0.85, 1], "showticklabels": False},
        "shapes": [edge | {"x0": x, "x1": x} for x in failures.edges or ()],
    }


def _alt(cases: Cases) -> str:
    failures = cases.failures
    judged, compared = failures.judged, failures.compared
    rho = rank_correlation(compared.scores[judged], compared.people[judged]).spearman.value
    correlation = "not defined" if rho is None else f"{rho:.3f}"
    return (
        f"{cases.title[:1].upper()}{cases.title[1:]} of {judged.size:,} reviews and "
        f"{compared.title}: {failures.underestimated.size:,} underestimated, "
        f"{failures.overestimated.size:,} overestimated; Spearman's rho {correlation}."
    )


def _legend_words(failures: Failures, n_drawn: int) -> str:
    words = (
        "Points are moved a little, each always in the same way, as many would lie on one another; "
        "reference reviews are left out. Click a point, or draw around some, and the list below "
        "shows those alone."
    )
    if failures.edges is not None:
        words = (
            f"The lowest fifth ends at {failures.edges[0]:.3f} and the highest begins at "
            f"{failures.edges[1]:.3f} (dotted lines). {words}"
        )
    if n_drawn < failures.judged.size:
        words += (
            f" {n_drawn:,} of {failures.judged.size:,} reviews are drawn, failures first, at most "
            f"{MOST_POINTS:,}."
        )
    return words
