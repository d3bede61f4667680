"""A scored corpus as one HTML file that needs nothing else."""

from crscore_core.ranking.html_report.report import file_name, html_report

__all__ = ["file_name", "html_report"]
