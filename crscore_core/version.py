"""Versions: of the package, and of what determines claims and scores."""

__version__ = "0.2.0.dev0"

CLAIMS_VERSION = 2
"""Version of the rules of symbolic claims; raise it when a change of the rules changes claims."""

SCORING_VERSION = 2
"""Version of everything else that changes scores: review reading, similarities, smells.

`tests/test_golden_scores.py` fails when claims or scores change and the constant does not.
"""
