"""Statistics over reviews that share changes: intervals, correlations, differences."""

from crscore_eval.statistics.agreement import compare_agreement as compare_agreement
from crscore_eval.statistics.bootstrap import MIN_CHANGES as MIN_CHANGES
from crscore_eval.statistics.bootstrap import Array as Array
from crscore_eval.statistics.bootstrap import ClusterBootstrap as ClusterBootstrap
from crscore_eval.statistics.bootstrap import Estimate as Estimate
from crscore_eval.statistics.bootstrap import Interval as Interval
from crscore_eval.statistics.bootstrap import Mask as Mask
from crscore_eval.statistics.bootstrap import clustered_mean as clustered_mean
from crscore_eval.statistics.bootstrap import clustered_ratio as clustered_ratio
from crscore_eval.statistics.bootstrap import estimate as estimate
from crscore_eval.statistics.bootstrap import holm as holm
from crscore_eval.statistics.bootstrap import p_value as p_value
from crscore_eval.statistics.bootstrap import percentile_interval as percentile_interval
from crscore_eval.statistics.correlation import ClusteredPairs as ClusteredPairs
from crscore_eval.statistics.correlation import Correlation as Correlation
from crscore_eval.statistics.correlation import correlate as correlate
from crscore_eval.statistics.correlation import rank_correlation as rank_correlation
from crscore_eval.statistics.difference import MAX_SYSTEMS as MAX_SYSTEMS
from crscore_eval.statistics.difference import SIGNIFICANCE_LEVEL as SIGNIFICANCE_LEVEL
from crscore_eval.statistics.difference import MeanDifference as MeanDifference
from crscore_eval.statistics.difference import ScoresByChange as ScoresByChange
from crscore_eval.statistics.difference import compare_all as compare_all
from crscore_eval.statistics.difference import difference_table as difference_table
from crscore_eval.statistics.difference import mean_difference as mean_difference
from crscore_eval.statistics.difference import scores_by_system as scores_by_system
from crscore_eval.statistics.krippendorff import krippendorff_alpha as krippendorff_alpha
