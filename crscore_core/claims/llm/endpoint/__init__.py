"""Claims by a language model behind an OpenAI-compatible server."""

from crscore_core.claims.llm.endpoint.availability import availability
from crscore_core.claims.llm.endpoint.endpoint import Endpoint
from crscore_core.claims.llm.endpoint.limits import EndpointLimits
from crscore_core.claims.llm.endpoint.settings import endpoint_of

__all__ = ["Endpoint", "EndpointLimits", "availability", "endpoint_of"]
