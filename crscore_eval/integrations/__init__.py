"""Adapters for evaluation harnesses and agents; an adapter alone imports its harness."""
