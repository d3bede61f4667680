"""The pair of a pseudo-reference and a sentence that is looked at, and its matching words."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from crscore_core.corpus.change_matrix import ChangeMatrix
from crscore_core.corpus.matching_words import Pieces, marked_texts, matched_texts
from crscore_core.errors import EncoderError
from crscore_core.scoring import WordMatch, match_words
from crscore_core.scoring.references import PseudoReference
from pages.components.charts import chosen_points
from pages.components.heatmap_choice import CELL
from pages.components.markup import marked_words, plain_text
from pages.components.names import system_name
from pages.components.source.load import encoder_of
from pages.components.source.model import Source
from pages.components.text import escape_markdown

Pair = tuple[int, int]
"""Row and column."""

_SEEN, _TABLES = "heatmap_seen", "heatmap_tables"


def chart_key(shown: str) -> str:
    """Return the key of the chart, also the name of its pictures."""
    return f"heatmap-{shown}"


def table_key(shown: str) -> str:
    """Return the key of the table; a table of another key forgets its cell."""
    return f"heatmap-table-{shown}-{st.session_state.get(_TABLES, 0)}"


def chosen_pair(matrix: ChangeMatrix, shown: str) -> Pair | None:
    """Return the pair chosen last, in the chart or the table, or named by the URL.

    Chart and table keep their choice, so only a new one counts. `shown` tells the reviews that
    are shown from others.
    """
    in_chart = _in_chart(chosen_points(chart_key(shown)))
    in_table = _in_table(st.session_state.get(table_key(shown)))
    seen_chart, seen_table = st.session_state.get(_SEEN, (None, None))
    st.session_state[_SEEN] = (in_chart, in_table)
    if in_table is not None and in_table != seen_table:
        st.query_params[CELL] = f"{in_table[0] + 1}-{in_table[1] + 1}"
    elif in_chart is not None and in_chart != seen_chart:
        _forget_table()  # its cell could not be chosen again otherwise
        st.query_params[CELL] = f"{in_chart[0] + 1}-{in_chart[1] + 1}"
    return _from_url(matrix)


def show_pair(source: Source, matrix: ChangeMatrix, pair: Pair | None, tau: float) -> None:
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
    system = system_name(source, matrix.reviews[matrix.review_of[column]].system)
    texts = (
        (f"P{row + 1}, {reference.kind.value} of {reference.source}", reference.text),
        (f"S{column + 1}, sentence of {system}", sentence),
    )
    with st.container(border=True):
        with st.container(horizontal=True, horizontal_alignment="distribute"):
            verdict = "above" if cosine > tau else "not above"
            st.markdown(
                f"**P{row + 1} and S{column + 1}**: cosine {cosine:.3f}, {verdict} tau {tau:.3f}"
            )
            st.button("Close", icon=":material/close:", key="heatmap_close", on_click=_forget_pair)
        try:
            match = _words_of_pair(source.comparison.encoder, reference, sentence)
        except EncoderError as error:
            for name, text in texts:
                st.caption(escape_markdown(name))
                plain_text(text)
            st.warning(f"No words are marked: {escape_markdown(str(error))}")
            return
        for place, (name, text), pieces in zip(
            st.columns(2), texts, marked_texts(match), strict=True
        ):
            with place:
                _show_side(name, text, pieces)
        _say_what_it_means(match)


def _forget_pair() -> None:
    _forget_table()
    st.query_params.pop(CELL, None)


def _forget_table() -> None:
    st.session_state[_TABLES] = st.session_state.get(_TABLES, 0) + 1


def _in_chart(points: Sequence[Any]) -> Pair | None:
    return (int(points[0][0]), int(points[0][1])) if points else None


def _in_table(state: Any) -> Pair | None:  # noqa: ANN401 - Streamlit's own
    cells = state["selection"]["cells"] if state else []
    if not cells or not str(cells[0][1]).startswith("S"):
        return None
    return int(cells[0][0]), int(cells[0][1][1:]) - 1


def _from_url(matrix: ChangeMatrix) -> Pair | None:
    row, _, column = st.query_params.get(CELL, "").partition("-")
    if not (row.isascii() and row.isdigit() and column.isascii() and column.isdigit()):
        return None
    # No number is longer than those of rows and columns, and Python refuses very long ones.
    pair = int(row[:9]) - 1, int(column[:9]) - 1
    is_there = 0 <= pair[0] < len(matrix.references) and 0 <= pair[1] < len(matrix.sentences)
    return pair if is_there else None


@st.cache_data(max_entries=256, show_spinner="Looking at the words")
def _words_of_pair(name: str, reference: PseudoReference, sentence: str) -> WordMatch:
    """Match the text or wording of a pseudo-reference that is most like a sentence."""
    encoder = encoder_of(name)
    (text,) = matched_texts([(reference, sentence)], encoder)
    return match_words(encoder, text, sentence)


def _show_side(name: str, text: str, pieces: Pieces) -> None:
    st.caption(escape_markdown(name))
    if "".join(piece for piece, _ in pieces) != text:
        plain_text(text)
        st.caption("matched as:")
    marked_words(pieces, meaning="share, the strongest word's being 1:")


def _say_what_it_means(match: WordMatch) -> None:
    st.caption(
        f"The shares of either text's words add up to the cosine, {match.cosine:.3f}; the darker "
        "a word, the greater its share. Words that are not shaded are stop words, which the "
        "metric ignores, or speak against the match. A share depends on the words around it."
    )
    cut = ["pseudo-reference"] if match.reference_truncated else []
    cut += ["sentence"] if match.sentence_truncated else []
    if cut:
        st.warning(f"The encoder does not read the end of the {' and the '.join(cut)}: too long.")
