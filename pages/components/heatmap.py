"""The similarity matrix as a heatmap."""

import numpy as np
import plotly.graph_objects as go

from crscore_core import ReviewScore, metric
from pages.components.text import escape_hover

__all__ = ["describe_heatmap", "similarity_heatmap"]

_ROW_HEIGHT = 26
_MARGIN = 70


def similarity_heatmap(score: ReviewScore) -> go.Figure:
    """Pseudo-references by sentences; a dot marks what is above tau."""
    references = [f"P{index + 1}" for index in range(len(score.pseudo_references))]
    sentences = [f"S{index + 1}" for index in range(len(score.sentences))]
    texts = [
        [
            f"{escape_hover(reference.text)}<br>{escape_hover(sentence.text)}"
            for sentence in score.sentences
        ]
        for reference in score.pseudo_references
    ]
    figure = go.Figure(
        go.Heatmap(
            z=score.similarity,
            x=sentences,
            y=references,
            text=texts,
            hovertemplate="%{y} · %{x}: %{z:.3f}<br>%{text}<extra></extra>",
            colorscale="Blues",
            zmin=0,
            zmax=1,
            colorbar={"title": "cosine"},
        )
    )
    rows, columns = np.nonzero(metric.matches(score.similarity, score.tau))
    figure.add_scatter(
        x=[sentences[column] for column in columns],
        y=[references[row] for row in rows],
        mode="markers",
        marker={"symbol": "circle", "size": 7, "color": "#d83b01"},
        hoverinfo="skip",
        name="above tau",
    )
    figure.update_yaxes(autorange="reversed", title="pseudo-references")
    figure.update_xaxes(title="sentences of the review", side="top")
    figure.update_layout(
        height=_MARGIN * 2 + _ROW_HEIGHT * len(references),
        margin={"l": _MARGIN, "r": 10, "t": _MARGIN, "b": 10},
        showlegend=False,
    )
    return figure


def describe_heatmap(score: ReviewScore) -> str:
    """What the heatmap shows, for whoever cannot see it."""
    above = int(metric.matches(score.similarity, score.tau).sum())
    return (
        f"Similarity of {len(score.pseudo_references)} pseudo-references and "
        f"{len(score.sentences)} sentences; {above} of {score.similarity.size} pairs "
        f"are above tau {score.tau:.3f}."
    )
