"""What a server means with a status that is no success, or with an error as its answer."""

from http import HTTPStatus
from urllib.parse import urlsplit

import openai

from crscore_core.claims.llm.endpoint.failure import RequestFailure
from crscore_core.claims.llm.endpoint.server import KEY, Server
from crscore_core.retry_after import seconds_asked_for

__all__ = ["of_error_in_stream", "of_status"]

_LONGEST = 300
_REFUSED_KEY = {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN}
_REFUSED_PROMPT = {
    HTTPStatus.BAD_REQUEST,
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    HTTPStatus.UNPROCESSABLE_ENTITY,
}


def of_status(error: openai.APIStatusError, server: Server) -> RequestFailure:
    """What a status other than a success means."""
    code, where = error.status_code, server.address
    is_json = "json" in error.response.headers.get("Content-Type", "")
    said = f" ({code}{_words_of(error.body, server) if is_json else ''})"
    if code in _REFUSED_KEY:
        need = "refuses the key" if server.key else "wants a key"
        return RequestFailure(f"{where} {need}{said}; give the right one in {KEY}")
    if code == HTTPStatus.NOT_FOUND:
        return RequestFailure(
            f"{where} has no such path, or not this model{said}; the base URL of such a server "
            "mostly ends with /v1, and its path /models lists the models"
        )
    if code == HTTPStatus.TOO_MANY_REQUESTS:
        return RequestFailure(
            f"{where} is too busy, or a quota is used up{said}; try again later",
            is_temporary=True,
            wait=seconds_asked_for(error.response.headers.get("Retry-After", "")),
        )
    if code >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return RequestFailure(
            f"{where} fails{said}; look at the server's log, or try again later",
            is_temporary=True,
            wait=seconds_asked_for(error.response.headers.get("Retry-After", "")),
            is_of_prompt=code == HTTPStatus.INTERNAL_SERVER_ERROR,
        )
    if code < HTTPStatus.BAD_REQUEST:
        target = _origin(error.response.headers.get("Location", ""))
        return RequestFailure(
            f"{where} redirects{target} ({code}), which is not followed, as it would take the code "
            "and the key along; give the base URL that is meant"
        )
    return RequestFailure(
        f"{where} refuses the request{said}; look at the model and its limits",
        is_of_prompt=code in _REFUSED_PROMPT,
    )


def of_error_in_stream(error: openai.APIError, server: Server) -> RequestFailure:
    """What an error means that came in the place of a piece of the answer."""
    return RequestFailure(
        f"{server.address} failed while it answered{_words_of(error.body, server)}; look at the "
        "server's log, or try again later",
        is_temporary=True,
        is_of_prompt=True,
    )


def _words_of(body: object, server: Server) -> str:
    """What a server says in the JSON of an error, as `: words`; empty where it says nothing."""
    for name in ("message", "detail", "error"):
        if isinstance(body, dict) and body.get(name):
            body = body[name]
    if body is None or (isinstance(body, dict) and not body):
        return ""
    words = " ".join(str(body).split())
    printable = server.without_key("".join(char for char in words if char.isprintable()))
    return f": {printable[:_LONGEST]}" if printable else ""


def _origin(location: str) -> str:
    """Scheme, host and port that a redirect leads to, for a message, as ` to ORIGIN`."""
    try:
        parts = urlsplit(location)
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        return ""
    origin = f"{parts.scheme}://{parts.hostname}{port}"
    return f" to {origin[:_LONGEST]}" if parts.hostname and origin.isprintable() else ""
