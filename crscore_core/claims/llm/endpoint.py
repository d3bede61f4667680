"""A language model behind an OpenAI-compatible server."""

import os
import re
import time
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from itertools import islice
from threading import Thread
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from pydantic import BaseModel, Field, ValidationError

from crscore_core.claims.llm.language_model import (
    LENGTH_LIMIT,
    ONLY_REASONING,
    Answer,
    ModelOptions,
)
from crscore_core.errors import InputError, ModelError, UnavailableError, require_packages
from crscore_core.text import on_one_line

if TYPE_CHECKING:
    import openai

BASE_URL, KEY, MODEL = "OPENAI_BASE_URL", "OPENAI_API_KEY", "CRSCORE_MODEL"
"""Environment variables that replace missing options."""

_MAX_AT_ONCE = 4
_MAX_SECONDS = 1_800.0  # time limit for an answer, including retries
_BYTES_PER_TOKEN = 2
# Statuses that a single prompt, a parameter or a schema may cause.
_PROMPT_STATUSES = {400, 413, 422, 500}
_BUSY_STATUSES = {408, 429, *range(502, 600)}
_ADDRESS_ADVICE = "check the address, which usually ends in /v1"
_SCHEMA = "response_format"
_SAMPLING: dict[str, Any] = {"temperature": 0, "seed": 0}
_ENDED = re.compile(r"(?:.*[^a-z])?(?:complete|done|end|eos|finish|null|stop)", re.IGNORECASE)
_THOUGHT = ("reason", "think")  # beginnings of the names of fields and parts
_CUT_OFF = re.compile(r"\S*(?:length|limit|max)\S*", re.IGNORECASE)


class _Part(BaseModel):
    type: str | None = None
    text: str | None = None
    refusal: str | None = None


class _Message(BaseModel, extra="allow"):
    """A message; some servers send its content in parts, and reasoning in a separate field."""

    content: str | list[_Part] | None = None
    refusal: str | None = None


class _Choice(BaseModel):
    message: _Message
    finish_reason: object = None
    error: object = None


class _Completion(BaseModel):
    choices: list[_Choice] = Field(min_length=1)
    error: object = None


class Endpoint:
    """A language model behind vLLM, Ollama, llama.cpp, a hosted API, or similar.

    Requests set temperature 0, a seed and a token limit, as far as the server supports them.
    """

    def __init__(self, options: ModelOptions) -> None:
        """Create an endpoint without sending a request.

        Missing options come from the environment; an empty key means no key. Code that lets others
        choose a server must pass an empty key, or that server receives the one in the environment.

        Raises:
            UnavailableError: no server or model is named, the address or key is malformed, or the
                package openai or httpx2 is missing.
        """
        require_packages("a language model on a server", "llm", "openai", "httpx2")
        self._address = (options.base_url or os.getenv(BASE_URL) or "").strip().rstrip("/")
        self._key = (os.getenv(KEY, "") if options.api_key is None else options.api_key).strip()
        self._model = (options.model or os.getenv(MODEL) or "").strip()
        self._max_tokens = options.max_tokens
        if not _is_address(self._address):  # not shown: it may contain a password
            raise UnavailableError(
                "give the server's base URL, such as http://localhost:8000/v1, without user, "
                f"password or query, or set {BASE_URL}",
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
        """Overestimate the number of tokens in `text`; models read 3 or 4 bytes as one token."""
        return -(-len(text.encode("utf-8", "replace")) // _BYTES_PER_TOKEN)

    def answer(
        self, prompts: Sequence[str], schema: Mapping[str, Any] | None = None
    ) -> Iterator[Answer | ModelError]:
        """Yield the answer to each prompt; see `LanguageModel`. A few requests run at a time.

        If the server rejects the schema, the request is repeated without it.
        """
        parameters = {"model": self._model, "max_tokens": self._max_tokens} | _SAMPLING
        if schema is not None:
            json_schema = {"name": "answer", "strict": True, "schema": schema}
            parameters[_SCHEMA] = {"type": "json_schema", "json_schema": json_schema}
        unsent = (self._start(prompt, parameters) for prompt in prompts)
        running = deque(islice(unsent, _MAX_AT_ONCE))
        while running:
            future, deadline = running.popleft()
            try:
                result = future.result(max(0, deadline - time.monotonic()))
            except TimeoutError:
                late = f"no complete answer after {_MAX_SECONDS:,.0f} seconds"
                result = ModelError(late, place=self._address)
            if not isinstance(result, Answer | ModelError):
                raise result
            running.extend(islice(unsent, 1))
            yield result

    def _start(
        self, prompt: str, parameters: Mapping[str, Any]
    ) -> tuple[Future[Answer | InputError], float]:
        """Ask in a thread; return its future result and its deadline."""
        future: Future[Answer | InputError] = Future()

        def ask() -> None:
            try:
                future.set_result(self._ask(prompt, parameters))
            except Exception as error:  # noqa: BLE001 - the client raises many types
                future.set_result(self._failure(error))

        # No pool: its threads would keep a stopped program waiting for a server.
        Thread(target=ask, daemon=True).start()
        return future, time.monotonic() + _MAX_SECONDS

    def _ask(self, prompt: str, parameters: Mapping[str, Any]) -> Answer:
        """Return the answer to a prompt, leaving out parameters that the server rejects."""
        import openai

        from crscore_core.claims.llm.client import open_client

        message = {"role": "user", "content": prompt.encode("utf-8", "replace").decode()}
        sent = dict(parameters)
        with open_client(self._address, self._key or "none") as client:
            completions: Any = client.chat.completions.with_streaming_response
            while True:
                try:
                    with completions.create(messages=[message], **sent) as response:
                        return self._read(response.read())
                except openai.APIStatusError as error:
                    refused = _refused_parameters(error, sent)
                    if not refused:
                        raise
                    if "max_tokens" in refused:
                        sent["max_completion_tokens"] = self._max_tokens
                    sent = {name: sent[name] for name in sent if name not in refused}

    def _read(self, body: bytes) -> Answer:
        """Return the answer in the body of a response; raise a ModelError if there is none."""
        try:
            text = body.decode("utf-8-sig")
        except UnicodeDecodeError:  # some servers send Latin-1
            text = body.decode("cp1252", "replace")
        try:
            completion = _Completion.model_validate_json(text)
        except ValidationError as error:
            shown = self._clean(text[:1000])
            kind = "a web page" if shown.startswith("<") else "no chat completion"
            sent = f"it sent {kind}: {shown}" if text.strip() else "its response is empty"
            raise ModelError(sent, "" if '"error"' in shown else _ADDRESS_ADVICE) from error
        choice = completion.choices[0]
        if problem := completion.error or choice.error:
            raise ModelError(f"it returned an error: {self._clean(problem)}")
        message, content = choice.message, choice.message.content
        parts = content if isinstance(content, list) else [_Part(text=content)]
        answers = (part for part in parts if not (part.type or "").startswith(_THOUGHT))
        text = "".join(part.text or "" for part in answers)
        others = [name for name, value in (message.model_extra or {}).items() if value]
        if refusal := message.refusal or "".join(part.refusal or "" for part in parts):
            raise ModelError(f"the model refused: {self._clean(refusal)}")
        if not text and {"tool_calls", "function_call"}.intersection(others):
            raise ModelError("the model called a tool instead of answering")
        if not text and any(name.startswith(_THOUGHT) for name in others):
            text = ONLY_REASONING
        reason = self._clean(choice.finish_reason or "stop")
        if _ENDED.match(reason):
            return Answer(text)
        return Answer(text, LENGTH_LIMIT if _CUT_OFF.fullmatch(reason) else reason)

    def _failure(self, error: Exception) -> InputError:
        """Return a one-line error for any error from the client or in a response."""
        import openai

        if isinstance(error, ModelError):
            return error.within(self._address)
        said, status = str(error), None
        if isinstance(error, openai.APIStatusError):
            status = error.status_code
            body = error.response.headers.get("location") or error.response.text
            said += "" if " - " in said else f" - {body}"  # a redirection, or another format
        problem = f"{self._address} failed: {self._clean(said or error)}"
        if not isinstance(error, openai.OpenAIError) or status in _PROMPT_STATUSES:
            return ModelError(problem, "check its log and limits")
        if status in _BUSY_STATUSES:
            return UnavailableError(problem, "try again later")
        return UnavailableError(problem, f"{_ADDRESS_ADVICE}, the model and the key ({KEY})")

    def _clean(self, error: object) -> str:
        """Return a server's message on one line, without the key."""
        error = error.get("message", error) if isinstance(error, dict) else error
        message = on_one_line(str(error)) or type(error).__name__
        return (message.replace(self._key, "[key]") if self._key else message)[:300]


def _is_address(address: str) -> bool:
    """Return True for an http or https URL without credentials or a query."""
    with suppress(ValueError):
        parts = urlsplit(address)
        has_host = bool(parts.hostname and parts.port != 0 and parts.scheme in {"http", "https"})
        return has_host and not re.search(r"[@?#;\\\s]|%40|%3a", address, re.IGNORECASE)
    return False


def _refused_parameters(error: "openai.APIStatusError", sent: Mapping[str, object]) -> set[str]:
    """Return the parameters to leave out: those that the server names, else the schema."""
    if error.status_code not in _PROMPT_STATUSES:
        return set()
    names = {"temperature", "seed", "max_tokens", _SCHEMA} & sent.keys()
    in_message = {name for name in names if re.search(rf"\b{name}\b", str(error.body))}
    return in_message or names & {_SCHEMA}


def check(options: ModelOptions) -> str:
    """Describe the server and model that these options select, without sending a request."""
    return f"Uses {Endpoint(options).name}. The connection has not been tested."
