"""What an exception of the client means, in words for people."""

import json

import openai

from crscore_core.claims.llm.endpoint.failure import RequestFailure
from crscore_core.claims.llm.endpoint.limits import EndpointLimits
from crscore_core.claims.llm.endpoint.refusal import of_error_in_stream, of_status
from crscore_core.claims.llm.endpoint.server import Server
from crscore_core.claims.llm.endpoint.transport import of_transport

__all__ = ["failure_of"]


def failure_of(error: Exception, server: Server, limits: EndpointLimits) -> RequestFailure:
    """What an exception of the client, or of what it is built on, means."""
    if isinstance(error, openai.APIStatusError):
        return of_status(error, server)
    failure = of_transport(error, server.address, limits)
    if failure is not None:
        return failure
    if isinstance(error, openai.APIError):
        return of_error_in_stream(error, server)
    if isinstance(error, json.JSONDecodeError | UnicodeDecodeError | RecursionError):
        return RequestFailure(
            f"{server.address} sends what is no JSON; look whether it is an OpenAI-compatible "
            "server"
        )
    return RequestFailure(f"no request to {server.address} can be made; look at the base URL")
