"""Options of claims backends, and whether a backend is available."""

from dataclasses import dataclass, field

BASE_URL, KEY, MODEL = "OPENAI_BASE_URL", "OPENAI_API_KEY", "CRSCORE_CLAIMS_MODEL"
"""Environment variables for options of the endpoint."""


@dataclass(frozen=True, slots=True)
class ClaimOptions:
    """Values of all options of claims backends; None means the backend's default.

    With `use_cache`, a language model reads and stores its answers on disk. `max_tokens` is the
    maximum length of an answer, including reasoning.
    """

    model: str | None = None
    revision: str | None = None
    device: str | None = None
    base_url: str | None = None
    api_key: str | None = field(default=None, repr=False)
    use_cache: bool = True
    max_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class ClaimOption:
    """An option for forms; `name` is a field of `ClaimOptions`.

    `choices` are all valid values, empty if any is valid; `environment` is the variable used if
    the option is missing.
    """

    name: str
    label: str
    help: str
    choices: tuple[str, ...] = ()
    environment: str = ""
    is_secret: bool = False


MAGICODER_OPTIONS = (
    ClaimOption("model", "model", "name of a hub model, or its folder"),
    ClaimOption("revision", "revision", "commit, branch or tag of a hub model"),
    ClaimOption("device", "device", "cuda, in 4 bits, or cpu, slowly", ("cuda", "cpu")),
)
_ADDRESS = "address of an OpenAI-compatible server, to which the diff and the key are sent"
ENDPOINT_OPTIONS = (
    ClaimOption("model", "model", "the model's name on the server", environment=MODEL),
    ClaimOption("base_url", "base URL", _ADDRESS, environment=BASE_URL),
    ClaimOption("api_key", "API key", "the server's key", environment=KEY, is_secret=True),
)


@dataclass(frozen=True, slots=True)
class Availability:
    """Whether a backend could run now, and a sentence that says why."""

    is_available: bool
    reason: str
