"""Claims backends by name."""

import os.path
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from crscore_core.claims.given import read_claims
from crscore_core.claims.llm.language_model import Progress, SampledModel, silent
from crscore_core.claims.model import ClaimGenerator
from crscore_core.claims.options import (
    ENDPOINT_OPTIONS,
    MAGICODER_OPTIONS,
    Availability,
    ClaimOption,
    ClaimOptions,
)
from crscore_core.errors import ClaimsError

if TYPE_CHECKING:
    from crscore_core.claims.llm.cache import AnswerCache

DEFAULT_CLAIMS = "symbolic"


@dataclass(frozen=True, slots=True)
class ClaimBackend:
    """A way to make claims.

    Args:
        make: makes the backend; loads no model and asks no server yet. Heavy imports belong into
            this function.
        needs: what the backend needs to run, in a few words for people.
        availability: tells at once whether the backend could run now with these options.
        options: what may be chosen; a backend without options runs no language model.
        model: makes the language model of the backend, with the same care; None without one.
    """

    make: Callable[[ClaimOptions, Progress], ClaimGenerator]
    needs: str
    availability: Callable[[ClaimOptions], Availability]
    options: tuple[ClaimOption, ...] = ()
    model: Callable[[ClaimOptions, Progress], SampledModel] | None = None

    def takes(self, name: str) -> bool:
        """Return True if there is an option of that name."""
        return any(option.name == name for option in self.options)


def _symbolic(_options: ClaimOptions, _progress: Progress) -> ClaimGenerator:
    from crscore_core.claims.symbolic import SymbolicClaims

    return SymbolicClaims()


def _symbolic_availability(_options: ClaimOptions) -> Availability:
    return Availability(is_available=True, reason="It comes with this package and needs no model.")


def _magicoder_model(options: ClaimOptions, progress: Progress) -> SampledModel:
    from crscore_core.claims.llm.magicoder import magicoder_of

    return magicoder_of(options, progress)


def _magicoder(options: ClaimOptions, progress: Progress) -> ClaimGenerator:
    from crscore_core.claims.llm.claims import LanguageModelClaims

    model = _magicoder_model(options, progress)
    return LanguageModelClaims(model, answer_cache(options), progress, source="magicoder")


def _magicoder_availability(options: ClaimOptions) -> Availability:
    from crscore_core.claims.llm.magicoder import availability

    return availability(options)


def _endpoint_model(options: ClaimOptions, progress: Progress) -> SampledModel:
    from crscore_core.claims.llm.endpoint import endpoint_of

    return endpoint_of(options, progress)


def _endpoint(options: ClaimOptions, progress: Progress) -> ClaimGenerator:
    from crscore_core.claims.llm.claims import LanguageModelClaims

    model, cache = _endpoint_model(options, progress), answer_cache(options)
    return LanguageModelClaims(model, cache, progress, source="endpoint", counts_are_estimates=True)


def _endpoint_availability(options: ClaimOptions) -> Availability:
    from crscore_core.claims.llm.endpoint import availability

    return availability(options)


def answer_cache(options: ClaimOptions) -> "AnswerCache | None":
    """Return this user's kept answers; None where the options want none."""
    from crscore_core.claims.llm.cache import AnswerCache

    return AnswerCache() if options.use_cache else None


CLAIM_BACKENDS: dict[str, ClaimBackend] = {
    "symbolic": ClaimBackend(_symbolic, "nothing", _symbolic_availability),
    "magicoder": ClaimBackend(
        _magicoder,
        "the packages of the extra llm, the model's files, and best a GPU",
        _magicoder_availability,
        MAGICODER_OPTIONS,
        _magicoder_model,
    ),
    "endpoint": ClaimBackend(
        _endpoint,
        "an OpenAI-compatible server, and a key where it wants one",
        _endpoint_availability,
        ENDPOINT_OPTIONS,
        _endpoint_model,
    ),
}
"""The backends, in the order in which people are shown them."""


def claim_generator(
    name: str = DEFAULT_CLAIMS, options: ClaimOptions | None = None, progress: Progress = silent
) -> ClaimGenerator:
    """Return the backend called `name`, or one that gives the claims of the file called `name`.

    `progress` is told what a language model says while it says it.

    Raises:
        ClaimsError: `name` is neither a backend nor a file, the file holds no claims, or the
            backend does not take an option; or one of its kinds, where a backend cannot be had.
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


def language_model(
    name: str, options: ClaimOptions | None = None, progress: Progress = silent
) -> SampledModel:
    """Return the language model of the backend called `name`, for other questions than claims.

    Raises:
        ClaimsError: no such backend has a language model, or the backend does not take an option;
            or one of its kinds, where the model cannot be had.
    """
    options = options or ClaimOptions()
    backend = CLAIM_BACKENDS.get(name)
    if backend is None or backend.model is None:
        having = [key for key, other in CLAIM_BACKENDS.items() if other.model]
        raise ClaimsError(f"{name[:80]!r} is no language model; choose {' or '.join(having)}")
    check_claim_options(name, options)
    return backend.model(options, progress)


def check_claim_options(name: str, options: ClaimOptions) -> None:
    """Refuse options that mean nothing to the claims called `name`.

    Raises:
        ClaimsError: an option is given that these claims do not take, or a number that is too
            small or too large.
    """
    backend = CLAIM_BACKENDS.get(name)
    for other in CLAIM_BACKENDS.values():
        for option in other.options:
            value = getattr(options, option.name)
            if value is None:
                continue
            if backend is None or not backend.takes(option.name):
                takers = [key for key, taker in CLAIM_BACKENDS.items() if taker.takes(option.name)]
                raise ClaimsError(
                    f"claims {name[:80]!r} take no {option.label}; it is for {' and '.join(takers)}"
                )
            if option.most is not None and not 1 <= value <= option.most:
                raise ClaimsError(f"{option.label}: from 1 to {option.most:,}, not {value:,}")
