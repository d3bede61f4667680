"""Versions; `tests/test_golden_scores.py` fails if claims, prompts or scores of samples change."""

__version__ = "0.3.0.dev0"

CLAIMS_VERSION = 10  # of the rules for symbolic claims
PROMPT_VERSION = 1  # of the prompt for claims and of how it shows a change
SCORING_VERSION = 7  # of everything else that affects scores: review reading, similarities, smells
