"""The same request again, where another try could help."""

import asyncio
import random
from collections.abc import Awaitable, Callable
from typing import TypeVar

import httpx2
import openai

from crscore_core.claims.llm.endpoint.failure import RequestFailure
from crscore_core.claims.llm.endpoint.failures import failure_of
from crscore_core.claims.llm.endpoint.limits import EndpointLimits
from crscore_core.claims.llm.endpoint.server import Server

__all__ = ["with_retries"]

_Result = TypeVar("_Result")

_ONE_PART_IN_FOUR = 0.25
_RAISED = (openai.OpenAIError, httpx2.HTTPError, httpx2.InvalidURL, ValueError, RecursionError)
"""What a client raises; ValueError and RecursionError where a body is no JSON or no text."""


async def with_retries(
    request: Callable[[], Awaitable[_Result]], server: Server, limits: EndpointLimits
) -> _Result | RequestFailure:
    """What `request` gives, asked again after failures that are temporary; or why it failed.

    Pauses double from one to the next, vary by a quarter so that requests do not come all
    together again, and are as long as the server asks, all within `limits`. Nothing of the
    client's error is attached to a failure, as that carries the request and with it the key.
    """
    try:
        async with asyncio.timeout(limits.total):
            return await _try(request, server, limits)
    except TimeoutError:
        return RequestFailure(
            f"{server.address} gave no whole answer within {limits.total:g} seconds; the server "
            "is too slow for the model"
        )


async def _try(
    request: Callable[[], Awaitable[_Result]], server: Server, limits: EndpointLimits
) -> _Result | RequestFailure:
    failure = RequestFailure("")
    for number in range(limits.tries):
        outcome = await _once(request, server, limits)
        if not isinstance(outcome, RequestFailure) or not outcome.is_temporary:
            return outcome
        failure = outcome
        if number + 1 < limits.tries:
            pause = limits.pause * 2**number * (1 - _ONE_PART_IN_FOUR * random.random())  # noqa: S311
            await asyncio.sleep(min(max(pause, outcome.wait), limits.longest_pause))
    reason = f"{failure} (tried {limits.tries} times)"
    return RequestFailure(reason, is_of_prompt=failure.is_of_prompt)


async def _once(
    request: Callable[[], Awaitable[_Result]], server: Server, limits: EndpointLimits
) -> _Result | RequestFailure:
    try:
        return await request()
    except RequestFailure as failure:
        return failure
    except _RAISED as error:
        return failure_of(error, server, limits)
