"""ASGI middleware around the app: who may reach it, what frames it, and what is logged.

Streamlit alone answers any host, takes any port of localhost as an origin, and asks an outside
service for its own address before it refuses another one.
"""

import ipaddress
import secrets
import time
from collections.abc import Sequence
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware import Middleware
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit import config
from streamlit.runtime.pages_manager import PagesManager

from pages.components.history import HistoryScript
from pages.components.logs import log_event, log_without_content

_HEADERS = {
    "content-security-policy": "frame-ancestors 'self'",
    "x-frame-options": "SAMEORIGIN",
    "referrer-policy": "same-origin",
    "x-content-type-options": "nosniff",
}
_WILDCARDS = ("", "0.0.0.0", "::")  # noqa: S104 - compared, not listened at
_REFUSED = 403
_POLICY_VIOLATION = 1008


def own_navigation() -> None:
    """Let the app name its pages from the first visit on.

    Where a folder `pages` lies beside the main script, Streamlit takes its files for the navigation
    until the script has run once. Whoever opens a link to a page of a fresh server would get that
    page alone, without what the app puts around it.
    """
    PagesManager.uses_pages_directory = False


def middleware() -> list[Middleware]:
    """Return what goes around Streamlit's own middleware."""
    log_without_content()
    return [Middleware(Guard), Middleware(HistoryScript)]


class Guard:
    """Refuse foreign hosts and origins, forbid frames, and log each request under an id.

    A host is loopback, the address that the server listens at, or one of `server.allowedHosts`;
    a server that listens at all addresses answers each of them. An origin is the host itself, or
    one of `server.corsAllowedOrigins`.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass an allowed request on."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        request_id, began = secrets.token_hex(8), time.monotonic()
        status = 0

        async def answer(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = MutableHeaders(scope=message)
                headers.update({**_HEADERS, "x-request-id": request_id})
            await send(message)

        reason = _refusal(Headers(scope=scope))
        try:
            if reason is None:
                await self._app(scope, receive, answer)
            elif scope["type"] == "websocket":
                await send({"type": "websocket.close", "code": _POLICY_VIOLATION})
            else:
                await PlainTextResponse(f"{reason}\n", _REFUSED)(scope, receive, answer)
        finally:
            log_event(
                "refused" if reason else scope["type"],
                request=request_id,
                method=scope.get("method"),
                path=scope["path"],
                status=status or None,
                seconds=round(time.monotonic() - began, 3),
                reason=reason,
            )


def _refusal(headers: Headers) -> str | None:
    """Say why a request is refused; None where it is not."""
    host, origin = headers.get("host", ""), headers.get("origin")
    if not is_allowed_host(
        host, config.get_option("server.address"), config.get_option("server.allowedHosts")
    ):
        return "This host is not one of the app's; name it in server.allowedHosts."
    if origin is None or origin.lower() in (f"http://{host.lower()}", f"https://{host.lower()}"):
        return None
    if origin in config.get_option("server.corsAllowedOrigins"):
        return None
    return "This origin is not the app's; name it in server.corsAllowedOrigins."


def is_allowed_host(host: str, address: str | None, allowed: Sequence[str]) -> bool:
    """Return True if `host`, a `Host` header, names this server.

    `address` is where the server listens, `allowed` are other names; `*.example.org` stands for
    every name below `example.org`.
    """
    try:
        name = (urlsplit(f"//{host}").hostname or "").rstrip(".")
    except ValueError:
        return False
    if (
        (address and name == address.lower())
        or is_loopback(name)
        or any(
            name == pattern.lower()
            or (pattern.startswith("*.") and name.endswith(pattern[1:].lower()))
            for pattern in allowed
        )
    ):
        return True
    return _number(name) is not None and (address is None or address in _WILDCARDS)


def is_loopback(name: str) -> bool:
    """Return True if a host of this name is the machine itself."""
    number = _number(name)
    return name == "localhost" or (number is not None and number.is_loopback)


def _number(name: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(name)
    except ValueError:
        return None
