"""Score a review of a diff as numbers and an explanation, the form that harnesses expect."""

import json
from functools import lru_cache
from typing import NamedTuple

from crscore_core.errors import InputError
from crscore_core.scoring.references import PseudoReference
from crscore_core.scoring.scorer import CRScorer
from crscore_core.text import listed

SCORE_NAMES = ("relevance", "conciseness", "comprehensiveness", "no_threshold")
"""Names of all measures, relevance at tau first; each lies from 0 to 1."""


class Measured(NamedTuple):
    """A scored review.

    `values` has all of `SCORE_NAMES`, or is empty if the review has no score; `explanation` says
    what the review misses, or why it has no score.
    """

    values: dict[str, float]
    explanation: str


def measure(diff: object, output: object) -> Measured:
    """Score a review of a diff with the default settings; never raises for bad input.

    `output` is whatever a harness passes on: text, a list of texts, an object or None.
    """
    text = text_of(diff)
    if not text.strip():
        return Measured({}, "there is no diff")
    try:
        score = _scorer().score(text, text_of(output))
    except InputError as error:
        return Measured({}, str(error))
    if score.relevance is None or score.no_threshold is None:
        return Measured({}, "; ".join(score.warnings))
    at_tau = {name: getattr(score, name) for name in SCORE_NAMES[:-1]}
    values = at_tau | {"no_threshold": score.no_threshold.relevance}
    missed = [reference.text for reference in score.feedback.missed]
    explanation = f"{score.in_words} Missed: {listed(missed)}" if missed else score.in_words
    return Measured(values, explanation)


def topics(diff: str) -> tuple[PseudoReference, ...]:
    """Return the pseudo-references of a diff: what a good review could address.

    Raises:
        InputError: the diff is invalid.
    """
    return _scorer().score(diff, "").pseudo_references


def text_of(output: object) -> str:
    """Return the text of an output: lists joined by line, None empty, anything else as JSON.

    An object with one of the usual keys of chat messages is read as the text under that key.
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
    """Return the scorer with the embedded defaults, created once per process."""
    return CRScorer()
