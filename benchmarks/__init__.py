"""Measurements made by hand, see README.md. Nothing here is a test."""
