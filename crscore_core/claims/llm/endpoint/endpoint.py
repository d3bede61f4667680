"""A language model behind an OpenAI-compatible server."""

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import wait
from dataclasses import replace
from functools import cached_property
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING

from anyio.from_thread import start_blocking_portal

from crscore_core.claims.llm.endpoint.settings import EndpointLimits, check_model, server_at
from crscore_core.claims.llm.language_model import MAX_TOKENS, Answer, Progress, silent
from crscore_core.claims.options import BASE_URL, KEY, MODEL, Availability, ClaimOptions
from crscore_core.errors import EndpointError

if TYPE_CHECKING:
    from crscore_core.claims.llm.endpoint.conversation import Heard

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
        from crscore_core.claims.llm.endpoint.conversation import only_model

        with start_blocking_portal(name="crscore-endpoint") as portal:
            asking = portal.start_task_soon(only_model, self._server, self._limits)
            while not wait([asking], timeout=_BEAT).done:
                self._waiting(0, "")  # an exception from it ends the portal
            return asking.result()

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

        `progress` is called in the caller's thread while waiting for the next answer. An
        interrupted answer is requested again, and `progress` gets only text that is new. While
        nothing arrives, it is called with "" from time to time, so that an exception from it can
        cancel a hanging request. If a single prompt fails, its error replaces the answer. If the
        run ends early, all requests are cancelled and their connections closed; only a name
        lookup, which cannot be cancelled, is awaited.

        Raises:
            EndpointError: the server cannot be reached, refuses every prompt, or sends an invalid
                answer.
        """
        if not prompts:
            return
        model = self.model
        from crscore_core.claims.llm.endpoint.conversation import answer_all

        events: SimpleQueue[Heard | None] = SimpleQueue()
        with start_blocking_portal(name="crscore-endpoint") as portal:
            asking = portal.start_task_soon(
                answer_all, enumerate(prompts), model, self._server, self._limits, events.put
            )
            asking.add_done_callback(lambda _: events.put(None))
            yield from _answers(events, len(prompts), progress)  # an exception ends the portal
            asking.result()


def _answers(
    events: "SimpleQueue[Heard | None]", count: int, progress: Progress
) -> Iterator[tuple[int, Answer | EndpointError]]:
    """Yield the answers and errors among `events`, up to the final None."""
    waiting = dict.fromkeys(range(count))
    while True:
        try:
            event = events.get(timeout=_BEAT)
        except Empty:
            progress(next(iter(waiting), count - 1), "")
            continue
        if event is None:
            return
        if isinstance(event.said, str):
            progress(event.index, event.said)
        else:
            del waiting[event.index]
            yield event.index, event.said


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
