"""The interface of metrics that compare a review with a reference review."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from crscore_core.text import whole_text

Array = NDArray[np.float64]


class TextPair(NamedTuple):
    """A review and the reference review that it is compared with."""

    review: str
    reference: str


@dataclass(frozen=True, slots=True)
class ReferenceMetric:
    """A metric that compares a review with a reference review.

    `title`: the display name.
    `compute`: returns (n,) numbers for n pairs of non-empty texts; the maximum for equal texts,
    and independent of the other pairs.
    `is_symmetric`: True if review and reference may be exchanged.
    `lowest`: the smallest possible number; the largest is 1.
    """

    title: str
    compute: Callable[[Sequence[TextPair]], ArrayLike]
    is_symmetric: bool
    lowest: float = 0.0

    def score(self, pairs: Sequence[TextPair]) -> Array:
        """Score each pair: float64, (n,), from `lowest` to 1; NaN if `no_score_reason` has one.

        Raises:
            UnavailableError: the metric needs an encoder that cannot be loaded.
        """
        scores = np.full(len(pairs), np.nan)
        scored = [row for row, pair in enumerate(pairs) if no_score_reason(pair) is None]
        if scored:
            texts = [TextPair(*map(whole_text, pairs[row])) for row in scored]
            scores[scored] = np.clip(self.compute(texts), self.lowest, 1.0)
        return scores


def no_score_reason(pair: TextPair) -> str | None:
    """Return why no metric can score a pair, or None if all can."""
    empty = [name for name, text in zip(pair._fields, pair, strict=True) if not text.strip()]
    if not empty:
        return None
    return f"the {' and the '.join(empty)} {'are' if len(empty) > 1 else 'is'} empty"
