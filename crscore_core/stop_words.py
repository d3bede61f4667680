"""English stop words."""

from pathlib import Path

STOP_WORDS = frozenset(Path(__file__).with_suffix(".txt").read_text(encoding="utf-8").split())
"""Tokens that pooling leaves out: English stop words, `.` and `,`.

This is NLTK's list, used by the original, without words that contain an apostrophe, which no
tokenizer returns as a single token.
"""
