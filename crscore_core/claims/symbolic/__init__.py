"""Claims from the diff alone: no language model, no network, the same for the same change."""

from crscore_core.claims.symbolic.generator import SymbolicClaims

__all__ = ["SymbolicClaims"]
