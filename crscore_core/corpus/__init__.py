"""Corpora: many changes with their reviews, read from files, scored, kept and compared."""
