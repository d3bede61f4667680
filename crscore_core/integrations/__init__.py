"""Adapters for evaluation harnesses and agents; each imports its harness when it is used."""
