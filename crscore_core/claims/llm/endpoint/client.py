"""Requests to a server through the OpenAI client, which retries them.

Added here: responses are bounded, redirects are not followed, nothing of the environment is sent,
and each failure becomes one sentence without the key.
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
"""Key for a server that wants none; the client insists on one."""

_PAUSE = 0.5
"""Seconds before the same request after an answer that broke off."""

_DONE = re.compile(rb"(?:\A|[\r\n])data: ?\[DONE\]")
_END_BYTES = 200
_LONGEST = 300
_RETRIES = "x-stainless-retry-count"
"""Header in which the client counts how often it repeated a request."""

_RAISED = (openai.OpenAIError, httpx2.HTTPError, httpx2.InvalidURL, ValueError, RecursionError)
"""Exceptions of the client; ValueError and RecursionError come from bodies that are no JSON."""

_OF_PROMPT = {
    HTTPStatus.BAD_REQUEST,
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    HTTPStatus.UNPROCESSABLE_ENTITY,
    HTTPStatus.INTERNAL_SERVER_ERROR,
}
"""Statuses that may be due to one prompt."""

_CONNECTION: dict[tuple[type[Exception], ...], str] = {
    (httpx2.ConnectTimeout,): (
        "{where} takes no connection within {connect:g} seconds; look at host and port, and "
        "whether a firewall is in between"
    ),
    (openai.APITimeoutError, httpx2.TimeoutException): (
        "nothing came from {where} for {silence:g} seconds; the server hangs, or is too slow for "
        "the model"
    ),
    (ssl.SSLError,): (
        "no secure connection to {where}: it has no valid certificate, or does not speak TLS; a "
        "server without TLS has a base URL with http://"
    ),
    (socket.gaierror, httpx2.ProxyError): (
        "the way to {where} is not known; look at the spelling of its host, at the network, and "
        "at the proxy of the environment"
    ),
    (httpx2.ConnectError,): (
        "nothing answers at {where}; start the server, or look at host, port and network"
    ),
    (openai.APIConnectionError, httpx2.HTTPError): (
        "the connection to {where} broke before the answer was whole; try again later"
    ),
}
"""Causes of a failed connection and their messages; the first cause that matches counts."""


class RequestFailure(Exception):  # noqa: N818 - an EndpointError is made of it at the end
    """A failed request, told without the key and without the client's own error.

    Args:
        reason: a sentence for people.
        is_of_prompt: True if another prompt could be answered all the same.
    """

    def __init__(self, reason: str, *, is_of_prompt: bool = False) -> None:
        super().__init__(reason)
        self.is_of_prompt = is_of_prompt


async def outcome_of(
    request: Callable[[int], Awaitable[_Result]], server: Server, limits: EndpointLimits
) -> _Result | RequestFailure:
    """Return the result of `request`, or why there is none.

    `request` takes the number of retries that are left for the client. An answer that breaks off,
    which the client does not retry, is asked for again within the same number. The failure is
    returned, not raised, so that no context of it refers to the client's error, which carries the
    request and with it the key.
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
            f"{server.address} gave no whole answer within {limits.total:g} seconds; the server "
            "is too slow for the model"
        )
    often = f" (tried {tried} times)" if tried > 1 else ""
    return RequestFailure(f"{failure}{often}", is_of_prompt=failure.is_of_prompt)


def _meaning(error: Exception, server: Server, limits: EndpointLimits) -> RequestFailure:
    """Say what an exception of the client means."""
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
            f"{where} failed while it answered{_words_of(error.body, server)}; look at the "
            "server's log, or try again later",
            is_of_prompt=True,
        )
    if isinstance(error, json.JSONDecodeError | UnicodeDecodeError | RecursionError):
        return RequestFailure(
            f"{where} sends what is no JSON; look whether it is an OpenAI-compatible server"
        )
    return RequestFailure(f"no request to {where} can be made; look at the base URL")


def _refusal(error: openai.APIStatusError, server: Server) -> RequestFailure:
    """Say what a status other than a success means."""
    code, headers = error.status_code, error.response.headers
    is_json = "json" in headers.get("Content-Type", "")
    said = f"({code}{_words_of(error.body, server) if is_json else ''})"
    if code < HTTPStatus.BAD_REQUEST:
        reason = (
            f"redirects{_origin(headers.get('Location', ''))} ({code}), which is not followed, as "
            "it would take the code and the key along; give the base URL that is meant"
        )
    elif code in {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN}:
        need = "refuses the key" if server.key else "wants a key"
        reason = f"{need} {said}; give the right one in {KEY}"
    elif code == HTTPStatus.NOT_FOUND:
        reason = (
            f"has no such path, or not this model {said}; the base URL of such a server mostly "
            "ends with /v1, and its path /models lists the models"
        )
    elif code == HTTPStatus.TOO_MANY_REQUESTS:
        reason = f"is too busy, or a quota is used up {said}; try again later"
    elif code >= HTTPStatus.INTERNAL_SERVER_ERROR:
        reason = f"fails {said}; look at the server's log, or try again later"
    else:
        reason = f"refuses the request {said}; look at the model and its limits"
    return RequestFailure(f"{server.address} {reason}", is_of_prompt=code in _OF_PROMPT)


def _words_of(body: object, server: Server) -> str:
    """Return the words in the JSON of an error as `: words`, empty where there are none."""
    for name in ("message", "detail", "error"):
        if isinstance(body, dict) and body.get(name):
            body = body[name]
    if body is None or (isinstance(body, dict) and not body):
        return ""
    words = " ".join(str(body).split())
    printable = server.without_key("".join(filter(str.isprintable, words)))
    return f": {printable[:_LONGEST]}" if printable else ""


def _origin(location: str) -> str:
    """Return scheme, host and port of a redirect as ` to ORIGIN`, empty where they are odd."""
    try:
        parts = urlsplit(location)
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        return ""
    origin = f"{parts.scheme}://{parts.hostname}{port}"
    return f" to {origin[:_LONGEST]}" if parts.hostname and origin.isprintable() else ""


def _causes(error: BaseException) -> Iterator[BaseException]:
    """Yield `error` and everything that led to it."""
    yield error
    for cause in {error.__cause__, error.__context__, *getattr(error, "exceptions", ())}:
        if cause is not None:
            yield from _causes(cause)


@asynccontextmanager
async def connected(server: Server, limits: EndpointLimits) -> AsyncIterator[openai.AsyncOpenAI]:
    """Give a client of `server`; its connections are closed at the end.

    Raises:
        EndpointError: no client can be made of the address and the environment.
    """
    client = _client(server, limits)
    if client is None:  # raised here, as the cause may show the password of a proxy
        raise EndpointError(
            f"no connection to {server.address} can be set up; look at the base URL, and at the "
            "settings of proxies and certificates in the environment (HTTPS_PROXY, ALL_PROXY, "
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
            raise RequestFailure(
                f"{server.address} compresses its response, unasked; turn that off there"
            )
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
    """A client that sends no headers of the environment, which are meant for another server."""

    @property
    def default_headers(self) -> dict[str, str | openai.Omit]:
        """All headers but those of the key and of the content."""
        return {
            "Accept": "application/json",
            "Accept-Encoding": "identity",  # few bytes could become very many
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
                    f"{self._server.address} sends more than {self._size:,} bytes for one answer; "
                    "it does not keep to the limit of tokens",
                    is_of_prompt=True,
                )
            self.last = (self.last + piece)[-_END_BYTES:]
            yield piece

    async def aclose(self) -> None:
        """Close the connection."""
        await self._stream.aclose()


def is_whole(response: httpx2.Response) -> bool:
    """Return True if a stream of events that was read to its end has the event that ends it."""
    source = response.stream
    return isinstance(source, _BoundedBytes) and bool(_DONE.search(source.last))
