"""Options first, then the environment: which server, model and key."""

import os

from crscore_core.claims.llm.endpoint.endpoint import Endpoint
from crscore_core.claims.llm.endpoint.limits import EndpointLimits
from crscore_core.claims.llm.endpoint.server import BASE_URL, KEY, MODEL
from crscore_core.claims.llm.language_model import MAX_TOKENS, Progress, silent
from crscore_core.claims.options import ClaimOptions

__all__ = ["endpoint_of"]


def endpoint_of(options: ClaimOptions, waiting: Progress = silent) -> Endpoint:
    """The endpoint that `options` describe, and the environment where they say nothing.

    The environment's OPENAI_BASE_URL, CRSCORE_CLAIMS_MODEL and OPENAI_API_KEY count, each on
    its own: the environment's key goes to the server that the options name, as whoever runs the
    command line chooses both. Who lets others choose a server gives a blank key, which keeps the
    environment's out. Nothing else of the environment is sent. No server is asked yet; `waiting`
    is told while it is (see `Endpoint`).

    Raises:
        EndpointError: no server is named, or what is given cannot be an address, model or key.
    """
    return Endpoint(
        options.base_url or os.environ.get(BASE_URL),
        options.model or os.environ.get(MODEL),
        options.api_key or os.environ.get(KEY),
        limits=EndpointLimits().for_tokens(options.max_tokens or MAX_TOKENS),
        waiting=waiting,
    )
