"""Scores from greedy token matching; precision and recall are cached on disk."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from platformdirs import user_cache_path

from crscore_core.caches import ByteStore
from crscore_core.metrics.model import Array, TextPair
from crscore_core.metrics.token_matching import (
    CODEBERTSCORE,
    TokenMatching,
    f_score,
    precision_and_recall,
)
from crscore_core.scoring.cached import CachedEncoder

_MOST_BYTES = 200_000_000
_PAIRS_AT_ONCE = 500
"""Number of pairs whose tokens are in memory at once; their scores are stored together."""

_VERSION = "greedy matching of tokens, 1"
"""Version of the matching algorithm; a change needs a new name."""


@dataclass(frozen=True, slots=True, eq=False)
class TokenScores:
    """Scores of n pairs, each float64, (n,), from 0 to 1, or lower if rescaled."""

    precision: Array
    recall: Array
    f1: Array
    f3: Array


def token_scores(
    pairs: Sequence[TextPair],
    encoder: CachedEncoder,
    matching: TokenMatching = CODEBERTSCORE,
    contexts: Sequence[str] = (),
) -> TokenScores:
    """Score pairs of texts, none of them empty, by CodeBERTScore or, with `BERTSCORE`, BERTScore.

    `contexts`: empty, or one per pair; see `precision_and_recall`.

    Raises:
        EncoderError: the encoder cannot be loaded, or lacks the layer.
    """
    both_ways = _kept(pairs, encoder, matching, contexts or [""] * len(pairs))
    precision, recall = both_ways[:, int(matching.skip_punctuation)].T
    scores = precision, recall, f_score(precision, recall, 1), f_score(precision, recall, 3)
    baseline = matching.rescale or 0.0
    return TokenScores(*((score - baseline) / (1 - baseline) for score in scores))


def _kept(
    pairs: Sequence[TextPair],
    encoder: CachedEncoder,
    matching: TokenMatching,
    contexts: Sequence[str],
) -> Array:
    store = ByteStore(user_cache_path("crscore") / "token-scores", _MOST_BYTES)
    options = matching.layer, matching.idf
    space = hashlib.sha256(encoder.space + f"{_VERSION} {options!r}".encode()).digest()
    keys = [
        hashlib.sha256(
            space + repr((tuple(pair), context)).encode("utf-8", "surrogatepass")
        ).digest()
        for pair, context in zip(pairs, contexts, strict=True)
    ]
    known = store.known(dict.fromkeys(keys))
    new = {key: row for row, key in enumerate(keys) if key not in known}
    # Group pairs by reference, so that few blocks encode the same one.
    order = sorted(new, key=lambda key: pairs[new[key]].reference)
    for start in range(0, len(order), _PAIRS_AT_ONCE):
        block = order[start : start + _PAIRS_AT_ONCE]
        rows = [new[key] for key in block]
        texts = [pairs[row] for row in rows], [contexts[row] for row in rows]
        scores = precision_and_recall(texts[0], encoder, matching, texts[1])
        fresh = {key: row.astype("<f8").tobytes() for key, row in zip(block, scores, strict=True)}
        store.keep(fresh)
        known |= fresh
    return np.array([np.frombuffer(known[key], "<f8") for key in keys], np.float64).reshape(
        -1, 2, 2
    )
