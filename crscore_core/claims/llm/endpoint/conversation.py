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
    """What came for the prompt at `index`: a piece of its answer, or the whole of it."""

    index: int
    said: str | Answer


async def answer_all(
    prompts: Iterable[tuple[int, str]],
    model: str,
    server: Server,
    limits: EndpointLimits,
    heard: Callable[[Heard], None],
) -> None:
    """Have `model` answer the prompts; `heard` gets everything as it comes.

    Raises:
        EndpointError: one of them failed; the others were given up.
    """
    waiting = iter(prompts)

    async def answer_next(completion: Completion) -> None:
        for index, prompt in waiting:  # shared: each prompt goes to whoever is free

            async def ask(index: int = index, prompt: str = prompt) -> Answer:
                return await completion.answer(prompt, lambda text: heard(Heard(index, text)))

            heard(Heard(index, await with_retries(ask, server, limits)))

    failure: EndpointError | None = None
    async with connected(server, limits) as client:
        completion = Completion(client, server, model, Parameters())
        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(limits.at_once):
                    group.create_task(answer_next(completion))
        except* EndpointError as failures:
            failure = next(
                error for error in failures.exceptions if isinstance(error, EndpointError)
            )
    if failure is not None:
        raise failure
