"""Where a server is, and the key that it wants."""

import re
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from crscore_core.errors import EndpointError

__all__ = ["BASE_URL", "KEY", "MODEL", "Server", "check_model", "server_at"]

BASE_URL, KEY, MODEL = "OPENAI_BASE_URL", "OPENAI_API_KEY", "CRSCORE_CLAIMS_MODEL"
"""The variables of the environment that stand for what no option gives."""

_ADDRESS = re.compile(r"https?://[^\s\\@?#;]+", re.IGNORECASE)
_CREDENTIALS = re.compile("@|%40|%3a", re.IGNORECASE)
"""What stands between a password and a host, also as some write it in an address."""

_LONGEST = 500
_KEYS_PLACE = "[key]"
_PRINTABLE_ASCII = re.compile(r"[!-~]+")
_EXAMPLE = "such as http://localhost:8000/v1"


@dataclass(frozen=True, slots=True)
class Server:
    """An OpenAI-compatible server.

    Args:
        address: scheme, host, port and path of its API, without a slash at the end; it holds no
            credentials and may be shown.
        key: None where the server wants none; not for eyes, logs or caches.
    """

    address: str
    key: str | None = field(default=None, repr=False)

    def without_key(self, text: str) -> str:
        """`text` of this server, which may say the key that it was sent, also within quotes."""
        if not self.key:
            return text
        return text.replace(self.key, _KEYS_PLACE).replace(repr(self.key)[1:-1], _KEYS_PLACE)


def server_at(base_url: str | None, key: str | None) -> Server:
    """The server at `base_url`; a blank key is none.

    Raises:
        EndpointError: there is no address or it is none, or the key cannot be one. Neither is
            shown, as an address that is wrong may hold a password.
    """
    address = (base_url or "").strip().rstrip("/")
    if not address:
        raise EndpointError(
            f"no server is named for claims by an endpoint: give its base URL, {_EXAMPLE}, or "
            f"set {BASE_URL}"
        )
    _check_address(address)
    key = (key or "").strip() or None
    if key is not None and not _PRINTABLE_ASCII.fullmatch(key):
        raise EndpointError(
            f"the key for {address} holds blanks or characters that no key has; look at {KEY}"
        )
    return Server(address, key)


def check_model(model: str | None) -> str | None:
    """A model's name without blanks around it, None for a blank one.

    Raises:
        EndpointError: it is too long, or holds what cannot be printed.
    """
    name = (model or "").strip()
    if len(name) > _LONGEST or not name.isprintable():
        raise EndpointError(
            f"{name[:80]!r} cannot be the name of the endpoint's model; give one that the server "
            f"lists at its path /models, or set {MODEL}"
        )
    return name or None


def _check_address(address: str) -> None:
    if _CREDENTIALS.search(address):
        raise EndpointError(
            f"the endpoint's base URL holds credentials; give it without them, and the key in {KEY}"
        )
    try:
        parts = urlsplit(address)
        is_address = bool(_ADDRESS.fullmatch(address) and parts.hostname and parts.port != 0)
    except ValueError:
        is_address = False
    if not is_address or not address.isprintable() or len(address) > _LONGEST:
        raise EndpointError(
            "the endpoint's base URL is no address of a server: it needs http:// or https://, a "
            f"host, and neither a query nor `;`, {_EXAMPLE}"
        )
