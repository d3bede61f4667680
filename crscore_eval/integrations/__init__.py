"""Adapters for evaluation harnesses and agents; each imports its harness only when used."""
