"""Validity: agreement with people, thresholds, failures, and the figures of the paper."""

from crscore_eval.validity.agreement import (
    bootstrap_of,
    correlation,
    pairwise,
    ratings,
    scored,
    systems_by_both,
)
from crscore_eval.validity.compare import compare, compare_document, remark
from crscore_eval.validity.document import figures, validity_document
from crscore_eval.validity.failures import (
    failure_cases,
    failure_traits,
    failures,
    people_next_to,
    rank_gaps,
)
from crscore_eval.validity.tables import (
    TABLES,
    column_title,
    paper_figure,
    row_title,
    table_info,
    tables_at_tau,
    tau_of_study,
    validity_tables,
)
from crscore_eval.validity.thresholds import (
    best_system,
    best_tau,
    cross_validated_tau,
    procedure_taus,
    similarity_histogram,
    sweep,
)

__all__ = [
    "TABLES",
    "best_system",
    "best_tau",
    "bootstrap_of",
    "column_title",
    "compare",
    "compare_document",
    "correlation",
    "cross_validated_tau",
    "failure_cases",
    "failure_traits",
    "failures",
    "figures",
    "pairwise",
    "paper_figure",
    "people_next_to",
    "procedure_taus",
    "rank_gaps",
    "ratings",
    "remark",
    "row_title",
    "scored",
    "similarity_histogram",
    "sweep",
    "systems_by_both",
    "table_info",
    "tables_at_tau",
    "tau_of_study",
    "validity_document",
    "validity_tables",
]
