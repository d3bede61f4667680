"""Parts of the heatmap page."""
