"""Semantic textual similarity between pseudo-references and review sentences (paper, 3.3)."""

from crscore_core.scoring.cached import CachedEncoder
from crscore_core.scoring.encoder import Embeddings, Encoder
from crscore_core.scoring.presets import PRESETS, PRESETS_OF_CLAIMS, resolve_tau, tau_preset
from crscore_core.scoring.registry import DEFAULT_ENCODER, canonical_name, load_encoder
from crscore_core.scoring.similarity import split_sentences

__all__ = [
    "DEFAULT_ENCODER",
    "PRESETS",
    "PRESETS_OF_CLAIMS",
    "CachedEncoder",
    "Embeddings",
    "Encoder",
    "canonical_name",
    "load_encoder",
    "resolve_tau",
    "split_sentences",
    "tau_preset",
]
