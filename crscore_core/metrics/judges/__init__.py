"""Judges: language models that grade a review, or check whether its finding holds."""

from crscore_core.metrics.judges.files import JudgedFile, Note, ReviewFile, column_name
from crscore_core.metrics.judges.judge import Judge, JudgedReview, Judgement
from crscore_core.metrics.judges.protocol import JUDGES, ReviewJudge

__all__ = [
    "JUDGES",
    "Judge",
    "JudgedFile",
    "JudgedReview",
    "Judgement",
    "Note",
    "ReviewFile",
    "ReviewJudge",
    "column_name",
]
