"""A language model behind an OpenAI-compatible server."""

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from functools import cached_property, partial
from itertools import islice
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, TypeVar

from crscore_core.claims.llm.endpoint.settings import EndpointLimits, check_model, server_at
from crscore_core.claims.llm.language_model import MAX_TOKENS, Answer, Progress, silent
from crscore_core.claims.options import BASE_URL, KEY, MODEL, Availability, ClaimOptions
from crscore_core.errors import EndpointError

if TYPE_CHECKING:
    from crscore_core.claims.llm.endpoint.client import Connection, Failure

_Result = TypeVar("_Result")

_BYTES_PER_TOKEN = 2
_BEAT = 0.5  # seconds


class Endpoint:
    """A language model behind vLLM, Ollama, llama.cpp, a hosted API, or similar.

    Requests have a temperature (0 by default), a seed and a token limit, as far as the server
    supports them. The server determines the model's revision, precision and chat template; answers
    may change with them. It also decides whether a control token in a change, such as `</s>`, is
    interpreted.
    """

    def __init__(
        self,
        base_url: str | None,
        model: str | None = None,
        api_key: str | None = None,
        limits: EndpointLimits = EndpointLimits(),  # noqa: B008 - it is frozen
        waiting: Progress = silent,
    ) -> None:
        """Create an endpoint; without a model, use the only one that the server lists.

        Args:
            base_url: the address of the API, usually ending in /v1.
            model: the model's name on the server.
            api_key: None or blank for a server that requires none.
            limits: limits of requests and answers.
            waiting: called with "" from time to time while the model list is requested; an
                exception from it cancels the request.

        Raises:
            EndpointError: the address is missing, or address, model or key is malformed.
        """
        self._server = server_at(base_url, api_key)
        self.chosen_model = check_model(model)
        self._limits = limits
        self._waiting = waiting

    def __repr__(self) -> str:
        return f"Endpoint({self.address!r}, {self.chosen_model!r})"

    @property
    def address(self) -> str:
        """The base URL, which contains no credentials."""
        return self._server.address

    @cached_property
    def model(self) -> str:
        """The model; if none was chosen, the only one on the server, requested once.

        Raises:
            EndpointError: none was chosen, and the server has several or none, or does not answer.
        """
        if self.chosen_model is not None:
            return self.chosen_model
        from crscore_core.claims.llm.endpoint.chat import only_model

        ((_, found),) = self._each(only_model, [""], self._waiting)
        if isinstance(found, EndpointError):
            raise found
        return found

    @property
    def name(self) -> str:
        """Model, server and parameters; the model's revision is unknown.

        Raises:
            EndpointError: see `model`.
        """
        parameters = " ".join(f"{name}={value}" for name, value in self._limits.parameters.items())
        return f"endpoint:{self.model}@{self.address} {parameters}"

    def sampled(self, temperature: float, seed: int) -> "Endpoint":
        """Return the same model with another temperature and seed.

        Raises:
            EndpointError: see `model`.
        """
        limits = replace(self._limits, temperature=temperature, seed=seed)
        return Endpoint(self.address, self.model, self._server.key, limits, self._waiting)

    def count_tokens(self, text: str) -> int:
        """Return an upper estimate of the tokens in `text`: one for every two bytes of UTF-8.

        Only the server knows the tokenizer. Current models encode three to four bytes of code or
        prose as a token; text consisting of digits and punctuation may have more than estimated.
        """
        return -(-len(text.encode("utf-8", "replace")) // _BYTES_PER_TOKEN)

    def answers(
        self, prompts: Sequence[str], progress: Progress = silent
    ) -> Iterator[tuple[int, Answer | EndpointError]]:
        """Answer every prompt, a few at a time; yield answers as they complete, in any order.

        `progress` is called in the caller's thread while waiting for the next answer; while
        nothing arrives, it is called with "" from time to time, so that an exception from it can
        cancel a hanging request. If a single prompt fails, or its answer breaks off, its error
        replaces the answer. A failure that would affect every prompt ends the run once the answers
        in progress are complete. If the run ends early, all connections are broken off; a thread
        that pauses before a retry, or looks up a name, ends after that.

        Raises:
            EndpointError: the server cannot be reached, refuses every prompt, or sends an invalid
                answer.
        """
        if not prompts:
            return
        from crscore_core.claims.llm.endpoint.chat import Chat

        chat = Chat(self.model, self._limits.parameters)
        yield from self._each(chat.answer, prompts, progress)

    def _each(
        self,
        ask: "Callable[[Connection, str, Callable[[str], None]], _Result | Failure]",
        items: Sequence[str],
        progress: Progress,
    ) -> Iterator[tuple[int, _Result | EndpointError]]:
        """Yield the result of `ask` for each of `items`, a few at a time; see `answers`."""
        from crscore_core.claims.llm.endpoint.client import Failure, connected

        events: SimpleQueue[tuple[int, str]] = SimpleQueue()
        waiting: dict[int, Future[_Result | Failure]] = {}
        failure = ""

        def tell(index: int, text: str) -> None:
            events.put((index, text))

        def end(index: int, _: object) -> None:
            events.put((index, ""))

        with connected(self._server, self._limits) as connection:
            pool = ThreadPoolExecutor(self._limits.at_once, "crscore-endpoint")
            unsent = enumerate(items)
            try:
                while True:
                    room = 0 if failure else self._limits.at_once - len(waiting)
                    for index, item in islice(unsent, room):
                        waiting[index] = pool.submit(ask, connection, item, partial(tell, index))
                        waiting[index].add_done_callback(partial(end, index))
                    if not waiting:
                        break
                    try:
                        index, text = events.get(timeout=_BEAT)
                    except Empty:
                        progress(next(iter(waiting)), "")
                        continue
                    if text:
                        progress(index, text)
                        continue
                    result = waiting.pop(index).result()
                    if not isinstance(result, Failure):
                        yield index, result
                    elif result.is_of_prompt:
                        yield index, EndpointError(str(result))
                    else:
                        failure = failure or str(result)
            finally:
                pool.shutdown(wait=False)
        if failure:
            raise EndpointError(failure)


def endpoint_of(options: ClaimOptions, waiting: Progress = silent) -> Endpoint:
    """Return the endpoint for `options`; read missing ones from the environment.

    The key from the environment is sent to the server named in the options, since the user of the
    command line chooses both. Code that lets others choose a server must pass a blank key to
    prevent that. No request is sent yet; `waiting` is called while one is.

    Raises:
        EndpointError: no server is named, or an address, model or key is malformed.
    """
    return Endpoint(
        options.base_url or os.environ.get(BASE_URL),
        options.model or os.environ.get(MODEL),
        options.api_key or os.environ.get(KEY),
        limits=EndpointLimits().for_tokens(options.max_tokens or MAX_TOKENS),
        waiting=waiting,
    )


def availability(options: ClaimOptions) -> Availability:
    """Check whether a server is named in the options or the environment.

    No request is sent: it could take any time, and a page that lists backends must not wait for
    the network.
    """
    try:
        endpoint = endpoint_of(options)
    except EndpointError as error:
        return Availability(is_available=False, reason=str(error))
    model = endpoint.chosen_model
    asked = f"The model {model!r}" if model else "The only model"
    return Availability(
        is_available=True,
        reason=f"{asked} at {endpoint.address} will be used. The connection has not been tested.",
    )
