"""A language model behind an OpenAI-compatible server."""

import json
import os
import re
import threading
import time
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from itertools import islice
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from crscore_core.claims.llm.language_model import (
    GREEDY,
    LENGTH_LIMIT,
    ONLY_REASONING,
    Answer,
    ModelOptions,
    Sampling,
    TextCallback,
    ignore_text,
)
from crscore_core.errors import InputError, ModelError, UnavailableError, require_packages

if TYPE_CHECKING:
    import openai

BASE_URL, KEY, MODEL = "OPENAI_BASE_URL", "OPENAI_API_KEY", "CRSCORE_MODEL"
"""Environment variables for missing options."""

_MAX_AT_ONCE = 4
_MAX_SECONDS = 1_800.0
"""Maximum time for an answer, with everything that is tried again."""

_PROGRESS_SECONDS = 0.2
_BYTES_PER_TOKEN = 2
_MAX_CHARACTERS_PER_TOKEN = 100
"""An answer with more ignores the token limit."""

_PROMPT_STATUSES = {400, 413, 422, 500}
"""Statuses that a single prompt may cause."""

_REFUSAL_STATUSES = {400, 422, 500}
"""Statuses of servers that do not know a parameter, or cannot follow a schema."""

_MAX_BODY = 1_000_000
"""Maximum number of characters that are read of a body that is no stream."""

_ERROR_KEYS = ("error", "errors", "message", "detail", "msg")
_REASONING = ("reasoning_content", "reasoning")
_ADDRESS_ADVICE = "check the address, which usually ends in /v1"
_SCHEMA = "response_format"
_ENDED = re.compile(r"(?:.*[^a-z])?(?:complete|done|end|eos|finish|stop)", re.IGNORECASE)
_CUT_OFF = re.compile(r"length|limit|max", re.IGNORECASE)


class Endpoint:
    """A language model behind vLLM, Ollama, llama.cpp, a hosted API, or similar.

    Requests have a temperature (0 by default), a seed and a token limit, as far as the server
    supports them. The server determines everything else that answers depend on.
    """

    can_sample = True

    def __init__(self, options: ModelOptions, on_text: TextCallback = ignore_text) -> None:
        """Create an endpoint; no request is sent yet.

        Missing options come from the environment; an empty key means no key. The key from the
        environment is sent to the server named in the options, because the user of the command
        line chooses both. Code that lets others choose a server must pass an empty key.

        Raises:
            UnavailableError: no server or model is named, the address or key is malformed, or the
                package openai is missing.
        """
        require_packages("a language model on a server", "llm", "openai")
        self._address = (options.base_url or os.getenv(BASE_URL) or "").strip().rstrip("/")
        self._key = (os.getenv(KEY, "") if options.api_key is None else options.api_key).strip()
        self._model = (options.model or os.getenv(MODEL) or "").strip()
        self._max_tokens = options.max_tokens
        self._on_text = on_text
        self._refused: set[str] = set()
        if not _is_address(self._address):  # not shown: it may contain a password
            raise UnavailableError(
                "give the server's base URL, such as http://localhost:8000/v1, without user, "
                f"password and query, or set {BASE_URL}",
                f"put the key in {KEY}",
            )
        if not self._model:
            raise UnavailableError(f"no model given for {self._address}: name one, or set {MODEL}")
        if not re.fullmatch("[!-~]*", self._key):
            raise UnavailableError("the key contains invalid characters", f"check {KEY}")

    @property
    def name(self) -> str:
        """Model, server and token limit; the model's version is unknown."""
        return f"endpoint:{self._model}@{self._address} max_tokens={self._max_tokens}"

    def count_tokens(self, text: str) -> int:
        """Return an upper estimate of the tokens in `text`: one for every two bytes of UTF-8.

        Current models encode three to four bytes of code or prose as a token.
        """
        return -(-len(text.encode("utf-8", "replace")) // _BYTES_PER_TOKEN)

    def answer(
        self, prompts: Sequence[str], sampling: Sampling = GREEDY
    ) -> Iterator[Answer | ModelError]:
        """Yield the answer to each prompt, in order; a few are requested at a time.

        Progress is reported in the caller's thread; an exception from it stops all requests. A
        server that rejects the schema is asked again without it.

        Raises:
            UnavailableError: the server cannot be reached or refuses every prompt.
        """
        results: dict[int, Answer | InputError] = {}
        next_index = 0
        with closing(self._request(prompts, self._parameters(sampling))) as events:
            for index, event in events:
                if isinstance(event, str):
                    self._on_text(max(index, next_index), event)
                    continue
                results[index] = event
                while (result := results.pop(next_index, None)) is not None:
                    if not isinstance(result, Answer | ModelError):
                        raise result
                    yield result
                    next_index += 1

    def _parameters(self, sampling: Sampling) -> dict[str, Any]:
        parameters: dict[str, Any] = {
            "model": self._model,
            "temperature": sampling.temperature,
            "seed": sampling.seed,
            "max_tokens": self._max_tokens,
        }
        if sampling.schema is not None:
            json_schema = {"name": "answer", "strict": True, "schema": sampling.schema}
            parameters[_SCHEMA] = {"type": "json_schema", "json_schema": json_schema}
        return parameters

    def _request(
        self, prompts: Sequence[str], parameters: Mapping[str, Any]
    ) -> Generator[tuple[int, str | Answer | InputError]]:
        """Yield pieces, answers and errors as they arrive; (-1, "") while nothing does."""
        events: SimpleQueue[tuple[int, str | Answer | InputError]] = SimpleQueue()
        unsent = iter(enumerate(prompts))
        deadlines: dict[int, float] = {}  # of the prompts that are being answered

        def ask(index: int, prompt: str) -> None:
            try:
                for piece in self._stream(prompt, parameters):
                    if index not in deadlines:
                        return
                    events.put((index, piece))
            except Exception as error:  # noqa: BLE001 - the client's are many
                events.put((index, self._failure(error)))

        try:
            while True:
                for index, prompt in islice(unsent, _MAX_AT_ONCE - len(deadlines)):
                    deadlines[index] = time.monotonic() + _MAX_SECONDS
                    # No pool: its threads would keep a stopped program waiting for a server.
                    threading.Thread(target=ask, args=(index, prompt), daemon=True).start()
                if not deadlines:
                    return
                try:
                    index, event = events.get(timeout=_PROGRESS_SECONDS)
                except Empty:
                    index, event = -1, ""
                if index < 0 or index in deadlines:
                    if not isinstance(event, str):
                        del deadlines[index]
                    yield index, event
                for index in [n for n, end in deadlines.items() if end < time.monotonic()]:
                    del deadlines[index]
                    late = ModelError(f"no complete answer after {_MAX_SECONDS:,.0f} seconds")
                    yield index, self._failure(late)
        finally:
            deadlines.clear()

    def _stream(self, prompt: str, parameters: Mapping[str, Any]) -> Iterator[str | Answer]:
        """Yield the pieces of an answer, then the answer; refused parameters are left out."""
        import openai

        from crscore_core.claims.llm.client import open_client

        message = {"role": "user", "content": prompt.encode("utf-8", "replace").decode()}
        refused = set(self._refused)
        try:
            client = open_client(self._address, self._key or "none")
        except Exception as error:  # such as an invalid proxy in the environment
            raise UnavailableError(f"cannot ask {self._address}: {self._clean(error)}") from error
        with client:
            completions: Any = client.chat.completions.with_streaming_response
            while True:
                sent = {name: parameters[name] for name in parameters if name not in refused}
                if "max_tokens" in refused:
                    sent["max_completion_tokens"] = self._max_tokens
                try:
                    with completions.create(messages=[message], stream=True, **sent) as response:
                        self._refused |= refused
                        yield from self._pieces(response.iter_lines())
                        return
                except openai.APIStatusError as error:
                    newly_refused = _refused_parameters(error, sent)
                    if not newly_refused:
                        raise
                    refused |= newly_refused

    def _pieces(self, lines: Iterator[str]) -> Iterator[str | Answer]:
        """Read a stream up to a finish reason or `[DONE]`, or a body that holds a whole answer.

        Raises:
            ModelError: the server reports an error, breaks off, or sends anything else.
        """
        text, data, has_reasoning, is_begun = "", "", False, False
        for data in _documents(lines):
            if data == "[DONE]":
                break
            choice, content, reasoning = self._read(data, is_begun=bool(text))
            is_begun |= bool(choice)
            has_reasoning |= reasoning
            text += content
            if len(text) > self._max_tokens * _MAX_CHARACTERS_PER_TOKEN:
                raise ModelError("it ignores the token limit: its answer has no end")
            if content:
                yield content
            if finish_reason := choice.get("finish_reason"):
                yield _answer(text or has_reasoning * ONLY_REASONING, str(finish_reason))
                return
        else:
            if is_begun:
                raise ModelError("it broke off its answer")
        if not is_begun:
            shown = f"has no choices: {self._clean(data)}" if data else "is empty"
            raise ModelError(f"its response {shown}", _ADDRESS_ADVICE)
        yield Answer(text or has_reasoning * ONLY_REASONING)

    def _read(self, data: str, *, is_begun: bool) -> tuple[Mapping[str, Any], str, bool]:
        """Return the first choice of a JSON document, its text, and True if it has reasoning."""
        try:
            document = json.loads(data)
            if words := _error_words(document):
                problem = "it broke off its answer" if is_begun else "it answers with an error"
                raise ModelError(f"{problem}: {self._clean(words)}")
            choice, *_ = (document or {}).get("choices") or [{}]  # none in keep-alive events
            message = choice.get("delta") or choice.get("message") or {}
            content = message.get("content") or ""
            if isinstance(content, list):  # some servers send it in parts
                content = "".join(part.get("text") or "" for part in content)
            return choice, "".join(content), any(map(message.get, _REASONING))
        except (ValueError, TypeError, AttributeError, RecursionError) as error:
            kind = "a web page" if data.startswith("<") else "no chat completion"
            raise ModelError(f"it sent {kind}: {self._clean(data)}", _ADDRESS_ADVICE) from error

    def _failure(self, error: Exception) -> InputError:
        """Return an error with a message of one line for an error of the client or a response."""
        import openai

        if isinstance(error, ModelError):
            return error.within(self._address)
        if isinstance(error, InputError):
            return error
        status = error.status_code if isinstance(error, openai.APIStatusError) else None
        if isinstance(error, openai.OpenAIError) and status not in _PROMPT_STATUSES:
            return UnavailableError(
                f"{self._address} does not answer ({self._clean(error)})",
                "check that it runs, its address, which usually ends in /v1, the model and the key "
                f"({KEY})",
            )
        return ModelError(
            f"{self._address} failed: {self._clean(error)}", "check its log and limits"
        )

    def _clean(self, error: object) -> str:
        """Return the message of a server on one line, without the key."""
        message = " ".join(str(error).split()) or type(error).__name__
        message = message.replace(self._key, "[key]") if self._key else message
        return "".join(filter(str.isprintable, message))[:300]


def _is_address(address: str) -> bool:
    """Return True for an http or https URL without credentials and query."""
    with suppress(ValueError):
        parts = urlsplit(address)
        has_host = bool(parts.hostname and parts.port != 0 and parts.scheme in {"http", "https"})
        return has_host and not re.search(r"[@?#;\\\s]|%40|%3a", address, re.IGNORECASE)
    return False


def _documents(lines: Iterable[str]) -> Iterator[str]:
    """Yield the data of server-sent events, errors as JSON; then a body that is no stream."""
    body, size, is_error = [], 0, False
    for line in lines:
        name, _, value = line.partition(":")
        data = value.strip()
        if name == "error" or (name == "data" and is_error):
            yield data if data.startswith(("{", "[")) else json.dumps({"error": data})
        elif name == "data":
            if data:
                yield data
        elif name == "event":
            is_error = data == "error"
        elif not line:
            is_error = False
        elif name not in {"", "id", "retry"} and size < _MAX_BODY:
            body.append(line)
            size += len(line)
    if rest := "\n".join(body).strip():
        yield rest


def _error_words(document: object) -> str:
    """Return what a server says about an error in a JSON document; "" if there is none."""
    if isinstance(document, str):
        return document
    if isinstance(document, list):
        return "; ".join(filter(None, map(_error_words, document)))
    if not isinstance(document, dict):
        return ""
    keys = ("error",) if document.get("choices") else _ERROR_KEYS
    is_error = document.get("error") or "error" in (document.get("object"), document.get("type"))
    found = filter(None, (_error_words(document.get(key)) for key in keys))
    return next(found, json.dumps(document) if is_error else "")


def _refused_parameters(error: "openai.APIStatusError", sent: Mapping[str, object]) -> set[str]:
    """Return the parameters to leave out: the ones that the server names, else the schema."""
    if error.status_code not in _REFUSAL_STATUSES:
        return set()
    names = {"temperature", "seed", "max_tokens", _SCHEMA} & sent.keys()
    in_message = {name for name in names if re.search(rf"\b{name}\b", str(error.body))}
    return in_message or names & {_SCHEMA}


def _answer(text: str, finish_reason: str) -> Answer:
    """Return an answer that ended for a reason, in any spelling."""
    if _ENDED.match(finish_reason):
        return Answer(text)
    if _CUT_OFF.search(finish_reason):
        return Answer(text, LENGTH_LIMIT)
    return Answer(text, "".join(filter(str.isprintable, finish_reason))[:40] or "the server")


def check(options: ModelOptions) -> str:
    """Describe the server and model of these options; send no request.

    Raises:
        UnavailableError: as for `Endpoint`.
    """
    return f"Uses {Endpoint(options).name}. The connection has not been tested."
