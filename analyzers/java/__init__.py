"""Analyzers of Java."""
