"""CodeBERTScore of one review, token by token."""

import numpy as np
import plotly.graph_objects as go
import streamlit as st

from crscore_core.errors import EncoderError
from crscore_core.metrics.token_matching import TokenMatch, f_score, token_matches
from crscore_core.rendered import rendered
from crscore_core.scoring import DEFAULT_ENCODER
from pages.components.charts import show_chart
from pages.components.source.load import encoder_of
from pages.components.text import escape_markdown, wrap_hover

_MOST_TOKENS = 80
"""Most rows and columns that are drawn: more can be neither read nor told apart."""

_MOST_KEPT = 20
_ROW, _AROUND = 20, 210
_TOKEN_WIDTH = 20
_RING = {"symbol": "circle-open", "size": 9, "line_width": 2}


def show_tokens(review: str, reference: str) -> None:
    """Show the cosines of the tokens of a review and of its reference, or say why there are none.

    Both texts are shown as text, never as markup.
    """
    st.markdown("**CodeBERTScore, token by token**")
    review, reference = rendered(review).text, rendered(reference).text
    if not review.strip() or not reference.strip():
        st.caption("It takes a review and a reference review, and one of them is missing.")
        return
    try:
        match = _matched(review, reference)
    except EncoderError as error:
        st.error(escape_markdown(str(error)))
        return
    precision, recall = match.precision_and_recall()
    f1, f3 = (float(f_score(precision, recall, beta)) for beta in (1, 3))
    words = f"Precision {precision:.3f}, recall {recall:.3f}, F1 {f1:.3f}, F3 {f3:.3f}"
    st.caption(
        f"{words}. Precision is the mean over the review's tokens (columns) of the best cosine "
        "with a token of the reference (rows), which has a ring; recall is that over the rows."
    )
    shown = match.cosines[:_MOST_TOKENS, :_MOST_TOKENS]
    if shown.shape != match.cosines.shape:
        rows, columns = match.cosines.shape
        st.caption(
            f"The first {shown.shape[0]} of {rows} tokens of the reference and {shown.shape[1]} of "
            f"{columns} of the review are drawn; the figures are of all."
        )
    if match.reference.truncated or match.review.truncated:
        st.caption("The encoder reads these texts only in part.")
    show_chart(token_heatmap(match), "compare_tokens", f"Cosines of tokens. {words}", "png")


@st.cache_resource(max_entries=_MOST_KEPT, show_spinner="Reading the tokens with the encoder")
def _matched(review: str, reference: str) -> TokenMatch:
    return token_matches(review, reference, encoder_of(DEFAULT_ENCODER, drop_stop_words=False))


def token_heatmap(match: TokenMatch) -> go.Figure:
    """Draw the tokens of the reference by those of the review, the best of each column ringed."""
    cosines = match.cosines[:_MOST_TOKENS, :_MOST_TOKENS]
    rows, columns = (
        [wrap_hover(text, _TOKEN_WIDTH, 1) or "␣" for text in tokens.texts[:_MOST_TOKENS]]
        for tokens in (match.reference, match.review)
    )
    best = match.cosines.argmax(axis=0)[: len(columns)]
    ringed = [column for column, row in enumerate(best.tolist()) if row < len(rows)]
    figure = go.Figure(
        go.Heatmap(
            z=np.round(cosines, 3).tolist(),
            text=[[f"{row} and {column}" for column in columns] for row in rows],
            hovertemplate="%{text}: %{z:.3f}<extra></extra>",
            zmin=0,
            zmax=1,
            colorbar={"title": "cosine", "thickness": 12},
        )
    )
    figure.add_scatter(
        x=ringed,
        y=best[ringed].tolist(),
        mode="markers",
        marker=_RING,
        hoverinfo="skip",
        showlegend=False,
    )
    for update, names, title in (
        (figure.update_xaxes, columns, "review"),
        (figure.update_yaxes, rows, "reference"),
    ):
        update(tickvals=list(range(len(names))), ticktext=names, title=title, automargin=True)
    figure.update_xaxes(side="top", tickangle=-60)
    figure.update_yaxes(autorange="reversed")
    figure.update_layout(
        height=_AROUND + _ROW * len(rows), margin={"l": 10, "r": 10, "t": 20, "b": 10}
    )
    return figure
