"""Agreement of the metric with people: tables, rankings, thresholds and failures."""
