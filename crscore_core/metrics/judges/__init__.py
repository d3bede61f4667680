"""Judges: language models that grade a review, or check whether its finding holds."""

from crscore_core.metrics.judges.files import JudgedFile, judge_file
from crscore_core.metrics.judges.judge import JUDGES, Judge, JudgedReview, Judgement, Verdict
from crscore_core.metrics.judges.protocol import ReviewJudge

__all__ = [
    "JUDGES",
    "Judge",
    "JudgedFile",
    "JudgedReview",
    "Judgement",
    "ReviewJudge",
    "Verdict",
    "judge_file",
]
