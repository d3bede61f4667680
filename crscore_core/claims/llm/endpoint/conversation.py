"""Send prompts to one server, a few at a time, and read the streamed answers."""

import asyncio
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import httpx2
import openai

from crscore_core.claims.llm.endpoint.client import RequestFailure, connected, is_whole, outcome_of
from crscore_core.claims.llm.endpoint.settings import EndpointLimits, Server, check_model
from crscore_core.claims.llm.language_model import Answer
from crscore_core.claims.llm.reasoning import WithoutReasoning
from crscore_core.claims.options import MODEL
from crscore_core.errors import EndpointError

_EVENT_STREAM = "text/event-stream"
_LATER_NAME = {"max_tokens": "max_completion_tokens"}
_ENDED = {"stop", "stop_sequence", "end_turn", "eos", "eos_token"}
"""Finish reasons of a complete answer; the first is the protocol's own."""

_CUT = {"length", "max_tokens"}
"""Finish reasons of an answer cut off at the token limit."""

_MALFORMED = (KeyError, IndexError, TypeError, AttributeError)
"""Exceptions raised by JSON of an unexpected shape."""

_LONGEST_REASON = 40
_LONGEST_NAME = 100
_NAMED_IN_A_MESSAGE = 20


@dataclass(frozen=True, slots=True)
class Heard:
    """An event for the prompt at `index`: a piece of its answer, the whole answer, or an error."""

    index: int
    said: str | Answer | EndpointError


async def answer_all(
    prompts: Iterable[tuple[int, str]],
    model: str,
    server: Server,
    limits: EndpointLimits,
    heard: Callable[[Heard], None],
) -> None:
    """Have `model` answer the prompts; call `heard` with each event.

    A prompt that fails on its own gets its error. A failure that would affect every prompt ends
    the run once the answers in progress are complete.

    Raises:
        EndpointError: the server cannot be reached, or accepts no prompt.
    """
    waiting = iter(prompts)
    failures: list[EndpointError] = []

    async def answer_next(chat: _Chat) -> None:
        for index, prompt in waiting:  # shared: each prompt goes to the next free task
            outcome = await _outcome(index, prompt, chat, limits, heard)
            if isinstance(outcome, Answer):
                heard(Heard(index, outcome))
            elif outcome.is_of_prompt:
                heard(Heard(index, EndpointError(str(outcome))))
            else:
                failures.append(EndpointError(str(outcome)))
            if failures:
                return

    async with connected(server, limits) as client:
        chat = _Chat(client, server, model, limits.parameters)
        async with asyncio.TaskGroup() as group:
            for _ in range(limits.at_once):
                group.create_task(answer_next(chat))
    if failures:
        raise failures[0]


async def _outcome(
    index: int,
    prompt: str,
    chat: "_Chat",
    limits: EndpointLimits,
    heard: Callable[[Heard], None],
) -> Answer | RequestFailure:
    """Request one answer; `heard` gets no character twice if the request is repeated."""
    told = 0

    async def ask(retries: int) -> Answer:
        said = 0

        def tell(text: str) -> None:
            nonlocal said, told
            said += len(text)
            if said > told:
                heard(Heard(index, text[told - said :]))
                told = said

        return await chat.answer(prompt, retries, tell)

    return await outcome_of(ask, chat.server, limits)


async def only_model(server: Server, limits: EndpointLimits) -> str:
    """Return the only model that `server` lists.

    Raises:
        EndpointError: the request fails, or the server lists no model or several.
    """
    async with connected(server, limits) as client:

        async def listed(retries: int) -> list[str]:
            response = await client.get(
                "/models", cast_to=httpx2.Response, options={"max_retries": retries}
            )
            return _names(response, server)

        names = await outcome_of(listed, server, limits)
    if isinstance(names, RequestFailure):
        raise EndpointError(str(names))
    only = check_model(names[0]) if len(names) == 1 else None
    if only is not None:
        return only
    if not names:
        raise EndpointError(
            f"{server.address} lists no model; name the one to use, as an option or in {MODEL}"
        )
    shown = ", ".join(repr(name[:_LONGEST_NAME]) for name in names[:_NAMED_IN_A_MESSAGE])
    rest = f" and {len(names) - _NAMED_IN_A_MESSAGE} more" * (len(names) > _NAMED_IN_A_MESSAGE)
    raise EndpointError(
        f"{server.address} has several models; name one, as an option or in {MODEL}: {shown}{rest}"
    )


def _names(response: httpx2.Response, server: Server) -> list[str]:
    """Return the distinct models in a response, sorted."""
    try:
        items = response.json()["data"] or []
        names = {server.without_key(str(item.get("id") or "")) for item in items}
    except (ValueError, RecursionError, *_MALFORMED):
        raise RequestFailure(
            f"{server.address}/models is not the model list of an OpenAI-compatible server; check "
            "the base URL, which usually ends in /v1"
        ) from None
    return sorted(name for name in names if name.strip())


class _Chat:
    """Chat completions of `model`; a parameter that the server rejects is left out afterwards."""

    def __init__(
        self,
        client: openai.AsyncOpenAI,
        server: Server,
        model: str,
        parameters: Mapping[str, float],
    ) -> None:
        self._client = client
        self.server = server
        self._model = model
        self._parameters = dict(parameters)

    async def answer(self, prompt: str, retries: int, told: Callable[[str], None]) -> Answer:
        """Request an answer with so many retries; call `told` with its text as it arrives.

        Reasoning is dropped, both from separate fields and from the text; an answer of nothing
        else is empty. An answer is complete if the server says so, or ends the stream properly
        without a finish reason.

        Raises:
            RequestFailure: the response is not a chat completion.
            openai.OpenAIError, httpx2.HTTPError, ValueError: the request failed or was interrupted.
        """
        async with await self._stream(
            prompt.encode("utf-8", "replace").decode(), retries
        ) as stream:
            return await self._read(stream, told)

    async def _stream(self, prompt: str, retries: int) -> openai.AsyncStream[object]:
        while True:
            sent = dict(self._parameters)
            try:
                return await self._client.post(
                    "/chat/completions",
                    cast_to=object,
                    body={
                        "model": self._model,
                        "messages": [{"role": "user", "content": prompt}],
                        "stream": True,
                        **sent,
                    },
                    options={"max_retries": retries},
                    stream=True,
                    stream_cls=openai.AsyncStream[object],
                )
            except (openai.BadRequestError, openai.UnprocessableEntityError) as error:
                if not self._adapt(sent, error):
                    raise

    def _adapt(self, sent: Mapping[str, float], error: openai.APIStatusError) -> bool:
        """Drop the parameters of `sent` that `error` names; return True if there is one.

        The token limit is renamed to its newer name and never dropped.
        """
        words = f"{error.param or ''} {error.body}"
        refused = [
            name
            for name in sent
            if name not in _LATER_NAME.values() and re.search(rf"\b{name}\b", words)
        ]
        for name in refused:
            value = self._parameters.pop(name, None)
            if value is not None and name in _LATER_NAME:
                self._parameters[_LATER_NAME[name]] = value
        return bool(refused)

    async def _read(
        self, stream: openai.AsyncStream[object], told: Callable[[str], None]
    ) -> Answer:
        said: list[str] = []
        visible = WithoutReasoning()
        has_come = False

        def say(text: str) -> None:
            if text:
                said.append(text)
                told(text)

        async for chunk in stream:
            has_come = True
            text, finish_reason = _piece_of(chunk, self.server)
            say(visible.add(text))
            if finish_reason:
                say(visible.end())
                return self._ended("".join(said), finish_reason)
        kind = stream.response.headers.get("Content-Type", "").partition(";")[0].strip().lower()
        if not has_come and kind != _EVENT_STREAM:
            raise RequestFailure(
                f"{self.server.address} sent {kind[:80] or 'something'!r} instead of an answer "
                f"stream ({_EVENT_STREAM}); check that the base URL is that of an "
                "OpenAI-compatible server, which usually ends in /v1"
            )
        if not is_whole(stream.response):
            raise openai.APIError("the stream ended too early", stream.response.request, body=None)
        say(visible.end())
        return Answer("".join(said))

    def _ended(self, text: str, reason: str) -> Answer:
        if reason in _ENDED:
            return Answer(text)
        if reason in _CUT:
            return Answer(text, is_complete=False)
        said = "".join(filter(str.isprintable, self.server.without_key(reason)))
        return Answer(text, is_complete=False, ended_by=said[:_LONGEST_REASON] or "?")


def _piece_of(chunk: Any, server: Server) -> tuple[str, str]:  # noqa: ANN401 - any JSON value
    """Return the text and finish reason of a chunk, each "" if absent."""
    try:
        choices = chunk["choices"]
        choice = choices[0] if choices else {}  # the final chunk with the usage has no choice
        text = (choice.get("delta") or {}).get("content") or ""
        if isinstance(text, list):  # some servers send it in parts
            text = "".join(part["text"] for part in text if part["type"] == "text")
        finish_reason = choice.get("finish_reason") or ""
        if isinstance(text, str) and isinstance(finish_reason, str):
            return text, finish_reason
    except _MALFORMED:
        pass
    raise RequestFailure(
        f"{server.address} streams JSON that is not a chat completion; check that the base URL is "
        "that of an OpenAI-compatible server"
    )
