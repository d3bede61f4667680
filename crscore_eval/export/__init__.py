"""Export of a run: a file of reviews, a report, tables for a paper."""

from crscore_eval.export.gate_summary import gate_markdown as gate_markdown
from crscore_eval.export.paper_tables import describe_data as describe_data
from crscore_eval.export.paper_tables import figure_cell as figure_cell
from crscore_eval.export.paper_tables import latex_table as latex_table
from crscore_eval.export.paper_tables import p_value_cells as p_value_cells
from crscore_eval.export.paper_tables import wide_table as wide_table
from crscore_eval.export.report import report as report
from crscore_eval.export.reviews import export_reviews as export_reviews
