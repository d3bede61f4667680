"""A scored corpus as one HTML file that needs nothing else."""

from crscore_core.corpus.html_report.report import html_report

__all__ = ["html_report"]
