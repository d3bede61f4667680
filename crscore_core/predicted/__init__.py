"""A fourth score, fitted to the human study: how relevant people would rate a review."""
