"""A language model as a judge of what the metric does not measure: right, and worth saying."""

from crscore_eval.judge.judge import judge_file as judge_file
from crscore_eval.judge.judge import judge_reviews as judge_reviews
from crscore_eval.judge.judge import judge_run as judge_run
from crscore_eval.judge.questions import column_prefix as column_prefix
