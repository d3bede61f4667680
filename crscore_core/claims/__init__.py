"""Claims: what a change does and implies, as sentences a review could address."""

from crscore_core.claims.given import GivenClaims, parse_claims, read_claims
from crscore_core.claims.model import Claim, ClaimGenerator, ClaimKind, ClaimSet
from crscore_core.claims.registry import CLAIM_BACKENDS, DEFAULT_CLAIMS, claim_generator

__all__ = [
    "CLAIM_BACKENDS",
    "DEFAULT_CLAIMS",
    "Claim",
    "ClaimGenerator",
    "ClaimKind",
    "ClaimSet",
    "GivenClaims",
    "claim_generator",
    "parse_claims",
    "read_claims",
]
