"""Claims backends by name."""

import os.path
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from crscore_core.claims.given import read_claims
from crscore_core.claims.llm import endpoint, weights
from crscore_core.claims.llm.cache import AnswerCache
from crscore_core.claims.llm.claims import LanguageModelClaims
from crscore_core.claims.llm.language_model import LanguageModel, Progress, silent
from crscore_core.claims.llm.magicoder import Magicoder
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
    """A registered claims backend.

    Args:
        make: creates the backend, without loading a model or sending a request. Heavy imports
            belong in this function.
        needs: what the backend needs to run, as a short phrase to show.
        availability: returns quickly whether the backend could run now with these options.
        options: the options it accepts; a backend without options runs no language model.
        model: creates the backend's language model, under the same rules; None without one.
    """

    make: Callable[[ClaimOptions, Progress], ClaimGenerator]
    needs: str
    availability: Callable[[ClaimOptions], Availability]
    options: tuple[ClaimOption, ...] = ()
    model: Callable[[ClaimOptions, Progress], LanguageModel] | None = None

    def takes(self, name: str) -> bool:
        """Return True if the backend has an option of that name."""
        return any(option.name == name for option in self.options)


def _symbolic(_options: ClaimOptions, _progress: Progress) -> ClaimGenerator:
    from crscore_core.claims.symbolic import SymbolicClaims

    return SymbolicClaims()


def _symbolic_availability(_options: ClaimOptions) -> Availability:
    return Availability(is_available=True, reason="Included in this package; needs no model.")


def _claims_of(name: str, options: ClaimOptions, progress: Progress) -> ClaimGenerator:
    """Return the claims of the language model of the backend `name`."""
    model = language_model(name, options, progress)
    return LanguageModelClaims(model, answer_cache(options), progress, source=name)


def answer_cache(options: ClaimOptions) -> AnswerCache | None:
    """Return this user's cache of answers; None if the options turn it off."""
    return AnswerCache() if options.use_cache else None


CLAIM_BACKENDS: dict[str, ClaimBackend] = {
    "symbolic": ClaimBackend(_symbolic, "nothing", _symbolic_availability),
    "magicoder": ClaimBackend(
        partial(_claims_of, "magicoder"),
        "the packages of the extra llm, the model's files, and preferably a GPU",
        weights.availability,
        MAGICODER_OPTIONS,
        Magicoder,
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
    """Return the language model of the backend called `name`, for prompts other than claims.

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
    return backend.model(options, progress)


def check_claim_options(name: str, options: ClaimOptions) -> None:
    """Reject options that the claims called `name` do not accept.

    Raises:
        InputError: an option is not accepted, or its value is not one of the valid ones.
    """
    every = {row.name: row for backend in CLAIM_BACKENDS.values() for row in backend.options}
    for option in every.values():
        value = getattr(options, option.name)
        if value is None:
            continue
        takers = [key for key, taker in CLAIM_BACKENDS.items() if taker.takes(option.name)]
        if name not in takers:
            raise InputError(
                f"claims {name[:80]!r} do not accept the option {option.label}; "
                f"it is for {' and '.join(takers)}"
            )
        if option.choices and value not in option.choices:
            raise InputError(
                f"{option.label} must be {' or '.join(option.choices)}, not {value[:40]!r}"
            )
        if option.most is not None and not 1 <= value <= option.most:
            raise InputError(f"{option.label} must be from 1 to {option.most:,}, not {value:,}")
