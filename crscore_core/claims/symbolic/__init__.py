"""Generate claims from the diff alone, without a language model."""

from crscore_core.claims.symbolic.generator import SymbolicClaims as SymbolicClaims
