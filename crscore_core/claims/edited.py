"""Claims that a person has gone over: some as they were made, some edited, added or removed."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from crscore_core.change import CodeChange
from crscore_core.claims.model import Claim, ClaimKind, ClaimSet
from crscore_core.errors import ClaimsError
from crscore_core.text import whole_text

__all__ = ["EDITED_SOURCE", "ClaimRow", "EditCounts", "EditedClaims", "rows_of"]

EDITED_SOURCE = "edited"
"""Source of a claim whose words or kind are a person's."""


@dataclass(frozen=True, slots=True)
class ClaimRow:
    """A claim as a person left it; `original` is the one it was made of, None where it is new."""

    text: str
    kind: ClaimKind
    original: Claim | None = None


@dataclass(frozen=True, slots=True)
class EditCounts:
    """How many claims were `made`, and how many of them are `edited` and `removed`.

    `added` is how many a person wrote besides.
    """

    made: int
    edited: int
    added: int
    removed: int

    @property
    def is_edited(self) -> bool:
        """Whether anything is not as it was made."""
        return bool(self.edited or self.added or self.removed)


class EditedClaims:
    """A backend that returns the claims of one change as a person left them.

    A row without text counts as removed, or as never added. Where nothing was edited it is
    called as the backend that made the claims; else `+edited` follows, and a digest of them.

    Args:
        made: the claims as they were made.
        backend: the name of what made them.
        rows: the claims as a person left them.
    """

    def __init__(self, made: ClaimSet, backend: str, rows: Sequence[ClaimRow]) -> None:
        kept = [row for row in rows if row.text.strip()]
        claims = tuple(_claim(row) for row in kept)
        of_made = [
            (claim, row.original)
            for claim, row in zip(claims, kept, strict=True)
            if row.original is not None
        ]
        self.counts = EditCounts(
            made=len(made.claims),
            edited=sum(claim is not original for claim, original in of_made),
            added=len(kept) - len(of_made),
            removed=len(made.claims) - len(of_made),
        )
        self.name = f"{backend}+edited-{_digest(claims)}" if self.counts.is_edited else backend
        self._claims = ClaimSet(claims, made.warnings)

    def generate(self, change: CodeChange) -> ClaimSet:  # noqa: ARG002 - they are made
        """Return the claims as they were left, in their order.

        Raises:
            ClaimsError: a person removed them all.
        """
        if self.counts.is_edited and not self._claims.claims:
            raise ClaimsError("all claims were removed; add at least one, or undo the edits")
        return self._claims


def rows_of(claims: ClaimSet) -> tuple[ClaimRow, ...]:
    """Claims as rows that nobody has touched yet."""
    return tuple(ClaimRow(claim.text, claim.kind, claim) for claim in claims.claims)


def _claim(row: ClaimRow) -> Claim:
    """The original where the row says the same, else one whose source is the person."""
    original = row.original
    text = whole_text(row.text).strip()
    if original is None:
        return Claim(text, row.kind, EDITED_SOURCE)
    if (text, row.kind) == (original.text.strip(), original.kind):
        return original
    return Claim(text, row.kind, EDITED_SOURCE, original.path, original.line)


def _digest(claims: Sequence[Claim]) -> str:
    texts = "\n".join(f"{claim.kind.value} {claim.text}" for claim in claims)
    return hashlib.sha256(texts.encode("utf-8", "replace")).hexdigest()[:12]
