"""A client that limits the size of responses and follows no redirects."""

from collections.abc import Iterator
from typing import Any

import httpx2
import openai

from crscore_core.errors import ModelError

MAX_RESPONSE_BYTES = 5_000_000  # of a response, including error bodies


def open_client(address: str, key: str) -> openai.OpenAI:
    """Return a client for the server at `address`; only connecting has a timeout.

    Responses are never decompressed.
    """
    return openai.OpenAI(
        base_url=address,
        api_key=key,
        max_retries=3,
        http_client=openai.DefaultHttpx2Client(
            timeout=httpx2.Timeout(None, connect=10.0),
            follow_redirects=False,  # the user named only this server
            headers={"Accept-Encoding": "identity"},
            event_hooks={"response": [_limit]},
        ),
    )


def _limit(response: httpx2.Response) -> None:
    if response.headers.get("Content-Encoding", "identity") != "identity":
        raise ModelError("it sent a compressed response, which was not requested")
    response.stream = _LimitedStream(response.stream)


class _LimitedStream(httpx2.SyncByteStream):
    """The body of a response; raises a ModelError if it is too long."""

    def __init__(self, stream: Any) -> None:  # noqa: ANN401 - declared with two types
        self._stream = stream

    def __iter__(self) -> Iterator[bytes]:
        size = 0
        for chunk in self._stream:
            size += len(chunk)
            if size > MAX_RESPONSE_BYTES:
                raise ModelError(f"its response is larger than {MAX_RESPONSE_BYTES:,} bytes")
            yield chunk

    def close(self) -> None:
        self._stream.close()
