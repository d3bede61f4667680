"""Shares of single words in the similarity of a pseudo-reference and a sentence."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from crscore_core.scoring.encoder import TokenEmbeddings, TokenEncoder


@dataclass(frozen=True, slots=True)
class PooledWord:
    """A word of a text, as the encoder's tokenizer splits it.

    `text`: `text[start:end]` of the text exactly as it stands, or what is read of it where the
    encoder stops within the word.
    `is_pooled`: whether it, or a piece of it, is in the mean that is the text's vector; False
    for stop words left out.
    `contribution`: its share of the cosine, negative where it speaks against the match; 0 for
    a word that is not pooled.
    """

    text: str
    start: int
    end: int
    is_pooled: bool
    contribution: float


@dataclass(frozen=True, slots=True, eq=False)
class WordMatch:
    """The cosine of a pseudo-reference and a review sentence, by their words.

    The contributions of either text's words add up to `cosine`, up to rounding. Only a text
    without words, such as a blank one, has none: its vector is made of the tokenizer's marks.

    `cosine`: in [-1, 1], equal to that of the encoder's vectors up to rounding.
    `reference_words`, `sentence_words`: in the order of the text, none overlapping another.
    `reference_truncated`, `sentence_truncated`: whether the text is longer than the encoder
    reads; what follows its last word is then not read and not among the words.
    """

    reference: str
    sentence: str
    cosine: float
    reference_words: tuple[PooledWord, ...]
    sentence_words: tuple[PooledWord, ...]
    reference_truncated: bool
    sentence_truncated: bool


def match_words(encoder: TokenEncoder, pairs: Sequence[tuple[str, str]]) -> list[WordMatch]:
    """Split the cosine of each pair, a reference and a sentence, among their words.

    The cosine of two mean-pooled texts is a sum over the pooled tokens t of either: with P and
    R the sums of the two texts' pooled tokens, P·R / |P||R| is the sum of t·R / |P||R| over
    the tokens of P, and of t·P / |P||R| over those of R. A word's share is that of its pieces.
    The vectors of tokens depend on their context, so that a share is no word's own merit, and
    leaving the word out would change the others' shares.
    """
    texts = list(dict.fromkeys(text for pair in pairs for text in pair))
    tokens = dict(zip(texts, encoder.tokens(texts), strict=True))
    return [_match(*pair, *map(tokens.__getitem__, pair)) for pair in pairs]


def _match(
    reference: str, sentence: str, one: TokenEmbeddings, other: TokenEmbeddings
) -> WordMatch:
    one_sum, other_sum = _pooled_sum(one), _pooled_sum(other)
    lengths = float(np.linalg.norm(one_sum) * np.linalg.norm(other_sum)) or 1.0
    return WordMatch(
        reference,
        sentence,
        float(np.clip(one_sum @ other_sum / lengths, -1.0, 1.0)),
        _words(reference, one, other_sum / lengths),
        _words(sentence, other, one_sum / lengths),
        one.truncated,
        other.truncated,
    )


def _word_groups(tokens: TokenEmbeddings) -> list[list[int]]:
    """Indices of the tokens of each word, without the marks.

    Tokens that share a character are one word whatever the tokenizer says: one character that
    it rewrites as several, `½` as `1⁄2`, may go to several of its words.
    """
    groups: list[list[int]] = []
    last, last_end = None, 0
    for index, (word, (start, end)) in enumerate(zip(tokens.word_ids, tokens.offsets, strict=True)):
        if word is None:
            continue
        if groups and (word == last or start < last_end):
            groups[-1].append(index)
        else:
            groups.append([index])
        last, last_end = word, max(last_end, end)
    return groups


def _pooled_sum(tokens: TokenEmbeddings) -> NDArray[np.float64]:
    return np.asarray(tokens.vectors[tokens.is_pooled].sum(axis=0, dtype=np.float64))


def _words(
    text: str, tokens: TokenEmbeddings, other: NDArray[np.float64]
) -> tuple[PooledWord, ...]:
    """The words of a text; a token's share is its product with `other`, 0 if it is not pooled."""
    shares = np.where(tokens.is_pooled, tokens.vectors.astype(np.float64) @ other, 0.0)
    words = []
    for group in _word_groups(tokens):
        start = min(tokens.offsets[index][0] for index in group)
        end = max(tokens.offsets[index][1] for index in group)
        is_pooled, share = bool(tokens.is_pooled[group].any()), float(shares[group].sum())
        words.append(PooledWord(text[start:end], start, end, is_pooled, share))
    return tuple(words)
