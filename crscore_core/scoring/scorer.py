"""Score changes and their reviews; `CRScorer`, commands and runs use this pipeline."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np

from crscore_core.analyzers import ANALYZERS, Analyzer, SourceFile, analyzer_uses, find_smells
from crscore_core.change import CodeChange, parse_change
from crscore_core.claims import (
    DEFAULT_CLAIMS,
    GIVEN,
    ClaimBackend,
    Claims,
    ClaimSet,
    PseudoReference,
    claim_backend,
    claims_from_items,
    generate_many,
)
from crscore_core.errors import InputError, ModelError
from crscore_core.scoring.encoder import Comparison, Encoder, embed_and_compare
from crscore_core.scoring.load_encoder import DEFAULT_ENCODER, canonical_name, load_encoder
from crscore_core.scoring.presets import resolve_tau
from crscore_core.scoring.references import ReferenceSet, combine_references
from crscore_core.scoring.review_score import ReviewScore
from crscore_core.scoring.review_text import ReviewText, read_review
from crscore_core.scoring.signature import Signature, claims_version, references_digest
from crscore_core.scoring.source_files import source_files
from crscore_core.text import counted


@dataclass(frozen=True, slots=True)
class ChangeInput:
    """A change and its reviews.

    diff: the text of a diff, or a parsed change.
    language: the language of hunks without a file name in an unparsed diff; None if unknown.
    claims: given claims or their texts; None to ask the backend.
    pseudo_references: given pseudo-references, with which the diff is not read; None to make them.
    new_files: maps paths to complete new files; see `source_files`.
    new_file, old_file: the complete text of the first named file after and before the change; None
        if unknown. `new_file` takes precedence.
    """

    diff: str | bytes | CodeChange
    reviews: Sequence[str] = ()
    language: str | None = None
    claims: ClaimSet | Sequence[str | PseudoReference] | None = None
    pseudo_references: tuple[PseudoReference, ...] | None = None
    new_files: Mapping[str, str] | None = None
    new_file: str | None = None
    old_file: str | None = None


@dataclass(frozen=True, slots=True)
class ScoredChange:
    """A change with its pseudo-references and scores.

    language: empty if unknown.
    reference_set: empty if the change is left out.
    scores: one for each review, in order; without numbers if the change is left out.
    error: why the change is left out; None if it is not.
    """

    language: str
    reference_set: ReferenceSet
    scores: tuple[ReviewScore, ...] = ()
    error: InputError | None = None


@dataclass(slots=True)
class _Draft:
    """A change that is being scored; with an `error`, it is left out."""

    given: ChangeInput
    reviews: list[ReviewText]
    references: ReferenceSet
    code: CodeChange
    files: Sequence[SourceFile] = ()
    claims: ClaimSet | None = None
    error: InputError | None = None

    @property
    def is_open(self) -> bool:
        """Whether its pseudo-references must be made."""
        return self.error is None and self.given.pseudo_references is None


Progress = Callable[..., None]
"""Receives how much is done, the total or None if unknown, and a name for the next step."""


def ignore_progress(*_: object) -> None:
    """Report nothing."""


def score_inputs(
    changes: Sequence[ChangeInput], scorer: "CRScorer", on_progress: Progress = ignore_progress
) -> list[ScoredChange]:
    """Score the reviews of each change; the total of the progress is 1.

    A change is left out if it cannot be read, or if the backend or the encoder fails for it. A
    complete file that contradicts its diff is ignored with a warning.

    Raises:
        InputError: the backend or the encoder is unavailable.
    """
    encoder = scorer.encoder
    drafts = [_read(change, scorer.backend) for change in changes]
    _add_claims(drafts, scorer.backend, on_progress)
    on_progress(0.5, 1, "running the analyzers")
    files = [draft.files if draft.is_open and scorer.analyzers else () for draft in drafts]
    for draft, results in zip(drafts, find_smells(files, scorer.analyzers), strict=True):
        if draft.is_open:
            claims = draft.claims or ClaimSet(())
            claims = replace(claims, warnings=(*draft.code.warnings, *claims.warnings))
            uses = analyzer_uses(draft.files, results)
            draft.references = combine_references(draft.references.backend, claims, results, uses)
    on_progress(0.75, 1, "comparing the reviews")
    texts = [
        (draft.references.pseudo_references, [review.sentences for review in draft.reviews])
        for draft in drafts
    ]
    compared = zip(drafts, embed_and_compare(encoder, texts), strict=True)
    return [_scored(*pair, encoder.name, scorer.tau) for pair in compared]


def _read(change: ChangeInput, backend: ClaimBackend | None) -> _Draft:
    """Read the reviews, and the diff unless pseudo-references are given."""
    is_asked = change.claims is None and change.pseudo_references is None
    name = backend.name if backend and is_asked else GIVEN
    references = ReferenceSet(change.pseudo_references or (), name)
    draft = _Draft(change, list(map(read_review, change.reviews)), references, CodeChange(()))
    if change.pseudo_references is not None:
        return draft
    try:
        draft.claims = _claim_set(change.claims)
        code = change.diff
        if not isinstance(code, CodeChange):
            code = parse_change(code, language=change.language)
        texts = change.new_files, change.new_file, change.old_file
        draft.files, warnings = source_files(code, *texts)
        draft.code = replace(code, warnings=(*warnings, *code.warnings))
    except InputError as error:
        draft.error = error
    return draft


def _claim_set(claims: ClaimSet | Sequence[str | PseudoReference] | None) -> ClaimSet | None:
    if claims is None or isinstance(claims, ClaimSet):
        return claims
    return ClaimSet(claims_from_items(claims))


def _add_claims(
    drafts: Sequence[_Draft], backend: ClaimBackend | None, on_progress: Progress
) -> None:
    """Ask the backend for claims about each change that has none."""
    asked = [draft for draft in drafts if draft.is_open and draft.claims is None]
    missing = InputError("the change has no claims, and no backend generates any")
    results: list[ClaimSet | InputError] = [missing] * len(asked)
    if backend and asked:
        codes = [draft.code for draft in asked]
        results = generate_many(
            backend, codes, lambda done: on_progress(done / len(codes) / 2, 1, "generating claims")
        )
    for draft, result in zip(asked, results, strict=True):
        if isinstance(result, ClaimSet):
            draft.claims = result
        else:
            draft.error = result


def _scored(
    draft: _Draft, comparisons: Sequence[Comparison] | ModelError, encoder: str, tau: float
) -> ScoredChange:
    """Return a change with the scores of its reviews; they have no numbers if it is left out."""
    references, error = draft.references, draft.error
    if isinstance(comparisons, ModelError):
        references, error = ReferenceSet(backend=references.backend), comparisons
        sizes = [len(review.sentences) for review in draft.reviews]
        comparisons = [Comparison(np.zeros((0, size), np.float32)) for size in sizes]
    wordings = ((one.text, *one.wordings) for one in references.pseudo_references)
    signature = Signature(
        encoder,
        references.backend,
        references.analyzer_uses,
        tau,
        claims_version=claims_version(references.backend),
        references_digest=references_digest(wordings),
    )
    scores = []
    for review, comparison in zip(draft.reviews, comparisons, strict=True):
        warnings = [*references.warnings, *review.warnings]
        if not references.pseudo_references:
            warnings.append("the change has no pseudo-references, so the review cannot be scored")
        if comparison.n_truncated:
            texts = counted(comparison.n_truncated, "text")
            warnings.append(f"truncated because the encoder's limit is exceeded: {texts}")
        if error:
            warnings = [f"the change cannot be scored: {error}"]
        parts = review.text, references, review.sentences, comparison.similarity, signature
        scores.append(ReviewScore(*parts, tuple(warnings)))
    language = draft.code.language or draft.given.language or ""
    return ScoredChange(language, references, tuple(scores), error)


Diff = str | bytes | CodeChange  # a change


class CRScorer:
    """Scores reviews of changes without reference reviews (paper, section 3).

    Args:
        claims: a backend, its name, a file of claims, or claims or their texts; None if each change
            comes with its claims or pseudo-references.
        encoder: an embedding model, its Hub name, or its folder; loaded on first use.
        tau: a number, `tau_best` or `tau_gt`; None means `tau_gt`.
        analyzers: static analyzers by language; None means `analyzers.ANALYZERS`.

    Raises:
        InputError: the backend does not exist, the file has no claims, tau is not from -1 to 1, the
            encoder has no preset, or one of these parts has no name.
    """

    def __init__(
        self,
        *,
        claims: Claims | None = DEFAULT_CLAIMS,
        encoder: str | Encoder = DEFAULT_ENCODER,
        tau: float | str | None = None,
        analyzers: Mapping[str, Sequence[Analyzer]] | None = None,
    ) -> None:
        self.backend = None if claims is None else claim_backend(claims)
        self._encoder = encoder
        self.analyzers = ANALYZERS if analyzers is None else analyzers
        parts = (encoder, GIVEN if self.backend is None else self.backend)
        named = [getattr(one, "name", one) for one in (*parts, *chain(*self.analyzers.values()))]
        if not all(isinstance(name, str) and name for name in named):
            raise InputError("an encoder, claims backend or analyzer needs a name, a string")
        self.tau = resolve_tau(tau, canonical_name(str(named[0])), str(named[1]))

    @property
    def encoder(self) -> Encoder:
        """The encoder; raises an UnavailableError if it cannot be loaded."""
        return load_encoder(self._encoder) if isinstance(self._encoder, str) else self._encoder

    def score(
        self,
        diff: Diff,
        review: str,
        *,
        language: str | None = None,
        new_files: Mapping[str, str] | None = None,
    ) -> ReviewScore:
        """Score one review; see `score_many`."""
        return self.score_many(diff, [review], language=language, new_files=new_files)[0]

    def score_many(
        self,
        diff: Diff,
        reviews: Iterable[str],
        *,
        language: str | None = None,
        new_files: Mapping[str, str] | None = None,
    ) -> list[ReviewScore]:
        """Score several reviews of one change; its pseudo-references are made once.

        For `language` and `new_files`, see `ChangeInput`. The scores of an empty review are None.

        Raises:
            InputError: there is no review, the change cannot be read, or the claims backend fails.
        """
        texts = () if reviews is None or isinstance(reviews, str) else tuple(reviews)
        change = _checked(ChangeInput(diff, texts, language, new_files=new_files))
        if not texts:
            raise InputError("`reviews` must be a non-empty list of strings")
        (scored,) = score_inputs([change], self)
        if scored.error:
            raise scored.error
        return list(scored.scores)

    def score_changes(
        self, changes: Iterable[ChangeInput | tuple[Diff, Sequence[str]]]
    ) -> list[list[ReviewScore]]:
        """Score the reviews of many changes: analyzers start once, texts are embedded together.

        A change is a pair of a diff and its reviews, or a `ChangeInput`, which can also contain a
        language, complete files or claims. If a change cannot be scored, its scores are None and
        the warnings of its reviews give the reason.

        Raises:
            InputError: a change has neither form, or the claims backend or the encoder is
                unavailable.
        """
        inputs = []
        for number, change in enumerate(changes, start=1):
            try:
                inputs.append(_checked(change))
            except InputError as error:
                raise error.within(f"change {number}") from error
        return [list(scored.scores) for scored in score_inputs(inputs, self)]


def _checked(change: ChangeInput | tuple[Diff, Sequence[str]]) -> ChangeInput:
    """Check a change, and return it with its reviews and any claims in their final form."""
    if isinstance(change, tuple) and len(change) == 2:
        change = ChangeInput(*change)
    if not isinstance(change, ChangeInput):
        raise InputError("it is neither a ChangeInput nor a pair of a diff and its reviews")
    reviews = () if change.reviews is None else tuple(change.reviews)
    if isinstance(change.reviews, str) or not all(isinstance(text, str) for text in reviews):
        raise InputError("`reviews` must be a list of strings")
    given = chain([change.language], *(change.new_files or {}).items())
    if not all(isinstance(text, str) for text in given if text is not None):
        raise InputError("`language`, and names and texts in `new_files`, must be strings")
    return replace(change, reviews=reviews, claims=_claim_set(change.claims))
