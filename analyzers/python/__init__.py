"""Analyzers of Python."""
