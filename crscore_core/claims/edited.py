"""Claims edited by a user: some kept, some changed, added or removed."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace

from crscore_core.change import CodeChange
from crscore_core.claims.model import Claim, ClaimKind, ClaimSet
from crscore_core.errors import InputError
from crscore_core.text import whole_text

_EDITED = "edited"
"""Source of a claim whose text or kind a user wrote."""


@dataclass(frozen=True, slots=True)
class ClaimRow:
    """A claim after editing; `original` is the claim before it, None for a new one."""

    text: str
    kind: ClaimKind
    original: Claim | None = None


class EditedClaims:
    """A backend that returns the claims that `backend` made for one change, as edited in `rows`.

    A row without text counts as removed, or as never added. The name is the backend's, followed
    by `+edited` and a digest if any claim was edited.
    """

    def __init__(self, made: ClaimSet, backend: str, rows: Sequence[ClaimRow]) -> None:
        claims = tuple(_claim(row) for row in rows if row.text.strip())
        self.is_edited = claims != made.claims
        """True if any claim was edited, added or removed."""
        digest = hashlib.sha256(repr(claims).encode("utf-8", "replace")).hexdigest()[:12]
        self.name = f"{backend}+edited-{digest}" if self.is_edited else backend
        self._claims = ClaimSet(claims, made.warnings)

    def generate(self, change: CodeChange) -> ClaimSet:  # noqa: ARG002 - the claims are fixed
        """Return the edited claims, in order.

        Raises:
            InputError: all claims were removed.
        """
        if self.is_edited and not self._claims.claims:
            raise InputError("all claims were removed; add at least one, or undo the edits")
        return self._claims


def rows_of(claims: ClaimSet) -> tuple[ClaimRow, ...]:
    """Return claims as unedited rows."""
    return tuple(ClaimRow(claim.text, claim.kind, claim) for claim in claims.claims)


def _claim(row: ClaimRow) -> Claim:
    """Return the original if the row is unchanged, else a claim by the user."""
    original, text = row.original, whole_text(row.text).strip()
    if original is None:
        return Claim(text, row.kind, _EDITED)
    if text != original.text.strip():
        return Claim(text, row.kind, _EDITED, original.path, original.line)
    if row.kind is original.kind:
        return original
    return replace(original, kind=row.kind, source=_EDITED)
