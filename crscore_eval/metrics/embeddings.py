"""Similarity of whole texts and of tokens, both embedded by the default encoder.

Each token of a text is matched with the most similar token of the other text. Precision is the
mean of these cosines over the review's tokens, recall the mean over the reference's tokens.
CodeBERTScore (section 3) leaves out punctuation, BERTScore does not.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import chain

import numpy as np
from numpy.typing import ArrayLike, NDArray

from crscore_core.scoring import load_encoder
from crscore_eval.statistics.bootstrap import Array

_KEPT = re.compile(r"[^\W_]|[-+*/%]")
_PAIRS_AT_ONCE = 500  # whose token embeddings are in memory; a long text takes 800 KB


def embedding_similarity(reviews: Sequence[str], references: Sequence[str]) -> Array:
    """Return the cosine similarity of each whole review and its reference, (n,), from -1 to 1.

    Source: "Deep Assessment of Code Review Generation", section 5.1; stop words are pooled too.
    """
    rows = {text: row for row, text in enumerate(dict.fromkeys(chain(reviews, references)))}
    vectors = load_encoder().encode(list(rows), with_stop_words=True).vectors.astype(np.float64)
    pairs = (vectors[[rows[text] for text in texts]] for texts in (reviews, references))
    cosines: Array = np.einsum("ij,ij->i", *pairs)
    return cosines.clip(-1.0, 1.0)


def token_matching(
    reviews: Sequence[str], references: Sequence[str], figure: str, *, skip_punctuation: bool = True
) -> Array:
    """Return precision `p`, recall `r`, `f1` or `f3` of matched tokens, (n,), from 0 to 1.

    They are computed as in BERTScore, without rescaling and idf. With `skip_punctuation`, as in
    CodeBERTScore, tokens without a letter or digit are left out, except arithmetic operators.
    A text that has only such tokens keeps them.
    """
    scores = _pair_scores(tuple(reviews), tuple(references))
    precision, recall = scores[:, int(skip_punctuation)].T
    f_scores = {f"f{beta}": f_score(precision, recall, beta) for beta in (1, 3)}
    figures: dict[str, Array] = {"p": precision, "r": recall, **f_scores}
    return figures[figure]


def f_score(precision: ArrayLike, recall: ArrayLike, beta: float) -> Array:
    """Return the F-score, in which recall weighs `beta` times as much as precision (appendix A).

    Inputs and result are in [0, 1] and have the same shape. The result is 0 where both are 0.
    """
    p, r = np.asarray(precision, np.float64), np.asarray(recall, np.float64)
    weighted = beta**2 * p + r
    return (1 + beta**2) * p * r / np.where(weighted > 0, weighted, 1.0)


def precision_and_recall(review: Array, reference: Array) -> tuple[float, float]:
    """Return the mean best cosines of review tokens and of reference tokens, in [0, 1].

    Inputs have a unit vector as a row for each token, (n_tokens, n_dimensions).
    """
    cosines = np.clip(reference @ review.T, -1.0, 1.0)
    precision, recall = (max(0.0, float(cosines.max(axis=axis).mean())) for axis in (0, 1))
    return precision, recall


@lru_cache(maxsize=1)
def _pair_scores(reviews: tuple[str, ...], references: tuple[str, ...]) -> Array:
    """Return precision and recall with and without punctuation, (n_pairs, 2, 2).

    Both variants are computed together, since encoding takes nearly all of the time.
    """
    scores = np.zeros((len(reviews), 2, 2))
    # Pairs with the same reference are neighbours, so that few blocks encode it.
    order = sorted(range(len(reviews)), key=references.__getitem__)
    for start in range(0, len(order), _PAIRS_AT_ONCE):
        block = order[start : start + _PAIRS_AT_ONCE]
        texts = list(dict.fromkeys(chain(*((reviews[row], references[row]) for row in block))))
        tokens = _embed_tokens(texts)
        for row in block:
            pair = tokens[reviews[row]], tokens[references[row]]
            scores[row, 0] = precision_and_recall(*(vectors for vectors, _ in pair))
            scores[row, 1] = precision_and_recall(*(vectors[is_kept] for vectors, is_kept in pair))
    return scores


def _embed_tokens(texts: Sequence[str]) -> dict[str, tuple[Array, NDArray[np.bool_]]]:
    """Return the unit vectors of each text's tokens, as rows, and which are not punctuation.

    Special tokens are left out unless a text has no others.
    """
    embedded = {}
    for text, (places, vectors) in zip(texts, load_encoder().tokens(texts), strict=True):
        # A text of invisible characters has only special tokens.
        in_text = [at for at, (_, end) in enumerate(places) if end] or [*range(len(places))]
        is_kept = np.array([bool(_KEPT.search(text, *places[at])) for at in in_text])
        rows_of_text = vectors[in_text].astype(np.float64)
        lengths = np.linalg.norm(rows_of_text, axis=1, keepdims=True)
        unit = rows_of_text / np.where(lengths > 0, lengths, 1.0)
        embedded[text] = unit, is_kept if is_kept.any() else ~is_kept
    return embedded
