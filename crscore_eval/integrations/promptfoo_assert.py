"""A Python assertion for promptfoo: `file://…/promptfoo_assert.py`.

The test's variable `diff` holds the unified diff; promptfoo compares the score, relevance at tau,
with the `threshold` of the assertion.
"""

from typing import Any

from crscore_eval.integrations.measures import SCORE_NAMES, measure


def get_assert(output: object, context: dict[str, Any]) -> dict[str, Any]:
    """Return promptfoo's grading result: relevance, and all measures as named scores.

    A review without a score fails, and the reason says why.
    """
    measured = measure((context.get("vars") or {}).get("diff"), output)
    value = measured.values.get(SCORE_NAMES[0])
    return {
        "pass": value is not None,
        "score": value or 0,
        "reason": measured.explanation,
        "namedScores": measured.values,
    }
