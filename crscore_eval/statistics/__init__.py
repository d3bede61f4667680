"""Statistics over reviews that share changes: intervals, correlations, differences."""
