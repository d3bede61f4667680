"""Pseudo-references, including claims, and the protocol for backends that generate claims."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from enum import StrEnum
from typing import Protocol

from pydantic.dataclasses import dataclass  # raises if a backend gives other types

from crscore_core.change import CodeChange
from crscore_core.errors import InputError, ModelError, UnavailableError, failure, quoted

GIVEN = "given"
"""The source of claims that come with a change."""


class ReferenceKind(StrEnum):
    """Kind of a pseudo-reference: one of two kinds of claims (paper, section 3.2), or a smell."""

    CLAIM = "claim"
    IMPLICATION = "implication"
    SMELL = "smell"


CLAIM_KINDS = (ReferenceKind.CLAIM, ReferenceKind.IMPLICATION)


@dataclass(frozen=True, slots=True)
class PseudoReference:
    """A statement that a good review of the change could address.

    source: the claims backend or the analyzer; for given claims any name, by default `given`.
    path, line: a line of the new file, or the line after removed code; None without a line.
    wordings: sentences for the same fact that reviews are compared with instead of the text.
    """

    text: str
    kind: ReferenceKind
    source: str = GIVEN
    path: str | None = None
    line: int | None = None
    wordings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ClaimSet:
    """The claims about one change, and warnings about how they were made.

    left_out: claims that were made but left out as minor.

    A warning, here and everywhere, is `kind: details` or just `kind`. A kind contains no numbers or
    names, so that warnings can be counted by kind.
    """

    claims: tuple[PseudoReference, ...]
    warnings: tuple[str, ...] = ()
    left_out: tuple[PseudoReference, ...] = ()


class ClaimBackend(Protocol):
    """A backend that turns a change into claims, without ever seeing a review."""

    @property
    def name(self) -> str:
        """The name of the backend in signatures."""

    def generate(self, change: CodeChange) -> ClaimSet:
        """Return the claims about `change`; the same change gives the same claims."""


def generate_many(
    backend: ClaimBackend,
    changes: Sequence[CodeChange],
    on_done: Callable[[int], None] = lambda _: None,
) -> list[ClaimSet | InputError]:
    """Return the claims about each of `changes`, in order, or the error if a change fails.

    A backend that is faster with many changes has a method `generate_many` that returns or yields
    these results. If the method raises or returns anything else, the backend is called once for
    each change, and a warning has the exception. `on_done` receives the number of results so far.

    Raises:
        InputError: the backend is unavailable or failed altogether.
    """
    results: list[ClaimSet | InputError] = []
    warnings: tuple[str, ...] = ()
    if generate := getattr(backend, "generate_many", None):
        try:
            for result in generate(changes):
                results.append(result)
                on_done(len(results))
        except (Exception, SystemExit) as error:  # a backend may raise anything
            if isinstance(error, InputError | MemoryError):
                raise
            reason = failure(f"claims backend {quoted(backend.name)}", error)
            warnings = (f"claims were made one change at a time: {reason}",)
    is_complete = all(isinstance(result, ClaimSet | InputError) for result in results)
    if is_complete and len(results) == len(changes):
        return results
    results = []
    for change in changes:
        result = _generate(backend, change)
        if isinstance(result, ClaimSet):
            result = replace(result, warnings=(*result.warnings, *warnings))
        results.append(result)
        on_done(len(results))
    return results


def _generate(backend: ClaimBackend, change: CodeChange) -> ClaimSet | InputError:
    """Return the claims about a change, or an error for anything else raised or returned."""
    try:
        claims = backend.generate(change)
    except (UnavailableError, MemoryError):
        raise
    except InputError as error:
        return error
    except (Exception, SystemExit) as error:  # noqa: BLE001 - any backend
        return failure(f"claims backend {quoted(backend.name)}", error)
    if isinstance(claims, ClaimSet):
        return claims
    returned = type(claims).__name__
    return ModelError(f"claims backend {quoted(backend.name)} returned {returned}, not a ClaimSet")
