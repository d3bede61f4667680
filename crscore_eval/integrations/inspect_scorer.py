"""A scorer for Inspect (inspect_ai): `crscore_eval/integrations/inspect_scorer.py@crscore`."""

import asyncio
import math

from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
from inspect_ai.solver import TaskState

from crscore_eval.integrations.scoring import SCORE_NAMES, score_output


@scorer(metrics={"*": [mean(), stderr()]})
def crscore(diff: str = "diff") -> Scorer:
    """Score the model's answer as a review of the sample's diff.

    `diff` is the metadata key of the unified diff. If a sample lacks the key, its input is the
    diff. A score that cannot be computed is NaN, which Inspect leaves out of means.
    """

    async def score(state: TaskState, target: Target) -> Score:  # noqa: ARG001 - Inspect's signature
        review = state.output.completion
        sample_diff = (state.metadata or {}).get(diff) or state.input_text
        scored = await asyncio.to_thread(score_output, sample_diff, review)
        return Score(
            value={name: scored.scores.get(name, math.nan) for name in SCORE_NAMES},
            answer=review,
            explanation=scored.explanation,
        )

    return score
