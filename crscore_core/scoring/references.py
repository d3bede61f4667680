"""Combine claims and smells into the pseudo-references of a change (paper, section 3.2)."""

from collections.abc import Sequence
from dataclasses import dataclass

from crscore_core.analyzers import AnalyzerResult, AnalyzerUse
from crscore_core.claims import GIVEN, ClaimSet, PseudoReference, ReferenceKind

MAX_SMELLS = 500  # of a change that become pseudo-references


@dataclass(frozen=True, slots=True)
class ReferenceSet:
    """The pseudo-references of one change, and their origin.

    backend: the name of the claims backend.
    analyzers: the result of each analyzer for each file; empty if the set is read from a run.
    analyzer_uses: what each analyzer did.
    warnings: reasons to trust the references less.
    """

    pseudo_references: tuple[PseudoReference, ...] = ()
    backend: str = GIVEN
    analyzers: tuple[AnalyzerResult, ...] = ()
    warnings: tuple[str, ...] = ()
    analyzer_uses: tuple[AnalyzerUse, ...] = ()


def combine_references(
    backend: str,
    claims: ClaimSet,
    results: Sequence[AnalyzerResult],
    uses: tuple[AnalyzerUse, ...] = (),
) -> ReferenceSet:
    """Return claims, then implications, then smells, in the given order and without duplicates.

    If texts differ only in case and white space, only the first reference is kept.
    `uses` summarises the results.
    """
    ordered = sorted(claims.claims, key=lambda claim: claim.kind is not ReferenceKind.CLAIM)
    smells = [smell for result in results for smell in result.smells]
    references = ordered + [
        PseudoReference(smell.text, ReferenceKind.SMELL, smell.source, smell.path, smell.line)
        for smell in smells[:MAX_SMELLS]
    ]
    warnings = list(claims.warnings)
    if (left_out := len(smells) - MAX_SMELLS) > 0:
        warnings.append(f"smells left out: {left_out:,} (the limit is {MAX_SMELLS})")
    distinct: dict[str, PseudoReference] = {}
    for reference in references:
        distinct.setdefault(" ".join(reference.text.casefold().split()), reference)
    distinct.pop("", None)
    return ReferenceSet(tuple(distinct.values()), backend, tuple(results), tuple(warnings), uses)
