"""Measurements to run by hand. Nothing here is a test."""
