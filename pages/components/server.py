"""ASGI around the app: who may reach it, what it logs, and the history that browsers keep of it."""

import ipaddress
import json
import logging
import secrets
import sys
import threading
import time
import traceback
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit import config
from streamlit.file_util import get_static_dir
from streamlit.runtime.pages_manager import PagesManager

_HEADERS = {
    "content-security-policy": "frame-ancestors 'self'",
    "x-frame-options": "SAMEORIGIN",
    "referrer-policy": "same-origin",
    "x-content-type-options": "nosniff",
}
_WILDCARDS = ("", "0.0.0.0", "::")  # noqa: S104 - compared, not listened at
_REFUSED = 403
_POLICY_VIOLATION = 1008

_LOGGER = logging.getLogger("crscore.app")
_LONGEST = 200
_QUIET = ("/static/", "/_stcore/health", "/_stcore/host-config")


def middleware() -> list[Middleware]:
    """Return what goes around Streamlit's own middleware."""
    log_without_content()
    return [Middleware(Guard)]


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
    if _number(name) is not None and (address is None or address in _WILDCARDS):
        return True
    return is_loopback(name) or any(
        name == pattern.lower() or (pattern.startswith("*.") and name.endswith(pattern[1:].lower()))
        for pattern in (*allowed, *filter(None, [address]))
    )


def is_loopback(name: str) -> bool:
    """Return True if a host of this name is the machine itself."""
    number = _number(name)
    return name == "localhost" or (number is not None and number.is_loopback)


def _number(name: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(name)
    except ValueError:
        return None


def log_event(event: str, **fields: object) -> None:
    """Log an event with its fields, without those that are None; long texts are cut."""
    path = fields.get("path")
    if event == "http" and isinstance(path, str) and path.startswith(_QUIET):
        return
    told = {
        name: value[:_LONGEST] if isinstance(value, str) else value
        for name, value in fields.items()
        if value is not None
    }
    _LOGGER.info(json.dumps({"time": datetime.now(UTC).isoformat(), "event": event, **told}))


def log_without_content() -> None:
    """Log events to standard error, and uncaught exceptions of pages and jobs without messages.

    A message may quote a diff or a review.
    """
    if not _LOGGER.handlers:
        handler = logging.StreamHandler(sys.stderr)
        handler.setFormatter(logging.Formatter("%(message)s"))
        _LOGGER.addHandler(handler)
        _LOGGER.setLevel(logging.INFO)
        _LOGGER.propagate = False
        logging.getLogger("streamlit.error_util").addFilter(_without_message)
        threading.excepthook = lambda raised: _log_exception(raised.exc_type, raised.exc_traceback)


def _without_message(record: logging.LogRecord) -> bool:
    """Turn the record of an uncaught exception into an event; drop the record."""
    if record.exc_info is None or record.exc_info[0] is None:
        return True
    _log_exception(record.exc_info[0], record.exc_info[2])
    return False


def _log_exception(kind: type[BaseException], trace: TracebackType | None) -> None:
    frames = [
        f"{frame.filename}:{frame.lineno} {frame.name}" for frame in traceback.extract_tb(trace)
    ]
    log_event("exception", type=kind.__qualname__, frames=frames)


_PAGES = Path(__file__).parents[1]

_SCRIPT = """<script>
(() => {
  // A new entry needs an act of the person since the last one; keys in one field are one act,
  // until Enter.
  let acted = false, field = null;
  const act = (event) => {
    if (event.isTrusted) {
      acted ||= event.type !== "keydown" || event.key === "Enter" || event.target !== field;
      field = event.target;
    }
  };
  addEventListener("pointerdown", act, true);
  addEventListener("keydown", act, true);
  addEventListener("popstate", () => { acted = false; }, true);
  const push = history.pushState.bind(history), replace = history.replaceState.bind(history);
  history.pushState = history.replaceState = (state, unused, address) => {
    const isNew = acted && new URL(address, location).href !== location.href;
    acted &&= !isNew;
    (isNew ? push : replace)(state, unused, address);
  };
})();
</script>"""
_HEAD = "<head>"


def page_routes() -> list[Route]:
    """Serve Streamlit's page at the address of each of ours, with our script before its own."""
    # Else Streamlit takes the files of `pages` for the navigation until the main script has run
    # once, and a link to a page of a fresh server shows that page alone.
    PagesManager.uses_pages_directory = False
    text = Path(get_static_dir(), "index.html").read_text(encoding="utf-8")
    page = text.replace(_HEAD, _HEAD + _SCRIPT, 1)

    async def serve(_request: Request) -> HTMLResponse:
        return HTMLResponse(page, headers={"cache-control": "no-cache"})

    names = ("", *(file.stem for file in _PAGES.glob("*.py")))
    return [Route(f"/{name}", serve) for name in names]
