"""Semantic textual similarity between pseudo-references and review sentences (paper, 3.3)."""

from crscore_core.sts.cached import CachedEncoder
from crscore_core.sts.encoder import Embeddings, Encoder
from crscore_core.sts.presets import PRESETS, TauPreset, check_tau, resolve_tau
from crscore_core.sts.registry import DEFAULT_ENCODER, canonical_name, load_encoder
from crscore_core.sts.sentences import split_sentences
from crscore_core.sts.similarity import Comparison, compare, compare_each

__all__ = [
    "DEFAULT_ENCODER",
    "PRESETS",
    "CachedEncoder",
    "Comparison",
    "Embeddings",
    "Encoder",
    "TauPreset",
    "canonical_name",
    "check_tau",
    "compare",
    "compare_each",
    "load_encoder",
    "resolve_tau",
    "split_sentences",
]
