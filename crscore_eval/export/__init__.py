"""Export of a run: a file of reviews, a report, the summary of a gate."""

from crscore_eval.export.gate_summary import gate_markdown as gate_markdown
from crscore_eval.export.report import report as report
from crscore_eval.export.reviews import export_reviews as export_reviews
