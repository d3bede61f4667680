"""One chat completion, as it streams in."""

from collections.abc import Callable
from dataclasses import dataclass

import openai

from crscore_core.claims.llm.endpoint.connection import BoundedBytes
from crscore_core.claims.llm.endpoint.failure import RequestFailure
from crscore_core.claims.llm.endpoint.parameters import Parameters
from crscore_core.claims.llm.endpoint.server import Server
from crscore_core.claims.llm.language_model import Answer
from crscore_core.claims.llm.reasoning import WithoutReasoning

__all__ = ["Completion"]

_EVENT_STREAM = "text/event-stream"

_ENDED = {"stop", "stop_sequence", "end_turn", "eos", "eos_token"}
"""How servers say that the model came to its end; the first is the protocol's own."""

_CUT = {"length", "max_tokens"}
"""How they say that the limit of tokens cut it; the first is the protocol's own."""

_LONGEST_REASON = 40


@dataclass(frozen=True, slots=True)
class _Piece:
    text: str = ""
    finish_reason: str = ""


@dataclass(frozen=True, slots=True)
class Completion:
    """Asks `model` of a server; the parameters that it refuses are given up for all prompts."""

    client: openai.AsyncOpenAI
    server: Server
    model: str
    parameters: Parameters

    async def answer(self, prompt: str, told: Callable[[str], None]) -> Answer:
        """Ask once; `told` hears the answer's text as it comes.

        Reasoning is dropped, in fields of its own as in the text. An answer of nothing else, or
        of nothing at all, is an empty one. It is complete where the server says so, or ends the
        stream properly and says nothing of it.

        Raises:
            RequestFailure: what comes is no chat completion, or breaks off.
            openai.OpenAIError, httpx2.HTTPError, ValueError: see `failure_of`.
        """
        stream = await self._stream(prompt.encode("utf-8", "replace").decode())
        async with stream:
            return await self._read(stream, told)

    async def _stream(self, prompt: str) -> openai.AsyncStream[object]:
        while True:
            sent = self.parameters.values
            try:
                return await self.client.post(
                    "/chat/completions",
                    cast_to=object,
                    body={
                        "model": self.model,
                        "messages": [{"role": "user", "content": prompt}],
                        "stream": True,
                        **sent,
                    },
                    stream=True,
                    stream_cls=openai.AsyncStream[object],
                )
            except openai.APIStatusError as error:
                if not self.parameters.adapt(sent, error):
                    raise

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
            piece = _piece_of(chunk, self.server)
            say(visible.add(piece.text))
            if piece.finish_reason:
                say(visible.end())
                return self._ended("".join(said), piece.finish_reason)
        kind = stream.response.headers.get("Content-Type", "").partition(";")[0].strip().lower()
        if not has_come and kind != _EVENT_STREAM:
            raise RequestFailure(
                f"{self.server.address} sends {kind[:80] or 'something'!r} where an answer was to "
                f"stream ({_EVENT_STREAM}); look whether the base URL is that of an "
                "OpenAI-compatible server, which mostly ends with /v1"
            )
        source = stream.response.stream
        if isinstance(source, BoundedBytes) and source.is_done:
            say(visible.end())
            return Answer("".join(said))
        raise RequestFailure(
            f"the answer of {self.server.address} broke off; look at the server's log, or try "
            "again later",
            is_temporary=True,
            is_of_prompt=True,
        )

    def _ended(self, text: str, reason: str) -> Answer:
        if reason in _ENDED:
            return Answer(text)
        if reason in _CUT:
            return Answer(text, is_complete=False)
        said = "".join(char for char in self.server.without_key(reason) if char.isprintable())
        return Answer(text, is_complete=False, ended_by=said[:_LONGEST_REASON] or "?")


def _piece_of(chunk: object, server: Server) -> _Piece:
    """What a chunk of a chat completion says; none of its many other fields is needed."""
    choices = chunk.get("choices") if isinstance(chunk, dict) else None
    if choices == []:
        return _Piece()  # as with the usage at the end
    choice = choices[0] if isinstance(choices, list) else None
    delta = (choice.get("delta") or {}) if isinstance(choice, dict) else None
    if isinstance(choice, dict) and isinstance(delta, dict):
        text, finish_reason = _text(delta.get("content")), choice.get("finish_reason")
        if text is not None and isinstance(finish_reason, str | None):
            return _Piece(text, finish_reason or "")
    raise RequestFailure(
        f"{server.address} streams JSON that is no chat completion; look whether the base URL is "
        "that of an OpenAI-compatible server"
    )


def _text(content: object) -> str | None:
    """The text of a piece, which some servers send in parts; None where it is none."""
    if isinstance(content, str | None):
        return content or ""
    if not isinstance(content, list) or not all(isinstance(part, dict) for part in content):
        return None
    texts = [part.get("text") for part in content if part.get("type") == "text"]
    said = [text for text in texts if isinstance(text, str)]
    return "".join(said) if len(said) == len(texts) else None
