"""Greedy token matching: CodeBERTScore (section 3), and BERTScore, the same without masks.

Each token of a text is matched with the most similar token of the other text. Precision is the
mean of these cosines over the review's tokens, recall over the reference's.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np
from numpy.typing import ArrayLike

from crscore_core.errors import InputError
from crscore_core.metrics.model import Array, TextPair
from crscore_core.scoring.cached import CachedEncoder
from crscore_core.scoring.encoder import SentenceTransformerEncoder, TokenEmbeddings
from crscore_core.text import whole_text

LayeredEncoder = SentenceTransformerEncoder | CachedEncoder
"""An encoder that returns the tokens of texts, with the vectors of any layer."""

_Key = tuple[str, str]  # a text and its context
_Weights = tuple[Mapping[str, float], float]
_ARITHMETIC = frozenset("+-*/%")


@dataclass(frozen=True, slots=True)
class TokenMatching:
    """Options of greedy matching, by default for CodeBERTScore.

    `layer`: the hidden layer to use, 0 for the encoder's input; None for its output.
    `skip_punctuation`: leave out tokens without a letter or digit, except arithmetic operators. A
    text of nothing else keeps them.
    `idf`: texts, such as all references of a data set; a token weighs more the fewer of them
    contain it. Without texts all tokens weigh the same.
    `rescale`: cosine of unrelated texts, less than 1. It becomes 0, and 1 stays 1 (appendix A);
    lower scores become negative.

    Raises:
        InputError: `rescale` is not less than 1.
    """

    layer: int | None = None
    skip_punctuation: bool = True
    idf: tuple[str, ...] = ()
    rescale: float | None = None

    def __post_init__(self) -> None:
        if self.rescale is not None and not self.rescale < 1:
            raise InputError(f"rescale is {self.rescale}: give a cosine less than 1")


BERTSCORE = TokenMatching(skip_punctuation=False)
CODEBERTSCORE = TokenMatching()


@dataclass(frozen=True, slots=True, eq=False)
class MatchedTokens:
    """The n matched tokens of a text, without special tokens.

    `texts`: the tokens as written in the text.
    `vectors`: float64, (n, n dimensions), rows of length 1.
    `weights`: float64, (n,), not negative.
    `truncated`: True if the encoder read only part of the text.
    """

    texts: tuple[str, ...]
    vectors: Array
    weights: Array
    truncated: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class TokenMatch:
    """The tokens of a reference and of a review, and their cosines."""

    reference: MatchedTokens
    review: MatchedTokens

    @property
    def cosines(self) -> Array:
        """Cosines of each reference token with each review token, (n, m), in [-1, 1]."""
        cosines: Array = np.clip(self.reference.vectors @ self.review.vectors.T, -1.0, 1.0)
        return cosines

    def precision_and_recall(self) -> tuple[float, float]:
        """Return weighted mean best cosines of review tokens and of reference tokens, in [0, 1]."""
        cosines = self.cosines
        return (
            _mean(cosines.max(axis=0), self.review.weights),
            _mean(cosines.max(axis=1), self.reference.weights),
        )


def f_score(precision: ArrayLike, recall: ArrayLike, beta: float) -> Array:
    """Return the F-score, in which recall weighs `beta` times as much (appendix A).

    Inputs and result are in [0, 1] and have the same shape; 0 where both inputs are 0.
    """
    p, r = np.asarray(precision, np.float64), np.asarray(recall, np.float64)
    weighted = beta**2 * p + r
    return (1 + beta**2) * p * r / np.where(weighted > 0, weighted, 1.0)


def idf_weights(documents: Sequence[Sequence[str]]) -> _Weights:
    """Return the weight of each token, and of unseen ones: ln (documents + 1) / (with it + 1)."""
    counts = Counter(chain.from_iterable(map(set, documents)))
    total = len(documents) + 1
    return {token: math.log(total / (n + 1)) for token, n in counts.items()}, math.log(total)


def token_matches(
    review: str,
    reference: str,
    encoder: LayeredEncoder,
    matching: TokenMatching = CODEBERTSCORE,
    context: str = "",
) -> TokenMatch:
    """Match the tokens of a review and its reference, to show which match.

    Raises:
        EncoderError: the encoder cannot be loaded, or lacks the layer.
    """
    pair = TextPair(review, reference)
    tokens = _read({(text, context) for text in pair}, encoder, matching)
    return _match(pair, context, tokens, matching, _weights(encoder, matching))


def precision_and_recall(
    pairs: Sequence[TextPair],
    encoder: LayeredEncoder,
    matching: TokenMatching = CODEBERTSCORE,
    contexts: Sequence[str] = (),
) -> Array:
    """Return precision and recall with and without punctuation, (n pairs, 2 ways, 2), in [0, 1].

    Both ways are computed regardless of `matching`, since encoding takes nearly all the time.
    Nothing is rescaled. The tokens of all texts are in memory at once: 400 KB for a long one.

    `contexts`: empty, or a text per pair, such as the code under review, which both texts are
    encoded with but which is not matched. It comes after them, so that the context is cut if the
    encoder cannot read both.
    """
    weights = _weights(encoder, matching)
    ways = [replace(matching, skip_punctuation=skip) for skip in (False, True)]
    texts = list(zip(pairs, contexts or [""] * len(pairs), strict=True))
    tokens = _read({(text, context) for pair, context in texts for text in pair}, encoder, matching)
    scores = [
        [_match(*each, tokens, way, weights).precision_and_recall() for way in ways]
        for each in texts
    ]
    return np.array(scores, np.float64).reshape(-1, 2, 2)


def _weights(encoder: LayeredEncoder, matching: TokenMatching) -> _Weights:
    return idf_weights(encoder.pieces(matching.idf)) if matching.idf else ({}, 1.0)


def _read(
    keys: Set[_Key], encoder: LayeredEncoder, matching: TokenMatching
) -> dict[_Key, TokenEmbeddings]:
    """Encode each distinct text with its context."""
    texts = [whole_text(f"{text}\n{context}" if context else text) for text, context in keys]
    return dict(zip(keys, encoder.tokens(texts, matching.layer), strict=True))


def _match(
    pair: TextPair,
    context: str,
    tokens: Mapping[_Key, TokenEmbeddings],
    matching: TokenMatching,
    weights: _Weights,
) -> TokenMatch:
    review, reference = (
        _matched_tokens(text, tokens[text, context], matching, weights) for text in pair
    )
    return TokenMatch(reference, review)


def _matched_tokens(
    text: str, tokens: TokenEmbeddings, matching: TokenMatching, weights: _Weights
) -> MatchedTokens:
    known, unknown = weights
    read = enumerate(zip(tokens.word_ids, tokens.offsets, strict=True))
    of_text = [row for row, (word, (_, end)) in read if word is not None and end <= len(text)]
    words = [row for row in of_text if _is_matched(text[slice(*tokens.offsets[row])])]
    # A text of only special tokens, such as invisible characters, has no other token.
    rows = (words if matching.skip_punctuation else []) or of_text or [*range(len(tokens.pieces))]
    vectors = tokens.vectors[rows].astype(np.float64)
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return MatchedTokens(
        tuple(text[slice(*tokens.offsets[row])] for row in rows),
        vectors / np.where(lengths > 0, lengths, 1.0),
        np.array([known.get(tokens.pieces[row], unknown) for row in rows]),
        tokens.truncated and tokens.offsets[rows[-1]][1] < len(text.rstrip()),
    )


def _is_matched(token: str) -> bool:
    return any(character.isalnum() or character in _ARITHMETIC for character in token)


def _mean(cosines: Array, weights: Array) -> float:
    """Return the weighted mean, at least 0; the plain mean if all weights are 0."""
    mean = np.average(cosines, weights=weights if weights.any() else None)
    return float(max(0.0, mean))
