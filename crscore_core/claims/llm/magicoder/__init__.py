"""Run Magicoder, or another causal language model, on this machine in 4 bits."""

from crscore_core.claims.llm.magicoder.available import availability
from crscore_core.claims.llm.magicoder.model import Limits, Magicoder, magicoder_of
from crscore_core.claims.llm.magicoder.runtime import Precision

__all__ = ["Limits", "Magicoder", "Precision", "availability", "magicoder_of"]
