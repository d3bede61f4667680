"""Analyzers of JavaScript."""
