"""Components of the pages."""
