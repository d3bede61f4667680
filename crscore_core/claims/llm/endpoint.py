"""A language model behind an OpenAI-compatible server."""

import hashlib
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from copy import copy
from dataclasses import replace
from functools import cached_property
from queue import SimpleQueue
from threading import Event
from typing import TYPE_CHECKING, Any, TypeVar

from crscore_core.claims.llm.language_model import MAX_TOKENS, Answer, Progress, silent
from crscore_core.claims.llm.server import EndpointLimits, check_model, server_at
from crscore_core.claims.options import BASE_URL, KEY, MODEL, Availability, ClaimOptions
from crscore_core.errors import ModelError

if TYPE_CHECKING:
    from crscore_core.claims.llm.chat import Ask, Note

_Result = TypeVar("_Result")

_BYTES_PER_TOKEN = 2


class Endpoint:
    """A language model behind vLLM, Ollama, llama.cpp, a hosted API, or similar.

    Requests have a temperature (0 by default), a seed and a token limit, as far as the server
    supports them. The server determines everything else that answers depend on, and whether a
    control token in a change, such as `</s>`, is interpreted.
    """

    def __init__(
        self,
        options: ClaimOptions,
        waiting: Progress = silent,
        limits: EndpointLimits = EndpointLimits(),  # noqa: B008 - it is frozen
    ) -> None:
        """Create an endpoint; no request is sent yet.

        The key from the environment is sent to the server named in the options, since the user of
        the command line chooses both. Code that lets others choose a server must pass a blank key
        to prevent that.

        Args:
            options: base URL, model, key and token limit; missing ones come from the environment.
                A blank key is none. Without a model, the only one that the server lists is used.
            waiting: progress of the request for the list of models.
            limits: limits of requests and answers; longer answers get more time and size.

        Raises:
            ModelError: no server is named, or an address, model or key is malformed.
        """
        tokens = options.max_tokens or MAX_TOKENS
        times = max(1, tokens / MAX_TOKENS)
        self._server = server_at(
            options.base_url or os.environ.get(BASE_URL), options.api_key or os.environ.get(KEY)
        )
        self.address = self._server.address
        """The base URL, which contains no credentials."""
        self.chosen_model = check_model(options.model or os.environ.get(MODEL))
        self._waiting = waiting
        self._limits = replace(limits, total=limits.total * times, size=int(limits.size * times))
        self.parameters: dict[str, object] = {"temperature": 0, "seed": 0, "max_tokens": tokens}
        self._rejected: set[str] = set()

    @cached_property
    def model(self) -> str:
        """The model; if none was chosen, the only one on the server, requested once.

        Raises:
            ModelError: none was chosen, and the server has several or none, or does not answer.
        """
        if self.chosen_model is not None:
            return self.chosen_model
        from crscore_core.claims.llm.chat import only_model

        ((_, found),) = self._each(only_model, [""], self._waiting)
        if isinstance(found, ModelError):
            raise found
        return found

    @property
    def name(self) -> str:
        """Model, server and parameters; the model's revision is unknown.

        Raises:
            ModelError: see `model`.
        """
        parameters = " ".join(f"{name}={_short(value)}" for name, value in self.parameters.items())
        return f"endpoint:{self.model}@{self.address} {parameters}"

    def sampled(
        self, temperature: float, seed: int, schema: Mapping[str, Any] | None = None
    ) -> "Endpoint":
        """Return the same model with another temperature and seed; see `LanguageModel.sampled`.

        A server that rejects the schema is asked without it.

        Raises:
            ModelError: see `model`.
        """
        sampled = copy(self)
        sampled.model = self.model  # requested once for all
        sampled.parameters = self.parameters | {"temperature": temperature, "seed": seed}
        if schema is not None:
            form = {"name": "answer", "strict": True, "schema": schema}
            sampled.parameters["response_format"] = {"type": "json_schema", "json_schema": form}
        return sampled

    def count_tokens(self, text: str) -> int:
        """Return an upper estimate of the tokens in `text`: one for every two bytes of UTF-8.

        Current models encode three to four bytes of code or prose as a token.
        """
        return -(-len(text.encode("utf-8", "replace")) // _BYTES_PER_TOKEN)

    def answers(
        self, prompts: Sequence[str], progress: Progress = silent
    ) -> Iterator[tuple[int, Answer | ModelError]]:
        """Answer every prompt, a few at a time; yield answers as they complete, in any order.

        `progress` is called in the caller's thread; an exception from it breaks off all requests.
        If a single prompt fails, or its answer breaks off, its error replaces the answer. A failure
        that would affect every prompt ends the run once the answers in progress are complete.

        Raises:
            ModelError: the server cannot be reached, refuses every prompt, or sends an invalid
                answer.
        """
        if not prompts:
            return
        from crscore_core.claims.llm.chat import Chat

        chat = Chat(self.model, self.parameters, self._rejected)
        yield from self._each(chat.answer, prompts, progress)

    def _each(
        self, ask: "Ask[_Result]", items: Sequence[str], progress: Progress
    ) -> Iterator[tuple[int, _Result | ModelError]]:
        """Yield the result of `ask` for each of `items`, a few at a time; see `answers`."""
        import asyncio

        from crscore_core.claims.llm.chat import Failure, ask_each, connect

        notes: SimpleQueue[Note[_Result] | Future[None]] = SimpleQueue()
        stopping = Event()
        client = connect(self._server, self._limits)
        pool = ThreadPoolExecutor(1, "crscore-endpoint")
        ending = pool.submit(asyncio.run, ask_each(client, ask, items, notes.put, stopping))
        ending.add_done_callback(notes.put)
        pool.shutdown(wait=False)
        failure = ""
        try:
            while not isinstance(note := notes.get(), Future):
                index, text, result = note
                if result is None:
                    progress(index, text)
                elif not isinstance(result, Failure):
                    yield index, result
                elif result.is_of_prompt:
                    yield index, ModelError(str(result))
                else:
                    failure = failure or str(result)
        finally:
            stopping.set()
        ending.result()
        if failure:
            raise ModelError(failure)


def _short(value: object) -> str:
    """Return a number as it is, and a digest of anything else."""
    if isinstance(value, float | int):
        return str(value)
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:12]


def availability(options: ClaimOptions) -> Availability:
    """Check whether a server is named in the options or the environment.

    No request is sent: it could take any time, and a page that lists backends must not wait for
    the network.
    """
    try:
        endpoint = Endpoint(options)
    except ModelError as error:
        return Availability(is_available=False, reason=str(error))
    model = endpoint.chosen_model
    asked = f"The model {model!r}" if model else "The only model"
    return Availability(
        is_available=True,
        reason=f"{asked} at {endpoint.address} will be used. The connection has not been tested.",
    )
