"""A language model that judges what the metric does not measure: right, worth saying."""

from crscore_eval.judge.judge import judge_reviews as judge_reviews
from crscore_eval.judge.judge import judge_run as judge_run
from crscore_eval.judge.judge import with_judgements as with_judgements
from crscore_eval.judge.prompts import PROMPTS as PROMPTS
from crscore_eval.judge.prompts import column_prefix as column_prefix
