"""Claims backends by name."""

import os.path
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from crscore_core.claims.claim import ClaimBackend, ClaimSet, PseudoReference
from crscore_core.claims.given import GivenClaims, claims_from_items, read_given_claims
from crscore_core.claims.llm import endpoint, magicoder
from crscore_core.claims.llm.language_model import LanguageModel, LanguageModelClaims, ModelOptions
from crscore_core.errors import InputError, quoted

DEFAULT_CLAIMS = "symbolic"
_DEFAULTS = ModelOptions()


@dataclass(frozen=True, slots=True)
class BackendEntry:
    """A claims backend; its functions load nothing and send no requests.

    needs: a description of its requirements.
    check: describes the backend with some options; raises an InputError if it cannot run.
    options: the names of the `ModelOptions` that it accepts.
    model: creates its language model; None for a backend without one.
    """

    needs: str
    check: Callable[[ModelOptions], str]
    options: tuple[str, ...] = ()
    model: Callable[[ModelOptions], LanguageModel] | None = None


CLAIM_BACKENDS: dict[str, BackendEntry] = {
    "symbolic": BackendEntry("nothing", lambda _: "needs no model"),
    "magicoder": BackendEntry(
        "the packages of the extra llm, the model's files, and preferably a GPU",
        magicoder.check,
        ("model", "device"),
        magicoder.Magicoder,
    ),
    "endpoint": BackendEntry(
        "an OpenAI-compatible server, and its key if it requires one",
        endpoint.check,
        ("model", "base_url", "api_key"),
        endpoint.Endpoint,
    ),
}
"""The backends, in display order."""

Claims = str | Path | ClaimBackend | ClaimSet | Sequence[str | PseudoReference]
"""The name of a backend, a file of claims, a backend, or the claims themselves."""


def claim_backend(
    claims: Claims = DEFAULT_CLAIMS, options: ModelOptions = _DEFAULTS
) -> ClaimBackend:
    """Return a backend: the named one, or one that returns the claims given or in a file.

    Raises:
        InputError: the backend or file does not exist, does not accept an option, or lists no
            claims; or a given claim is invalid.
        UnavailableError: the backend is unavailable.
    """
    if isinstance(claims, ClaimSet):
        return GivenClaims(claims.claims, warnings=claims.warnings)
    if isinstance(claims, Sequence) and not isinstance(claims, str):
        return GivenClaims(claims_from_items(claims))
    if not isinstance(claims, str | Path):
        return _checked(claims)
    name = str(claims)
    backend = CLAIM_BACKENDS.get(name)
    if backend is None and (not os.path.exists(name) or os.path.isdir(name)):
        problem = f"no claims backend or file {quoted(name)}"
        raise InputError(problem, f"backends are {', '.join(CLAIM_BACKENDS)}")
    check_options(name, options)
    if backend is None:
        return read_given_claims(Path(name))
    if backend.model:
        return LanguageModelClaims(language_model(name, options), name)
    from crscore_core.claims.symbolic import SymbolicClaims

    return SymbolicClaims()


def _checked(backend: ClaimBackend) -> ClaimBackend:
    if not hasattr(backend, "generate"):
        problem = f"claims cannot be of the type {type(backend).__name__}"
        raise InputError(problem, "give a list of strings, the name of a file, or a backend")
    is_own = type(backend).__module__.startswith("crscore_core.")
    if getattr(backend, "name", "") in CLAIM_BACKENDS and not is_own:  # signatures show the name
        raise InputError(f"{backend.name!r} is the name of another backend", "choose another name")
    return backend


def language_model(name: str, options: ModelOptions = _DEFAULTS) -> LanguageModel:
    """Return the language model of the backend called `name`, or raise an InputError."""
    backend = CLAIM_BACKENDS.get(name)
    if backend is None or backend.model is None:
        names = [key for key, value in CLAIM_BACKENDS.items() if value.model]
        raise InputError(f"{quoted(name)} is not a language model", f"use {' or '.join(names)}")
    check_options(name, options)
    return backend.model(options)


def check_options(name: str, options: ModelOptions) -> None:
    """Raise an InputError if the backend or file `name` does not accept one of the options."""
    accepted = CLAIM_BACKENDS[name].options if name in CLAIM_BACKENDS else ()
    for option in ("model", "device", "base_url", "api_key"):
        if getattr(options, option) is not None and option not in accepted:
            raise InputError(f"{option.replace('_', '-')} does not apply to claims {quoted(name)}")
