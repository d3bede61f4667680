"""The chosen pair of a pseudo-reference and a sentence."""

from collections.abc import Sequence

import numpy as np
import streamlit as st

from crscore_core import ReviewScore
from pages.components.charts import chosen_points
from pages.components.heatmap_chart import joined_similarity
from pages.components.review_choice import CELL
from pages.components.text import safe_table, show_plain
from pages.components.url import choose_option

Pair = tuple[int, int]
"""Row of the pseudo-reference and column of the sentence in the similarity matrix."""

_NO_PAIR = "none"
_MAX_PAIRS = 4_000


def choose_pair(scores: Sequence[ReviewScore]) -> Pair | None:
    """Let the user choose a pair, the most similar first; the URL has it as `cell`."""
    similarity = joined_similarity(scores)
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


def choose_clicked_pair(chart_key: str) -> None:
    """Choose the pair that was clicked in the chart; a callback."""
    for row, column in chosen_points(chart_key)[:1]:
        st.session_state[CELL] = _key(row, column)


def _key(row: int, column: int) -> str:
    return f"{row + 1}-{column + 1}"


def show_pair(scores: Sequence[ReviewScore], pair: Pair) -> None:
    """Show the two texts of a pair."""
    row, column = pair
    cosine, tau = float(joined_similarity(scores)[pair]), scores[0].tau
    reference = scores[0].pseudo_references[row]
    sentence = [text for score in scores for text in score.sentence_texts][column]
    with st.container(border=True):
        verdict = "above" if cosine > tau else "not above"
        st.markdown(
            f"**P{row + 1} and S{column + 1}**: cosine {cosine:.3f}, {verdict} tau {tau:.4g}"
        )
        st.caption(f"P{row + 1}, {reference.kind.value}")
        show_plain("\nor: ".join((reference.text, *reference.wordings)))
        st.caption(f"S{column + 1}, sentence")
        show_plain(sentence)


def pairs_csv(scores: Sequence[ReviewScore], names: Sequence[str]) -> str:
    """Return a CSV with one row per pair: signature, system, the two texts, and their cosine."""
    rows = [
        {
            "signature": str(score.signature),
            "system": name,
            "pseudo_reference": reference.text,
            "sentence": sentence,
            "cosine": float(score.similarity[row, column]),
        }
        for score, name in zip(scores, names, strict=True)
        for row, reference in enumerate(score.pseudo_references)
        for column, sentence in enumerate(score.sentence_texts)
    ]
    return safe_table(rows).to_csv(index=False)
