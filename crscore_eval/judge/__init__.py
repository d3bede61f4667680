"""Let a language model judge what the metric does not measure: right, and worth saying."""
