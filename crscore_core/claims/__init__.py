"""Claims: what a change does and implies, as sentences a review could address."""

from crscore_core.claims.model import Claim, ClaimGenerator, ClaimKind, ClaimSet

__all__ = ["Claim", "ClaimGenerator", "ClaimKind", "ClaimSet"]
