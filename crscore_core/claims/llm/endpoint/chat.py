"""Ask a server for its models and for answers, and read the streamed answers."""

import re
from collections.abc import Callable, Mapping
from typing import Any

import openai

from crscore_core.claims.llm.endpoint.client import RAISED, Connection, Failure, failure_of
from crscore_core.claims.llm.endpoint.settings import check_model
from crscore_core.claims.llm.language_model import Answer
from crscore_core.claims.options import MODEL

_LATER_NAME = {"max_tokens": "max_completion_tokens"}
_ENDED = {"stop", "stop_sequence", "end_turn", "eos", "eos_token"}
"""Finish reasons of a complete answer; the first is the protocol's own."""

_CUT = {"length", "max_tokens"}
"""Finish reasons of an answer cut off at the token limit."""

_MALFORMED = (KeyError, IndexError, TypeError, AttributeError)
"""Exceptions raised by JSON of an unexpected shape."""

_LONGEST_REASON = 40
_LONGEST_LIST = 1000

Tell = Callable[[str], None]


def only_model(connection: Connection, _item: str, _tell: Tell) -> str | Failure:
    """Return the only model that the server lists."""
    server = connection.server
    try:
        listed: Any = connection.client.models.list()
        ids = {server.without_key(str(model.id or "")) for model in listed.data or []}
    except Failure as failure:
        return failure
    except (openai.APIStatusError, openai.APIConnectionError) as error:
        return failure_of(error, connection, has_begun=False)
    except (*RAISED, *_MALFORMED):
        return Failure(
            f"{server.address}/models is not the model list of an OpenAI-compatible server; check "
            "the base URL, which usually ends in /v1"
        )
    names = sorted(filter(str.strip, ids))
    if len(names) == 1 and (only := check_model(names[0])):
        return only
    if not names:
        return Failure(
            f"{server.address} lists no model; name the one to use, as an option or in {MODEL}"
        )
    shown = ", ".join(map(repr, names))[:_LONGEST_LIST]
    return Failure(
        f"{server.address} has several models; name one, as an option or in {MODEL}: {shown}"
    )


class Chat:
    """Chat completions of `model`; a parameter that the server rejects is left out afterwards."""

    def __init__(self, model: str, parameters: Mapping[str, float]) -> None:
        self._model = model
        self._parameters = dict(parameters)

    def answer(self, connection: Connection, prompt: str, tell: Tell) -> Answer | Failure:
        """Request an answer; call `tell` with its text as it arrives.

        Reasoning in fields of its own is dropped. A failure is returned, not raised: the context of
        an exception would be the client's error, which contains the request and so the key.
        """
        has_begun = False
        try:
            with self._stream(connection.client, prompt) as stream:
                has_begun = True
                return _read(stream, connection, tell)
        except Failure as failure:
            return failure
        except RAISED as error:
            return failure_of(error, connection, has_begun=has_begun)

    def _stream(self, client: openai.OpenAI, prompt: str) -> openai.Stream[Any]:
        completions: Any = client.chat.completions  # its type hints name every parameter
        while True:
            sent = dict(self._parameters)
            try:
                stream: openai.Stream[Any] = completions.create(
                    model=self._model,
                    messages=[
                        {"role": "user", "content": prompt.encode("utf-8", "replace").decode()}
                    ],
                    stream=True,
                    **sent,
                )
            except (openai.BadRequestError, openai.UnprocessableEntityError) as error:
                if not self._adapt(sent, error):
                    raise
            else:
                return stream

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


def _read(stream: openai.Stream[Any], connection: Connection, tell: Tell) -> Answer:
    """Read an answer up to its finish reason.

    Raises:
        Failure: the response is not a chat completion.
        openai.OpenAIError, httpx2.HTTPError, ValueError: the answer was interrupted.
    """
    server, said, finish_reason = connection.server, "", ""
    chunk = None
    for chunk in stream:
        text, finish_reason = _piece_of(chunk, connection)
        if text:
            said += text
            tell(text)
        if finish_reason:
            break
    if chunk is None:
        raise Failure(
            f"{server.address} sent no answer stream; check that the base URL is that of an "
            "OpenAI-compatible server, which usually ends in /v1"
        )
    if not finish_reason:
        raise openai.APIError("the stream ended too early", stream.response.request, body=None)
    if finish_reason in _ENDED:
        return Answer(said)
    if finish_reason in _CUT:
        return Answer(said, is_complete=False)
    reason = "".join(filter(str.isprintable, server.without_key(finish_reason)))
    return Answer(said, is_complete=False, ended_by=reason[:_LONGEST_REASON] or "?")


def _piece_of(chunk: Any, connection: Connection) -> tuple[str, str]:  # noqa: ANN401 - unchecked
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
    raise Failure(
        f"{connection.server.address} streams JSON that is not a chat completion; check that the "
        "base URL is that of an OpenAI-compatible server"
    )
