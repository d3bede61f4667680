"""Judges: language models that grade a review, or check whether its findings are right."""

from crscore_core.corpus.run.judgements import Judgement
from crscore_core.metrics.judges.files import JudgedFile, ReviewFile, column_name
from crscore_core.metrics.judges.judge import JUDGES, Judge, JudgedReview, ReviewJudge

__all__ = [
    "JUDGES",
    "Judge",
    "JudgedFile",
    "JudgedReview",
    "Judgement",
    "ReviewFile",
    "ReviewJudge",
    "column_name",
]
