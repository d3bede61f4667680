"""A language model that judges what the metric does not measure: right, worth saying."""

from crscore_eval.judge.judge import judge_reviews, judge_run
from crscore_eval.judge.prompts import PROMPTS, JudgePrompt, column_prefix

__all__ = ["PROMPTS", "JudgePrompt", "column_prefix", "judge_reviews", "judge_run"]
