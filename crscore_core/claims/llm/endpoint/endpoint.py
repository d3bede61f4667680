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
    """A language model behind vLLM, Ollama, llama.cpp, a hosted API, or the like.

    The model is asked with a temperature, 0 by default, a seed and a limit of tokens, as far as
    the server knows these. Revision, precision and chat template of the model are the server's and
    not known here; answers may change when they do. Whether a token of control in a change, such
    as `</s>`, is taken for one is up to the server too.
    """

    def __init__(
        self,
        base_url: str | None,
        model: str | None = None,
        api_key: str | None = None,
        limits: EndpointLimits = EndpointLimits(),  # noqa: B008 - it is frozen
        waiting: Progress = silent,
    ) -> None:
        """Take where the server is; without a model, the only one that it lists is asked.

        Args:
            base_url: the address where its paths begin, mostly with /v1 at the end.
            model: the model's name there.
            api_key: None or blank for a server that wants none.
            limits: limits of requests and answers.
            waiting: told "" now and then while the server is asked for its models; an exception
                from it ends that at once.

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
        """The base URL, which holds no credentials."""
        return self._server.address

    @cached_property
    def model(self) -> str:
        """The model that is asked; where none was chosen, the server is asked for it once.

        Raises:
            EndpointError: none was chosen, and the server has several, none, or does not answer.
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
        """Model, server and parameters; the revision of the model is not known.

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
        """Return an upper estimate of the tokens of `text`: one for two bytes of its UTF-8.

        The tokenizer is the server's. Those of today's models have three to four bytes of code
        or prose in a token; text of nothing but digits and signs may have more tokens than this.
        """
        return -(-len(text.encode("utf-8", "replace")) // _BYTES_PER_TOKEN)

    def answers(
        self, prompts: Sequence[str], progress: Progress = silent
    ) -> Iterator[tuple[int, Answer | EndpointError]]:
        """Answer every prompt, a few at a time; yield each answer as it comes, in any order.

        `progress` is called in the caller's thread, while the next answer is waited for. An
        answer that breaks off is asked for again, and told from where it broke off. While nothing
        comes, `progress` is told "" now and then, so that an exception from it can stop a server
        that hangs. A prompt that the server refuses, or fails at, gets the error in the place of
        its answer. However the run ends early, all requests end at once and their connections are
        closed; only a look-up of the host's name, which nothing can end, is waited for.

        Raises:
            EndpointError: the server cannot be reached, refuses every prompt, or answers nonsense.
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
    """Yield the answers and errors among `events`, up to the None at their end."""
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
    """Return the endpoint of `options`, and of the environment for each that they leave out.

    The environment's key goes to the server that the options name, because whoever runs the
    command line chooses both. Code that lets others choose a server gives a blank key, which
    keeps the environment's out. No server is asked yet; `waiting` is told while it is.

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
    """Tell whether a server is named, in the options or the environment.

    The server is not asked: that could take as long as the network likes, and a page that shows
    what is available waits for no network.
    """
    try:
        endpoint = endpoint_of(options)
    except EndpointError as error:
        return Availability(is_available=False, reason=str(error))
    model = endpoint.chosen_model
    asked = f"The model {model!r} is" if model else "The one model of the server is"
    return Availability(
        is_available=True,
        reason=f"{asked} asked at {endpoint.address}; whether that answers shows when it is asked.",
    )
