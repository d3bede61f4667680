"""Statistics of a validity study: agreement of a metric's scores with human ratings."""

from crscore_eval.statistics.agreement import ClusteredRatings
from crscore_eval.statistics.bootstrap import (
    ClusterBootstrap,
    Estimate,
    Interval,
    clustered_mean,
    clustered_ratio,
    holm,
    number_or_none,
)
from crscore_eval.statistics.correlation import (
    ClusteredPairs,
    Correlation,
    correlate,
    rank_correlation,
    row_correlations,
)
from crscore_eval.statistics.decisions import ClusteredDecisions, held_out_decisions
from crscore_eval.statistics.difference import (
    FEWEST_CHANGES,
    SURE,
    MeanDifference,
    ScoresByChange,
    compare_all,
    mean_difference,
)
from crscore_eval.statistics.matching import ClusteredMatches
from crscore_eval.statistics.pairwise import (
    PairwiseAccuracy,
    pairwise_accuracy,
    soft_pairwise_accuracy,
)
from crscore_eval.statistics.systems import (
    RankedSystem,
    SystemScores,
    rank_systems,
    system_correlation,
    system_scores,
)

__all__ = [
    "FEWEST_CHANGES",
    "SURE",
    "ClusterBootstrap",
    "ClusteredDecisions",
    "ClusteredMatches",
    "ClusteredPairs",
    "ClusteredRatings",
    "Correlation",
    "Estimate",
    "Interval",
    "MeanDifference",
    "PairwiseAccuracy",
    "RankedSystem",
    "ScoresByChange",
    "SystemScores",
    "clustered_mean",
    "clustered_ratio",
    "compare_all",
    "correlate",
    "held_out_decisions",
    "holm",
    "mean_difference",
    "number_or_none",
    "pairwise_accuracy",
    "rank_correlation",
    "rank_systems",
    "row_correlations",
    "soft_pairwise_accuracy",
    "system_correlation",
    "system_scores",
]
