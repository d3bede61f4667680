"""Claims: what a change does and implies, as sentences a review could address."""

from crscore_core.claims.given import GivenClaims, claims_of_items, parse_claims, read_claims
from crscore_core.claims.model import Claim, ClaimGenerator, ClaimKind, ClaimSet
from crscore_core.claims.registry import CLAIM_BACKENDS, DEFAULT_CLAIMS, claim_generator
from crscore_core.claims.response import claims_of_response

__all__ = [
    "CLAIM_BACKENDS",
    "DEFAULT_CLAIMS",
    "Claim",
    "ClaimGenerator",
    "ClaimKind",
    "ClaimSet",
    "GivenClaims",
    "claim_generator",
    "claims_of_items",
    "claims_of_response",
    "parse_claims",
    "read_claims",
]
