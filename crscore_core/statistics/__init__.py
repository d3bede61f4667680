"""Statistics of a validity study: how far a metric's scores agree with people's ratings."""

from crscore_core.statistics.agreement import ClusteredRatings, Scale, krippendorff_alpha
from crscore_core.statistics.bootstrap import (
    ClusterBootstrap,
    Interval,
    interval,
    resample_clusters,
)
from crscore_core.statistics.clustered_mean import clustered_mean, clustered_ratio
from crscore_core.statistics.clustered_pairs import ClusteredPairs
from crscore_core.statistics.estimate import Estimate, number_or_none
from crscore_core.statistics.matching import ClusteredMatches, PrecisionRecall
from crscore_core.statistics.rank_correlation import RankCorrelation, rank_correlation
from crscore_core.statistics.ranking import (
    Neighbours,
    RankedSystem,
    Ranking,
    rank_means,
    rank_systems,
)
from crscore_core.statistics.row_correlations import RowCorrelations, row_correlations
from crscore_core.statistics.system_correlation import (
    SystemCorrelation,
    correlate_means,
    correlate_resampled_means,
    system_correlation,
)
from crscore_core.statistics.system_scores import (
    SystemMeans,
    SystemScores,
    means_in_resamples,
    system_scores,
)

__all__ = [
    "ClusterBootstrap",
    "ClusteredMatches",
    "ClusteredPairs",
    "ClusteredRatings",
    "Estimate",
    "Interval",
    "Neighbours",
    "PrecisionRecall",
    "RankCorrelation",
    "RankedSystem",
    "Ranking",
    "RowCorrelations",
    "Scale",
    "SystemCorrelation",
    "SystemMeans",
    "SystemScores",
    "clustered_mean",
    "clustered_ratio",
    "correlate_means",
    "correlate_resampled_means",
    "interval",
    "krippendorff_alpha",
    "means_in_resamples",
    "number_or_none",
    "rank_correlation",
    "rank_means",
    "rank_systems",
    "resample_clusters",
    "row_correlations",
    "system_correlation",
    "system_scores",
]
