"""Claims about many changes, all asked for at once where a backend gains by that."""

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from crscore_core.change import CodeChange
from crscore_core.claims.model import ClaimGenerator, ClaimSet
from crscore_core.errors import ClaimsError

__all__ = ["claims_of_each"]


@runtime_checkable
class _ForMany(Protocol):
    """A backend that works faster through many changes than through one after the other."""

    def generate_each(self, changes: Sequence[CodeChange]) -> list[ClaimSet | ClaimsError]:
        """Return the claims about each of `changes`, or why there are none, as `generate` would."""
        ...


def claims_of_each(
    generator: ClaimGenerator, changes: Sequence[CodeChange]
) -> list[ClaimSet | ClaimsError]:
    """The claims about each of `changes`, in their order.

    A change about which the backend makes none, while it makes some about others, has the error
    that says why.

    Raises:
        ClaimsError: the backend cannot be had or failed altogether.
    """
    if isinstance(generator, _ForMany):
        return generator.generate_each(changes)
    return [generator.generate(change) for change in changes]
