"""Metrics to compare CRScore with: similarity to a reference review, and baselines."""
