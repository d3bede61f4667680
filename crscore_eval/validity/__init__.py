"""Validity: agreement with people, thresholds, failures, and the figures of the paper."""

from crscore_eval.validity.agreement import correlation as correlation
from crscore_eval.validity.agreement import system_ratings as system_ratings
from crscore_eval.validity.agreement import with_pseudo_references as with_pseudo_references
from crscore_eval.validity.as_json import validity_document as validity_document
from crscore_eval.validity.compare import compare_document as compare_document
from crscore_eval.validity.compare import compare_metrics as compare_metrics
from crscore_eval.validity.compare import n_compared as n_compared
from crscore_eval.validity.paper import PAPER_NOTE as PAPER_NOTE
from crscore_eval.validity.shown_tables import INTERVALS_NOTE as INTERVALS_NOTE
from crscore_eval.validity.shown_tables import ShownTable as ShownTable
from crscore_eval.validity.shown_tables import column_title as column_title
from crscore_eval.validity.shown_tables import row_title as row_title
from crscore_eval.validity.shown_tables import shown_tables as shown_tables
from crscore_eval.validity.shown_tables import wide_table as wide_table
from crscore_eval.validity.tables import agreement_rows as agreement_rows
from crscore_eval.validity.tables import tables_at_tau as tables_at_tau
from crscore_eval.validity.tables import validity_tables as validity_tables
from crscore_eval.validity.thresholds import TAU_NAMES as TAU_NAMES
from crscore_eval.validity.thresholds import procedure_taus as procedure_taus
from crscore_eval.validity.thresholds import resolve_study_tau as resolve_study_tau
from crscore_eval.validity.thresholds import sweep as sweep
