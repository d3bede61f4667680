"""Settings of an endpoint: its address and key, checked, and the limits of requests to it."""

import re
from dataclasses import dataclass, field, replace
from urllib.parse import urlsplit

from crscore_core.claims.llm.language_model import MAX_TOKENS
from crscore_core.claims.options import BASE_URL, KEY, MODEL
from crscore_core.errors import EndpointError

_ADDRESS = re.compile(r"https?://[^\s\\@?#;]+", re.IGNORECASE)
_CREDENTIALS = re.compile("@|%40|%3a", re.IGNORECASE)
"""The sign between a password and a host, and the escapes that people write for it."""

_LONGEST = 500
_KEYS_PLACE = "[key]"
_PRINTABLE_ASCII = re.compile(r"[!-~]+")
_EXAMPLE = "such as http://localhost:8000/v1"


@dataclass(frozen=True, slots=True)
class EndpointLimits:
    """Limits of requests to a server, times in seconds, and how an answer is drawn.

    Args:
        connect: time until a connection stands.
        silence: time between two pieces of an answer, and before the first one, for which a
            server may first have to load the model.
        total: time for one answer, including retries and the pauses between them.
        tries: number of requests for one answer.
        at_once: number of requests under way at a time.
        size: bytes of one response; a stream has many times the bytes of its text.
        tokens: length of one answer, including reasoning.
        temperature: 0 for the likeliest answer, as far as the server knows it.
        seed: tells answers to the same prompt apart where the temperature is above 0.
    """

    connect: float = 10
    silence: float = 300
    total: float = 1200
    tries: int = 4
    at_once: int = 4
    size: int = 4_000_000
    tokens: int = MAX_TOKENS
    temperature: float = 0
    seed: int = 0

    def for_tokens(self, max_tokens: int) -> "EndpointLimits":
        """Return these limits for answers of another length; longer ones get more time and size."""
        times = max(1, max_tokens / MAX_TOKENS)
        return replace(
            self, total=self.total * times, size=int(self.size * times), tokens=max_tokens
        )

    @property
    def parameters(self) -> dict[str, float]:
        """Parameters of a request, repeatable where the server can."""
        return {"temperature": self.temperature, "seed": self.seed, "max_tokens": self.tokens}


@dataclass(frozen=True, slots=True)
class Server:
    """An OpenAI-compatible server.

    Args:
        address: scheme, host, port and path of the API, without a slash at the end; it holds no
            credentials and may be shown.
        key: None where the server wants none; never shown, logged or cached.
    """

    address: str
    key: str | None = field(default=None, repr=False)

    def without_key(self, text: str) -> str:
        """Return `text` with the key replaced, also in the form that quoting gives the key."""
        if not self.key:
            return text
        return text.replace(self.key, _KEYS_PLACE).replace(repr(self.key)[1:-1], _KEYS_PLACE)


def server_at(base_url: str | None, key: str | None) -> Server:
    """Return the server at `base_url`; a blank key counts as none.

    Raises:
        EndpointError: the address is missing or malformed, or the key is malformed. The message
            shows neither, because a malformed address may hold a password.
    """
    address = (base_url or "").strip().rstrip("/")
    if not address:
        raise EndpointError(
            f"no server is named for the endpoint: give its base URL, {_EXAMPLE}, or set {BASE_URL}"
        )
    if _CREDENTIALS.search(address):
        raise EndpointError(
            f"the endpoint's base URL holds credentials; give it without them, and the key in {KEY}"
        )
    if not _is_address(address):
        raise EndpointError(
            "the endpoint's base URL is no address of a server: it needs http:// or https://, a "
            f"host, and neither a query nor `;`, {_EXAMPLE}"
        )
    key = (key or "").strip() or None
    if key is not None and not _PRINTABLE_ASCII.fullmatch(key):
        raise EndpointError(
            f"the key for {address} holds blanks or characters that no key has; look at {KEY}"
        )
    return Server(address, key)


def check_model(model: str | None) -> str | None:
    """Return a model's name without blanks around it, None for a blank one.

    Raises:
        EndpointError: the name is too long or not printable.
    """
    name = (model or "").strip()
    if len(name) > _LONGEST or not name.isprintable():
        raise EndpointError(
            f"{name[:80]!r} cannot be the name of the endpoint's model; give one that the server "
            f"lists at its path /models, or set {MODEL}"
        )
    return name or None


def _is_address(address: str) -> bool:
    try:
        parts = urlsplit(address)
        has_host = bool(parts.hostname and parts.port != 0)
    except ValueError:
        return False
    is_short = len(address) <= _LONGEST
    return has_host and is_short and address.isprintable() and bool(_ADDRESS.fullmatch(address))
