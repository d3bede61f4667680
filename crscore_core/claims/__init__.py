"""Claims: what a change does and implies, as sentences that a review could address."""

from crscore_core.claims.claim import GIVEN as GIVEN
from crscore_core.claims.claim import ClaimBackend as ClaimBackend
from crscore_core.claims.claim import ClaimSet as ClaimSet
from crscore_core.claims.claim import PseudoReference as PseudoReference
from crscore_core.claims.claim import ReferenceKind as ReferenceKind
from crscore_core.claims.claim import generate_many as generate_many
from crscore_core.claims.given import GivenClaims as GivenClaims
from crscore_core.claims.given import claims_from_items as claims_from_items
from crscore_core.claims.given import parse_given_claims as parse_given_claims
from crscore_core.claims.llm.language_model import MAX_TOKENS as MAX_TOKENS
from crscore_core.claims.llm.language_model import Answer as Answer
from crscore_core.claims.llm.language_model import LanguageModel as LanguageModel
from crscore_core.claims.llm.language_model import ModelOptions as ModelOptions
from crscore_core.claims.registry import CLAIM_BACKENDS as CLAIM_BACKENDS
from crscore_core.claims.registry import DEFAULT_CLAIMS as DEFAULT_CLAIMS
from crscore_core.claims.registry import Claims as Claims
from crscore_core.claims.registry import claim_backend as claim_backend
from crscore_core.claims.registry import language_model as language_model
from crscore_core.claims.response import parse_response as parse_response
