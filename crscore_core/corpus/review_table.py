"""One row a review: what the metric and people say of it, and what it is like."""

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from crscore_core.corpus.calibrated import calibrated_relevance
from crscore_core.corpus.comparison import CorpusComparison
from crscore_core.corpus.model import DIMENSIONS
from crscore_core.scoring.metric import harmonic_mean

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["ReviewTable", "has_inline_code"]

_CODE = re.compile(r"`[^`\n]+`|^ {0,3}(?:```|~~~)", re.MULTILINE)


def has_inline_code(review: str) -> bool:
    """Whether a review quotes code as Markdown does: between backticks, or in a fenced block."""
    return _CODE.search(review) is not None


class ReviewTable:
    """All reviews of a comparison as rows, in its order; only the scores depend on tau.

    Columns: `review` (its id), `change` (id), `language`, `system`, `text`; `human_` and each of
    `DIMENSIONS`, from 1 to 5, NaN where nobody rated; `pseudo_references`, `sentences` and `words`
    (numbers); `inline_code`; `no_threshold`, the harmonic mean of the mean best similarities of
    sentences and pseudo-references, which needs no tau; `calibrated_relevance`, NaN without a
    model for the encoder; and from `at` each of `DIMENSIONS`, from 0 to 1.
    """

    def __init__(self, comparison: CorpusComparison) -> None:
        self.comparison = comparison
        self._fixed = _fixed_columns(comparison)

    def at(self, tau: float) -> "pd.DataFrame":
        """The rows with the scores at `tau`; the index is the position in the comparison."""
        import pandas as pd

        scores = self.comparison.scores([tau])[:, 0]
        return pd.DataFrame({**self._fixed, **dict(zip(DIMENSIONS, scores, strict=True))})

    @property
    def calibrated(self) -> NDArray[np.float64]:
        """The column `calibrated_relevance`, (n reviews,), for which nothing is scored."""
        column: NDArray[np.float64] = self._fixed["calibrated_relevance"]
        return column


def _fixed_columns(comparison: CorpusComparison) -> Mapping[str, Any]:
    reviews = comparison.reviews
    calibrated = calibrated_relevance(comparison)
    return {
        "review": [review.id for review in reviews],
        "change": [comparison.changes[review.change].id for review in reviews],
        "language": comparison.language,
        "system": comparison.system,
        "text": [review.text for review in reviews],
        **{f"human_{name}": comparison.ratings[:, row] for row, name in enumerate(DIMENSIONS)},
        "pseudo_references": [len(review.references) for review in reviews],
        "sentences": [len(review.sentences) for review in reviews],
        "words": [len(review.text.split()) for review in reviews],
        "inline_code": [has_inline_code(review.text) for review in reviews],
        "no_threshold": _without_threshold(comparison),
        "calibrated_relevance": np.full(len(reviews), np.nan) if calibrated is None else calibrated,
    }


def _without_threshold(comparison: CorpusComparison) -> NDArray[np.float64]:
    means = np.array(
        [
            (one.similarity.max(axis=0).mean(), one.similarity.max(axis=1).mean())
            if one.similarity.size
            else (0.0, 0.0)
            for one in comparison.reviews
        ],
        dtype=np.float64,
    ).reshape(-1, 2)
    return harmonic_mean(*np.maximum(means, 0).T)
