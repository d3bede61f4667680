"""Statistics over reviews that share changes: intervals, correlations, differences, systems."""

from crscore_eval.statistics.agreement import krippendorff_alpha
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
)
from crscore_eval.statistics.decisions import (
    balanced_accuracy_and_kappa,
    folds_of,
    held_out_decisions,
)
from crscore_eval.statistics.difference import (
    FEWEST_CHANGES,
    SURE,
    MeanDifference,
    ScoresByChange,
    compare_all,
    mean_difference,
)
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
    "ClusteredPairs",
    "Correlation",
    "Estimate",
    "Interval",
    "MeanDifference",
    "PairwiseAccuracy",
    "RankedSystem",
    "ScoresByChange",
    "SystemScores",
    "balanced_accuracy_and_kappa",
    "clustered_mean",
    "clustered_ratio",
    "compare_all",
    "correlate",
    "folds_of",
    "held_out_decisions",
    "holm",
    "krippendorff_alpha",
    "mean_difference",
    "number_or_none",
    "pairwise_accuracy",
    "rank_correlation",
    "rank_systems",
    "soft_pairwise_accuracy",
    "system_correlation",
    "system_scores",
]
