"""All the prompts for one server, a few at a time."""

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from crscore_core.claims.llm.endpoint.attempts import with_retries
from crscore_core.claims.llm.endpoint.completion import Completion
from crscore_core.claims.llm.endpoint.connection import connected
from crscore_core.claims.llm.endpoint.limits import EndpointLimits
from crscore_core.claims.llm.endpoint.parameters import Parameters
from crscore_core.claims.llm.endpoint.server import Server
from crscore_core.claims.llm.language_model import Answer
from crscore_core.errors import EndpointError

__all__ = ["Heard", "answer_all"]


@dataclass(frozen=True, slots=True)
class Heard:
    """What came for the prompt at `index`: a piece of its answer, the whole of it, or an error."""

    index: int
    said: str | Answer | EndpointError


async def answer_all(
    prompts: Iterable[tuple[int, str]],
    model: str,
    server: Server,
    limits: EndpointLimits,
    heard: Callable[[Heard], None],
) -> None:
    """Have `model` answer the prompts; `heard` gets everything as it comes.

    A prompt that is refused or fails by itself gets its error. What would fail for every prompt
    ends it all, once the answers that are under way have come to their end.

    Raises:
        EndpointError: the server cannot be reached, or takes no prompt.
    """
    waiting = iter(prompts)
    failures: list[EndpointError] = []

    async def answer_next(completion: Completion) -> None:
        for index, prompt in waiting:  # shared: each prompt goes to whoever is free
            telling = _Telling(index, heard)

            async def ask(prompt: str = prompt, telling: _Telling = telling) -> Answer:
                return await completion.answer(prompt, telling.from_the_beginning())

            outcome = await with_retries(ask, server, limits)
            if isinstance(outcome, Answer):
                heard(Heard(index, outcome))
            elif outcome.is_of_prompt:
                heard(Heard(index, EndpointError(str(outcome))))
            else:
                failures.append(EndpointError(str(outcome)))
            if failures:
                return

    async with connected(server, limits) as client:
        completion = Completion(client, server, model, Parameters(limits.tokens))
        async with asyncio.TaskGroup() as group:
            for _ in range(limits.at_once):
                group.create_task(answer_next(completion))
    if failures:
        raise failures[0]


class _Telling:
    """Tells an answer piece by piece, and no character twice where it is begun again."""

    def __init__(self, index: int, heard: Callable[[Heard], None]) -> None:
        self._index = index
        self._heard = heard
        self._told = 0

    def from_the_beginning(self) -> Callable[[str], None]:
        """What takes the pieces of the answer, of which some may be told already."""
        said = 0

        def tell(text: str) -> None:
            nonlocal said
            said += len(text)
            new = said - self._told
            if new > 0:
                self._told = said
                self._heard(Heard(self._index, text[-new:]))

        return tell
