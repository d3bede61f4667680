"""Score changes and their reviews; `CRScorer`, commands and runs use this pipeline.

change -> claims -> smells -> pseudo-references \
    review -> sentences ------------------------------> vectors -> similarities -> scores
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from analyzers import Analyzer, AnalyzerResult, SourceFile
from crscore_core.change import CodeChange, apply_hunks, parse_change
from crscore_core.claims import GIVEN, ClaimBackend, ClaimSet, PseudoReference, generate_many
from crscore_core.errors import InputError
from crscore_core.scoring.encoder import Encoder
from crscore_core.scoring.references import ReferenceSet, combine_references
from crscore_core.scoring.review_score import ReviewScore
from crscore_core.scoring.review_text import ReviewText, read_review
from crscore_core.scoring.signature import Signature, package_version
from crscore_core.scoring.similarity import Comparison, embed_and_compare
from crscore_core.scoring.smells import find_smells, source_files
from crscore_core.text import counted

_MANY_FAILURES = 10


class ParsedChange(NamedTuple):
    """A parsed diff, and its files as the input of the analyzers."""

    code: CodeChange
    files: Sequence[SourceFile]


@dataclass(frozen=True, slots=True)
class ChangeInput:
    """A change and its reviews.

    language: for hunks without a file name; None if unknown.
    claims: given claims; None to ask the backend.
    pseudo_references: given pseudo-references; the diff is then not read. None to make them.
    new_file, old_file: the full text of the first named file after and before the change; None
        if unknown. The new text takes precedence.
    """

    diff: str | bytes | ParsedChange
    reviews: tuple[str, ...] = ()
    language: str | None = None
    claims: ClaimSet | None = None
    pseudo_references: tuple[PseudoReference, ...] | None = None
    new_file: str | None = None
    old_file: str | None = None


@dataclass(frozen=True, slots=True)
class ScoredChange:
    """A change with its pseudo-references and scores.

    language: empty if unknown.
    reference_set: None if the change is left out.
    scores: of the reviews, in order; empty if the change is left out.
    left_out: the error if the change cannot be scored; None if it can.
    """

    language: str
    reference_set: ReferenceSet | None
    scores: tuple[ReviewScore, ...] = ()
    left_out: InputError | None = None


@dataclass(frozen=True, slots=True)
class ScoringSetup:
    """The claims backend, encoder, tau, and analyzers by language.

    `backend` may be None if every change has claims.
    """

    backend: ClaimBackend | None
    encoder: Encoder
    tau: float
    analyzers: Mapping[str, Sequence[Analyzer]]


def score_changes(changes: Sequence[ChangeInput], setup: ScoringSetup) -> list[ScoredChange]:
    """Score the reviews of each change; every distinct text is embedded once.

    A change is left out if it cannot be read, or if the backend fails for it. A whole file that
    disagrees with its diff is not used, and a warning says so.

    Raises:
        InputError: the backend is unavailable, or fails for all of many changes.
        UnavailableError: the encoder cannot be loaded.
    """
    drafts = _make_references(changes, setup)
    all_reviews = [list(map(read_review, change.reviews)) for change in changes]
    texts = [
        (
            draft.references.pseudo_references if draft.references else (),
            [review.sentences for review in reviews],
        )
        for draft, reviews in zip(drafts, all_reviews, strict=True)
    ]
    comparisons = embed_and_compare(setup.encoder, texts)
    results = []
    for draft, reviews, compared in zip(drafts, all_reviews, comparisons, strict=True):
        references = draft.references
        scores = _review_scores(references, setup, reviews, compared) if references else ()
        results.append(ScoredChange(draft.language, references, scores, draft.error))
    return results


@dataclass(slots=True)
class _Draft:
    """A change whose pseudo-references are being made.

    code: None if the pseudo-references are given, or if the diff cannot be read.
    claims: given or generated; None before they are generated.
    references: given or made; None before they are made, and if the change is left out.
    error: why the change is left out; None if it is not.
    """

    change: ChangeInput
    code: CodeChange | None = None
    files: Sequence[SourceFile] = ()
    claims: ClaimSet | None = None
    backend: str = GIVEN
    smells: Sequence[AnalyzerResult] = ()
    references: ReferenceSet | None = None
    error: InputError | None = None

    @property
    def language(self) -> str:
        """The language of the first file with a known one; empty if unknown."""
        files = self.code.files if self.code else ()
        languages = (self.change.language, *(file.language for file in files))
        return next(filter(None, languages), "")


def _make_references(changes: Sequence[ChangeInput], setup: ScoringSetup) -> list[_Draft]:
    """Return the changes with their pseudo-references, given or made."""
    drafts = [_Draft(change, claims=change.claims) for change in changes]
    for draft in drafts:
        if draft.change.pseudo_references is None:
            try:
                draft.code, draft.files = _parse(draft.change)
            except InputError as error:
                draft.error = error
    without_claims = [draft for draft in drafts if draft.code and draft.claims is None]
    _generate_claims(setup.backend, without_claims)
    if setup.analyzers:
        all_smells = find_smells([draft.files for draft in drafts], setup.analyzers)
        for draft, smells in zip(drafts, all_smells, strict=True):
            draft.smells = smells
    for draft in drafts:
        if draft.change.pseudo_references is not None:
            draft.references = ReferenceSet(draft.change.pseudo_references, GIVEN, (), ())
        elif draft.code and not draft.error:
            claims = draft.claims or ClaimSet(())
            draft.references = combine_references(draft.code, draft.backend, claims, draft.smells)
    return drafts


def _parse(change: ChangeInput) -> ParsedChange:
    """Parse the diff of a change.

    Raises:
        InputError: the diff cannot be read.
    """
    if isinstance(change.diff, ParsedChange):
        return change.diff
    code = parse_change(change.diff, language=change.language)
    if change.new_file or change.old_file:
        file = next((file for file in code.files if file.path), code.files[0])
        try:
            new_file = change.new_file or apply_hunks(file, change.old_file or "")
            return ParsedChange(code, source_files(code, {file.path or "": new_file}))
        except InputError as error:
            warning = f"the whole file is not used: {error}"
            code = replace(code, warnings=(warning, *code.warnings))
    return ParsedChange(code, source_files(code))


def _generate_claims(backend: ClaimBackend | None, drafts: Sequence[_Draft]) -> None:
    """Generate the claims of parsed changes; a change keeps the error if the backend fails for it.

    Raises:
        InputError: the backend is unavailable, or fails for all of many changes.
    """
    if backend is None or not drafts:
        return
    codes = [draft.code for draft in drafts if draft.code]
    for draft, claims in zip(drafts, generate_many(backend, codes), strict=True):
        draft.backend = backend.name
        draft.claims = claims if isinstance(claims, ClaimSet) else None
        draft.error = claims if isinstance(claims, InputError) else None
    errors = [draft.error for draft in drafts if draft.error]
    if len(errors) == len(drafts) >= _MANY_FAILURES:
        raise errors[0]


def _review_scores(
    references: ReferenceSet,
    setup: ScoringSetup,
    reviews: Sequence[ReviewText],
    comparisons: Sequence[Comparison],
) -> tuple[ReviewScore, ...]:
    """Return the scores of reviews that were compared with `references`."""
    versions = {(result.name, result.version) for result in references.analyzers if result.version}
    analyzers = tuple(sorted(versions))
    signature = Signature(
        setup.encoder.name, references.backend, analyzers, setup.tau, package_version()
    )
    scores = []
    for review, comparison in zip(reviews, comparisons, strict=True):
        warnings = [*references.warnings, *review.warnings]
        if not references.pseudo_references:
            warnings.append("the change has no pseudo-references, so the review cannot be scored")
        if comparison.n_truncated:
            texts = counted(comparison.n_truncated, "text")
            warnings.append(f"longer than the encoder reads, so truncated: {texts}")
        scores.append(
            ReviewScore(
                review.text,
                references,
                review.sentences,
                comparison.similarity,
                signature,
                tuple(warnings),
            )
        )
    return tuple(scores)
