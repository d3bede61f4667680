"""Claims that a user edits on the Score page, and the backend that returns them."""

from dataclasses import replace

from crscore_core.claims import EDITED, ClaimSet, GivenClaims, PseudoReference, ReferenceKind
from crscore_core.text import replace_surrogates


def edited_claims(
    generated: ClaimSet, backend: str, claims: tuple[PseudoReference, ...]
) -> GivenClaims:
    """Return `claims`, which a user edited after `backend` generated them.

    The name of the result says whether anything was edited.

    Raises:
        InputError: all claims were removed.
    """
    name = backend if claims == generated.claims else ""
    return GivenClaims(claims, name, generated.warnings)


def edited_claim(
    original: PseudoReference | None, text: str, kind: ReferenceKind
) -> PseudoReference | None:
    """Return a claim whose text or kind a user edited, or a new one; None without text."""
    text = replace_surrogates(text).strip()
    if not text:
        return None
    if original is None:
        return PseudoReference(text, kind, EDITED)
    if text != original.text.strip():
        return PseudoReference(text, kind, EDITED, original.path, original.line)
    return original if kind is original.kind else replace(original, kind=kind, source=EDITED)
