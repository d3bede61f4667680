"""Which words make a pseudo-reference and a sentence alike."""

from collections.abc import Sequence

import streamlit as st

from crscore_core.corpus.change_matrix import ChangeMatrix
from crscore_core.corpus.matching_words import (
    Pieces,
    WordPartner,
    marked_texts,
    word_partners,
)
from crscore_core.errors import EncoderError
from crscore_core.scoring import WordMatch
from pages.components.heatmap_page.encoders import words_of_pair
from pages.components.heatmap_page.pair import Pair, forget_pair
from pages.components.markup import marked_words, plain_text, text_table
from pages.components.names import system_name
from pages.components.source.model import Source
from pages.components.text import escape_markdown

__all__ = ["show_pair"]

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
