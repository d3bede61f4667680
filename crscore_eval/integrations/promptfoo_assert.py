"""A Python assertion for promptfoo: `file://…/promptfoo_assert.py`.

The variable `diff` of a test holds the unified diff. promptfoo compares the score, which is
relevance at tau, with the `threshold` of the assertion.
"""

from typing import Any

from crscore_eval.integrations.scoring import score_output


def get_assert(output: object, context: dict[str, Any]) -> dict[str, Any]:
    """Return promptfoo's grading result: relevance as the score, and all scores by name.

    A review without a score fails, and the reason says why.
    """
    scored = score_output((context.get("vars") or {}).get("diff"), output)
    relevance = scored.scores.get("relevance")
    return {
        "pass": relevance is not None,
        "score": relevance or 0,
        "reason": scored.explanation,
        "namedScores": scored.scores,
    }
