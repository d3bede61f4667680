"""Claims backends by name."""

import os.path
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from crscore_core.claims.given import read_claims
from crscore_core.claims.llm import endpoint, magicoder
from crscore_core.claims.llm.claims import LanguageModelClaims
from crscore_core.claims.llm.language_model import CachedModel, LanguageModel, Progress, silent
from crscore_core.claims.model import ClaimGenerator
from crscore_core.claims.options import (
    ENDPOINT_OPTIONS,
    MAGICODER_OPTIONS,
    Availability,
    ClaimOption,
    ClaimOptions,
)
from crscore_core.errors import InputError

DEFAULT_CLAIMS = "symbolic"


@dataclass(frozen=True, slots=True)
class ClaimBackend:
    """A claims backend: how it is made, what it needs, whether it could run now, its options.

    `make` and `model`, which is None without a language model, load nothing and send no request.
    """

    make: Callable[[ClaimOptions, Progress], ClaimGenerator]
    needs: str
    availability: Callable[[ClaimOptions], Availability]
    options: tuple[ClaimOption, ...] = ()
    model: Callable[[ClaimOptions, Progress], LanguageModel] | None = None


def _symbolic(_options: ClaimOptions, _progress: Progress) -> ClaimGenerator:
    from crscore_core.claims.symbolic import SymbolicClaims

    return SymbolicClaims()


def _claims_of(name: str, options: ClaimOptions, progress: Progress) -> ClaimGenerator:
    return LanguageModelClaims(language_model(name, options, progress), name)


CLAIM_BACKENDS: dict[str, ClaimBackend] = {
    "symbolic": ClaimBackend(
        _symbolic, "nothing", lambda _: Availability(is_available=True, reason="Needs no model.")
    ),
    "magicoder": ClaimBackend(
        partial(_claims_of, "magicoder"),
        "the packages of the extra llm, the model's files, and preferably a GPU",
        magicoder.availability,
        MAGICODER_OPTIONS,
        magicoder.Magicoder,
    ),
    "endpoint": ClaimBackend(
        partial(_claims_of, "endpoint"),
        "an OpenAI-compatible server, and its key if it requires one",
        endpoint.availability,
        ENDPOINT_OPTIONS,
        endpoint.Endpoint,
    ),
}
"""The backends, in display order."""


def claim_generator(
    name: str = DEFAULT_CLAIMS, options: ClaimOptions | None = None, progress: Progress = silent
) -> ClaimGenerator:
    """Return the backend called `name`, or one that returns the claims in the file `name`.

    `progress` is called with the text of a language model as it arrives.

    Raises:
        InputError: `name` is neither a backend nor a file, the file contains no claims, or the
            backend does not accept an option; or a subclass, if the backend is unavailable.
    """
    options = options or ClaimOptions()
    backend = CLAIM_BACKENDS.get(name)
    if backend is None and (not os.path.exists(name) or os.path.isdir(name)):
        raise InputError(
            f"no claims backend or file {name[:80]!r}; backends are {', '.join(CLAIM_BACKENDS)}"
        )
    check_claim_options(name, options)
    return backend.make(options, progress) if backend else read_claims(Path(name))


def language_model(
    name: str, options: ClaimOptions | None = None, progress: Progress = silent
) -> LanguageModel:
    """Return the language model of the backend called `name`; see `LanguageModel`.

    Its answers are cached on disk unless the options turn that off.

    Raises:
        InputError: no such backend has a language model, or the backend does not accept an
            option; or a subclass, if the model is unavailable.
    """
    options = options or ClaimOptions()
    backend = CLAIM_BACKENDS.get(name)
    if backend is None or backend.model is None:
        having = [key for key, other in CLAIM_BACKENDS.items() if other.model]
        raise InputError(f"{name[:80]!r} is not a language model; use {' or '.join(having)}")
    check_claim_options(name, options)
    model = backend.model(options, progress)
    return CachedModel(model) if options.use_cache else model


def check_claim_options(name: str, options: ClaimOptions) -> None:
    """Reject options that the claims called `name` do not accept.

    Raises:
        InputError: an option is not accepted, or its value is not one of the valid ones.
    """
    backend = CLAIM_BACKENDS.get(name)
    accepted = {option.name: option for option in backend.options} if backend else {}
    for option in (*MAGICODER_OPTIONS, *ENDPOINT_OPTIONS):
        value = getattr(options, option.name)
        if value is not None and option.name not in accepted:
            raise InputError(f"claims {name[:80]!r} do not accept the option {option.label}")
        if value is not None and option.choices and value not in option.choices:
            raise InputError(f"{option.label} must be {' or '.join(option.choices)}")
