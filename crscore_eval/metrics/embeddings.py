"""Similarity of embeddings: of whole texts, and of tokens.

Each token of a text is matched with the most similar token of the other text. Precision is the
mean of these cosines over the review's tokens, recall the mean over the reference's tokens.
CodeBERTScore (section 3) leaves out punctuation, BERTScore does not.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from crscore_core.scoring.encoder import PooledEncoder
from crscore_eval.statistics import Array

_ARITHMETIC = frozenset("+-*/%")
_PAIRS_AT_ONCE = 500
"""Number of pairs whose token embeddings are in memory at once; a long text has 400 KB."""


def embedding_similarity(
    reviews: Sequence[str], references: Sequence[str], encoder: PooledEncoder
) -> Array:
    """Return the cosine of each whole review and its reference, (n,), from -1 to 1.

    Source: "Deep Assessment of Code Review Generation", section 5.1; stop words are pooled too.

    Raises:
        UnavailableError: the encoder cannot be loaded.
    """
    rows = {text: row for row, text in enumerate(dict.fromkeys(chain(reviews, references)))}
    vectors = encoder.encode(list(rows), with_stop_words=True).vectors.astype(np.float64)
    pairs = (vectors[[rows[text] for text in texts]] for texts in (reviews, references))
    return np.asarray(np.einsum("ij,ij->i", *pairs))


class TokenEmbeddings(NamedTuple):
    """The n tokens of a text that the encoder reads, special tokens included, in order.

    offsets: the place of each in the text, `text[start:end]`; (0, 0) for a special token.
    vectors: float32, (n tokens, n dimensions), of any length.
    """

    offsets: tuple[tuple[int, int], ...]
    vectors: NDArray[np.float32]


def embed_tokens(texts: Sequence[str], encoder: PooledEncoder) -> list[TokenEmbeddings]:
    """Return the tokens of each text; all vectors are in memory at once."""
    embeddings: dict[int, TokenEmbeddings] = {}
    for rows, encodings, tokens in encoder.batches(texts):
        for row, encoding, padded in zip(rows, encodings, tokens.cpu().numpy(), strict=True):
            n_tokens = sum(encoding.attention_mask)
            offsets = tuple(encoding.offsets[:n_tokens])
            embeddings[row] = TokenEmbeddings(offsets, padded[:n_tokens].copy())
    return [embeddings[row] for row in range(len(texts))]


def bertscore_f1(
    reviews: Sequence[str], references: Sequence[str], encoder: PooledEncoder
) -> Array:
    """Return BERTScore's F1, (n,), from 0 to 1, without rescaling and idf.

    Raises:
        UnavailableError: the encoder cannot be loaded.
    """
    precision, recall = _pair_scores(tuple(reviews), tuple(references), encoder)[:, 0].T
    return f_score(precision, recall, 1)


def codebertscore(
    reviews: Sequence[str], references: Sequence[str], encoder: PooledEncoder
) -> dict[str, Array]:
    """Return CodeBERTScore's precision `p`, recall `r`, `f1` and `f3`, each (n,), from 0 to 1.

    Tokens without a letter or digit are skipped, except arithmetic operators. A text of only such
    tokens keeps them.

    Raises:
        UnavailableError: the encoder cannot be loaded.
    """
    precision, recall = _pair_scores(tuple(reviews), tuple(references), encoder)[:, 1].T
    f_scores = {f"f{beta}": f_score(precision, recall, beta) for beta in (1, 3)}
    return {"p": precision, "r": recall, **f_scores}


def f_score(precision: ArrayLike, recall: ArrayLike, beta: float) -> Array:
    """Return the F-score, in which recall weighs `beta` times as much as precision (appendix A).

    Inputs and result are in [0, 1] and have the same shape. The result is 0 where both are 0.
    """
    p, r = np.asarray(precision, np.float64), np.asarray(recall, np.float64)
    weighted = beta**2 * p + r
    return (1 + beta**2) * p * r / np.where(weighted > 0, weighted, 1.0)


def precision_and_recall(review: Array, reference: Array) -> tuple[float, float]:
    """Return the mean best cosines of review tokens and of reference tokens, in [0, 1].

    Inputs have a row of length 1 for each token, (n_tokens, n_dimensions).
    """
    cosines = np.clip(reference @ review.T, -1.0, 1.0)
    precision, recall = (max(0.0, float(cosines.max(axis=axis).mean())) for axis in (0, 1))
    return precision, recall


@lru_cache(maxsize=1)
def _pair_scores(
    reviews: tuple[str, ...], references: tuple[str, ...], encoder: PooledEncoder
) -> Array:
    """Return precision and recall with and without punctuation, (n_pairs, 2, 2).

    Both variants are computed together, since encoding takes nearly all of the time.
    """
    pairs = list(zip(reviews, references, strict=True))
    scores = np.zeros((len(pairs), 2, 2))
    # Pairs with the same reference are neighbours, so that few blocks encode it.
    order = sorted(range(len(pairs)), key=lambda row: pairs[row][1])
    for start in range(0, len(order), _PAIRS_AT_ONCE):
        block = order[start : start + _PAIRS_AT_ONCE]
        texts = list(dict.fromkeys(chain.from_iterable(pairs[row] for row in block)))
        tokens = dict(zip(texts, embed_tokens(texts, encoder), strict=True))
        for row in block:
            for skip in (False, True):
                review, reference = (
                    _token_vectors(text, tokens[text], skip_punctuation=skip) for text in pairs[row]
                )
                scores[row, int(skip)] = precision_and_recall(review, reference)
    return scores


def _token_vectors(text: str, tokens: TokenEmbeddings, *, skip_punctuation: bool) -> Array:
    """Return the vectors of a text's tokens, without special tokens, as rows of length 1."""
    in_text = [row for row, (_, end) in enumerate(tokens.offsets) if end]
    kept = [row for row in in_text if _is_kept(text[slice(*tokens.offsets[row])])]
    # A text of invisible characters has only special tokens.
    rows = (kept if skip_punctuation else []) or in_text or [*range(len(tokens.offsets))]
    vectors = tokens.vectors[rows].astype(np.float64)
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.where(lengths > 0, lengths, 1.0))


def _is_kept(token: str) -> bool:
    return any(character.isalnum() or character in _ARITHMETIC for character in token)
