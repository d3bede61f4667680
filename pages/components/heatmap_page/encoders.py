"""Encoders that show their tokens, with stop words or without."""

import streamlit as st

from crscore_core.corpus.change_matrix import ChangeMatrix, repooled
from crscore_core.scoring import DEFAULT_ENCODER, CachedEncoder, WordMatch, match_words
from pages.components.source.load import default_encoder

__all__ = ["unfiltered_matrix", "words_of_pair"]

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
