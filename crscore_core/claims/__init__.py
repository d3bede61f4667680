"""Claims: what a change does and implies, as sentences that a review could address."""

from crscore_core.claims.claim import GIVEN as GIVEN
from crscore_core.claims.claim import Claim as Claim
from crscore_core.claims.claim import ClaimBackend as ClaimBackend
from crscore_core.claims.claim import ClaimKind as ClaimKind
from crscore_core.claims.claim import ClaimSet as ClaimSet
from crscore_core.claims.claim import claims_of_each as claims_of_each
from crscore_core.claims.given import EDITED as EDITED
from crscore_core.claims.given import GivenClaims as GivenClaims
from crscore_core.claims.given import claims_of_items as claims_of_items
from crscore_core.claims.given import parse_claims as parse_claims
from crscore_core.claims.llm.language_model import GREEDY as GREEDY
from crscore_core.claims.llm.language_model import Answer as Answer
from crscore_core.claims.llm.language_model import LanguageModel as LanguageModel
from crscore_core.claims.llm.language_model import ModelOptions as ModelOptions
from crscore_core.claims.llm.language_model import Sampling as Sampling
from crscore_core.claims.llm.language_model import TextCallback as TextCallback
from crscore_core.claims.registry import CLAIM_BACKENDS as CLAIM_BACKENDS
from crscore_core.claims.registry import DEFAULT_CLAIMS as DEFAULT_CLAIMS
from crscore_core.claims.registry import BackendEntry as BackendEntry
from crscore_core.claims.registry import claim_backend as claim_backend
from crscore_core.claims.registry import language_model as language_model
from crscore_core.claims.response import claims_of_response as claims_of_response
