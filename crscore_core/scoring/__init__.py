"""Score reviews: encoder, similarity and metric (paper, section 3.3)."""

from crscore_core.scoring.encoder import Embeddings as Embeddings
from crscore_core.scoring.encoder import Encoder as Encoder
from crscore_core.scoring.load_encoder import DEFAULT_ENCODER as DEFAULT_ENCODER
from crscore_core.scoring.load_encoder import canonical_name as canonical_name
from crscore_core.scoring.load_encoder import load_encoder as load_encoder
from crscore_core.scoring.load_encoder import recorded_name as recorded_name
from crscore_core.scoring.presets import PRESETS as PRESETS
from crscore_core.scoring.presets import resolve_tau as resolve_tau
from crscore_core.scoring.presets import tau_preset as tau_preset
from crscore_core.scoring.review_text import read_review as read_review
