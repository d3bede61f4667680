"""Claims and smells -> the pseudo-references of a change (paper, section 3.2)."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from typing import Any

from analyzers import AnalyzerResult, Smell
from crscore_core.change import CodeChange
from crscore_core.claims import Claim, ClaimKind, ClaimSet

MOST_SMELLS = 500
"""Smells of one change that become pseudo-references."""


class ReferenceKind(StrEnum):
    """Source of a pseudo-reference: one of two levels of claims, or an analyzer."""

    CLAIM = "claim"
    IMPLICATION = "implication"
    SMELL = "smell"


@dataclass(frozen=True, slots=True)
class PseudoReference:
    """A statement that a good review of the change could address.

    `source` is the claims backend or the analyzer; `path` and `line`, of the new file, are
    None where the statement is about no one place. `wordings` are other sentences for the same
    fact, which a review may match as well.
    """

    text: str
    kind: ReferenceKind
    source: str
    path: str | None
    line: int | None
    wordings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ReferenceSet:
    """The pseudo-references of one change, and how they were made.

    `claims` names the backend; `analyzers` tell what each analyzer looked at; `warnings` say what
    a reader should know before trusting them.
    """

    pseudo_references: tuple[PseudoReference, ...]
    claims: str
    analyzers: tuple[AnalyzerResult, ...]
    warnings: tuple[str, ...]


def combine(
    change: CodeChange, backend: str, claims: ClaimSet, results: Sequence[AnalyzerResult]
) -> ReferenceSet:
    """Put claims before implications before smells, each in its order, every text once.

    References of the same text are one, with the wordings of all.
    """
    smells = [smell for result in results for smell in result.smells]
    warnings = [*change.warnings, *claims.warnings]
    if len(smells) > MOST_SMELLS:
        left_out = len(smells) - MOST_SMELLS
        warnings.append(f"{left_out:,} smells were left out: the limit is {MOST_SMELLS}")
    ordered = [
        *map(
            _from_claim, sorted(claims.claims, key=lambda claim: claim.kind is not ClaimKind.CLAIM)
        ),
        *map(_from_smell, smells[:MOST_SMELLS]),
    ]
    return ReferenceSet(tuple(_distinct(ordered)), backend, tuple(results), tuple(warnings))


def statement_document(statement: Claim | PseudoReference) -> dict[str, Any]:
    """Return a claim or a pseudo-reference as JSON has it."""
    return asdict(statement) | {"wordings": list(statement.wordings)}


def _from_claim(claim: Claim) -> PseudoReference:
    kind = ReferenceKind(claim.kind.value)
    return PseudoReference(claim.text, kind, claim.source, claim.path, claim.line, claim.wordings)


def _from_smell(smell: Smell) -> PseudoReference:
    return PseudoReference(smell.text, ReferenceKind.SMELL, smell.source, smell.path, smell.line)


def _distinct(references: Iterable[PseudoReference]) -> list[PseudoReference]:
    """Drop repeated texts; compare ignoring case and white space."""
    first: dict[str, PseudoReference] = {}
    wordings: dict[str, dict[str, str]] = {}
    for reference in references:
        if key := _key(reference.text):
            first.setdefault(key, reference)
            known = wordings.setdefault(key, {"": "", key: reference.text})
            for wording in reference.wordings:
                known.setdefault(_key(wording), wording)
    return [
        replace(reference, wordings=tuple(wordings[key].values())[2:])
        for key, reference in first.items()
    ]


def _key(text: str) -> str:
    return " ".join(text.casefold().split())
