"""Greedy token matching: CodeBERTScore (section 3), and BERTScore, the same with punctuation.

Each token of a text is matched with the most similar token of the other text. Precision is the
mean of these cosines over the review's tokens, recall over the reference's; both are cached on
disk.
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import ArrayLike
from platformdirs import user_cache_path

from crscore_core.caches import ByteStore
from crscore_core.metrics.model import Array, TextPair
from crscore_core.scoring.cached import CachedEncoder
from crscore_core.scoring.encoder import TokenEmbeddings
from crscore_core.text import whole_text

_ARITHMETIC = frozenset("+-*/%")
_MOST_BYTES = 200_000_000
_PAIRS_AT_ONCE = 500
"""Number of pairs whose tokens are in memory at once; their scores are stored together."""

_VERSION = "greedy matching of tokens, 2"
"""Version of the matching algorithm; a change needs a new name."""


@dataclass(frozen=True, slots=True, eq=False)
class MatchedTokens:
    """The n matched tokens of a text, without special tokens.

    `texts`: the tokens as written in the text.
    `vectors`: float64, (n, n dimensions), rows of length 1.
    `truncated`: True if the encoder read only part of the text.
    """

    texts: tuple[str, ...]
    vectors: Array
    truncated: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class TokenMatch:
    """The tokens of a reference and of a review, and their cosines."""

    reference: MatchedTokens
    review: MatchedTokens

    @property
    def cosines(self) -> Array:
        """Cosines of each reference token with each review token, (n, m), in [-1, 1]."""
        return np.asarray(np.clip(self.reference.vectors @ self.review.vectors.T, -1.0, 1.0))

    def precision_and_recall(self) -> tuple[float, float]:
        """Return the mean best cosines of review tokens and of reference tokens, in [0, 1]."""
        cosines = self.cosines
        precision, recall = (max(0.0, float(cosines.max(axis=axis).mean())) for axis in (0, 1))
        return precision, recall


@dataclass(frozen=True, slots=True, eq=False)
class TokenScores:
    """Scores of n pairs, each float64, (n,), from 0 to 1."""

    precision: Array
    recall: Array
    f1: Array
    f3: Array


def f_score(precision: ArrayLike, recall: ArrayLike, beta: float) -> Array:
    """Return the F-score, in which recall weighs `beta` times as much (appendix A).

    Inputs and result are in [0, 1] and have the same shape; 0 where both inputs are 0.
    """
    p, r = np.asarray(precision, np.float64), np.asarray(recall, np.float64)
    weighted = beta**2 * p + r
    return (1 + beta**2) * p * r / np.where(weighted > 0, weighted, 1.0)


def token_matches(
    review: str, reference: str, encoder: CachedEncoder, *, skip_punctuation: bool = True
) -> TokenMatch:
    """Match the tokens of a review and its reference, to show which match; see `token_scores`.

    Raises:
        EncoderError: the encoder cannot be loaded.
    """
    pair = TextPair(review, reference)
    return _match(pair, _read(pair, encoder), skip_punctuation=skip_punctuation)


def token_scores(
    pairs: Sequence[TextPair], encoder: CachedEncoder, *, skip_punctuation: bool = True
) -> TokenScores:
    """Score pairs of texts, none of them empty, by CodeBERTScore, or else by BERTScore.

    CodeBERTScore skips tokens without a letter or digit, except arithmetic operators; a text of
    nothing else keeps them.

    Raises:
        EncoderError: the encoder cannot be loaded.
    """
    precision, recall = _both_ways(pairs, encoder)[:, int(skip_punctuation)].T
    return TokenScores(
        precision, recall, f_score(precision, recall, 1), f_score(precision, recall, 3)
    )


def _both_ways(pairs: Sequence[TextPair], encoder: CachedEncoder) -> Array:
    """Return precision and recall with and without punctuation, (n pairs, 2 ways, 2).

    Both ways are computed together, since encoding takes nearly all the time. The tokens of all
    texts of a block are in memory at once: 400 KB for a long one.
    """
    store = ByteStore(user_cache_path("crscore") / "token-scores", _MOST_BYTES)
    space = hashlib.sha256(encoder.space + _VERSION.encode()).digest()
    keys = [
        hashlib.sha256(space + repr(tuple(pair)).encode("utf-8", "surrogatepass")).digest()
        for pair in pairs
    ]
    known = store.known(dict.fromkeys(keys))
    new = {key: pair for key, pair in zip(keys, pairs, strict=True) if key not in known}
    # Group pairs by reference, so that few blocks encode the same one.
    order = sorted(new, key=lambda key: new[key].reference)
    for start in range(0, len(order), _PAIRS_AT_ONCE):
        block = order[start : start + _PAIRS_AT_ONCE]
        tokens = _read(chain.from_iterable(new[key] for key in block), encoder)
        fresh = {}
        for key in block:
            ways = [_match(new[key], tokens, skip_punctuation=skip) for skip in (False, True)]
            scores = [way.precision_and_recall() for way in ways]
            fresh[key] = np.array(scores, "<f8").tobytes()
        store.keep(fresh)
        known |= fresh
    scored = [np.frombuffer(known[key], "<f8") for key in keys]
    return np.array(scored, np.float64).reshape(-1, 2, 2)


def _read(texts: Iterable[str], encoder: CachedEncoder) -> dict[str, TokenEmbeddings]:
    """Encode each distinct text."""
    distinct = list(dict.fromkeys(texts))
    return dict(zip(distinct, encoder.tokens(list(map(whole_text, distinct))), strict=True))


def _match(
    pair: TextPair, tokens: Mapping[str, TokenEmbeddings], *, skip_punctuation: bool
) -> TokenMatch:
    review, reference = (
        _matched_tokens(text, tokens[text], skip_punctuation=skip_punctuation) for text in pair
    )
    return TokenMatch(reference, review)


def _matched_tokens(text: str, tokens: TokenEmbeddings, *, skip_punctuation: bool) -> MatchedTokens:
    of_text = [row for row, word in enumerate(tokens.word_ids) if word is not None]
    words = [row for row in of_text if _is_matched(text[slice(*tokens.offsets[row])])]
    # A text of only special tokens, such as invisible characters, has no other token.
    rows = (words if skip_punctuation else []) or of_text or [*range(len(tokens.pieces))]
    vectors = tokens.vectors[rows].astype(np.float64)
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return MatchedTokens(
        tuple(text[slice(*tokens.offsets[row])] for row in rows),
        vectors / np.where(lengths > 0, lengths, 1.0),
        tokens.truncated,
    )


def _is_matched(token: str) -> bool:
    return any(character.isalnum() or character in _ARITHMETIC for character in token)
