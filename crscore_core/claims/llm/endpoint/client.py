"""Requests to a server through the OpenAI client, which retries them.

This module limits the size of responses, follows no redirects, sends nothing from the environment,
and turns each failure into one sentence without the key.
"""

import asyncio
import json
import re
import socket
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from http import HTTPStatus
from typing import TypeVar
from urllib.parse import urlsplit

import httpx2
import openai

from crscore_core.claims.llm.endpoint.settings import EndpointLimits, Server
from crscore_core.claims.options import KEY
from crscore_core.errors import EndpointError

_Result = TypeVar("_Result")

_NO_KEY = "none"
"""Placeholder for a server without a key, since the client requires one."""

_PAUSE = 0.5
"""Seconds to wait before repeating a request whose answer was interrupted."""

_DONE = re.compile(rb"(?:\A|[\r\n])data: ?\[DONE\]")
_END_BYTES = 200
_LONGEST = 300
_RETRIES = "x-stainless-retry-count"
"""Header in which the client counts its retries."""

_RAISED = (openai.OpenAIError, httpx2.HTTPError, httpx2.InvalidURL, ValueError, RecursionError)
"""Exceptions of the client; ValueError and RecursionError come from invalid JSON."""

_OF_PROMPT = {
    HTTPStatus.BAD_REQUEST,
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    HTTPStatus.UNPROCESSABLE_ENTITY,
    HTTPStatus.INTERNAL_SERVER_ERROR,
}
"""Statuses that a single prompt may cause."""

_CONNECTION: dict[tuple[type[Exception], ...], str] = {
    (httpx2.ConnectTimeout,): (
        "{where} did not accept a connection within {connect:g} seconds; check host, port and "
        "firewalls"
    ),
    (openai.APITimeoutError, httpx2.TimeoutException): (
        "{where} sent nothing for {silence:g} seconds; the server hangs, or is too slow for the "
        "model"
    ),
    (ssl.SSLError,): (
        "no secure connection to {where}: it has no valid certificate, or does not use TLS; the "
        "base URL of a server without TLS starts with http://"
    ),
    (socket.gaierror, httpx2.ProxyError): (
        "the host of {where} was not found; check its spelling, the network, and the proxy set in "
        "the environment"
    ),
    (httpx2.ConnectError,): (
        "nothing answers at {where}; start the server, or check host, port and network"
    ),
    (openai.APIConnectionError, httpx2.HTTPError): (
        "the connection to {where} broke before the answer was complete; try again later"
    ),
}
"""Causes of a failed connection and their messages; the first match is used."""


class RequestFailure(Exception):  # noqa: N818 - becomes an EndpointError later
    """A failed request, described without the key and without the client's own error.

    Args:
        reason: a sentence for the user.
        is_of_prompt: True if other prompts may still be answered.
    """

    def __init__(self, reason: str, *, is_of_prompt: bool = False) -> None:
        super().__init__(reason)
        self.is_of_prompt = is_of_prompt


async def outcome_of(
    request: Callable[[int], Awaitable[_Result]], server: Server, limits: EndpointLimits
) -> _Result | RequestFailure:
    """Return the result of `request`, or why there is none.

    `request` takes the number of retries left for the client. The client does not retry an
    interrupted answer, so it is requested again here, within the same number. Return the failure
    instead of raising it: its context would be the client's error, which contains the request
    and so the key.
    """
    tried = 0
    try:
        async with asyncio.timeout(limits.total):
            while True:
                is_broken = False
                try:
                    return await request(limits.tries - 1 - tried)
                except RequestFailure as error:
                    failure, requests = error, 1
                except _RAISED as error:
                    failure, requests = _meaning(error, server, limits), 1
                    if isinstance(error, openai.APIError):
                        is_broken = not isinstance(error, openai.APIStatusError)
                        requests += int(error.request.headers.get(_RETRIES, 0))
                tried += requests
                if not is_broken or tried >= limits.tries:
                    break
                await asyncio.sleep(_PAUSE)
    except TimeoutError:
        return RequestFailure(
            f"{server.address} did not finish its answer within {limits.total:g} seconds; the "
            "server is too slow for the model"
        )
    often = f" (tried {tried} times)" if tried > 1 else ""
    return RequestFailure(f"{failure}{often}", is_of_prompt=failure.is_of_prompt)


def _meaning(error: Exception, server: Server, limits: EndpointLimits) -> RequestFailure:
    """Translate an exception of the client."""
    where = server.address
    if isinstance(error, openai.APIStatusError):
        return _refusal(error, server)
    causes = list(_causes(error))
    for kinds, message in _CONNECTION.items():
        if any(isinstance(cause, kinds) for cause in causes):
            return RequestFailure(
                message.format(where=where, connect=limits.connect, silence=limits.silence)
            )
    if isinstance(error, openai.APIError):
        return RequestFailure(
            f"{where} failed while answering{_words_of(error.body, server)}; check the server's "
            "log, or try again later",
            is_of_prompt=True,
        )
    if isinstance(error, json.JSONDecodeError | UnicodeDecodeError | RecursionError):
        return RequestFailure(
            f"{where} did not send JSON; check that it is an OpenAI-compatible server"
        )
    return RequestFailure(f"cannot send a request to {where}; check the base URL")


def _refusal(error: openai.APIStatusError, server: Server) -> RequestFailure:
    """Translate a status other than success."""
    code, headers = error.status_code, error.response.headers
    is_json = "json" in headers.get("Content-Type", "")
    said = f"({code}{_words_of(error.body, server) if is_json else ''})"
    if code < HTTPStatus.BAD_REQUEST:
        reason = (
            f"redirects{_origin(headers.get('Location', ''))} ({code}); redirects are not "
            "followed, since they would receive the code and the key; give the final base URL"
        )
    elif code in {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN}:
        need = "rejects the key" if server.key else "requires a key"
        reason = f"{need} {said}; set the right one in {KEY}"
    elif code == HTTPStatus.NOT_FOUND:
        reason = (
            f"does not have this path or model {said}; the base URL of such a server usually "
            "ends in /v1, and its path /models lists the models"
        )
    elif code == HTTPStatus.TOO_MANY_REQUESTS:
        reason = f"is too busy, or a quota is exhausted {said}; try again later"
    elif code >= HTTPStatus.INTERNAL_SERVER_ERROR:
        reason = f"failed {said}; check the server's log, or try again later"
    else:
        reason = f"rejects the request {said}; check the model and its limits"
    return RequestFailure(f"{server.address} {reason}", is_of_prompt=code in _OF_PROMPT)


def _words_of(body: object, server: Server) -> str:
    """Return the message in the JSON of an error as `: message`; empty if there is none."""
    for name in ("message", "detail", "error"):
        if isinstance(body, dict) and body.get(name):
            body = body[name]
    if body is None or (isinstance(body, dict) and not body):
        return ""
    words = " ".join(str(body).split())
    printable = server.without_key("".join(filter(str.isprintable, words)))
    return f": {printable[:_LONGEST]}" if printable else ""


def _origin(location: str) -> str:
    """Return scheme, host and port of a redirect as ` to ORIGIN`; empty if they are malformed."""
    try:
        parts = urlsplit(location)
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        return ""
    origin = f"{parts.scheme}://{parts.hostname}{port}"
    return f" to {origin[:_LONGEST]}" if parts.hostname and origin.isprintable() else ""


def _causes(error: BaseException) -> Iterator[BaseException]:
    """Yield `error` and its chain of causes."""
    yield error
    for cause in {error.__cause__, error.__context__, *getattr(error, "exceptions", ())}:
        if cause is not None:
            yield from _causes(cause)


@asynccontextmanager
async def connected(server: Server, limits: EndpointLimits) -> AsyncIterator[openai.AsyncOpenAI]:
    """Yield a client of `server`; close its connections on exit.

    Raises:
        EndpointError: the address or the proxy settings in the environment are unusable.
    """
    client = _client(server, limits)
    if client is None:  # raised here, since the cause may show a proxy password
        raise EndpointError(
            f"cannot connect to {server.address}; check the base URL, and the proxy and "
            "certificate settings in the environment (HTTPS_PROXY, ALL_PROXY, "
            "SSL_CERT_FILE)"
        )
    async with client:
        yield client


def _client(server: Server, limits: EndpointLimits) -> openai.AsyncOpenAI | None:
    async def bound(response: httpx2.Response) -> None:
        for name, value in response.headers.items():
            if server.key and server.key in value:  # the client logs some headers
                response.headers[name] = server.without_key(value)
        if response.headers.get("Content-Encoding", "identity") != "identity":
            raise RequestFailure(f"{server.address} compresses its response unasked; turn that off")
        if isinstance(response.stream, httpx2.AsyncByteStream):
            response.stream = _BoundedBytes(response.stream, server, limits.size)

    try:
        connections = httpx2.AsyncClient(
            timeout=httpx2.Timeout(limits.silence, connect=limits.connect, pool=None),
            limits=httpx2.Limits(max_connections=limits.at_once),
            follow_redirects=False,
            event_hooks={"response": [bound]},
        )
        return _Client(
            base_url=server.address, api_key=server.key or _NO_KEY, http_client=connections
        )
    except (OSError, ValueError, ImportError, httpx2.InvalidURL):
        return None


class _Client(openai.AsyncOpenAI):
    """A client that ignores headers from the environment, which are for another server."""

    @property
    def default_headers(self) -> dict[str, str | openai.Omit]:
        """Headers except authorization and content headers."""
        return {
            "Accept": "application/json",
            "Accept-Encoding": "identity",  # a small response could decompress to a huge one
            "Content-Type": "application/json",
            "User-Agent": self.user_agent,
        }


class _BoundedBytes(httpx2.AsyncByteStream):
    """The bytes of a response, up to a limit."""

    def __init__(self, stream: httpx2.AsyncByteStream, server: Server, size: int) -> None:
        self._stream = stream
        self._server = server
        self._size = size
        self.last = b""

    async def __aiter__(self) -> AsyncIterator[bytes]:
        count = 0
        async for piece in self._stream:
            count += len(piece)
            if count > self._size:
                raise RequestFailure(
                    f"{self._server.address} sent more than {self._size:,} bytes for one answer; "
                    "it ignores the token limit",
                    is_of_prompt=True,
                )
            self.last = (self.last + piece)[-_END_BYTES:]
            yield piece

    async def aclose(self) -> None:
        """Close the connection."""
        await self._stream.aclose()


def is_whole(response: httpx2.Response) -> bool:
    """Return True if a fully read event stream contains its final event."""
    source = response.stream
    return isinstance(source, _BoundedBytes) and bool(_DONE.search(source.last))
