"""Order of systems, verdict, comparison of two runs, gate and report: functions of a run."""

from crscore_eval.ranking.gate import FAILED, NOT_COMPARED, PASSED, compare_runs, gate, passed
from crscore_eval.ranking.order import Order, changes_by_systems, order_document, order_systems
from crscore_eval.ranking.people import (
    UNCHECKED,
    agreement,
    agrees,
    mean_words,
    people_decide,
    ratings_words,
    unchecked,
)
from crscore_eval.ranking.report import report
from crscore_eval.ranking.verdict import NOT_MEASURED, basis, pair_words, verdict

__all__ = [
    "FAILED",
    "NOT_COMPARED",
    "NOT_MEASURED",
    "PASSED",
    "UNCHECKED",
    "Order",
    "agreement",
    "agrees",
    "basis",
    "changes_by_systems",
    "compare_runs",
    "gate",
    "mean_words",
    "order_document",
    "order_systems",
    "pair_words",
    "passed",
    "people_decide",
    "ratings_words",
    "report",
    "unchecked",
    "verdict",
]
