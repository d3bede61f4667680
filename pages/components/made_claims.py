"""Claims about the diff of the Score page, and what they were made from."""

import threading
from collections.abc import Callable
from dataclasses import dataclass

from crscore_core.change import CodeChange, parse_change
from crscore_core.claims import (
    ClaimGenerator,
    ClaimSet,
    Progress,
    claim_generator,
    parse_claims,
    silent,
)
from crscore_core.claims.streamed import StreamedAnswers, StreamProgress
from pages.components.claims_form import ClaimInputs
from pages.components.score_form import ScoreInputs

__all__ = ["ClaimQuestion", "MadeClaims", "make_claims", "make_claims_beside"]


@dataclass(frozen=True, slots=True)
class ClaimQuestion:
    """What claims are about and what is to make them: claims belong to nothing else."""

    diff: str | bytes
    language: str | None
    claims: ClaimInputs

    @classmethod
    def of(cls, inputs: ScoreInputs) -> "ClaimQuestion":
        """What the form asks for."""
        return cls(inputs.diff, inputs.language, inputs.claims)


@dataclass(frozen=True, slots=True)
class MadeClaims:
    """Claims as they were made; `backend` is the full name of what made them."""

    question: ClaimQuestion
    change: CodeChange
    backend: str
    claims: ClaimSet


def make_claims(question: ClaimQuestion, progress: Progress = silent) -> MadeClaims:
    """Make the claims that are asked for.

    Raises:
        InputError: the diff cannot be read, or the backend cannot be used.
    """
    change = parse_change(question.diff, language=question.language)
    generator = _generator(question.claims, progress)
    return MadeClaims(question, change, generator.name, generator.generate(change))


def make_claims_beside(
    question: ClaimQuestion, note: Callable[[StreamProgress], None], stopping: threading.Event
) -> MadeClaims:
    """The same as the work of a job."""
    return make_claims(question, StreamedAnswers(note, stopping))


def _generator(wanted: ClaimInputs, progress: Progress) -> ClaimGenerator:
    if wanted.backend is None:
        return parse_claims(wanted.given)
    return claim_generator(wanted.backend, wanted.options, progress)
