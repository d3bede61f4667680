"""Claims: what a change does and implies, as sentences that a review could address."""

from crscore_core.claims.given import (
    GivenClaims,
    claims_of_items,
    edited_claim,
    edited_claims,
    parse_claims,
)
from crscore_core.claims.llm.language_model import (
    GREEDY,
    Answer,
    ClaimOptions,
    LanguageModel,
    Progress,
    Sampling,
)
from crscore_core.claims.model import Claim, ClaimGenerator, ClaimKind, ClaimSet, claims_of_each
from crscore_core.claims.registry import (
    CLAIM_BACKENDS,
    DEFAULT_CLAIMS,
    ClaimBackend,
    claim_generator,
    language_model,
)
from crscore_core.claims.response import claims_of_response

__all__ = [
    "CLAIM_BACKENDS",
    "DEFAULT_CLAIMS",
    "GREEDY",
    "Answer",
    "Claim",
    "ClaimBackend",
    "ClaimGenerator",
    "ClaimKind",
    "ClaimOptions",
    "ClaimSet",
    "GivenClaims",
    "LanguageModel",
    "Progress",
    "Sampling",
    "claim_generator",
    "claims_of_each",
    "claims_of_items",
    "claims_of_response",
    "edited_claim",
    "edited_claims",
    "language_model",
    "parse_claims",
]
