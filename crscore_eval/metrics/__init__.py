"""Metrics that CRScore is compared with: similarity to a reference review, and simple metrics."""
