"""Options of claims backends: the table from which command line, app and messages are made."""

from dataclasses import dataclass, field

from crscore_core.claims.llm.language_model import MAX_TOKENS

BASE_URL, KEY, MODEL = "OPENAI_BASE_URL", "OPENAI_API_KEY", "CRSCORE_CLAIMS_MODEL"
"""Variables of the environment that stand for options of the endpoint."""


@dataclass(frozen=True, slots=True)
class ClaimOptions:
    """Values of all options of claims backends; None leaves an option to the backend's default.

    `use_cache` says, to every backend, whether known answers are taken from disk and new ones
    kept. All other fields are described by a `ClaimOption` of each backend that takes them.
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
    """An option that a backend takes.

    Args:
        name: the field of `ClaimOptions`.
        label: its name for people, within a sentence.
        help: a phrase that says what it is; it begins in lower case and has no full stop.
        metavar: the placeholder for its value on the command line.
        default: the value that counts without it, for people.
        choices: all its values; empty where any text is one.
        most: the largest value of a whole number, from 1; None for a text. Whole numbers are
            options of the command line only.
        environment: the variable that stands for it where it is not given.
        is_secret: whether its value is shown nowhere.
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
    "longest answer in tokens, reasoning included",
    default=str(MAX_TOKENS),
    most=100_000,
)

MAGICODER_OPTIONS = (
    ClaimOption("model", "model", "a model of the hub, or its folder", "NAME_OR_PATH"),
    ClaimOption("revision", "revision", "commit, branch or tag of a model of the hub", "COMMIT"),
    ClaimOption(
        "device",
        "device",
        "where the model runs; it never falls back from one to the other",
        choices=("cuda", "cpu"),
    ),
    _MAX_TOKENS,
)

ENDPOINT_OPTIONS = (
    ClaimOption("model", "model", "the model's name at the server", environment=MODEL),
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
    """Answer to "could this backend run now", found at once and without loading a model.

    `reason` is a sentence for people: what makes the backend available, or what is missing and
    how to get it.
    """

    is_available: bool
    reason: str
