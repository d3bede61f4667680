"""A language model as a judge of what the metric does not measure: right, and worth saying."""
