"""Runs: score a file or table of reviews, in memory or into a folder that can be resumed."""
