"""Scores of the reviews that the heatmap shows, at one tau and at every tau."""

from collections.abc import Sequence

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from crscore_core.corpus.change_matrix import ChangeMatrix
from crscore_core.corpus.model import DIMENSIONS
from crscore_core.corpus.reviews import ComparedReview
from crscore_core.scoring import TauPreset, tau_preset
from crscore_core.scoring.metric import TAUS, Scores, Sweep
from pages.components.charts import show_chart
from pages.components.names import system_name
from pages.components.source.model import Source
from pages.components.text import escape_hover, safe_table

_HELP = {
    "conciseness": "Share of the review's sentences that are above tau with some pseudo-reference.",
    "comprehensiveness": "Share of the change's pseudo-references that are above tau with some "
    "sentence.",
    "relevance": "Harmonic mean of the two.",
}
_NO_THRESHOLD = "without a threshold"
_NO_THRESHOLD_HELP = (
    "Harmonic mean of two means: of the best cosine of each sentence, and of each "
    "pseudo-reference. It does not depend on tau."
)
_HUMAN_HELP = "What people gave, from 1 to 5."
_SCORES = DIMENSIONS[::-1]
_MOST_LINES = 12
_NAME_WIDTH = 30
_HEIGHT = 360
_DASHES = {"conciseness": "dash", "comprehensiveness": "dot", "relevance": "solid"}


def show_scores(source: Source, matrix: ChangeMatrix, tau: float) -> None:
    """Show the scores at `tau` and without a threshold, and people's ratings."""
    scores, without = matrix.scores(tau), matrix.no_threshold()
    if len(matrix.reviews) == 1:
        _show_one(matrix.reviews[0], scores[0], without[0])
    else:
        _show_all(source, matrix, scores, without)


def _show_one(review: ComparedReview, scores: Scores | None, without: Scores | None) -> None:
    with st.container(horizontal=True):
        for name in _SCORES:
            value = getattr(scores, name, None)
            st.metric(
                name.capitalize(),
                "no score" if value is None else f"{value:.3f}",
                help=_HELP[name],
                width="content",
            )
        if without is not None:
            value = f"{without.relevance:.3f}"
            label = _NO_THRESHOLD.capitalize()
            st.metric(label, value, help=_NO_THRESHOLD_HELP, width="content")
        for name in _SCORES:
            rating = getattr(review.ratings, name)
            if rating is not None:
                st.metric(f"Human {name}", f"{rating:g} of 5", help=_HUMAN_HELP, width="content")


def _show_all(
    source: Source,
    matrix: ChangeMatrix,
    scores: Sequence[Scores | None],
    without: Sequence[Scores | None],
) -> None:
    table = pd.DataFrame(
        {
            "system": system_name(source, review.system),
            **{name: getattr(shown, name, None) for name in _SCORES},
            _NO_THRESHOLD: getattr(similar, "relevance", None),
            **{f"human {name}": getattr(review.ratings, name) for name in _SCORES},
            "sentences": len(review.sentences),
            "review": review.text,
        }
        for review, shown, similar in zip(matrix.reviews, scores, without, strict=True)
    )
    number = st.column_config.NumberColumn
    st.dataframe(
        safe_table(table.dropna(axis="columns", how="all")),
        hide_index=True,
        column_config={
            **{name: number(format="%.3f", help=_HELP[name]) for name in _SCORES},
            _NO_THRESHOLD: number(format="%.3f", help=_NO_THRESHOLD_HELP),
            **{f"human {name}": number(format="%g", help=_HUMAN_HELP) for name in _SCORES},
        },
    )
    if None in scores:
        st.caption("A review without a sentence has no score; means over a source count it as 0.")


def show_curves(source: Source, matrix: ChangeMatrix, tau: float) -> None:
    """Show scores over tau: all three of one review, or one of several reviews."""
    st.header("Scores over tau")
    curves = [
        (system_name(source, review.system), curve)
        for review, curve in zip(matrix.reviews, matrix.curves(), strict=True)
        if curve is not None
    ]
    is_one = len(matrix.reviews) == 1
    if is_one:
        lines = [(name, curves[0][1], name) for name in DIMENSIONS]
    else:
        dimension = (
            st.segmented_control(
                "Score",
                DIMENSIONS,
                default="relevance",
                key="heatmap_curve",
                bind="query-params",
            )
            or "relevance"
        )
        lines = [(name, curve, dimension) for name, curve in curves[:_MOST_LINES]]
        if len(curves) > _MOST_LINES:
            st.caption(f"The first {_MOST_LINES} of {len(curves)} reviews.")
    figure = go.Figure()
    for name, curve, dimension in lines:
        figure.add_scatter(
            x=curve.taus.tolist(),
            y=getattr(curve, dimension).tolist(),
            name=escape_hover(name, _NAME_WIDTH),
            mode="lines",
            line={"shape": "vh", "dash": _DASHES[dimension] if is_one else "solid"},
            hovertemplate="%{y:.3f}",
        )
    figure.update_layout(
        height=_HEIGHT,
        margin={"l": 10, "r": 10, "t": 80, "b": 10},
        hovermode="x unified",
        legend={"orientation": "h", "y": -0.28, "yanchor": "top"},
        showlegend=True,
    )
    figure.update_xaxes(title="tau", range=[0, 1])
    figure.update_yaxes(title="score", range=[-0.03, 1.05])
    _mark_taus(figure, tau_preset(source.comparison.encoder, source.comparison.claims), tau)
    show_chart(figure, "heatmap-curves", _describe(lines, tau))


def _mark_taus(figure: go.Figure, preset: TauPreset | None, tau: float) -> None:
    marks = [(f"tau {tau:.3f}", tau, "solid")]
    if preset is not None:
        marks += [(name, getattr(preset, name), "dot") for name in ("tau_gt", "tau_best")]
    for line, (name, value, dash) in enumerate(marks):
        figure.add_vline(
            value,
            line={"dash": dash, "width": 1.5, "color": "gray"},
            annotation={"text": name, "y": 1.06 + 0.06 * line, "yanchor": "bottom"},
        )


def _describe(lines: list[tuple[str, Sweep, str]], tau: float) -> str:
    nearest = int(abs(TAUS - tau).argmin())
    parts = []
    for name, curve, dimension in lines:
        values = getattr(curve, dimension)
        taus_of_zero = curve.taus[values == 0]
        zero = f"0 from tau {taus_of_zero[0]:.2f} on" if taus_of_zero.size else "never 0"
        parts.append(f"{name} {values[nearest]:.3f}, {zero}")
    is_one_dimension = len({dimension for _, _, dimension in lines}) == 1
    scores = lines[0][2].capitalize() if is_one_dimension else "The scores"
    return f"{scores} over tau from 0 to 1; at tau {TAUS[nearest]:.2f}: {'; '.join(parts)}."
