"""Versions of the package, of the rules for symbolic claims, and of scoring."""

__version__ = "0.2.0.dev0"

CLAIMS_VERSION = 5
"""Version of the rules for symbolic claims; raise it when a change to the rules changes claims."""

SCORING_VERSION = 5
"""Version of everything else that affects scores: review reading, similarities, smells.

`tests/test_golden_scores.py` fails when claims or scores change and the constant does not.
"""
