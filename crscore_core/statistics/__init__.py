"""Statistics of a validity study: how far a metric's scores agree with people's ratings."""

from crscore_core.statistics.agreement import Scale, krippendorff_alpha
from crscore_core.statistics.bootstrap import (
    ClusterBootstrap,
    Interval,
    interval,
    resample_clusters,
)
from crscore_core.statistics.clustered_pairs import ClusteredPairs
from crscore_core.statistics.rank_correlation import RankCorrelation, rank_correlation

__all__ = [
    "ClusterBootstrap",
    "ClusteredPairs",
    "Interval",
    "RankCorrelation",
    "Scale",
    "interval",
    "krippendorff_alpha",
    "rank_correlation",
    "resample_clusters",
]
