"""Claims by a language model behind an OpenAI-compatible server."""

from crscore_core.claims.llm.endpoint.endpoint import Endpoint, availability, endpoint_of
from crscore_core.claims.llm.endpoint.settings import EndpointLimits

__all__ = ["Endpoint", "EndpointLimits", "availability", "endpoint_of"]
