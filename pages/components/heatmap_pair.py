"""The pair of a pseudo-reference and a sentence that is looked at, and its matching words."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from crscore_core.corpus.change_matrix import ChangeMatrix, repooled
from crscore_core.corpus.matching_words import Pieces, WordPartner, marked_texts, word_partners
from crscore_core.errors import EncoderError
from crscore_core.scoring import DEFAULT_ENCODER, CachedEncoder, WordMatch, match_words
from pages.components.charts import chosen_points
from pages.components.heatmap_choice import CELL
from pages.components.markup import marked_words, plain_text, text_table
from pages.components.names import system_name
from pages.components.source.load import default_encoder
from pages.components.source.model import Source
from pages.components.text import escape_markdown

__all__ = [
    "Pair",
    "chart_key",
    "chosen_pair",
    "forget_pair",
    "show_pair",
    "table_key",
    "unfiltered_matrix",
    "words_of_pair",
]

Pair = tuple[int, int]
"""Row and column."""

_SEEN, _TABLES = "heatmap_seen", "heatmap_tables"


def chosen_pair(matrix: ChangeMatrix, shown: str) -> Pair | None:
    """The pair that was chosen last, in the chart or the table, or that the URL names.

    Chart and table keep what was chosen in them, so only what is new there counts. `shown` is
    what tells the reviews that are shown from others.
    """
    in_chart = _in_chart(chosen_points(chart_key(shown)))
    in_table = _in_table(st.session_state.get(table_key(shown)))
    seen = st.session_state.get(_SEEN)
    st.session_state[_SEEN] = (in_chart, in_table)
    seen_chart, seen_table = seen or (None, None)
    if in_table is not None and in_table != seen_table:
        _write_pair(in_table)
    elif in_chart is not None and in_chart != seen_chart:
        # A table of another name forgets its cell, which could not be chosen again otherwise.
        st.session_state[_TABLES] = st.session_state.get(_TABLES, 0) + 1
        _write_pair(in_chart)
    return _pair_in_url(matrix)


def forget_pair() -> None:
    """Look at no pair."""
    st.session_state[_TABLES] = st.session_state.get(_TABLES, 0) + 1
    st.query_params.pop(CELL, None)


def chart_key(shown: str) -> str:
    """The key of the chart, and the name of its pictures."""
    return f"heatmap-{shown}"


def table_key(shown: str) -> str:
    """The key of the table."""
    return f"heatmap-table-{shown}-{st.session_state.get(_TABLES, 0)}"


def _in_chart(points: Sequence[Any]) -> Pair | None:
    return (int(points[0][0]), int(points[0][1])) if points else None


def _in_table(state: Any) -> Pair | None:  # noqa: ANN401 - Streamlit's own
    cells = state["selection"]["cells"] if state else []
    if not cells or not str(cells[0][1]).startswith("S"):
        return None
    return int(cells[0][0]), int(cells[0][1][1:]) - 1


def _pair_in_url(matrix: ChangeMatrix) -> Pair | None:
    row, _, column = st.query_params.get(CELL, "").partition("-")
    if not (row.isascii() and row.isdigit() and column.isascii() and column.isdigit()):
        return None
    # No number is longer than those of rows and columns, and Python refuses very long ones.
    pair = int(row[:9]) - 1, int(column[:9]) - 1
    is_there = 0 <= pair[0] < len(matrix.references) and 0 <= pair[1] < len(matrix.sentences)
    return pair if is_there else None


def _write_pair(pair: Pair) -> None:
    st.query_params[CELL] = f"{pair[0] + 1}-{pair[1] + 1}"


_MOST_WORDS = 12


def show_pair(
    source: Source, matrix: ChangeMatrix, pair: Pair | None, tau: float, *, drop_stop_words: bool
) -> None:
    """Show the two texts of a pair with the words that carry their match, or how to choose one."""
    if pair is None:
        st.caption(
            "Click at a cell of the heatmap, or choose one in the table with the arrow keys, to "
            "see which words match."
        )
        return
    row, column = pair
    cosine = float(matrix.similarity[row, column])
    reference, sentence = matrix.references[row], matrix.sentences[column]
    review = matrix.reviews[matrix.review_of[column]]
    texts = (
        (f"P{row + 1}, {reference.kind.value} of {reference.source}", reference.text),
        (f"S{column + 1}, sentence of {system_name(source, review.system)}", sentence),
    )
    with st.container(border=True):
        with st.container(horizontal=True, horizontal_alignment="distribute"):
            verdict = "above" if cosine > tau else "not above"
            st.markdown(
                f"**P{row + 1} and S{column + 1}**: cosine {cosine:.3f}, {verdict} tau {tau:.3f}"
            )
            st.button("Close", icon=":material/close:", key="heatmap_close", on_click=forget_pair)
        try:
            match = words_of_pair(
                source.comparison.encoder, reference.text, sentence, drop_stop_words=drop_stop_words
            )
        except EncoderError as error:
            for name, text in texts:
                st.caption(escape_markdown(name))
                plain_text(text)
            st.warning(f"No words are marked: {escape_markdown(str(error))}")
            return
        sides = zip(texts, marked_texts(match), word_partners(match), strict=True)
        for place, ((name, _), pieces, words) in zip(st.columns(2), sides, strict=True):
            with place:
                _show_side(name, pieces, words)
        _say_what_it_means(match, drop_stop_words=drop_stop_words)


def _show_side(name: str, pieces: Pieces, words: Sequence[WordPartner]) -> None:
    st.caption(escape_markdown(name))
    marked_words(pieces, meaning="share, the strongest word's being 1:")
    rows = [
        {
            "word": one.word,
            "share": one.contribution,
            "most like": one.partner,
            "cosine": one.cosine,
        }
        for one in words[:_MOST_WORDS]
    ]
    if rows:
        text_table(rows, wide=())
    others = words[_MOST_WORDS:]
    if others:
        share = sum(one.contribution for one in others)
        st.caption(f"{len(others)} more words, whose shares add up to {share:.3f}.")


def _say_what_it_means(match: WordMatch, *, drop_stop_words: bool) -> None:
    stop_words = "are stop words, which the mean leaves out, or " if drop_stop_words else ""
    st.caption(
        f"The shares of either text's words add up to the cosine, {match.cosine:.3f}; the darker "
        f"a word, the greater its share. Words that are not shaded {stop_words}speak against the "
        "match. A word's vector depends on the words around it, so its share is no merit of its "
        "own."
    )
    cut = [
        name
        for name, is_cut in (
            ("pseudo-reference", match.reference_truncated),
            ("sentence", match.sentence_truncated),
        )
        if is_cut
    ]
    if cut:
        st.warning(f"The encoder does not read the end of the {' and the '.join(cut)}: too long.")


_ENCODERS_AT_MOST = 4


def unfiltered_matrix(matrix: ChangeMatrix, encoder: str) -> ChangeMatrix:
    """The matrix as it were with the stop words; the embeddings are kept on disk.

    Raises:
        EncoderError: the encoder cannot be loaded.
    """
    return repooled(matrix, _encoder(encoder, drop_stop_words=False))


@st.cache_data(max_entries=256, show_spinner="Looking at the words")
def words_of_pair(
    encoder: str, reference: str, sentence: str, *, drop_stop_words: bool
) -> WordMatch:
    """The words of two texts and what they share; the model is loaded for the first of them.

    Raises:
        EncoderError: the encoder cannot be loaded.
    """
    return match_words(_encoder(encoder, drop_stop_words=drop_stop_words), reference, sentence)


def _encoder(name: str, *, drop_stop_words: bool) -> CachedEncoder:
    if name == DEFAULT_ENCODER and drop_stop_words:
        return default_encoder()
    return _other(name, drop_stop_words=drop_stop_words)


@st.cache_resource(max_entries=_ENCODERS_AT_MOST, show_spinner=False)
def _other(name: str, *, drop_stop_words: bool) -> CachedEncoder:
    return CachedEncoder(name, drop_stop_words=drop_stop_words)
