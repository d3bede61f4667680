"""Requests to an OpenAI-compatible server: its list of models, and streamed answers.

The OpenAI client retries requests. Responses are bounded, redirects are not followed, nothing from
the environment is sent, and each failure becomes one sentence without the key.
"""

import asyncio
import json
import re
import ssl
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from http import HTTPStatus
from typing import Any, TypeVar

import httpx2
import openai

from crscore_core.claims.llm.language_model import Answer
from crscore_core.claims.llm.server import EndpointLimits, Server, check_model
from crscore_core.claims.options import KEY, MODEL
from crscore_core.errors import ModelError

_Result = TypeVar("_Result")
_Tell = Callable[[str], None]
_BEAT = 0.5  # seconds
_NO_KEY = "none"
"""Placeholder for a server without a key, since the client requires one."""

_CHECK = "check the base URL, which usually ends in /v1"
_LONGEST = 300
_LONGEST_REASON = 40
_LONGEST_LIST = 1000
_LATER_NAME = {"max_tokens": "max_completion_tokens"}
_OTHER_WORDS = {"response_format": "response_format|json_schema|structured outputs?"}
"""Words of servers about a parameter that they reject, where they do not name it."""

_ENDED = {"stop", "stop_sequence", "end_turn", "eos", "eos_token"}
"""Finish reasons of a complete answer; the first is the protocol's own."""

_CUT = {"length", "max_tokens"}
"""Finish reasons of an answer cut off at the token limit."""

_RAISED = (openai.OpenAIError, httpx2.HTTPError, httpx2.InvalidURL, ValueError, RecursionError)
"""Exceptions of the client; ValueError and RecursionError come from invalid JSON."""

_MALFORMED = (KeyError, IndexError, TypeError, AttributeError)
"""Exceptions raised by JSON of an unexpected shape."""

_OF_PROMPT = {
    HTTPStatus.BAD_REQUEST,
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    HTTPStatus.UNPROCESSABLE_ENTITY,
    HTTPStatus.INTERNAL_SERVER_ERROR,
}
"""Statuses that a single prompt may cause."""


class Failure(Exception):  # noqa: N818 - becomes an ModelError later
    """A failed request, described without the key; `is_of_prompt` if others may succeed."""

    def __init__(self, reason: str, *, is_of_prompt: bool = False) -> None:
        super().__init__(reason)
        self.is_of_prompt = is_of_prompt


class _BoundedBytes(httpx2.AsyncByteStream):
    """The bytes of a response, up to the limits of size and time."""

    def __init__(self, stream: httpx2.AsyncByteStream, client: "Client") -> None:
        self._stream = stream
        self._client = client
        self._start = time.monotonic()
        self._count = 0

    def __aiter__(self) -> AsyncIterator[bytes]:
        # No generator: one that nobody finishes could be closed while it is read.
        self._pieces = aiter(self._stream)
        return self

    async def __anext__(self) -> bytes:
        address = self._client.server.address
        size, total = self._client.limits.size, self._client.limits.total
        piece = await anext(self._pieces)
        self._count += len(piece)
        if self._count > size:
            reason = f"{address} sent more than {size:,} bytes for one answer"
            raise Failure(f"{reason}; it ignores the token limit", is_of_prompt=True)
        if time.monotonic() - self._start > total:
            raise Failure(f"{address} did not finish its answer within {total:g} seconds")
        return piece

    async def aclose(self) -> None:
        await self._stream.aclose()


class Client(openai.AsyncOpenAI):
    """The client of one server."""

    def __init__(self, server: Server, limits: EndpointLimits) -> None:
        self.server = server
        self.limits = limits
        self.silence = min(limits.silence, limits.total)
        super().__init__(
            base_url=server.address,
            api_key=server.key or _NO_KEY,
            max_retries=limits.tries - 1,
            http_client=httpx2.AsyncClient(
                timeout=httpx2.Timeout(self.silence, connect=limits.connect, pool=None),
                follow_redirects=False,
                event_hooks={"response": [self._bound]},
            ),
        )

    @property
    def default_headers(self) -> dict[str, str | openai.Omit]:
        """Headers except authorization; none from the environment, which are for another server."""
        return {
            "Accept": "application/json",
            "Accept-Encoding": "identity",  # a small response could decompress to a huge one
            "Content-Type": "application/json",
            "User-Agent": self.user_agent,
        }

    async def _bound(self, response: httpx2.Response) -> None:
        for name, value in response.headers.items():
            if self.server.key and self.server.key in value:  # the client logs some headers
                response.headers[name] = self.server.without_key(value)
        if response.headers.get("Content-Encoding", "identity") != "identity":
            raise Failure(f"{self.server.address} compresses its response unasked; turn that off")
        if isinstance(response.stream, httpx2.AsyncByteStream):
            response.stream = _BoundedBytes(response.stream, self)


Ask = Callable[[Client, str, _Tell], Awaitable[_Result]]
"""A request about one item, which may raise a `Failure`; it calls a function with arriving text."""

Note = tuple[int, str, _Result | Failure | None]
"""Index of an item with arriving text, with "" from time to time, and at the end with a result."""


def connect(server: Server, limits: EndpointLimits) -> Client:
    """Return a client of `server`; no request is sent yet.

    Raises:
        ModelError: the address or the proxy settings in the environment are unusable.
    """
    with suppress(OSError, ValueError, ImportError, httpx2.InvalidURL):
        return Client(server, limits)
    raise ModelError(  # here, since the cause may show a proxy password
        f"cannot connect to {server.address}; check the base URL, and the proxy and certificate "
        "settings in the environment (HTTPS_PROXY, ALL_PROXY, SSL_CERT_FILE)"
    )


async def ask_each(
    client: Client,
    ask: Ask[_Result],
    items: Sequence[str],
    note: Callable[[Note[_Result]], None],
    stopping: threading.Event,
) -> None:
    """Ask about each of `items`, a few at a time, until `stopping` is set, which breaks off all.

    After a failure that would affect every item, no more are asked about.
    """
    unsent = (pair for pair in enumerate(items) if not stopping.is_set())

    def tell(index: int, text: str) -> None:
        note((index, text, None))

    async def work() -> None:
        for index, item in unsent:
            result: _Result | Failure
            try:
                result = await ask(client, item, partial(tell, index))
            except Failure as failure:
                result = failure
            except _RAISED as error:
                result = _failure_of(error, client)
            if isinstance(result, Failure) and not result.is_of_prompt:
                list(unsent)
            note((index, "", result))

    running = {asyncio.create_task(work()) for _ in range(client.limits.at_once)}
    async with client:
        try:
            while running and not stopping.is_set():
                ended, running = await asyncio.wait(running, timeout=_BEAT)
                for worker in ended:
                    worker.result()
                tell(0, "")
        finally:
            for worker in running:
                worker.cancel()
            await asyncio.gather(*running, return_exceptions=True)


async def only_model(client: Client, _item: str, _tell: _Tell) -> str:
    """Return the only model that the server lists; fail if it lists several or none."""
    server = client.server
    try:
        listed: Any = await client.models.list()
        ids = {server.without_key(str(model.id or "")) for model in listed.data or []}
    except (openai.APIStatusError, openai.APIConnectionError):
        raise
    except (*_RAISED, *_MALFORMED) as error:
        raise Failure(f"{server.address}/models is no list of models; {_CHECK}") from error
    names = sorted(filter(str.strip, ids))
    if len(names) == 1 and (only := check_model(names[0])):
        return only
    if not names:
        raise Failure(f"{server.address} lists no model; name one, as an option or in {MODEL}")
    shown = ", ".join(map(repr, names))[:_LONGEST_LIST]
    raise Failure(
        f"{server.address} has several models; name one, as an option or in {MODEL}: {shown}"
    )


class Chat:
    """Chat completions of `model`.

    A parameter that the server rejects joins `rejected` and is left out from then on.
    """

    def __init__(self, model: str, parameters: Mapping[str, object], rejected: set[str]) -> None:
        self._model = model
        self._parameters = parameters
        self._rejected = rejected

    async def answer(self, client: Client, prompt: str, tell: _Tell) -> Answer:
        """Request an answer; reasoning in fields of its own is dropped."""
        async with await self._stream(client, prompt) as stream:
            try:
                return await _read(stream, client.server, tell)
            except _RAISED as error:
                raise _failure_of(error, client, has_begun=True) from error

    async def _stream(self, client: Client, prompt: str) -> openai.AsyncStream[Any]:
        completions: Any = client.chat.completions  # its type hints name every parameter
        text = prompt.encode("utf-8", "replace").decode()
        while True:
            sent = self._accepted()
            try:
                stream: openai.AsyncStream[Any] = await completions.create(
                    model=self._model,
                    messages=[{"role": "user", "content": text}],
                    stream=True,
                    **sent,
                )
            except (openai.BadRequestError, openai.UnprocessableEntityError) as error:
                if not self._adapt(sent, error):
                    raise
            else:
                return stream

    def _accepted(self) -> dict[str, object]:
        """Return the parameters that the server has not rejected.

        The token limit is renamed to its newer name and never left out.
        """
        names = {
            name: _LATER_NAME.get(name, "") if name in self._rejected else name
            for name in self._parameters
        }
        return {names[name]: value for name, value in self._parameters.items() if names[name]}

    def _adapt(self, sent: Mapping[str, object], error: openai.APIStatusError) -> bool:
        """Reject the parameters of `sent` that `error` names; return True if there is one."""
        words = f"{error.param or ''} {error.body}"
        rejected = {
            name
            for name in sent
            if name not in _LATER_NAME.values()
            and re.search(rf"(?i)\b({_OTHER_WORDS.get(name, name)})\b", words)
        }
        self._rejected |= rejected
        return bool(rejected)


async def _read(stream: openai.AsyncStream[Any], server: Server, tell: _Tell) -> Answer:
    """Read an answer up to its finish reason."""
    said, finish_reason = "", ""
    chunk = None
    async for chunk in stream:
        text, finish_reason = _piece_of(chunk, server)
        if text:
            said += text
            tell(text)
        if finish_reason:
            break
    if chunk is None:
        raise Failure(f"{server.address} sent no answer stream; {_CHECK}")
    if not finish_reason:
        raise openai.APIError("the stream ended too early", stream.response.request, body=None)
    if finish_reason in _ENDED:
        return Answer(said)
    if finish_reason in _CUT:
        return Answer(said, is_complete=False)
    reason = "".join(filter(str.isprintable, server.without_key(finish_reason)))
    return Answer(said, is_complete=False, ended_by=reason[:_LONGEST_REASON] or "?")


def _piece_of(chunk: Any, server: Server) -> tuple[str, str]:  # noqa: ANN401 - unchecked
    """Return the text and finish reason of a chunk, each "" if absent."""
    try:
        if chunk.choices == []:  # the final chunk, with the usage
            return "", ""
        choice = chunk.choices[0]
        text = (choice.delta and choice.delta.content) or ""
        if isinstance(text, list):  # some servers send it in parts
            text = "".join(part["text"] for part in text if part["type"] == "text")
        finish_reason = choice.finish_reason or ""
        if isinstance(text, str) and isinstance(finish_reason, str):
            return text, finish_reason
    except _MALFORMED:
        pass
    raise Failure(f"{server.address} streams JSON that is not a chat completion; {_CHECK}")


def _failure_of(error: Exception, client: Client, *, has_begun: bool = False) -> Failure:
    """Translate an exception of the client; `has_begun` tells whether an answer was arriving."""
    if isinstance(error, openai.APIStatusError):
        return _refusal(error, client.server)
    where = client.server.address
    chain: list[BaseException] = [error]
    while cause := chain[-1].__cause__ or chain[-1].__context__:
        chain.append(cause)

    def is_of(*kinds: type[Exception]) -> bool:
        return any(isinstance(cause, kinds) for cause in chain)

    is_of_prompt = False
    if is_of(ssl.SSLError):
        reason = (
            f"no secure connection to {where}: it has no valid certificate, or does not use TLS; "
            "the base URL of a server without TLS starts with http://"
        )
    elif is_of(httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.ProxyError):
        reason = f"nothing answers at {where}; start it, or check host, port, network and proxy"
    elif is_of(httpx2.TimeoutException):
        reason = f"{where} sent nothing for {client.silence:g} seconds; it hangs, or is too slow"
    elif is_of(httpx2.HTTPError, openai.APIError):
        said = _words_of(getattr(error, "body", None), client.server)
        reason = f"{where} broke off its answer{said}; check the server's log, or try again later"
        is_of_prompt = has_begun
    elif is_of(json.JSONDecodeError, UnicodeDecodeError, RecursionError):
        reason = f"{where} did not send JSON; {_CHECK}"
    else:
        reason = f"cannot send a request to {where}; check the base URL"
    return Failure(reason, is_of_prompt=is_of_prompt)


def _refusal(error: openai.APIStatusError, server: Server) -> Failure:
    """Translate a status other than success."""
    code = error.status_code
    is_json = "json" in error.response.headers.get("Content-Type", "")
    said = f"({code}{_words_of(error.body, server) if is_json else ''})"
    if code < HTTPStatus.BAD_REQUEST:
        reason = f"redirects {said}, which is not followed with code and key; give the final URL"
    elif code in {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN}:
        need = "rejects the key" if server.key else "requires a key"
        reason = f"{need} {said}; set the right one in {KEY}"
    elif code == HTTPStatus.NOT_FOUND:
        reason = f"does not have this path or model {said}; {_CHECK}"
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
