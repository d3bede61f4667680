"""One row a review: scores, people's ratings, and plain facts about the text."""

import re
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from crscore_core.corpus.comparison import CorpusComparison
from crscore_core.corpus.metrics import METRICS
from crscore_core.corpus.model import DIMENSIONS
from crscore_core.corpus.rated_maxima import count_unscored
from crscore_core.corpus.reading import label_column

if TYPE_CHECKING:
    import pandas as pd

_CODE = re.compile(r"`[^`\n]+`|^ {0,3}(?:```|~~~)", re.MULTILINE)


class ReviewTable:
    """All reviews of a comparison as rows, in its order; only the scores depend on tau.

    Columns: `review` (its id), `change` (id), `language`, `system`, `text`; `human_` and each of
    `DIMENSIONS`, from 1 to 5, NaN where nobody rated; the `label_column` of each label, NaN where
    it is not given; `pseudo_references`, `sentences` and `words` (numbers); `inline_code`; each of
    `METRICS` and, from `at`, of `DIMENSIONS`, from 0 to 1.
    """

    def __init__(self, comparison: CorpusComparison) -> None:
        self.comparison = comparison

    def at(self, tau: float) -> "pd.DataFrame":
        """The rows with the scores at `tau`, to compute with; the index is the review's position.

        A review without sentences counts 0; see `count_unscored`.
        """
        import pandas as pd

        scores = self.comparison.scores([tau])[:, 0]
        return pd.DataFrame(
            {
                **self._fixed,
                **{name: self.metric(name) for name in METRICS},
                **dict(zip(DIMENSIONS, scores, strict=True)),
            }
        )

    def shown_at(self, tau: float) -> "pd.DataFrame":
        """The same rows, to read: a review without sentences has no score."""
        rows = self.at(tau)
        rows.loc[rows["sentences"] == 0, [*METRICS, *DIMENSIONS]] = np.nan
        return rows

    def metric(self, name: str) -> NDArray[np.float64]:
        """One of `METRICS`, (n reviews,), counted as in `at`."""
        return count_unscored(self._metrics[name])

    @cached_property
    def _metrics(self) -> dict[str, NDArray[np.float64]]:
        return {name: metric.compute(self.comparison) for name, metric in METRICS.items()}

    @cached_property
    def _fixed(self) -> dict[str, Any]:
        comparison, reviews = self.comparison, self.comparison.reviews
        ratings = comparison.ratings.T
        return {
            "review": [review.id for review in reviews],
            "change": [comparison.changes[review.change].id for review in reviews],
            "language": comparison.language,
            "system": comparison.system,
            "text": [review.text for review in reviews],
            **{f"human_{name}": row for name, row in zip(DIMENSIONS, ratings, strict=True)},
            **{
                label_column(name): [review.labels.get(name, np.nan) for review in reviews]
                for name in comparison.labels
            },
            "pseudo_references": [len(review.references) for review in reviews],
            "sentences": [len(review.sentences) for review in reviews],
            "words": [len(review.text.split()) for review in reviews],
            "inline_code": [has_inline_code(review.text) for review in reviews],
        }


def has_inline_code(review: str) -> bool:
    """Return True if a review quotes code as Markdown does: in backticks or a fenced block."""
    return _CODE.search(review) is not None
