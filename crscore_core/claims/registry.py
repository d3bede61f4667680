"""Claims backends by name."""

import os.path
from collections.abc import Callable
from pathlib import Path

from crscore_core.claims.given import read_claims
from crscore_core.claims.model import ClaimGenerator
from crscore_core.errors import ClaimsError

__all__ = ["CLAIM_BACKENDS", "DEFAULT_CLAIMS", "claim_generator"]

DEFAULT_CLAIMS = "symbolic"


def _symbolic() -> ClaimGenerator:
    from crscore_core.claims.symbolic import SymbolicClaims

    return SymbolicClaims()


CLAIM_BACKENDS: dict[str, Callable[[], ClaimGenerator]] = {"symbolic": _symbolic}
"""What makes each backend; its imports wait until it is wanted."""


def claim_generator(name: str = DEFAULT_CLAIMS) -> ClaimGenerator:
    """The backend called `name`, or one that gives the claims of the file called so.

    Raises:
        ClaimsError: neither a backend nor a file, or the file holds no claims.
    """
    if name in CLAIM_BACKENDS:
        return CLAIM_BACKENDS[name]()
    if not os.path.exists(name) or os.path.isdir(name):
        raise ClaimsError(
            f"no claims backend or file called {name[:80]!r}; "
            f"backends are {', '.join(CLAIM_BACKENDS)}"
        )
    return read_claims(Path(name))
