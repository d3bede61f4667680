"""Connections to a server: no redirects, and bounded responses."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx2
import openai

from crscore_core.claims.llm.endpoint.failure import RequestFailure
from crscore_core.claims.llm.endpoint.limits import EndpointLimits
from crscore_core.claims.llm.endpoint.server import Server
from crscore_core.errors import EndpointError

__all__ = ["BoundedBytes", "connected"]

_NO_KEY = "none"
"""What a server gets that wants no key, as the client insists on one."""

_DONE = re.compile(rb"(?:\A|[\r\n])data: ?\[DONE\]")
_END_BYTES = 200


@asynccontextmanager
async def connected(server: Server, limits: EndpointLimits) -> AsyncIterator[openai.AsyncOpenAI]:
    """A client of `server`, closed at the end with all its connections.

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
            response.stream = BoundedBytes(response.stream, server, limits.size)

    try:
        connections = httpx2.AsyncClient(
            timeout=httpx2.Timeout(limits.silence, connect=limits.connect, pool=None),
            limits=httpx2.Limits(max_connections=limits.at_once),
            follow_redirects=False,
            event_hooks={"response": [bound]},
        )
        return _Client(
            base_url=server.address,
            api_key=server.key or _NO_KEY,
            max_retries=0,  # it would not repeat a stream that broke
            http_client=connections,
        )
    except (OSError, ValueError, ImportError, httpx2.InvalidURL):
        return None


class _Client(openai.AsyncOpenAI):
    """A client that sends nothing of the environment: its headers are for another server."""

    @property
    def default_headers(self) -> dict[str, str | openai.Omit]:
        """All headers but those of the key and of the content."""
        return {
            "Accept": "application/json",
            "Accept-Encoding": "identity",  # few bytes could become very many
            "Content-Type": "application/json",
            "User-Agent": self.user_agent,
        }


class BoundedBytes(httpx2.AsyncByteStream):
    """The bytes of a response, as long as they are not too many."""

    def __init__(self, stream: httpx2.AsyncByteStream, server: Server, size: int) -> None:
        self._stream = stream
        self._server = server
        self._size = size
        self._last = b""

    @property
    def is_done(self) -> bool:
        """Whether what was read ends as a stream of events that is whole."""
        return bool(_DONE.search(self._last))

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
            self._last = (self._last + piece)[-_END_BYTES:]
            yield piece

    async def aclose(self) -> None:
        """Close the connection."""
        await self._stream.aclose()
