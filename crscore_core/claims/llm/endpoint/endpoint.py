"""A language model behind an OpenAI-compatible server."""

from collections.abc import Iterator, Sequence
from concurrent.futures import wait
from functools import cached_property
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING

from anyio.from_thread import start_blocking_portal

from crscore_core.claims.llm.endpoint.limits import EndpointLimits
from crscore_core.claims.llm.endpoint.parameters import Parameters
from crscore_core.claims.llm.endpoint.server import check_model, server_at
from crscore_core.claims.llm.language_model import Answer, Progress, silent
from crscore_core.errors import EndpointError

if TYPE_CHECKING:
    from crscore_core.claims.llm.endpoint.conversation import Heard

__all__ = ["Endpoint"]

_BYTES_PER_TOKEN = 2
_BEAT = 0.5  # seconds


class Endpoint:
    """A language model behind vLLM, Ollama, llama.cpp, a hosted API, or the like.

    Asked with temperature 0, a fixed seed and a limit of tokens, as far as the server knows
    these. What stands behind a name is the server's affair: its revision, precision and chat
    template cannot be known from here, and answers may change when they do. So are tokens of
    control: whether it takes `</s>` in a change for one is not in our hands.
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
            base_url: where its paths begin, mostly with /v1 at the end.
            model: its name there.
            api_key: None or blank for a server that wants none.
            limits: of requests and answers.
            waiting: told "" now and then while the server is asked for its models; what it
                raises ends that at once.

        Raises:
            EndpointError: there is no address, or one of the three cannot be what it is to be.
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
        """The model that is asked; where none was chosen, the server is asked for it once a run.

        It is not remembered from run to run, as the server may have another one by now.

        Raises:
            EndpointError: none was chosen, and the server has several, none, or does not answer.
        """
        if self.chosen_model is not None:
            return self.chosen_model
        from crscore_core.claims.llm.endpoint.models import only_model

        with start_blocking_portal(name="crscore-endpoint") as portal:
            asking = portal.start_task_soon(only_model, self._server, self._limits)
            while not wait([asking], timeout=_BEAT).done:
                self._waiting(0, "")  # what it raises ends the portal
            return asking.result()

    @property
    def name(self) -> str:
        """Model, server and parameters; the revision of the model is not known.

        Raises:
            EndpointError: see `model`.
        """
        values = Parameters(self._limits.tokens).values
        parameters = " ".join(f"{name}={value}" for name, value in values.items())
        return f"endpoint:{self.model}@{self.address} {parameters}"

    def count_tokens(self, text: str) -> int:
        """An upper estimate of the tokens of `text`: one for two bytes of its UTF-8.

        The tokenizer is the server's. Those of today's models have three to four bytes of code
        or prose in a token; text of nothing but digits and signs may have more tokens than this.
        """
        return -(-len(text.encode("utf-8", "replace")) // _BYTES_PER_TOKEN)

    def answers(
        self, prompts: Sequence[str], progress: Progress = silent
    ) -> Iterator[tuple[int, Answer | EndpointError]]:
        """Answer every prompt, a few at a time; yield each as it comes, in any order.

        `progress` is called in the caller's thread, while the next answer is waited for. An
        answer that breaks off is asked for again, and told from where it broke off. While nothing
        comes it is told "" now and then, so that what it raises can stop a server that hangs. A
        prompt that the server refuses, or fails at, gets the error in the place of its answer.
        Whatever ends this early, all requests end at once and their connections are closed; only
        a look-up of the host's name, which nothing can end, is waited for.

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
                answer_all,
                enumerate(prompts),
                model,
                self._server,
                self._limits,
                events.put,
            )
            asking.add_done_callback(lambda _: events.put(None))
            yield from _answers(events, len(prompts), progress)  # what it raises ends the portal
            asking.result()


def _answers(
    events: "SimpleQueue[Heard | None]", count: int, progress: Progress
) -> Iterator[tuple[int, Answer | EndpointError]]:
    """The whole answers among `events`, and errors in their place, up to the None at their end."""
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
