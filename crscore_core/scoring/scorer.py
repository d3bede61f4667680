"""Score changes and their reviews; `CRScorer`, commands and runs use this pipeline.

change -> claims -> smells -> pseudo-references \
    review -> sentences ------------------------------> vectors -> similarities -> scores
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from crscore_core.analyzers import ANALYZERS, Analyzer, AnalyzerResult, SourceFile
from crscore_core.change import CodeChange, FileStatus, other_side, parse_change
from crscore_core.claims import (
    DEFAULT_CLAIMS,
    GIVEN,
    ClaimBackend,
    Claims,
    ClaimSet,
    PseudoReference,
    claims_from_items,
    generate_many,
    make_backend,
)
from crscore_core.errors import InputError, ModelError
from crscore_core.scoring.encoder import Comparison, Encoder, embed_and_compare
from crscore_core.scoring.load_encoder import DEFAULT_ENCODER, canonical_name, load_encoder
from crscore_core.scoring.presets import resolve_tau
from crscore_core.scoring.references import ReferenceSet, combine_references
from crscore_core.scoring.review_score import ReviewScore
from crscore_core.scoring.review_text import ReviewText, read_review
from crscore_core.scoring.signature import Signature, claims_version, references_digest
from crscore_core.scoring.smells import find_smells, source_files
from crscore_core.text import counted


class _Parsed(NamedTuple):
    change: CodeChange
    files: Sequence[SourceFile]


@dataclass(frozen=True, slots=True)
class ChangeInput:
    """A change and its reviews.

    diff: as a text, or parsed.
    language: for hunks without a file name in a diff that is a text; None if unknown.
    claims: given claims; None to ask the backend.
    pseudo_references: given pseudo-references; the diff is then not read. None to make them.
    new_files: full new texts by path; see `source_files`.
    new_file, old_file: the full text of the first named file after and before the change; None
        if unknown. The new text takes precedence.
    """

    diff: str | bytes | CodeChange
    reviews: Sequence[str] = ()
    language: str | None = None
    claims: ClaimSet | None = None
    pseudo_references: tuple[PseudoReference, ...] | None = None
    new_files: Mapping[str, str] | None = None
    new_file: str | None = None
    old_file: str | None = None


@dataclass(frozen=True, slots=True)
class ScoredChange:
    """A change with its pseudo-references and scores.

    language: empty if unknown.
    reference_set: None if the change is left out.
    scores: of the reviews, in order; without numbers if the change is left out.
    error: why the change is left out; None if it is not.
    """

    language: str
    reference_set: ReferenceSet | None
    scores: tuple[ReviewScore, ...] = ()
    error: InputError | None = None


@dataclass(frozen=True, slots=True)
class ScoringSetup:
    """The claims backend, encoder, tau, and analyzers by language.

    `backend` may be None if every change has claims.
    """

    backend: ClaimBackend | None
    encoder: Encoder
    tau: float
    analyzers: Mapping[str, Sequence[Analyzer]]


def score_changes(
    changes: Sequence[ChangeInput],
    setup: ScoringSetup,
    on_progress: Callable[[float, str], None] = lambda _, __: None,
) -> list[ScoredChange]:
    """Score the reviews of each change; every distinct text is embedded once.

    `on_progress` receives the fraction done, and what is done next.

    A change is left out if it cannot be read, or if the backend or the encoder fails for it. A
    whole file that disagrees with its diff is not used, and a warning says so.

    Raises:
        InputError: the backend or the encoder is unavailable.
    """
    parsed = list(map(_parse, changes))
    claims = _find_claims(changes, parsed, setup.backend, on_progress)
    on_progress(0.5, "running the analyzers")
    files = [change.files if isinstance(change, _Parsed) else () for change in parsed]
    smells = find_smells(files, setup.analyzers) if setup.analyzers else [[] for _ in files]
    references = [
        _references(*inputs, setup.backend)
        for inputs in zip(changes, parsed, claims, smells, strict=True)
    ]
    on_progress(0.75, "comparing the reviews")
    reviews = [list(map(read_review, change.reviews)) for change in changes]
    texts = [
        (
            made.pseudo_references if isinstance(made, ReferenceSet) else (),
            [review.sentences for review in change_reviews],
        )
        for made, change_reviews in zip(references, reviews, strict=True)
    ]
    comparisons = embed_and_compare(setup.encoder, texts)
    languages = map(_language, changes, parsed)
    return [
        _scored(setup, *inputs)
        for inputs in zip(languages, references, reviews, comparisons, strict=True)
    ]


def _language(change: ChangeInput, parsed: _Parsed | InputError | None) -> str:
    files = parsed.change.files if isinstance(parsed, _Parsed) else ()
    return next(filter(None, (change.language, *(file.language for file in files))), "")


def _references(
    change: ChangeInput,
    parsed: _Parsed | InputError | None,
    claims: ClaimSet | InputError,
    smells: Sequence[AnalyzerResult],
    backend: ClaimBackend | None,
) -> ReferenceSet | InputError:
    """Return the pseudo-references of a change, or the error that leaves it out."""
    if change.pseudo_references is not None:
        return ReferenceSet(change.pseudo_references, GIVEN, (), ())
    if not isinstance(parsed, _Parsed):
        return parsed or InputError("the change has no diff")
    if isinstance(claims, InputError):
        return claims
    name = backend.name if backend and change.claims is None else GIVEN
    return combine_references(parsed.change, name, claims, smells)


def _parse(change: ChangeInput) -> _Parsed | InputError | None:
    """Return the parsed diff, the error if it cannot be read, or None if references are given."""
    if change.pseudo_references is not None:
        return None
    code = change.diff
    try:
        if not isinstance(code, CodeChange):
            code = parse_change(code, language=change.language)
        files = source_files(code, change.new_files)
    except InputError as error:
        return error
    named = [file for file in code.files if file.status is not FileStatus.DELETED]
    if named and (change.new_file or change.old_file):
        file = next((file for file in named if file.path), named[0])
        try:
            new_file = change.new_file or other_side(file, change.old_file or "", is_new=False)
            files = source_files(code, {file.path or "": new_file})
        except InputError as error:
            warning = f"the whole file is not used: {error}"
            code = replace(code, warnings=(warning, *code.warnings))
    return _Parsed(code, files)


def _find_claims(
    changes: Sequence[ChangeInput],
    parsed: Sequence[_Parsed | InputError | None],
    backend: ClaimBackend | None,
    on_progress: Callable[[float, str], None],
) -> list[ClaimSet | InputError]:
    """Return the claims about each change, given or generated, or the error of the backend."""
    codes = {
        number: result.change
        for number, (change, result) in enumerate(zip(changes, parsed, strict=True))
        if isinstance(result, _Parsed) and change.claims is None
    }
    generated: dict[int, ClaimSet | InputError] = {}
    if backend and codes:

        def on_done(n_done: int) -> None:
            on_progress(0.5 * n_done / len(codes), "generating claims")

        results = generate_many(backend, list(codes.values()), on_done)
        generated = dict(zip(codes, results, strict=True))
    return [change.claims or generated.get(n, ClaimSet(())) for n, change in enumerate(changes)]


def _scored(
    setup: ScoringSetup,
    language: str,
    references: ReferenceSet | InputError,
    reviews: Sequence[ReviewText],
    comparisons: Sequence[Comparison] | ModelError,
) -> ScoredChange:
    """Return a change with the scores of its reviews, without numbers if it is left out."""
    if isinstance(comparisons, ModelError):
        references = comparisons
        sizes = [len(review.sentences) for review in reviews]
        comparisons = [Comparison(np.zeros((0, size), np.float32)) for size in sizes]
    error = references if isinstance(references, InputError) else None
    nothing = ReferenceSet((), setup.backend.name if setup.backend else GIVEN, (), ())
    shown = references if isinstance(references, ReferenceSet) else nothing
    signature = Signature(
        setup.encoder.name,
        shown.backend,
        shown.analyzer_uses,
        setup.tau,
        claims_version=claims_version(shown.backend),
        claims_digest=references_digest(
            ((one.text, *one.wordings) for one in shown.pseudo_references), shown.backend
        ),
    )
    unscored = (f"the change cannot be scored: {error}",)
    scores = tuple(
        ReviewScore(
            review.text,
            shown,
            review.sentences,
            comparison.similarity,
            signature,
            unscored if error else _warnings(shown, review, comparison),
        )
        for review, comparison in zip(reviews, comparisons, strict=True)
    )
    return ScoredChange(language, None if error else shown, scores, error)


def _warnings(
    references: ReferenceSet, review: ReviewText, comparison: Comparison
) -> tuple[str, ...]:
    warnings = [*references.warnings, *review.warnings]
    if not references.pseudo_references:
        warnings.append("the change has no pseudo-references, so the review cannot be scored")
    if comparison.n_truncated:
        texts = counted(comparison.n_truncated, "text")
        warnings.append(f"truncated, since longer than the encoder reads: {texts}")
    return tuple(warnings)


MAX_REVIEW = 1_000_000
"""Size limit of one review in characters."""

Diff = str | bytes | CodeChange
"""A change."""


class CRScorer:
    """Scores reviews of changes without reference reviews (paper, section 3).

    Args:
        claims: a backend, its name, a file with claims, or claims, which may be texts.
        encoder: an embedding model, its name on the hub, or its folder; loaded on first use.
        tau: a number, `tau_best` or `tau_gt`; None means `tau_gt`.
        analyzers: static analyzers by language; None means `analyzers.ANALYZERS`.

    Raises:
        InputError: the backend does not exist, the file has no claims, tau is not from -1 to 1,
            or the encoder has no preset.
    """

    def __init__(
        self,
        *,
        claims: Claims = DEFAULT_CLAIMS,
        encoder: str | Encoder = DEFAULT_ENCODER,
        tau: float | str | None = None,
        analyzers: Mapping[str, Sequence[Analyzer]] | None = None,
    ) -> None:
        self._claims = make_backend(claims)
        self._encoder = encoder
        self._analyzers = ANALYZERS if analyzers is None else analyzers
        name = canonical_name(encoder) if isinstance(encoder, str) else encoder.name
        self.tau = resolve_tau(tau, name, self._claims.name)

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

        `language` applies to hunks without a file name in a diff given as text. `new_files` has the
        full new text of changed files by path. The scores of an empty review are None.

        Raises:
            InputError: there is no review, a review is too long, the change cannot be read, or
                the claims backend fails.
        """
        texts = _checked_reviews(reviews)
        if not texts:
            raise InputError("`reviews` must be a non-empty list of texts")
        change = ChangeInput(diff, texts, language, new_files=new_files)
        (scored,) = score_changes([change], self._setup())
        if scored.error:
            raise scored.error
        return list(scored.scores)

    def score_changes(
        self, changes: Iterable[ChangeInput | tuple[Diff, Sequence[str]]]
    ) -> list[list[ReviewScore]]:
        """Score the reviews of many changes: analyzers start once, texts are embedded together.

        A change is a pair of its diff and its reviews, or a `ChangeInput`, which also has its
        language, complete file or claims. The scores of a change that cannot be scored are None,
        and the warnings of its reviews have the reason.

        Raises:
            InputError: a change has another form, a review is too long, or the claims backend or
                the encoder is unavailable.
        """
        inputs = []
        for number, change in enumerate(changes, start=1):
            try:
                inputs.append(_change_input(change))
            except InputError as error:
                raise error.within(f"change {number}") from error
        return [list(scored.scores) for scored in score_changes(inputs, self._setup())]

    def _setup(self) -> ScoringSetup:
        encoder = load_encoder(self._encoder) if isinstance(self._encoder, str) else self._encoder
        return ScoringSetup(self._claims, encoder, self.tau, self._analyzers)


def _change_input(change: ChangeInput | tuple[Diff, Sequence[str]]) -> ChangeInput:
    if isinstance(change, tuple) and len(change) == 2:
        change = ChangeInput(*change)
    if not isinstance(change, ChangeInput) or not isinstance(change.diff, Diff):
        raise InputError("it is neither a ChangeInput nor a pair of a diff and its reviews")
    claims = change.claims
    if claims is not None and not isinstance(claims, ClaimSet):
        claims = ClaimSet(claims_from_items(claims))
    return replace(change, reviews=_checked_reviews(change.reviews), claims=claims)


def _checked_reviews(reviews: Iterable[str]) -> tuple[str, ...]:
    """Return the reviews of a change; raise an InputError for one that is no text or too long."""
    texts = () if reviews is None else tuple(reviews)
    if isinstance(reviews, str) or not all(isinstance(text, str) for text in texts):
        raise InputError("`reviews` must be a list of texts")
    for number, text in enumerate(texts, start=1):
        if len(text) > MAX_REVIEW:
            raise InputError(f"review {number} is longer than {MAX_REVIEW:,} characters")
    return texts
