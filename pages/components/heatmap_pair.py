"""The matrix of a review, and the chosen pair of a pseudo-reference and a sentence."""

import numpy as np
import streamlit as st

from crscore_core import ReviewScore
from pages.components.charts import chosen_points
from pages.components.heatmap_chart import show_heatmap
from pages.components.review_choice import CELL
from pages.components.text import show_plain
from pages.components.url import choose_option

Pair = tuple[int, int]
"""Row of the pseudo-reference and column of the sentence in the similarity matrix."""

_NO_PAIR = "none"
_MAX_PAIRS = 4_000


def show_matrix(score: ReviewScore, key: str) -> Pair | None:
    """Show the heatmap of a review; return the chosen pair, after showing its two texts."""
    chart = st.container()
    pair = _choose_pair(score)
    with chart:
        show_heatmap(
            score,
            key,
            pair,
            on_select=lambda: _choose_clicked_pair(key),
            selection_mode="points",
        )
    if pair is not None:
        _show_pair(score, pair)
    return pair


def _choose_pair(score: ReviewScore) -> Pair | None:
    """Let the user choose a pair, the most similar first; the URL has it as `cell`."""
    similarity = score.similarity
    order = np.argsort(-similarity, axis=None, kind="stable")[:_MAX_PAIRS]
    pairs = {
        _key(row, column): (int(row), int(column))
        for row, column in np.transpose(np.unravel_index(order, similarity.shape))
    }
    titles = {_NO_PAIR: "Click a cell, or choose a pair here, to see its two texts"} | {
        key: f"P{row + 1} and S{column + 1}: cosine {similarity[row, column]:.3f}"
        for key, (row, column) in pairs.items()
    }
    chosen = choose_option("Pair", titles, CELL, _NO_PAIR, label_visibility="collapsed")
    return pairs.get(chosen)


def _choose_clicked_pair(chart_key: str) -> None:
    """Choose the pair that was clicked in the chart; a callback."""
    for row, column in chosen_points(chart_key)[:1]:
        st.session_state[CELL] = _key(row, column)


def _key(row: int, column: int) -> str:
    return f"{row + 1}-{column + 1}"


def _show_pair(score: ReviewScore, pair: Pair) -> None:
    """Show the two texts of a pair."""
    row, column = pair
    cosine, tau = float(score.similarity[pair]), score.tau
    reference, sentence = score.pseudo_references[row], score.sentence_texts[column]
    with st.container(border=True):
        verdict = "above" if cosine > tau else "not above"
        st.markdown(
            f"**P{row + 1} and S{column + 1}**: cosine {cosine:.3f}, {verdict} tau {tau:.4g}"
        )
        st.caption(f"P{row + 1}, {reference.kind.value}")
        show_plain("\nor: ".join((reference.text, *reference.wordings)))
        st.caption(f"S{column + 1}, sentence")
        show_plain(sentence)
