"""Access to the app: allowed hosts and frames. Streamlit checks origins."""

import ipaddress
from collections.abc import Sequence

from starlette.datastructures import URL, MutableHeaders
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit import config
from streamlit.runtime.pages_manager import PagesManager

LOOPBACK = ("localhost", "127.0.0.1", "[::1]", "::1")

_WILDCARDS = (None, "", "0.0.0.0", "::")  # noqa: S104 - compared, not listened at

_HEADERS = {
    "content-security-policy": "frame-ancestors 'self'",
    "x-frame-options": "SAMEORIGIN",
    "referrer-policy": "same-origin",
    "x-content-type-options": "nosniff",
}


def middleware() -> list[Middleware]:
    """Return the middleware in front of Streamlit: a check of the host, and headers."""
    # Otherwise a link to a page of a server that just started shows no navigation.
    PagesManager.uses_pages_directory = False
    return [
        Middleware(_HostCheck, allowed_hosts=allowed_hosts(), www_redirect=False),
        Middleware(_SecurityHeaders),
    ]


def allowed_hosts() -> Sequence[str]:
    """Return the names of this server: loopback, its address, and `server.allowedHosts`."""
    address = config.get_option("server.address")
    return [*LOOPBACK, *filter(None, [address]), *config.get_option("server.allowedHosts")]


def is_shared() -> bool:
    """Return True if other people can reach this server; then pages accept no URLs or folders."""
    address = config.get_option("server.address")
    return address not in LOOPBACK or bool(
        {*config.get_option("server.allowedHosts")} - {*LOOPBACK}
    )


class _HostCheck(TrustedHostMiddleware):
    """Rejects unknown hosts; a server that listens on all addresses accepts any IP address.

    An IP address cannot be rebound to another server.
    """

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_everywhere = config.get_option("server.address") in _WILDCARDS
        if scope["type"] in {"http", "websocket"} and is_everywhere and _is_ip_address(scope):
            await self.app(scope, receive, send)
        else:
            await super().__call__(scope, receive, send)


def _is_ip_address(scope: Scope) -> bool:
    try:
        ipaddress.ip_address(URL(scope=scope).hostname or "")
    except ValueError:
        return False
    return True


class _SecurityHeaders:
    """Adds `_HEADERS` to every response."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(_HEADERS)
            await send(message)

        await self._app(scope, receive, with_headers)
