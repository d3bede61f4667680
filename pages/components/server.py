"""Access to the app: allowed hosts and frames, and a cookie. Streamlit checks origins."""

import ipaddress
import secrets
from collections.abc import Sequence
from typing import Any

import streamlit as st
from starlette.datastructures import URL, MutableHeaders
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit import config
from streamlit.runtime.pages_manager import PagesManager

LOOPBACK = ("localhost", "127.0.0.1", "[::1]", "::1")

_WILDCARDS = (None, "", "0.0.0.0", "::")  # noqa: S104 - compared, not bound

_HEADERS = {
    "content-security-policy": "frame-ancestors 'self'",
    "x-frame-options": "SAMEORIGIN",
    "referrer-policy": "same-origin",
    "x-content-type-options": "nosniff",
}

_COOKIE, _MAX_BROWSERS = "crscore_browser", 1_000


def middleware() -> list[Middleware]:
    """Return the middleware in front of Streamlit: a host check, headers, and a cookie."""
    # Otherwise, a page that a link opens right after the server starts has no navigation.
    PagesManager.uses_pages_directory = False
    return [
        Middleware(_HostCheck, allowed_hosts=allowed_hosts(), www_redirect=False),
        Middleware(_Headers),
    ]


def allowed_hosts() -> Sequence[str]:
    """Return the names of this server: loopback, its address, and `server.allowedHosts`."""
    address = config.get_option("server.address")
    return [*LOOPBACK, *filter(None, [address]), *config.get_option("server.allowedHosts")]


def is_shared() -> bool:
    """Return True if other people can reach this server; pages then accept no URLs or folders."""
    address = config.get_option("server.address")
    return address not in LOOPBACK or bool(
        {*config.get_option("server.allowedHosts")} - {*LOOPBACK}
    )


def who_can_open() -> str:
    """Return a sentence that tells users who can open a run that they create."""
    if is_shared():
        return "Only people with the link to the run can open it."
    return "Everyone who uses this app can open and delete the run."


class _HostCheck(TrustedHostMiddleware):
    """Rejects unknown hosts; a server that listens on all addresses accepts any IP address.

    Unlike a host name, an IP address cannot be rebound to another server.
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


def browser_state() -> dict[str, Any]:
    """Return the state that this server keeps for the user's browser across reloads.

    Without the cookie, as in a browser that rejects it, the state is kept for the session.
    """
    browser = st.context.cookies.get(_COOKIE)
    if browser is None:
        state: dict[str, Any] = st.session_state.setdefault(_COOKIE, {})
        return state
    return _state_of(browser)


@st.cache_resource(max_entries=_MAX_BROWSERS, show_spinner=False)
def _state_of(browser: str) -> dict[str, Any]:  # noqa: ARG001 - a key
    return {}


class _Headers:
    """Adds `_HEADERS` to every response, and a random cookie to a page for a new browser."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(_HEADERS)
                is_page = headers.get("content-type", "").startswith("text/html")
                if is_page and _COOKIE not in HTTPConnection(scope).cookies:  # the rest is cached
                    cookie = f"{_COOKIE}={secrets.token_urlsafe()}; HttpOnly; Path=/; SameSite=Lax"
                    headers.append("set-cookie", cookie)
            await send(message)

        await self._app(scope, receive, with_headers)
