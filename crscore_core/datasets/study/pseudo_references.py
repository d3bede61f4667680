"""The pseudo-references of every rated change of the study, by where they come from."""

import os.path
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from crscore_core.change import CodeChange, parse_change
from crscore_core.claims import (
    CLAIM_BACKENDS,
    ClaimGenerator,
    ClaimOptions,
    ClaimSet,
    Progress,
    check_claim_options,
    claim_generator,
    claims_of_each,
    silent,
)
from crscore_core.datasets.study.claims_file import ClaimsOfChanges, read_claims_of_changes
from crscore_core.datasets.study.location import GPT_4O_CLAIMS, find_release
from crscore_core.datasets.study.model import STUDY_LANGUAGES, HumanStudy, StudyChange
from crscore_core.errors import ClaimsError, DiffError
from crscore_core.scoring.references import PseudoReference, combine
from crscore_core.scoring.smells import find_smells_of_each

__all__ = ["GPT_4O", "STUDY_CLAIMS", "StudyReferences", "study_references"]

STUDY_CLAIMS = "study"
"""Names the claims and smells of the study itself, as people edited them."""

GPT_4O = "gpt-4o"
"""Names the claims of GPT-4o that come with the study's release."""


@dataclass(frozen=True, slots=True)
class StudyReferences:
    """What reviews of each rated change are compared with.

    `of_changes` has an entry for each of `changes`, empty where a change has no pseudo-references;
    `claims` says where they come from, and `warnings` what was left out and why.
    """

    claims: str
    changes: tuple[StudyChange, ...]
    of_changes: tuple[tuple[PseudoReference, ...], ...]
    warnings: tuple[str, ...] = ()

    @property
    def texts(self) -> tuple[tuple[str, ...], ...]:
        """What the pseudo-references of each change say."""
        return tuple(tuple(one.text for one in found) for found in self.of_changes)


def study_references(
    study: HumanStudy,
    claims: str | ClaimGenerator = STUDY_CLAIMS,
    folder: Path | None = None,
    options: ClaimOptions | None = None,
    progress: Progress = silent,
) -> StudyReferences:
    """Make the pseudo-references of all rated changes.

    `claims` is `study`, whose claims and smells are those that people edited, without the ones
    they called unnecessary (paper, section 4.2); or claims that our smells are added to: of
    `gpt-4o`, from the study's `folder`; of a backend or its name, such as `symbolic`; or of a
    file (see `read_claims_of_changes`). A backend that is named is made with `options`, and
    tells `progress` what a language model says.

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
    parsed, warnings = _parsed(changes)
    name, sets = _claims(claims, list(parsed), list(parsed.values()), folder)
    smells = find_smells_of_each([(change, {}) for change in parsed.values()])
    found: dict[StudyChange, tuple[PseudoReference, ...]] = {}
    warnings = (*warnings, *_left_out(name, sets, len(changes)))
    if told := [line for one in sets if isinstance(one, ClaimSet) for line in one.warnings[:1]]:
        line = f"claims about {len(told)} of {len(changes)} changes come with a warning, the first"
        warnings = (*warnings, f"{line}: {told[0]}")
    for (change, code), claim_set, results in zip(parsed.items(), sets, smells, strict=True):
        if not isinstance(claim_set, ClaimSet):
            continue
        found[change] = combine(code, name, claim_set, results).pseudo_references
    return StudyReferences(
        name, changes, tuple(found.get(change, ()) for change in changes), warnings
    )


def _as_edited(change: StudyChange) -> tuple[PseudoReference, ...]:
    """What people left of a change's claims and smells, without what they called unnecessary."""
    return tuple(
        PseudoReference(reference.text, reference.kind, STUDY_CLAIMS, None, None)
        for reference in change.references
        if reference.is_necessary
    )


def _parsed(
    changes: Sequence[StudyChange],
) -> tuple[dict[StudyChange, CodeChange], tuple[str, ...]]:
    """The changes whose diff can be read, and a line about each of the others."""
    parsed, warnings = {}, []
    for change in changes:
        language = STUDY_LANGUAGES[change.language]
        try:
            parsed[change] = parse_change(change.diff, language=language)
        except DiffError as error:
            warnings.append(f"{language} change {change.index} is left out: {error}")
    return parsed, tuple(warnings)


def _left_out(name: str, sets: Sequence[ClaimSet | ClaimsError | None], n: int) -> Iterator[str]:
    """How many of `n` changes have no claims although others have, and why."""
    unknown = sum(one is None for one in sets)
    if unknown:
        yield f"{unknown} of {n} changes are left out: {name} has no claims about them"
    errors = [one for one in sets if isinstance(one, ClaimsError)]
    if errors:
        yield (
            f"{len(errors)} of {n} changes are left out: the model gave no answer about them, the "
            f"first time because {errors[0]}"
        )


def _claims(
    claims: str | ClaimGenerator,
    changes: Sequence[StudyChange],
    parsed: Sequence[CodeChange],
    folder: Path | None,
) -> tuple[str, Sequence[ClaimSet | ClaimsError | None]]:
    """The name of the claims, and those of each change, or why it has none.

    None where they do not know it.
    """
    if not isinstance(claims, str):
        made = claims_of_each(claims, parsed)
        errors = [one for one in made if isinstance(one, ClaimsError)]
        if errors and len(errors) == len(made):
            raise errors[0]
        return claims.name, made
    if claims == GPT_4O:
        if folder is None:
            raise ClaimsError(f"claims of {GPT_4O} come with the study: name its folder")
        path = find_release(folder) / GPT_4O_CLAIMS
        return GPT_4O, _of_file(read_claims_of_changes(path), changes)
    if os.path.exists(claims) and not os.path.isdir(claims):
        return Path(claims).name, _of_file(read_claims_of_changes(Path(claims)), changes)
    raise ClaimsError(
        f"no claims or file called {claims[:80]!r}; there are {STUDY_CLAIMS}, {GPT_4O}, "
        f"{', '.join(CLAIM_BACKENDS)}"
    )


def _of_file(known: ClaimsOfChanges, changes: Sequence[StudyChange]) -> list[ClaimSet | None]:
    found = [known.of(change.diff) for change in changes]
    if not any(claim_set and claim_set.claims for claim_set in found):
        raise ClaimsError(
            f"claims file {known.name!r} has none for any of the study's {len(changes)} changes; "
            "their diffs must be those of the study"
        )
    return found
