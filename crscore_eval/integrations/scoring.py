"""Score the output of a model as a review of a diff, in the form that harnesses expect."""

import json
from functools import lru_cache
from typing import NamedTuple

from crscore_core.claims import PseudoReference
from crscore_core.errors import InputError
from crscore_core.scoring.scorer import CRScorer
from crscore_core.text import listed

SCORE_NAMES = ("relevance", "conciseness", "comprehensiveness", "no_threshold")
"""Names of all scores, each from 0 to 1; relevance at tau is the first."""


class ScoredOutput(NamedTuple):
    """A scored review.

    scores: scores by name, for all of `SCORE_NAMES`; empty if the review has no scores.
    explanation: what the review misses, or why it has no scores.
    """

    scores: dict[str, float]
    explanation: str


def score_output(diff: object, output: object) -> ScoredOutput:
    """Score a review of a diff with the default settings.

    `output` is the review in any form that `text_of` reads. Bad input is explained, not raised.
    """
    text = text_of(diff)
    if not text.strip():
        return ScoredOutput({}, "there is no diff")
    try:
        score = _scorer().score(text, text_of(output))
    except InputError as error:
        return ScoredOutput({}, str(error))
    if score.relevance is None or score.no_threshold is None:
        return ScoredOutput({}, "; ".join(score.warnings))
    scores_at_tau = {name: getattr(score, name) for name in SCORE_NAMES[:-1]}
    scores = scores_at_tau | {"no_threshold": score.no_threshold}
    missed = [reference.text for reference in score.feedback.missed]
    explanation = f"{score.summary} Missed: {listed(missed)}" if missed else score.summary
    return ScoredOutput(scores, explanation)


def make_pseudo_references(diff: str) -> tuple[PseudoReference, ...]:
    """Return the pseudo-references of a diff: what a good review could address.

    Raises:
        InputError: the diff is invalid.
    """
    return _scorer().score(diff, "").pseudo_references


def text_of(output: object) -> str:
    """Return the text of an output.

    Lists are joined by line breaks, None is empty, and an object with a usual key of chat messages
    has the text under that key. Anything else becomes JSON.
    """
    if output is None:
        return ""
    if isinstance(output, str):
        return output
    if isinstance(output, list | tuple):
        return "\n".join(map(text_of, output))
    if isinstance(output, dict):
        for key in ("review", "body", "comment", "text", "content", "output"):
            if key in output:
                return text_of(output[key])
    return json.dumps(output, ensure_ascii=False, default=str)


@lru_cache(maxsize=1)
def _scorer() -> CRScorer:
    return CRScorer()
