"""Score changes and their reviews; `CRScorer`, commands and runs use this pipeline.

change -> claims -> smells -> pseudo-references \
    review -> sentences ------------------------------> vectors -> similarities -> scores
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from analyzers import Analyzer, SourceFile
from crscore_core.change import CodeChange, parse_change
from crscore_core.claims import GIVEN, ClaimGenerator, ClaimSet, claims_of_each
from crscore_core.errors import InputError
from crscore_core.rendered import MAX_RENDERED, render_review
from crscore_core.scoring.encoder import Encoder
from crscore_core.scoring.references import PseudoReference, ReferenceSet, combine
from crscore_core.scoring.review_score import ReviewScore
from crscore_core.scoring.signature import Signature, package_version
from crscore_core.scoring.similarity import (
    MAX_SENTENCES,
    Comparison,
    all_sentences,
    embed_and_compare,
    split_sentences,
)
from crscore_core.scoring.smells import find_smells_of_each, source_files
from crscore_core.text import is_english, replace_surrogates, shorten

_MANY_FAILURES = 10


@dataclass(frozen=True, slots=True)
class ChangeInput:
    """A change and its reviews.

    language: for hunks without a file name; None if unknown.
    claims: given claims; None to ask the backend.
    references: given pseudo-references; the diff is then not read. None to make them.
    new_files: full new texts of changed files by path, or one text for the first file.
    """

    diff: str | bytes | CodeChange
    reviews: tuple[str, ...] = ()
    language: str | None = None
    claims: ClaimSet | None = None
    references: tuple[PseudoReference, ...] | None = None
    new_files: Mapping[str, str] | str | None = None


@dataclass(frozen=True, slots=True)
class ScoredChange:
    """A change with its pseudo-references and scores.

    language: empty if unknown.
    references: None if the change is left out.
    scores: of the reviews, in order; empty if the change is left out.
    left_out: why the change cannot be scored; None if it can.
    """

    language: str
    references: ReferenceSet | None
    scores: tuple[ReviewScore, ...]
    left_out: str | None = None


@dataclass(frozen=True, slots=True)
class ScoringSetup:
    """The claims backend, encoder, tau, and analyzers by language.

    `generator` may be None if every change has claims.
    """

    generator: ClaimGenerator | None
    encoder: Encoder
    tau: float
    analyzers: Mapping[str, Sequence[Analyzer]]


def score_changes(
    changes: Sequence[ChangeInput], setup: ScoringSetup, *, fail_fast: bool = True
) -> list[ScoredChange]:
    """Score the reviews of each change; every distinct text is embedded once.

    A change is left out if it cannot be read, or if the backend fails for it. A whole file that
    disagrees with its diff is not used, and a warning says so.

    Raises:
        InputError: the backend is unavailable, or fails for all changes that need it, with
            `fail_fast` however few they are.
        UnavailableError: the encoder cannot be loaded.
    """
    unscored = _with_references(changes, setup, fail_fast=fail_fast)
    reviews = [[replace_surrogates(review) for review in change.reviews] for change in changes]
    sentences = [[split_sentences(review) for review in texts] for texts in reviews]
    references = [
        change.references.pseudo_references if change.references else () for change in unscored
    ]
    comparisons = embed_and_compare(setup.encoder, list(zip(references, sentences, strict=True)))
    return [
        replace(change, scores=_scores(change.references, setup, texts, split, compared))
        if change.references
        else change
        for change, texts, split, compared in zip(
            unscored, reviews, sentences, comparisons, strict=True
        )
    ]


def _with_references(
    changes: Sequence[ChangeInput], setup: ScoringSetup, *, fail_fast: bool
) -> list[ScoredChange]:
    """Return the changes with their pseudo-references, given or made, and without scores."""
    results: dict[int, ScoredChange] = {}
    parsed: dict[int, tuple[CodeChange, list[SourceFile]]] = {}
    claims: dict[int, ClaimSet | InputError] = {}
    for index, change in enumerate(changes):
        if change.references is not None:
            references = ReferenceSet(change.references, GIVEN, (), ())
            results[index] = ScoredChange(change.language or "", references, ())
            continue
        try:
            parsed[index] = _parse(change)
        except InputError as error:
            results[index] = ScoredChange("", None, (), str(error))
        else:
            if change.claims or setup.generator is None:
                claims[index] = change.claims or ClaimSet(())
    without_claims = [index for index in parsed if index not in claims]
    if without_claims and setup.generator is not None:
        generated = claims_of_each(setup.generator, [parsed[index][0] for index in without_claims])
        errors = [result for result in generated if isinstance(result, InputError)]
        if len(errors) == len(generated) and (fail_fast or len(errors) >= _MANY_FAILURES):
            raise errors[0]
        claims |= zip(without_claims, generated, strict=True)
    files = [files for _, files in parsed.values()]
    smells = find_smells_of_each(files, setup.analyzers) if setup.analyzers else [[]] * len(files)
    for (index, (code, _)), smell_results in zip(parsed.items(), smells, strict=True):
        claim_set = claims[index]
        if isinstance(claim_set, InputError):
            results[index] = ScoredChange("", None, (), str(claim_set))
            continue
        backend = setup.generator.name if setup.generator and index in without_claims else GIVEN
        language = changes[index].language or next((file.language for file in code.files), "") or ""
        results[index] = ScoredChange(
            language, combine(code, backend, claim_set, smell_results), ()
        )
    return [results[index] for index in range(len(changes))]


def _parse(change: ChangeInput) -> tuple[CodeChange, list[SourceFile]]:
    """Parse a change; return it with its files for the analyzers.

    Raises:
        InputError: the diff cannot be read.
    """
    code, new_files = change.diff, change.new_files or {}
    if not isinstance(code, CodeChange):
        code = parse_change(code, language=change.language)
    if isinstance(new_files, str):
        new_files = {next((file.path for file in code.files if file.path), ""): new_files}
    try:
        return code, source_files(code, new_files)
    except InputError as error:
        warning = f"the whole new file is not used: {error}"
        return replace(code, warnings=(warning, *code.warnings)), source_files(code)


def _scores(
    references: ReferenceSet,
    setup: ScoringSetup,
    reviews: Sequence[str],
    sentences: Sequence[tuple[str, ...]],
    comparisons: Sequence[Comparison],
) -> tuple[ReviewScore, ...]:
    """Return the scores of reviews that were compared with `references`."""
    versions = {(result.name, result.version) for result in references.analyzers if result.version}
    analyzers = tuple(sorted(versions))
    signature = Signature(
        setup.encoder.name, references.claims, analyzers, setup.tau, package_version()
    )
    return tuple(
        ReviewScore(
            review,
            references,
            split,
            comparison.similarity,
            signature,
            (*references.warnings, *_review_warnings(references, review, split, comparison)),
        )
        for review, split, comparison in zip(reviews, sentences, comparisons, strict=True)
    )


def _review_warnings(
    references: ReferenceSet, review: str, sentences: Sequence[str], comparison: Comparison
) -> list[str]:
    """Return the warnings about one review."""
    hidden = render_review(review).hidden
    warnings = {
        "the change has no pseudo-references, so the review cannot be scored": (
            not references.pseudo_references
        ),
        "the review is empty, so it cannot be scored": not sentences,
        "the review does not look English; the encoder is made for English": (
            not is_english(review)
        ),
        f"only the first {MAX_RENDERED:,} characters of the review count": (
            len(review) > MAX_RENDERED
        ),
        f"only the first {MAX_SENTENCES:,} sentences of the review count": (
            len(sentences) == MAX_SENTENCES < len(all_sentences(review))
        ),
        f"texts that the encoder cut: {comparison.n_truncated}": comparison.n_truncated,
        f"passages hidden from readers of the review do not count ({len(hidden)}): "
        f"{shorten(''.join(hidden[:1]))!r}": hidden,
        "the review repeats a sentence; repeating a sentence that matches raises conciseness": (
            len(set(sentences)) < len(sentences)
        ),
    }
    return [warning for warning, applies in warnings.items() if applies]
