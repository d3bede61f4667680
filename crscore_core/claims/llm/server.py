"""An OpenAI-compatible server: its address and key, and limits of requests to it."""

import re
from contextlib import suppress
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from crscore_core.claims.options import BASE_URL, KEY, MODEL
from crscore_core.errors import ModelError

_ADDRESS = re.compile(r"https?://(?:(?!%40|%3a)[^\s\\@?#;])+", re.IGNORECASE)
"""Without the sign between a password and a host, or an escape of it."""

_LONGEST = 500
_KEYS_PLACE = "[key]"
_PRINTABLE_ASCII = re.compile(r"[!-~]+")
_EXAMPLE = "such as http://localhost:8000/v1"


@dataclass(frozen=True, slots=True)
class EndpointLimits:
    """Limits of requests to a server, with times in seconds.

    Args:
        connect: time to establish a connection.
        silence: time between two pieces of an answer, and before the first, which may include
            loading the model.
        total: time for one answer of the default length, from its start.
        tries: number of requests until an answer starts.
        at_once: number of concurrent requests.
        size: bytes per response of the default length; a stream is many times larger than its text.
    """

    connect: float = 10
    silence: float = 300
    total: float = 1200
    tries: int = 4
    at_once: int = 4
    size: int = 4_000_000


@dataclass(frozen=True, slots=True)
class Server:
    """An OpenAI-compatible server.

    Args:
        address: scheme, host, port and path of the API, without a trailing slash; it contains no
            credentials and may be shown.
        key: None if the server requires none; never shown, logged or cached.
    """

    address: str
    key: str | None = field(default=None, repr=False)

    def without_key(self, text: str) -> str:
        """Return `text` with the key replaced, also in its quoted form."""
        if not self.key:
            return text
        return text.replace(self.key, _KEYS_PLACE).replace(repr(self.key)[1:-1], _KEYS_PLACE)


def server_at(base_url: str | None, key: str | None) -> Server:
    """Return the server at `base_url`; a blank key counts as none.

    Raises:
        ModelError: the address is missing or malformed, or the key is malformed. The message
            shows neither, since a malformed address may contain a password.
    """
    address = (base_url or "").strip().rstrip("/")
    if not address:
        raise ModelError(
            f"no endpoint server given: pass its base URL, {_EXAMPLE}, or set {BASE_URL}"
        )
    has_host = False
    with suppress(ValueError):  # raised below, without the address
        parts = urlsplit(address)
        has_host = bool(parts.hostname and parts.port != 0)
    is_line = len(address) <= _LONGEST and address.isprintable()
    if not (has_host and is_line and _ADDRESS.fullmatch(address)):
        raise ModelError(
            "the endpoint's base URL is not a server address: it needs http:// or https:// and a "
            f"host, and must not have credentials, a query or `;`, {_EXAMPLE}; the key is for {KEY}"
        )
    key = (key or "").strip() or None
    if key is not None and not _PRINTABLE_ASCII.fullmatch(key):
        raise ModelError(
            f"the key for {address} contains spaces or invalid characters; check {KEY}"
        )
    return Server(address, key)


def check_model(model: str | None) -> str | None:
    """Return a model's name without surrounding spaces; None if blank.

    Raises:
        ModelError: the name is too long or not printable.
    """
    name = (model or "").strip()
    if len(name) > _LONGEST or not name.isprintable():
        raise ModelError(
            f"{name[:80]!r} is not a valid model name; give one that the server lists at its path "
            f"/models, or set {MODEL}"
        )
    return name or None
