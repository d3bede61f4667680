"""Parts of the page Threshold."""
