"""The resamples of a corpus's changes that its intervals rest on."""

from crscore_core.corpus.comparison import CorpusComparison
from crscore_core.statistics import ClusterBootstrap

__all__ = ["corpus_bootstrap"]

_MOST, _FEWEST = 1_000, 100
_RESAMPLED_REVIEWS = 2_000_000
"""Reviews in all resamples together: as many as somebody who moves tau can wait for."""


def corpus_bootstrap(comparison: CorpusComparison) -> ClusterBootstrap:
    """1,000 resamples of up to 2,000 reviews, fewer of more, and at least 100.

    Raises:
        StatisticsError: there are more changes than can be resampled (see `ClusterBootstrap`).
    """
    n_changes = max(1, len(comparison.changes))
    n_reviews = max(n_changes, len(comparison.reviews))
    return ClusterBootstrap(n_changes, max(_FEWEST, min(_MOST, _RESAMPLED_REVIEWS // n_reviews)))
