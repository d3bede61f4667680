"""The rated changes of the study as a corpus, with claims of its own or of any other source."""

import json
import os.path
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from crscore_core.claims import (
    CLAIM_BACKENDS,
    ClaimGenerator,
    ClaimOptions,
    ClaimSet,
    Progress,
    check_claim_options,
    claim_generator,
    claims_of_items,
    claims_of_response,
    silent,
)
from crscore_core.corpus.model import Corpus, CorpusChange, CorpusReview
from crscore_core.corpus.progress import Note, silent_note
from crscore_core.corpus.reading import LARGEST_FILE
from crscore_core.corpus.reviews import Reviews
from crscore_core.corpus.score import score_corpus
from crscore_core.datasets.study.location import GPT_4O_CLAIMS, find_release
from crscore_core.datasets.study.model import STUDY_LANGUAGES, HumanStudy, StudyChange
from crscore_core.datasets.study.shipped import SHIPPED
from crscore_core.errors import InputError
from crscore_core.scoring import Encoder
from crscore_core.scoring.references import PseudoReference
from crscore_core.text import text_of_file

STUDY_CLAIMS = "study"
"""Name of the claims and smells of the study itself, as the annotators edited them."""

GPT_4O = "gpt-4o"
"""Name of the claims of GPT-4o that come with the study's release."""

GPT_4O_FILE = "gpt-4o.jsonl"
"""File of these claims in the folder of the development part."""

_DIFFS = ("diff", "code_change", "patch")
_RESPONSES = ("response", "change_summary")


@dataclass(frozen=True, slots=True)
class StudyCorpus:
    """The rated changes with their rated reviews.

    Changes bring their claims, or else `generator` makes them.
    """

    corpus: Corpus
    generator: ClaimGenerator | None = None

    def score(self, encoder: Encoder, note: Note = silent_note) -> Reviews:
        """Score every rated review against the pseudo-references of its change.

        Raises:
            InputError: the claims backend cannot be had, or fails.
            InputError: no rated change has pseudo-references, or only the ground truth is rated.
        """
        reviews = score_corpus(self.corpus, self.generator, encoder, note)
        if not reviews:
            raise InputError("no rated change of the study has pseudo-references to compare with")
        if not reviews.is_of_a_system.any():
            raise InputError("people rated no review of the study but the ground truth")
        return reviews


def rated_corpus(study: HumanStudy) -> Corpus:
    """Return the changes of a study that have rated reviews, with these."""
    return Corpus(
        "human study", tuple(map(_rated, filter(lambda one: one.is_rated, study.changes)))
    )


def study_corpus(
    study: HumanStudy,
    claims: str | ClaimGenerator = STUDY_CLAIMS,
    folder: Path | None = None,
    options: ClaimOptions | None = None,
    progress: Progress = silent,
) -> StudyCorpus:
    """Give the rated changes of a study their claims.

    `claims` is `study`, for the claims and smells that the annotators edited, without those that
    they called unnecessary (paper, section 4.2). Our smells are added to all other claims:
    `gpt-4o`, from the study's `folder`; a backend or its name, such as `symbolic`; or a file (see
    `read_claims_of_changes`). A named backend is made with `options`, and reports to `progress`.

    Raises:
        InputError: there are no such claims, the file is damaged or knows no change, an option
            that the claims do not take, or a backend that cannot be had.
        InputError: claims of `gpt-4o` are wanted, and `folder` holds no study.
    """
    rated, changes = rated_corpus(study), [one for one in study.changes if one.is_rated]
    if not isinstance(claims, str):
        return StudyCorpus(rated, claims)
    check_claim_options(claims, options or ClaimOptions())
    if claims in CLAIM_BACKENDS:
        return StudyCorpus(rated, claim_generator(claims, options, progress))
    if claims == STUDY_CLAIMS:
        edited = [
            replace(one, references=_as_edited(change))
            for one, change in zip(rated.changes, changes, strict=True)
        ]
        return StudyCorpus(replace(rated, changes=tuple(edited), claims=claims))
    name, path = _claims_file(claims, folder)
    known = read_claims_of_changes(path)
    sets = [known.get(squeezed(change.diff)) for change in rated.changes]
    if not any(claim_set and claim_set.claims for claim_set in sets):
        raise InputError(
            f"claims file {str(path)!r} has none for any of the study's {len(sets)} "
            "changes; their diffs must be those of the study"
        )
    without = sum(claim_set is None for claim_set in sets)
    given = [
        replace(change, claims=claim_set.claims) if claim_set else replace(change, references=())
        for change, claim_set in zip(rated.changes, sets, strict=True)
    ]
    remark = f"{without} of {len(sets)} changes are left out: {name} has no claims about them"
    remarks = (remark,) if without else ()
    return StudyCorpus(replace(rated, changes=tuple(given), claims=name, remarks=remarks))


def _rated(change: StudyChange) -> CorpusChange:
    reviews = tuple(
        CorpusReview(f"{change.index}/{review.system}", review.system, review.text, review.rating)
        for review in change.reviews
        if review.rating
    )
    return CorpusChange(change.index, STUDY_LANGUAGES[change.language], change.diff, reviews)


def _as_edited(change: StudyChange) -> tuple[PseudoReference, ...]:
    return tuple(
        PseudoReference(reference.text, reference.kind, STUDY_CLAIMS, None, None)
        for reference in change.references
        if reference.is_necessary
    )


def _claims_file(claims: str, folder: Path | None) -> tuple[str, Path]:
    """Find the file of the study's release, or of a person, and the name of its claims."""
    if claims == GPT_4O:
        if folder is None:
            raise InputError(f"claims of {GPT_4O} come with the study: name its folder")
        if folder == SHIPPED:
            return GPT_4O, SHIPPED / GPT_4O_FILE
        return GPT_4O, find_release(folder) / GPT_4O_CLAIMS
    if os.path.exists(claims) and not os.path.isdir(claims):
        return Path(claims).name, Path(claims)
    raise InputError(
        f"no claims or file called {claims[:80]!r}; there are {STUDY_CLAIMS}, {GPT_4O}, "
        f"{', '.join(CLAIM_BACKENDS)}"
    )


def read_claims_of_changes(path: Path) -> dict[str, ClaimSet]:
    """Read JSON Lines with one object for each change: claims by the change's `squeezed` diff.

    The diff is under `diff`, `code_change` or `patch`. The claims are a list under `claims`, of
    strings or of objects as `crscore claims --json` prints them, or the answer of a language
    model, under `response` or `change_summary`. The first of several objects with one diff counts.

    Raises:
        InputError: the file cannot be read, or a line is no such object.
    """
    file = f"claims file {str(path)!r}"
    try:
        with path.open("rb") as opened:
            content = opened.read(LARGEST_FILE + 1)
    except OSError as error:
        raise InputError(f"{file} cannot be read: {error.strerror}") from error
    if len(content) > LARGEST_FILE:
        raise InputError(f"{file} is larger than {LARGEST_FILE:,} bytes")
    by_diff: dict[str, ClaimSet] = {}
    for number, line in enumerate(text_of_file(content, file).split("\n"), start=1):
        if line.strip():
            diff, claims = _change(line, f"{file}, line {number}", path.stem)
            by_diff.setdefault(squeezed(diff), claims)
    return by_diff


def _change(line: str, where: str, source: str) -> tuple[str, ClaimSet]:
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise InputError(
            f"{where}: it is no valid JSON; a file with claims about the changes of a study has "
            f"one JSON object a line: {error}"
        ) from error
    if not isinstance(fields, dict):
        raise InputError(f"{where}: it is no JSON object")
    diff = _text(fields, _DIFFS)
    if diff is None:
        raise InputError(f"{where}: it has no text under {' or '.join(_DIFFS)}")
    if isinstance(fields.get("claims"), list):
        return diff, ClaimSet(claims_of_items(fields["claims"], where))
    response = _text(fields, _RESPONSES)
    if response is not None:
        return diff, claims_of_response(response, source)
    if any(fields.get(name, ...) is None for name in _RESPONSES):
        return diff, ClaimSet(())  # nobody answered
    raise InputError(f"{where}: no list under claims, and no text under {_RESPONSES[0]}")


def _text(fields: Mapping[str, Any], names: tuple[str, ...]) -> str | None:
    return next((fields[name] for name in names if isinstance(fields.get(name), str)), None)


def squeezed(text: str) -> str:
    """Take all white space out of a text."""
    return "".join(text.split())
