"""Export of a run: a file of reviews, a report, tables, the summary of a gate."""
