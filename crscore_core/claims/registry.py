"""Claims backends by name."""

import os.path
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from crscore_core.claims.availability import Availability
from crscore_core.claims.given import read_claims
from crscore_core.claims.llm.language_model import Progress, silent
from crscore_core.claims.model import ClaimGenerator
from crscore_core.claims.options import ClaimOptions
from crscore_core.errors import ClaimsError

__all__ = [
    "CLAIM_BACKENDS",
    "DEFAULT_CLAIMS",
    "MOST_TOKENS",
    "ClaimBackend",
    "check_claim_options",
    "claim_generator",
]

DEFAULT_CLAIMS = "symbolic"


@dataclass(frozen=True, slots=True)
class ClaimBackend:
    """How a backend is made, and what it takes.

    Args:
        make: makes it; loads no model and asks no server yet. Its imports wait until then.
        needs: what it needs to run, in a few words for people.
        availability: whether it could run now with these options; found out at once.
        takes: the fields of `ClaimOptions` that say what it runs; a backend without any runs no
            language model. How long an answer may get means something to all others, and
            whether a cache is used may be said to any.
    """

    make: Callable[[ClaimOptions, Progress], ClaimGenerator]
    needs: str
    availability: Callable[[ClaimOptions], Availability]
    takes: tuple[str, ...] = ()


def _symbolic(_options: ClaimOptions, _progress: Progress) -> ClaimGenerator:
    from crscore_core.claims.symbolic import SymbolicClaims

    return SymbolicClaims()


def _symbolic_availability(_options: ClaimOptions) -> Availability:
    return Availability(is_available=True, reason="It comes with this package and needs no model.")


def _magicoder(options: ClaimOptions, progress: Progress) -> ClaimGenerator:
    from crscore_core.claims.llm.cache import AnswerCache
    from crscore_core.claims.llm.claims import LanguageModelClaims
    from crscore_core.claims.llm.magicoder import Limits, Magicoder

    model = Magicoder(
        model=options.model,
        revision=options.revision,
        device=options.device,
        limits=Limits(options.max_tokens) if options.max_tokens is not None else Limits(),
        waiting=progress,
    )
    cache = AnswerCache() if options.use_cache else None
    return LanguageModelClaims(model, cache, progress, source="magicoder")


def _magicoder_availability(options: ClaimOptions) -> Availability:
    from crscore_core.claims.llm.magicoder import availability

    return availability(options)


def _endpoint(options: ClaimOptions, progress: Progress) -> ClaimGenerator:
    from crscore_core.claims.llm.cache import AnswerCache
    from crscore_core.claims.llm.claims import LanguageModelClaims
    from crscore_core.claims.llm.endpoint import endpoint_of

    model = endpoint_of(options, progress)
    cache = AnswerCache() if options.use_cache else None
    return LanguageModelClaims(model, cache, progress, source="endpoint", counts_are_estimates=True)


def _endpoint_availability(options: ClaimOptions) -> Availability:
    from crscore_core.claims.llm.endpoint import availability

    return availability(options)


CLAIM_BACKENDS: dict[str, ClaimBackend] = {
    "symbolic": ClaimBackend(_symbolic, "nothing", _symbolic_availability),
    "magicoder": ClaimBackend(
        _magicoder,
        "the packages of the extra llm, the model's files, and best a GPU",
        _magicoder_availability,
        ("model", "revision", "device"),
    ),
    "endpoint": ClaimBackend(
        _endpoint,
        "an OpenAI-compatible server, and a key where it wants one",
        _endpoint_availability,
        ("model", "base_url", "api_key"),
    ),
}
"""The backends, in the order in which people are shown them."""

MOST_TOKENS = 100_000
"""The longest answer that may be asked for."""

_CHOICES = ("model", "revision", "device", "base_url", "api_key", "max_tokens")


def claim_generator(
    name: str = DEFAULT_CLAIMS, options: ClaimOptions | None = None, progress: Progress = silent
) -> ClaimGenerator:
    """The backend called `name`, or one that gives the claims of the file called so.

    `progress` is told what a language model says while it says it.

    Raises:
        ClaimsError: neither a backend nor a file, the file holds no claims, or an option that
            the backend does not take; or one of its kinds, where a backend cannot be had.
    """
    options = options or ClaimOptions()
    backend = CLAIM_BACKENDS.get(name)
    if backend is None and (not os.path.exists(name) or os.path.isdir(name)):
        raise ClaimsError(
            f"no claims backend or file called {name[:80]!r}; "
            f"backends are {', '.join(CLAIM_BACKENDS)}"
        )
    check_claim_options(name, options)
    return backend.make(options, progress) if backend else read_claims(Path(name))


def check_claim_options(name: str, options: ClaimOptions) -> None:
    """Refuse options that would mean nothing to the claims called `name`.

    Raises:
        ClaimsError: there is one, or a limit of tokens that can be none.
    """
    backend = CLAIM_BACKENDS.get(name)
    for option in _CHOICES:
        if getattr(options, option) is not None and not (backend and _takes(backend, option)):
            able = [other for other, one in CLAIM_BACKENDS.items() if _takes(one, option)]
            raise ClaimsError(
                f"claims {name[:80]!r} take no {option.replace('_', ' ')}; "
                f"it is for {' and '.join(able)}"
            )
    tokens = options.max_tokens
    if tokens is not None and not 1 <= tokens <= MOST_TOKENS:
        raise ClaimsError(f"an answer has 1 to {MOST_TOKENS:,} tokens, not at most {tokens:,}")


def _takes(backend: ClaimBackend, option: str) -> bool:
    return bool(backend.takes) if option == "max_tokens" else option in backend.takes
