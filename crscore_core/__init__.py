"""CRScore: reference-free scores for code review comments."""

from crscore_core.analyzers import Analyzer as Analyzer
from crscore_core.change import CodeChange as CodeChange
from crscore_core.claims import ClaimBackend as ClaimBackend
from crscore_core.claims import ClaimSet as ClaimSet
from crscore_core.claims import PseudoReference as PseudoReference
from crscore_core.claims import ReferenceKind as ReferenceKind
from crscore_core.errors import InputError as InputError
from crscore_core.errors import ModelError as ModelError
from crscore_core.errors import UnavailableError as UnavailableError
from crscore_core.scoring import Embeddings as Embeddings
from crscore_core.scoring import Encoder as Encoder
from crscore_core.scoring.review_score import ReviewScore as ReviewScore
from crscore_core.scoring.scorer import ChangeInput as ChangeInput
from crscore_core.scoring.scorer import CRScorer as CRScorer
from crscore_core.version import __version__ as __version__
