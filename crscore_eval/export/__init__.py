"""Export of a run: a file of reviews, a report, tables, the summary of a gate."""

from crscore_eval.export.report import report as report
from crscore_eval.export.reviews import export_frame as export_frame
from crscore_eval.export.tables import TABLE_FORMATS as TABLE_FORMATS
from crscore_eval.export.tables import gate_markdown as gate_markdown
from crscore_eval.export.tables import tables_content as tables_content
