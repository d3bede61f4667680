"""What it means that no response came, or not the whole of it."""

import socket
import ssl
from collections.abc import Iterator

import httpx2
import openai

from crscore_core.claims.llm.endpoint.failure import RequestFailure
from crscore_core.claims.llm.endpoint.limits import EndpointLimits

__all__ = ["of_transport"]


def of_transport(error: Exception, where: str, limits: EndpointLimits) -> RequestFailure | None:
    """What an error of the connection to `where` means, None where it is no such error."""
    causes = list(_causes(error))
    if any(isinstance(cause, httpx2.ConnectTimeout) for cause in causes):
        return RequestFailure(
            f"{where} takes no connection within {limits.connect:g} seconds; look at host and "
            "port, and whether a firewall is in between",
            is_temporary=True,
        )
    if any(isinstance(cause, openai.APITimeoutError | httpx2.TimeoutException) for cause in causes):
        return RequestFailure(
            f"nothing came from {where} for {limits.silence:g} seconds; the server hangs, or is "
            "too slow for the model",
            is_temporary=True,
        )
    if any(isinstance(cause, openai.APIConnectionError | httpx2.HTTPError) for cause in causes):
        return _of_connection(causes, where)
    return None


def _of_connection(causes: list[BaseException], where: str) -> RequestFailure:
    if any(isinstance(cause, ssl.SSLError) for cause in causes):
        return RequestFailure(
            f"no secure connection to {where}: it has no valid certificate, or does not speak "
            "TLS; a server without TLS has a base URL with http://"
        )
    if any(isinstance(cause, socket.gaierror) for cause in causes):
        reason = f"the host of {where} is not known; look at its spelling and at the network"
    elif any(isinstance(cause, ConnectionRefusedError) for cause in causes):
        reason = f"nothing answers at {where}; start the server, or look at host and port"
    elif any(isinstance(cause, httpx2.ProxyError) for cause in causes):
        reason = f"the proxy of the environment does not lead to {where}; look at its settings"
    elif any(isinstance(cause, httpx2.ConnectError) for cause in causes):
        reason = f"{where} cannot be reached; look at host, port and network"
    else:
        reason = f"the connection to {where} broke before the answer was whole; try again later"
    return RequestFailure(reason, is_temporary=True)


def _causes(error: BaseException) -> Iterator[BaseException]:
    """`error` and everything that led to it."""
    waiting: list[BaseException | None] = [error]
    seen: set[int] = set()
    while waiting:
        cause = waiting.pop()
        if cause is None or id(cause) in seen:
            continue
        seen.add(id(cause))
        yield cause
        waiting += [cause.__cause__, cause.__context__]
        if isinstance(cause, BaseExceptionGroup):
            waiting += cause.exceptions
