"""The OpenAI client of one server, which retries requests.

Responses are bounded, redirects are not followed, nothing from the environment is sent, and each
failure becomes one sentence without the key.
"""

import json
import socket
import ssl
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http import HTTPStatus
from typing import Any

import httpx2
import openai

from crscore_core.claims.llm.endpoint.settings import EndpointLimits, Server
from crscore_core.claims.options import KEY
from crscore_core.errors import EndpointError

RAISED = (openai.OpenAIError, httpx2.HTTPError, httpx2.InvalidURL, ValueError, RecursionError)
"""Exceptions of the client; ValueError and RecursionError come from invalid JSON."""

_NO_KEY = "none"
"""Placeholder for a server without a key, since the client requires one."""

_LONGEST = 300

_OF_PROMPT = {
    HTTPStatus.BAD_REQUEST,
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    HTTPStatus.UNPROCESSABLE_ENTITY,
    HTTPStatus.INTERNAL_SERVER_ERROR,
}
"""Statuses that a single prompt may cause."""


class Failure(Exception):  # noqa: N818 - becomes an EndpointError later
    """A failed request, described without the key and without the client's own error.

    Args:
        reason: a sentence for the user.
        is_of_prompt: True if other prompts may still be answered.
    """

    def __init__(self, reason: str, *, is_of_prompt: bool = False) -> None:
        super().__init__(reason)
        self.is_of_prompt = is_of_prompt


class _Client(openai.OpenAI):
    """A client that ignores headers from the environment, which are for another server."""

    @property
    def default_headers(self) -> dict[str, str | openai.Omit]:
        """Headers except authorization."""
        return {
            "Accept": "application/json",
            "Accept-Encoding": "identity",  # a small response could decompress to a huge one
            "Content-Type": "application/json",
            "User-Agent": self.user_agent,
        }


class _BoundedBytes(httpx2.SyncByteStream):
    """The bytes of a response, up to the limits of size and time."""

    def __init__(
        self, stream: httpx2.SyncByteStream, server: Server, limits: EndpointLimits
    ) -> None:
        self._stream = stream
        self._server = server
        self._limits = limits
        self._start = time.monotonic()

    def __iter__(self) -> Iterator[bytes]:
        size, total, count = self._limits.size, self._limits.total, 0
        for piece in self._stream:
            count += len(piece)
            if count > size:
                raise Failure(
                    f"{self._server.address} sent more than {size:,} bytes for one answer; it "
                    "ignores the token limit",
                    is_of_prompt=True,
                )
            if time.monotonic() - self._start > total:
                raise Failure(
                    f"{self._server.address} did not finish its answer within {total:g} seconds; "
                    "the server is too slow for the model"
                )
            yield piece

    def close(self) -> None:
        """Close the connection."""
        self._stream.close()


class Connection:
    """A client of one server and its open sockets, which another thread can break."""

    def __init__(self, server: Server, limits: EndpointLimits) -> None:
        self.server = server
        self.limits = limits
        self._streams: list[Any] = []
        self._is_broken = False
        self.silence = min(limits.silence, limits.total)
        self.client = _Client(
            base_url=server.address,
            api_key=server.key or _NO_KEY,
            max_retries=limits.tries - 1,
            http_client=httpx2.Client(
                timeout=httpx2.Timeout(self.silence, connect=limits.connect, pool=None),
                follow_redirects=False,
                event_hooks={"request": [self._trace], "response": [self._bound]},
            ),
        )

    def break_off(self) -> None:
        """End all requests at once; a socket that is only closed would keep its reader waiting."""
        self._is_broken = True
        for stream in self._streams:
            with suppress(OSError):
                stream.get_extra_info("socket").shutdown(socket.SHUT_RDWR)
        self.client.close()

    def _trace(self, request: httpx2.Request) -> None:
        request.extensions = {**request.extensions, "trace": self._note}

    def _note(self, _event: str, info: dict[str, Any]) -> None:
        if hasattr(info.get("return_value"), "get_extra_info"):
            self._streams.append(info["return_value"])
            if self._is_broken:  # it was being opened
                self.break_off()

    def _bound(self, response: httpx2.Response) -> None:
        for name, value in response.headers.items():
            if self.server.key and self.server.key in value:  # the client logs some headers
                response.headers[name] = self.server.without_key(value)
        if response.headers.get("Content-Encoding", "identity") != "identity":
            raise Failure(f"{self.server.address} compresses its response unasked; turn that off")
        if isinstance(response.stream, httpx2.SyncByteStream):
            response.stream = _BoundedBytes(response.stream, self.server, self.limits)


@contextmanager
def connected(server: Server, limits: EndpointLimits) -> Iterator[Connection]:
    """Yield a connection to `server`; break off its requests on exit.

    Raises:
        EndpointError: the address or the proxy settings in the environment are unusable.
    """
    connection = None
    with suppress(OSError, ValueError, ImportError, httpx2.InvalidURL):
        connection = Connection(server, limits)
    if connection is None:  # raised here, since the cause may show a proxy password
        raise EndpointError(
            f"cannot connect to {server.address}; check the base URL, and the proxy and "
            "certificate settings in the environment (HTTPS_PROXY, ALL_PROXY, "
            "SSL_CERT_FILE)"
        )
    try:
        yield connection
    finally:
        connection.break_off()


def failure_of(error: Exception, connection: Connection, *, has_begun: bool) -> Failure:
    """Translate an exception of the client; `has_begun` tells whether an answer was arriving."""
    where, causes = connection.server.address, list(_causes(error))

    def is_of(*kinds: type[Exception]) -> bool:
        return any(isinstance(cause, kinds) for cause in causes)

    if isinstance(error, openai.APIStatusError):
        return _refusal(error, connection.server)
    if is_of(ssl.SSLError):
        reason = (
            f"no secure connection to {where}: it has no valid certificate, or does not use TLS; "
            "the base URL of a server without TLS starts with http://"
        )
    elif is_of(httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.ProxyError):
        reason = (
            f"nothing answers at {where}; start the server, or check host, port, network and the "
            "proxy set in the environment"
        )
    elif is_of(httpx2.TimeoutException):
        reason = (
            f"{where} sent nothing for {connection.silence:g} seconds; the server hangs, or is too "
            "slow for the model"
        )
    elif is_of(httpx2.HTTPError):
        reason = f"the connection to {where} broke before the answer was complete; try again later"
        return Failure(reason, is_of_prompt=has_begun)
    elif isinstance(error, openai.APIError):
        said = _words_of(error.body, connection.server)
        reason = f"{where} failed while answering{said}; check the server's log, or try again later"
        return Failure(reason, is_of_prompt=has_begun)
    elif is_of(json.JSONDecodeError, UnicodeDecodeError, RecursionError):
        reason = f"{where} did not send JSON; check that it is an OpenAI-compatible server"
    else:
        reason = f"cannot send a request to {where}; check the base URL"
    return Failure(reason)


def _refusal(error: openai.APIStatusError, server: Server) -> Failure:
    """Translate a status other than success."""
    code = error.status_code
    is_json = "json" in error.response.headers.get("Content-Type", "")
    said = f"({code}{_words_of(error.body, server) if is_json else ''})"
    if code < HTTPStatus.BAD_REQUEST:
        reason = (
            f"redirects {said}; redirects are not followed, since they would receive the code and "
            "the key; give the final base URL"
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
    return Failure(f"{server.address} {reason}", is_of_prompt=code in _OF_PROMPT)


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


def _causes(error: BaseException) -> Iterator[BaseException]:
    """Yield `error` and its chain of causes."""
    yield error
    for cause in {error.__cause__, error.__context__}:
        if cause is not None:
            yield from _causes(cause)
