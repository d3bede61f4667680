"""Magicoder, or another causal language model, run on this machine in 4 bits."""

from crscore_core.claims.llm.magicoder.available import availability
from crscore_core.claims.llm.magicoder.batches import Limits
from crscore_core.claims.llm.magicoder.model import Magicoder
from crscore_core.claims.llm.magicoder.precision import Precision
from crscore_core.claims.llm.magicoder.weights import DEFAULT_MODEL

__all__ = ["DEFAULT_MODEL", "Limits", "Magicoder", "Precision", "availability"]
