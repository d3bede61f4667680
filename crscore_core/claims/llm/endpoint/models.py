"""Which models a server has."""

import httpx2

from crscore_core.claims.llm.endpoint.attempts import with_retries
from crscore_core.claims.llm.endpoint.connection import connected
from crscore_core.claims.llm.endpoint.failure import RequestFailure
from crscore_core.claims.llm.endpoint.limits import EndpointLimits
from crscore_core.claims.llm.endpoint.server import MODEL, Server, check_model
from crscore_core.errors import EndpointError

__all__ = ["only_model"]

_NAMED_IN_A_MESSAGE = 20
_LONGEST_NAME = 100


async def only_model(server: Server, limits: EndpointLimits) -> str:
    """The one model that `server` lists.

    Raises:
        EndpointError: it cannot be asked, or has no model, or several, which are listed.
    """
    async with connected(server, limits) as client:

        async def listed() -> list[str]:
            return _names(await client.get("/models", cast_to=httpx2.Response), server)

        names = await with_retries(listed, server, limits)
    if isinstance(names, RequestFailure):
        raise EndpointError(str(names))
    only = check_model(names[0]) if len(names) == 1 else None
    if only is not None:
        return only
    if not names:
        raise EndpointError(
            f"{server.address} lists no model; name the one to ask, as an option or in {MODEL}"
        )
    shown = ", ".join(repr(name[:_LONGEST_NAME]) for name in names[:_NAMED_IN_A_MESSAGE])
    rest = f" and {len(names) - _NAMED_IN_A_MESSAGE} more" * (len(names) > _NAMED_IN_A_MESSAGE)
    raise EndpointError(
        f"{server.address} has several models; name one, as an option or in {MODEL}: {shown}{rest}"
    )


def _names(response: httpx2.Response, server: Server) -> list[str]:
    """The models of a response, each once and sorted."""
    try:
        content = response.json()
    except (ValueError, RecursionError):
        content = None
    data = content.get("data") if isinstance(content, dict) else None
    items = data or [] if isinstance(content, dict) and "data" in content else None
    if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
        raise RequestFailure(
            f"{server.address}/models lists no models as an OpenAI-compatible server does; look at "
            "the base URL, which mostly ends with /v1"
        )
    names = {server.without_key(str(item.get("id") or "")) for item in items}
    return sorted(name for name in names if name.strip())
