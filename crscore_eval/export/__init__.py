"""Export a run as a file of reviews, a report, tables, or the summary of a gate."""
