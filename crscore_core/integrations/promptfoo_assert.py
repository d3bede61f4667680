"""A Python assertion for promptfoo: `file://…/promptfoo_assert.py`.

The test's variable `diff` is the unified diff. The score is predicted relevance; promptfoo
compares it with the assertion's `threshold`.
"""

from typing import Any

from crscore_core.errors import InputError
from crscore_core.integrations.measures import MEASURES, measure


def get_assert(output: str, context: dict[str, Any]) -> dict[str, Any]:
    """Return promptfoo's grading result: predicted relevance, with all measures as named scores.

    A review without a score fails, and the reason says why.
    """
    diff = context.get("vars", {}).get("diff")
    if not isinstance(diff, str) or not diff.strip():
        return {"pass": False, "score": 0, "reason": "the test has no variable `diff`"}
    try:
        measured = measure(diff, output)
    except InputError as error:
        return {"pass": False, "score": 0, "reason": str(error)}
    value = measured.values.get(MEASURES[0])
    return {
        "pass": value is not None,
        "score": value or 0,
        "reason": measured.explanation,
        "namedScores": measured.values,
    }
