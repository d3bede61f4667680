"""Connections to a server: no redirects, and bounded responses."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx2
import openai

from crscore_core.claims.llm.endpoint.failure import RequestFailure
from crscore_core.claims.llm.endpoint.limits import EndpointLimits
from crscore_core.claims.llm.endpoint.server import Server
from crscore_core.errors import EndpointError

__all__ = ["connected"]

_NO_KEY = "none"
"""What a server gets that wants no key, as the client insists on one."""


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
            response.stream = _Bounded(response.stream, server, limits.size)

    try:
        connections = httpx2.AsyncClient(
            timeout=httpx2.Timeout(limits.silence, connect=limits.connect, pool=None),
            limits=httpx2.Limits(max_connections=limits.at_once),
            follow_redirects=False,
            event_hooks={"response": [bound]},
        )
        return openai.AsyncOpenAI(
            base_url=server.address,
            api_key=server.key or _NO_KEY,
            max_retries=0,  # it would not repeat a stream that broke
            default_headers={"Accept-Encoding": "identity"},  # few bytes could become very many
            http_client=connections,
        )
    except (OSError, ValueError, ImportError, httpx2.InvalidURL):
        return None


class _Bounded(httpx2.AsyncByteStream):
    """The bytes of a response, as long as they are not too many."""

    def __init__(self, stream: httpx2.AsyncByteStream, server: Server, size: int) -> None:
        self._stream = stream
        self._server = server
        self._size = size

    async def __aiter__(self) -> AsyncIterator[bytes]:
        count = 0
        async for piece in self._stream:
            count += len(piece)
            if count > self._size:
                raise RequestFailure(
                    f"{self._server.address} sends more than {self._size:,} bytes for one answer; "
                    "it does not keep to the limit of tokens"
                )
            yield piece

    async def aclose(self) -> None:
        await self._stream.aclose()
