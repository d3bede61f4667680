"""Options first, then the environment: which server, model and key."""

import os

from crscore_core.claims.llm.endpoint.endpoint import Endpoint
from crscore_core.claims.llm.endpoint.server import BASE_URL, KEY, MODEL
from crscore_core.claims.options import ClaimOptions

__all__ = ["endpoint_of"]


def endpoint_of(options: ClaimOptions) -> Endpoint:
    """The endpoint that `options` describe, and the environment where they say nothing.

    The environment's OPENAI_BASE_URL, CRSCORE_CLAIMS_MODEL and OPENAI_API_KEY count, each on
    its own: the environment's key goes to the server that the options name. No server is asked
    yet.

    Raises:
        EndpointError: no server is named, or what is given cannot be an address, model or key.
    """
    return Endpoint(
        options.base_url or os.environ.get(BASE_URL),
        options.model or os.environ.get(MODEL),
        options.api_key or os.environ.get(KEY),
    )
