"""What a statement does, in plain English."""

from crscore_core.claims.symbolic.speech.predicates import predicate

__all__ = ["predicate"]
