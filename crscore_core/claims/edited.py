"""Claims edited by a user: some kept, some changed, added or removed."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace

from crscore_core.change import CodeChange
from crscore_core.claims.model import Claim, ClaimKind, ClaimSet
from crscore_core.errors import InputError
from crscore_core.text import whole_text

EDITED_SOURCE = "edited"
"""Source of a claim whose text or kind a user wrote."""


@dataclass(frozen=True, slots=True)
class ClaimRow:
    """A claim after editing; `original` is the claim before it, None for a new one."""

    text: str
    kind: ClaimKind
    original: Claim | None = None


@dataclass(frozen=True, slots=True)
class EditCounts:
    """Numbers of claims `made`, of these `edited` and `removed`, and of claims `added`."""

    made: int
    edited: int
    added: int
    removed: int

    @property
    def is_edited(self) -> bool:
        """True if any claim was edited, added or removed."""
        return bool(self.edited or self.added or self.removed)


class EditedClaims:
    """A backend that returns the claims that `backend` made for one change, as edited in `rows`.

    A row without text counts as removed, or as never added. The name is the backend's, followed
    by `+edited` and a digest if any claim was edited.
    """

    def __init__(self, made: ClaimSet, backend: str, rows: Sequence[ClaimRow]) -> None:
        kept = [row for row in rows if row.text.strip()]
        claims = tuple(map(_claim, kept))
        originals = [row.original for row in kept if row.original]
        unedited = sum(
            claim is row.original for claim, row in zip(claims, kept, strict=True) if row.original
        )
        self.counts = EditCounts(
            made=len(made.claims),
            edited=len(originals) - unedited,
            added=len(kept) - len(originals),
            removed=len(made.claims) - len(originals),
        )
        digest = hashlib.sha256(repr(claims).encode("utf-8", "replace")).hexdigest()[:12]
        self.name = f"{backend}+edited-{digest}" if self.counts.is_edited else backend
        self._claims = ClaimSet(claims, made.warnings)

    def generate(self, change: CodeChange) -> ClaimSet:  # noqa: ARG002 - the claims are fixed
        """Return the edited claims, in order.

        Raises:
            InputError: all claims were removed.
        """
        if self.counts.is_edited and not self._claims.claims:
            raise InputError("all claims were removed; add at least one, or undo the edits")
        return self._claims


def rows_of(claims: ClaimSet) -> tuple[ClaimRow, ...]:
    """Return claims as unedited rows."""
    return tuple(ClaimRow(claim.text, claim.kind, claim) for claim in claims.claims)


def _claim(row: ClaimRow) -> Claim:
    """Return the original if the row is unchanged, else a claim by the user."""
    original, text = row.original, whole_text(row.text).strip()
    if original is None:
        return Claim(text, row.kind, EDITED_SOURCE)
    if text != original.text.strip():
        return Claim(text, row.kind, EDITED_SOURCE, original.path, original.line)
    if row.kind is original.kind:
        return original
    return replace(original, kind=row.kind, source=EDITED_SOURCE)
