"""A fitted model together with what it was fitted to, so that nobody takes it for more."""

from dataclasses import dataclass

from crscore_core.predicted.agreement import Agreement
from crscore_core.predicted.ordinal import OrdinalModel

__all__ = ["CalibratedModel", "HeldOut", "Provenance"]


@dataclass(frozen=True, slots=True)
class HeldOut:
    """Agreement with people on what each fit left out: changes, or systems (`left_out`).

    `claims` are the pseudo-references that the reviews were compared with.
    """

    left_out: str
    claims: str
    agreement: Agreement


@dataclass(frozen=True, slots=True)
class Provenance:
    """What a model was fitted to, and how.

    `data` names it in words and `sha256` is the checksum of what was read of it; `changes` and
    `ratings` count it; `claims` are the kinds of pseudo-references that reviews were compared
    with, one after the other. `ridge` is the penalty, `version` that of this package, `command`
    the command line that makes the same file again.
    """

    data: str
    sha256: str
    changes: int
    ratings: int
    claims: tuple[str, ...]
    ridge: float
    held_out: tuple[HeldOut, ...]
    version: str
    command: str


@dataclass(frozen=True, slots=True)
class CalibratedModel:
    """What predicts how relevant people would find a review.

    It belongs to `encoder`: similarities of another mean something else.
    """

    encoder: str
    ordinal: OrdinalModel
    provenance: Provenance
