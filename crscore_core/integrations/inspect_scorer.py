"""A scorer for Inspect (inspect_ai): `crscore_core/integrations/inspect_scorer.py@crscore`."""

import asyncio
import math
from typing import Any

from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
from inspect_ai.solver import TaskState

from crscore_core.errors import InputError
from crscore_core.integrations.measures import MEASURES, measure


@scorer(metrics={"*": [mean(), stderr()]})
def crscore(diff: str = "diff") -> Scorer:
    """Score the model's answer as a review of the sample's diff.

    `diff` is the metadata key of the unified diff; if a sample lacks it, its input is the diff.
    A measure that cannot be computed is NaN, which Inspect leaves out of means, and the
    explanation says why.
    """

    async def score(state: TaskState, target: Target) -> Score:  # noqa: ARG001 - Inspect's signature
        review = state.output.completion
        metadata: dict[str, Any] = state.metadata
        try:
            measured = await asyncio.to_thread(
                measure, str(metadata.get(diff) or state.input_text), review
            )
        except InputError as error:
            return Score(
                value=dict.fromkeys(MEASURES, math.nan), answer=review, explanation=str(error)
            )
        return Score(
            value={name: measured.values.get(name, math.nan) for name in MEASURES},
            answer=review,
            explanation=measured.explanation,
        )

    return score
