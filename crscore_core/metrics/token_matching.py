"""Greedy token matching: CodeBERTScore (section 3), and BERTScore, the same with punctuation.

Each token of a text is matched with the most similar token of the other text. Precision is the
mean of these cosines over the review's tokens, recall over the reference's; both are cached on
disk.
"""

import hashlib
from collections.abc import Iterable, Sequence
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


def precision_and_recall(review: Array, reference: Array) -> tuple[float, float]:
    """Return the mean best cosines of review tokens and of reference tokens, in [0, 1].

    Both hold a vector of length 1 for each token: (n tokens, n dimensions).
    """
    cosines = np.clip(reference @ review.T, -1.0, 1.0)
    precision, recall = (max(0.0, float(cosines.max(axis=axis).mean())) for axis in (0, 1))
    return precision, recall


def token_scores(
    pairs: Sequence[TextPair], encoder: CachedEncoder, *, skip_punctuation: bool = True
) -> TokenScores:
    """Score pairs of texts, none of them empty, by CodeBERTScore, or else by BERTScore.

    CodeBERTScore skips tokens without a letter or digit, except arithmetic operators; a text of
    nothing else keeps them.

    Raises:
        UnavailableError: the encoder cannot be loaded.
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
            scores = [
                precision_and_recall(
                    *(_vectors(text, tokens[text], skip_punctuation=skip) for text in new[key])
                )
                for skip in (False, True)
            ]
            fresh[key] = np.array(scores, "<f8").tobytes()
        store.keep(fresh)
        known |= fresh
    scored = [np.frombuffer(known[key], "<f8") for key in keys]
    return np.array(scored, np.float64).reshape(-1, 2, 2)


def _read(texts: Iterable[str], encoder: CachedEncoder) -> dict[str, TokenEmbeddings]:
    """Encode each distinct text."""
    distinct = list(dict.fromkeys(texts))
    return dict(zip(distinct, encoder.tokens(list(map(whole_text, distinct))), strict=True))


def _vectors(text: str, tokens: TokenEmbeddings, *, skip_punctuation: bool) -> Array:
    """Return the matched tokens of a text as rows of length 1."""
    rows = matched_rows(text, tokens, skip_punctuation=skip_punctuation)
    vectors = tokens.vectors[rows].astype(np.float64)
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.where(lengths > 0, lengths, 1.0))


def matched_rows(text: str, tokens: TokenEmbeddings, *, skip_punctuation: bool) -> list[int]:
    """Return the rows of the tokens of a text that are matched, without special tokens."""
    of_text = [row for row, word in enumerate(tokens.word_ids) if word is not None]
    words = [row for row in of_text if _is_matched(text[slice(*tokens.offsets[row])])]
    # A text of only special tokens, such as invisible characters, has no other token.
    return (words if skip_punctuation else []) or of_text or [*range(len(tokens.pieces))]


def _is_matched(token: str) -> bool:
    return any(character.isalnum() or character in _ARITHMETIC for character in token)
