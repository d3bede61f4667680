"""Statistics over reviews that share changes: intervals, correlations, differences."""

from crscore_eval.statistics.bootstrap import MIN_CHANGES as MIN_CHANGES
from crscore_eval.statistics.bootstrap import Array as Array
from crscore_eval.statistics.bootstrap import Estimate as Estimate
from crscore_eval.statistics.bootstrap import Weights as Weights
from crscore_eval.statistics.bootstrap import clustered_mean as clustered_mean
from crscore_eval.statistics.bootstrap import clustered_ratio as clustered_ratio
from crscore_eval.statistics.bootstrap import estimate as estimate
from crscore_eval.statistics.bootstrap import holm as holm
from crscore_eval.statistics.bootstrap import p_value as p_value
from crscore_eval.statistics.bootstrap import resample as resample
from crscore_eval.statistics.bootstrap import resample_for_size as resample_for_size
from crscore_eval.statistics.correlation import correlate as correlate
from crscore_eval.statistics.correlation import resampled as resampled
from crscore_eval.statistics.difference import MAX_SYSTEMS as MAX_SYSTEMS
from crscore_eval.statistics.difference import SIGNIFICANCE_LEVEL as SIGNIFICANCE_LEVEL
from crscore_eval.statistics.difference import compare_all as compare_all
from crscore_eval.statistics.difference import difference_table as difference_table
from crscore_eval.statistics.difference import mean_estimates as mean_estimates
from crscore_eval.statistics.difference import means_by_change as means_by_change
from crscore_eval.statistics.krippendorff import krippendorff_alpha as krippendorff_alpha
