"""Validity: agreement with people, thresholds, failures, and the figures of the paper."""
