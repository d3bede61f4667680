"""Pseudo-references of the study's rated changes, and their comparison with the rated reviews."""

import os.path
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from crscore_core.claims import (
    CLAIM_BACKENDS,
    ClaimGenerator,
    ClaimOptions,
    Progress,
    check_claim_options,
    claim_generator,
    silent,
)
from crscore_core.corpus.comparison import ComparedChange, CorpusComparison, compare_corpus
from crscore_core.corpus.model import GROUND_TRUTH, CorpusReview
from crscore_core.datasets.study.claims_file import read_claims_of_changes, squeezed
from crscore_core.datasets.study.location import GPT_4O_CLAIMS, find_release
from crscore_core.datasets.study.model import STUDY_LANGUAGES, HumanStudy, StudyChange
from crscore_core.datasets.study.shipped import SHIPPED
from crscore_core.errors import ClaimsError, StudyError
from crscore_core.scoring import Encoder
from crscore_core.scoring.pipeline import (
    ChangeInput,
    ClaimedChange,
    Unusable,
    add_smells,
    claim_changes,
)
from crscore_core.scoring.references import PseudoReference, ReferenceSet

STUDY_CLAIMS = "study"
"""Name of the claims and smells of the study itself, as the annotators edited them."""

GPT_4O = "gpt-4o"
"""Name of the claims of GPT-4o that come with the study's release."""

GPT_4O_FILE = "gpt-4o.jsonl"
"""File of these claims in the folder of the development part."""


@dataclass(frozen=True, slots=True)
class StudyReferences:
    """Pseudo-references of the rated changes.

    `of_changes` has an entry for each of `changes`, empty for a change without pseudo-references.
    `claims` names the origin of the claims; `warnings` say which changes are left out and why.
    """

    claims: str
    changes: tuple[StudyChange, ...]
    of_changes: tuple[tuple[PseudoReference, ...], ...]
    warnings: tuple[str, ...] = ()


def study_references(
    study: HumanStudy,
    claims: str | ClaimGenerator = STUDY_CLAIMS,
    folder: Path | None = None,
    options: ClaimOptions | None = None,
    progress: Progress = silent,
) -> StudyReferences:
    """Make the pseudo-references of all rated changes.

    `claims` is `study`, for the claims and smells that the annotators edited, without those that
    they called unnecessary (paper, section 4.2). Our smells are added to all other claims:
    `gpt-4o`, from the study's `folder`; a backend or its name, such as `symbolic`; or a file (see
    `read_claims_of_changes`). A named backend is made with `options`, and reports to `progress`.

    Raises:
        ClaimsError: there are no such claims, the file is damaged or knows no change, an option
            that the claims do not take, or a backend that cannot be had.
        StudyError: claims of `gpt-4o` are wanted, and `folder` holds no study.
    """
    changes = tuple(change for change in study.changes if change.is_rated)
    if isinstance(claims, str):
        check_claim_options(claims, options or ClaimOptions())
        if claims in CLAIM_BACKENDS:
            claims = claim_generator(claims, options, progress)
    if claims == STUDY_CLAIMS:
        return StudyReferences(claims, changes, tuple(map(_as_edited, changes)))
    generator = None if isinstance(claims, str) else claims
    if isinstance(claims, str):
        name, path = _claims_file(claims, folder)
        known = read_claims_of_changes(path)
        sets = {change: known.get(squeezed(change.diff)) for change in changes}
        if not any(claim_set and claim_set.claims for claim_set in sets.values()):
            raise ClaimsError(
                f"claims file {str(path)!r} has none for any of the study's {len(changes)} "
                "changes; their diffs must be those of the study"
            )
    else:
        name, sets = claims.name, dict.fromkeys(changes)
    asked = [change for change in changes if generator or sets[change] is not None]
    claimed = claim_changes(
        [
            ChangeInput(change.diff, STUDY_LANGUAGES[change.language], sets[change])
            for change in asked
        ],
        generator,
    )
    references = {
        change: combined.pseudo_references
        for change, combined in zip(asked, add_smells(claimed), strict=True)
        if isinstance(combined, ReferenceSet)
    }
    return StudyReferences(
        name,
        changes,
        tuple(references.get(change, ()) for change in changes),
        tuple(_warnings(name, len(changes), asked, claimed)),
    )


def compare_study(references: StudyReferences, encoder: Encoder) -> CorpusComparison:
    """Compare every rated review with its change's pseudo-references.

    Every distinct text of the study is encoded once.

    Raises:
        StudyError: no rated change has pseudo-references, or only the ground truth is rated.
    """
    pairs = [
        (
            ComparedChange(
                change.index, STUDY_LANGUAGES[change.language], change.diff, pseudo_references
            ),
            [
                CorpusReview(
                    f"{change.index}/{review.system}", review.system, review.text, review.rating
                )
                for review in change.reviews
                if review.rating
            ],
        )
        for change, pseudo_references in zip(references.changes, references.of_changes, strict=True)
    ]
    comparable = [reviews for change, reviews in pairs if change.references]
    if not comparable:
        raise StudyError("no rated change of the study has pseudo-references to compare with")
    if all(review.system == GROUND_TRUTH for reviews in comparable for review in reviews):
        raise StudyError("people rated no review of the study but the ground truth")
    return compare_corpus(references.claims, pairs, encoder, warnings=references.warnings)


def _as_edited(change: StudyChange) -> tuple[PseudoReference, ...]:
    return tuple(
        PseudoReference(reference.text, reference.kind, STUDY_CLAIMS, None, None)
        for reference in change.references
        if reference.is_necessary
    )


def _warnings(
    name: str,
    n: int,
    asked: Sequence[StudyChange],
    claimed: Sequence[ClaimedChange | Unusable],
) -> Iterator[str]:
    """Say which of `n` changes are left out and why, and what the claims warn of."""
    for change, read in zip(asked, claimed, strict=True):
        if isinstance(read, Unusable) and not read.is_readable:
            language = STUDY_LANGUAGES[change.language]
            yield f"{language} change {change.index} is left out: {read.reason}"
    if len(asked) < n:
        yield f"{n - len(asked)} of {n} changes are left out: {name} has no claims about them"
    silent_about = [
        read.reason for read in claimed if isinstance(read, Unusable) and read.is_readable
    ]
    if silent_about:
        yield (
            f"{len(silent_about)} of {n} changes are left out: the model gave no answer about "
            f"them, the first time because {silent_about[0]}"
        )
    warned = [
        read.claims.warnings[0]
        for read in claimed
        if isinstance(read, ClaimedChange) and read.claims.warnings
    ]
    if warned:
        yield (
            f"claims about {len(warned)} of {n} changes come with a warning, the first: {warned[0]}"
        )


def _claims_file(claims: str, folder: Path | None) -> tuple[str, Path]:
    """Find the file of the study's release, or of a person, and the name of its claims."""
    if claims == GPT_4O:
        if folder is None:
            raise ClaimsError(f"claims of {GPT_4O} come with the study: name its folder")
        if folder == SHIPPED:
            return GPT_4O, SHIPPED / GPT_4O_FILE
        return GPT_4O, find_release(folder) / GPT_4O_CLAIMS
    if os.path.exists(claims) and not os.path.isdir(claims):
        return Path(claims).name, Path(claims)
    raise ClaimsError(
        f"no claims or file called {claims[:80]!r}; there are {STUDY_CLAIMS}, {GPT_4O}, "
        f"{', '.join(CLAIM_BACKENDS)}"
    )
