"""Order of systems, verdict, comparison of two runs, and gate: functions of a run."""

from crscore_eval.ranking.gate import check_run as check_run
from crscore_eval.ranking.gate import gate_conclusion as gate_conclusion
from crscore_eval.ranking.gate import gate_passed as gate_passed
from crscore_eval.ranking.gate import outcome_of as outcome_of
from crscore_eval.ranking.order import Order as Order
from crscore_eval.ranking.order import changes_by_systems as changes_by_systems
from crscore_eval.ranking.order import order_document as order_document
from crscore_eval.ranking.order import order_systems as order_systems
from crscore_eval.ranking.people import agreement_with_people as agreement_with_people
from crscore_eval.ranking.people import answered_measures as answered_measures
from crscore_eval.ranking.people import deciding_measure as deciding_measure
from crscore_eval.ranking.people import mean_words as mean_words
from crscore_eval.ranking.two_runs import compare_runs as compare_runs
from crscore_eval.ranking.verdict import LIMIT_TEMPLATE as LIMIT_TEMPLATE
from crscore_eval.ranking.verdict import contradiction as contradiction
from crscore_eval.ranking.verdict import order_basis as order_basis
from crscore_eval.ranking.verdict import significance as significance
from crscore_eval.ranking.verdict import verdict as verdict
