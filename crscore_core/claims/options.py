"""Options of claims backends, the source of command-line options, forms and messages."""

from dataclasses import dataclass, field

from crscore_core.claims.llm.language_model import MAX_TOKENS

BASE_URL, KEY, MODEL = "OPENAI_BASE_URL", "OPENAI_API_KEY", "CRSCORE_CLAIMS_MODEL"
"""Environment variables for options of the endpoint."""


@dataclass(frozen=True, slots=True)
class ClaimOptions:
    """Values of all options of claims backends; None means the backend's default.

    `use_cache` makes every backend read and store answers on disk. Each other field is described
    by a `ClaimOption` of the backends that accept it.
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
    """An option that a backend accepts.

    Args:
        name: the field of `ClaimOptions`.
        label: the name to show within a sentence.
        help: a descriptive phrase in lower case without a full stop.
        metavar: the placeholder for its value on the command line.
        default: the default value to show.
        choices: all valid values; empty if any text is valid.
        most: the maximum of an integer option, whose minimum is 1; None for text. Integer options
            exist only on the command line.
        environment: the environment variable used if the option is missing.
        is_secret: True if the value must never be shown.
    """

    name: str
    label: str
    help: str
    metavar: str = "NAME"
    default: str = ""
    choices: tuple[str, ...] = ()
    most: int | None = None
    environment: str = ""
    is_secret: bool = False


_MAX_TOKENS = ClaimOption(
    "max_tokens",
    "max tokens",
    "maximum length of an answer in tokens, including reasoning",
    default=str(MAX_TOKENS),
    most=100_000,
)

MAGICODER_OPTIONS = (
    ClaimOption("model", "model", "name of a hub model, or its folder", "NAME_OR_PATH"),
    ClaimOption("revision", "revision", "commit, branch or tag of a hub model", "COMMIT"),
    ClaimOption(
        "device",
        "device",
        "where the model runs; there is no fallback",
        choices=("cuda", "cpu"),
    ),
    _MAX_TOKENS,
)

ENDPOINT_OPTIONS = (
    ClaimOption("model", "model", "the model's name on the server", environment=MODEL),
    ClaimOption(
        "base_url",
        "base URL",
        "address of an OpenAI-compatible server, to which the diff and the key are sent",
        "URL",
        environment=BASE_URL,
    ),
    ClaimOption("api_key", "API key", "the server's key", "KEY", environment=KEY, is_secret=True),
    _MAX_TOKENS,
)


@dataclass(frozen=True, slots=True)
class Availability:
    """Whether a backend could run now, determined quickly and without loading a model.

    `reason` is a sentence to show: what makes the backend available, or what is missing and how
    to get it.
    """

    is_available: bool
    reason: str
