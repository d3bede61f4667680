"""The chart of scores and people's ratings."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go
import streamlit as st
from numpy.typing import NDArray

from crscore_core.corpus.model import DIMENSIONS
from crscore_core.statistics import rank_correlation
from crscore_core.validity.failures import Failures
from pages.components.charts import choose_many
from pages.components.failures_page.kept_points import forget_points, keep_points, kept_points
from pages.components.failures_page.points import MOST_POINTS, drawn, jitter
from pages.components.failures_page.rows import Cases
from pages.components.failures_page.rule import SCORE_NAMES
from pages.components.names import system_name
from pages.components.text import escape_hover

__all__ = ["choose_in_scatter"]

_HEIGHT = 520
_BINS = 25
_WIDE, _HIGH = 0.008, 0.3


@dataclass(frozen=True, slots=True)
class _Mark:
    """How reviews of one kind are drawn; `symbol` is Plotly's number of it."""

    colour: str
    symbol: int
    size: int


# Each can be told from the others, and from the page, in both themes.
_GREY = "#7d8896"
_MARKS = {
    "neither": _Mark(_GREY, 0, 5),
    "underestimated": _Mark("#3b82c4", 5, 11),
    "overestimated": _Mark("#c8691a", 4, 9),
}


def choose_in_scatter(cases: Cases, failures: Failures, score: str) -> frozenset[int]:
    """Show the chart; return the positions of the reviews chosen in it, empty if none is.

    They stay chosen when tau, the score or the rule changes, until others are or none.
    """
    people = cases.source.comparison.ratings[:, DIMENSIONS.index(failures.compared.dimension)]
    positions = drawn(failures)
    judged = failures.judged
    name = SCORE_NAMES[score]
    figure = go.Figure(
        [
            _points(cases, failures, people, positions),
            *_legend(),
            *_margins(failures.compared.scores[judged], people[judged]),
        ],
        _layout(failures, name),
    )
    alt = _alt(failures, people, name)
    key = f"failures_scatter_{st.session_state.get('failures_chart', 0)}"

    def keep(chosen: list[Any]) -> None:
        keep_points(cases.source, frozenset(int(np.ravel(one)[0]) for one in chosen))

    choose_many(figure, key, alt, keep)
    st.caption(f"{alt} {_legend_words(failures, positions.size)}")
    kept = kept_points(cases.source)
    if kept:
        _say_chosen(len(kept))
    return kept


def _say_chosen(n_points: int) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(
            f"**{n_points:,}** point{'' if n_points == 1 else 's'} chosen; the choice stays when "
            "tau, the score or the rule changes."
        )
        st.button("Clear points", key="failures_clear_points", on_click=forget_points)


def _points(
    cases: Cases, failures: Failures, people: NDArray[np.float64], positions: NDArray[np.intp]
) -> go.Scatter:
    """One trace for all, each point with the position of its review."""
    kind = np.zeros(len(people), dtype=np.intp)
    kind[failures.underestimated], kind[failures.overestimated] = 1, 2
    drawn_kind = kind[positions]
    marks = list(_MARKS.values())
    last = len(marks) - 1
    scores = failures.compared.scores
    return go.Scatter(
        x=np.round(scores[positions] + jitter(positions, _WIDE, 0), 4),
        y=np.round(people[positions] + jitter(positions, _HIGH, 1), 3),
        mode="markers",
        # Plotly takes numbers many times faster than names and lists.
        marker={
            "color": drawn_kind,
            "colorscale": [[at / last, mark.colour] for at, mark in enumerate(marks)],
            "cmin": 0,
            "cmax": last,
            "symbol": np.array([mark.symbol for mark in marks])[drawn_kind],
            "size": np.array([mark.size for mark in marks])[drawn_kind],
            "opacity": 0.75,
        },
        customdata=positions,
        hovertext=_hover(cases, positions, scores, people),
        hovertemplate="%{hovertext}<extra></extra>",
        showlegend=False,
    )


def _hover(
    cases: Cases,
    positions: NDArray[np.intp],
    scores: NDArray[np.float64],
    people: NDArray[np.float64],
) -> NDArray[np.str_]:
    reviews = cases.source.comparison.reviews
    return np.array(
        [
            f"{escape_hover(system_name(cases.source, reviews[at].system), 60)}<br>"
            f"review {escape_hover(reviews[at].id, 60)}<br>"
            f"score {scores[at]:.3f}, rated {people[at]:g}"
            for at in positions
        ],
        dtype=np.str_,
    )


def _legend() -> list[go.Scatter]:
    return [
        go.Scatter(
            x=[None],
            y=[None],
            mode="markers",
            marker={"color": mark.colour, "symbol": mark.symbol, "size": mark.size},
            name=name,
        )
        for name, mark in _MARKS.items()
    ]


def _margins(scores: NDArray[np.float64], people: NDArray[np.float64]) -> list[go.Bar]:
    """How many reviews there are at each score, above, and at each rating, to the right."""
    counts, edges = np.histogram(scores, _BINS, (0, 1))
    levels, reviews = np.unique(people, return_counts=True)
    shared: dict[str, Any] = {"marker": {"color": _GREY}, "showlegend": False}
    return [
        go.Bar(
            x=(edges[:-1] + edges[1:]) / 2,
            y=counts,
            yaxis="y2",
            hovertemplate="about %{x:.2f}: %{y:,} reviews<extra></extra>",
            **shared,
        ),
        go.Bar(
            x=reviews,
            y=levels,
            xaxis="x2",
            orientation="h",
            hovertemplate="rated %{y}: %{x:,} reviews<extra></extra>",
            **shared,
        ),
    ]


def _layout(failures: Failures, name: str) -> dict[str, Any]:
    line = {"dash": "dot", "width": 1, "color": _GREY}
    return {
        "height": _HEIGHT,
        "legend": {"orientation": "h", "y": 1.1, "itemsizing": "trace"},
        "xaxis": {"title": name, "range": [-0.03, 1.03], "domain": [0, 0.86]},
        "yaxis": {
            "title": f"people's {failures.compared.dimension}",
            "range": [0.5, 5.5],
            "tickvals": [1, 2, 3, 4, 5],
            "domain": [0, 0.83],
        },
        "xaxis2": {"domain": [0.875, 1], "showticklabels": False},
        "yaxis2": {"domain": [0.85, 1], "showticklabels": False},
        "shapes": [
            {"type": "line", "x0": edge, "x1": edge, "y0": 0, "y1": 1, "yref": "y domain"}
            | {"line": line}
            for edge in (failures.low, failures.high)
        ],
    }


def _alt(failures: Failures, people: NDArray[np.float64], name: str) -> str:
    judged, compared = failures.judged, failures.compared
    rho = rank_correlation(compared.scores[judged], people[judged]).spearman
    correlation = "not defined" if rho is None else f"{rho:.3f}"
    return (
        f"{name} of {judged.size:,} reviews and people's {compared.dimension}: "
        f"{failures.underestimated.size:,} underestimated, "
        f"{failures.overestimated.size:,} overestimated; Spearman's rho {correlation}."
    )


def _legend_words(failures: Failures, n_drawn: int) -> str:
    words = (
        f"The lowest bin ends at {failures.low:.3f} and the highest begins at "
        f"{failures.high:.3f} (dotted lines). Points are moved a little, each always in the same "
        "way, as many would lie on one another; the reviews of the ground truth are left out, as "
        "in the paper. Click a point, or draw around some, and the list below shows those alone."
    )
    if n_drawn < failures.judged.size:
        words += (
            f" {n_drawn:,} of {failures.judged.size:,} reviews are drawn, failures first, at most "
            f"{MOST_POINTS:,}."
        )
    return words
