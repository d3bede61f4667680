"""`CRScorer`: a change and its reviews in, scores out."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum

from analyzers import ANALYZERS, Analyzer
from crscore_core.change import CodeChange, parse_change
from crscore_core.claims import DEFAULT_CLAIMS, ClaimGenerator, claim_generator
from crscore_core.errors import InputError, ReviewError
from crscore_core.scoring import (
    DEFAULT_ENCODER,
    Comparison,
    Encoder,
    Precision,
    canonical_name,
    compare_each,
    load_encoder,
    resolve_tau,
    split_sentences,
)
from crscore_core.scoring.references import ReferenceSet, combine
from crscore_core.scoring.review_score import ReviewScore
from crscore_core.scoring.signature import Signature, analyzer_versions, package_version
from crscore_core.scoring.smells import find_smells
from crscore_core.text import whole_text

__all__ = ["LONGEST_REVIEW", "CRScorer", "Stage"]

LONGEST_REVIEW = 1_000_000
"""Size limit of one review in characters."""


class Stage(StrEnum):
    """The steps of scoring, in order, as a person may read them."""

    DIFF = "Reading the diff"
    CLAIMS = "Making claims"
    SMELLS = "Running the analyzers"
    ENCODER = "Loading the encoder"
    SIMILARITY = "Comparing sentences"


def _ignore(_: Stage) -> None:
    return None


class CRScorer:
    """Scores reviews of changes without reference reviews (paper, section 3).

    Args:
        claims: a backend, its name, or the name of a file with claims.
        encoder: an embedding model, its name on the hub, or a folder that holds one; loaded
            when it is first needed.
        tau: a number, `tau_best` or `tau_gt`; None for the encoder's preset.
        analyzers: static analyzers by language.

    Raises:
        ClaimsError: no such backend, or a file without claims.
        ThresholdError: tau is no cosine, or there is no preset for the encoder.
    """

    def __init__(
        self,
        *,
        claims: str | ClaimGenerator = DEFAULT_CLAIMS,
        encoder: str | Encoder = DEFAULT_ENCODER,
        tau: float | str | None = None,
        analyzers: Mapping[str, Sequence[Analyzer]] = ANALYZERS,
    ) -> None:
        self._claims = claim_generator(claims) if isinstance(claims, str) else claims
        self._encoder = canonical_name(encoder) if isinstance(encoder, str) else encoder
        self._encoder_name = self._encoder if isinstance(self._encoder, str) else self._encoder.name
        self._analyzers = analyzers
        self.tau = resolve_tau(tau, self._encoder_name)

    def score(
        self,
        diff: str | bytes | CodeChange,
        review: str,
        *,
        language: str | None = None,
        new_files: Mapping[str, str] | None = None,
    ) -> ReviewScore:
        """Score one review; see `score_many`."""
        return self.score_many(diff, [review], language=language, new_files=new_files)[0]

    def score_many(
        self,
        diff: str | bytes | CodeChange,
        reviews: Iterable[str],
        *,
        language: str | None = None,
        new_files: Mapping[str, str] | None = None,
        progress: Callable[[Stage], None] = _ignore,
    ) -> list[ReviewScore]:
        """Score several reviews of one change, whose pseudo-references are made once.

        `language` is that of hunks without file names. `new_files` gives the full new text of
        changed files by their paths, for the analyzers; `patched_files` makes them of the old
        ones. `progress` is told each stage as it begins. A review without content gets None for
        its scores, and a warning.

        Raises:
            InputError: there is no review, or any of its kinds (see `crscore_core.errors`).
        """
        if isinstance(reviews, str) or not (reviews := list(reviews)):
            raise InputError("give a list of reviews, and at least one")
        for number, review in enumerate(reviews, start=1):
            if len(review) > LONGEST_REVIEW:
                raise ReviewError(
                    f"review {number} is longer than the limit of {LONGEST_REVIEW:,} characters"
                )
        references = self.references(
            diff, language=language, new_files=new_files, progress=progress
        )
        return self.score_references(references, reviews, progress=progress)

    def references(
        self,
        diff: str | bytes | CodeChange,
        *,
        language: str | None = None,
        new_files: Mapping[str, str] | None = None,
        progress: Callable[[Stage], None] = _ignore,
    ) -> ReferenceSet:
        """Make the pseudo-references of a change: claims, implications and smells.

        Raises:
            DiffError, LanguageError, WholeFileError: as their inputs deserve.
        """
        progress(Stage.DIFF)
        change = diff if isinstance(diff, CodeChange) else parse_change(diff, language=language)
        progress(Stage.CLAIMS)
        claims = self._claims.generate(change)
        progress(Stage.SMELLS)
        results = find_smells(change, new_files, self._analyzers)
        return combine(change, self._claims.name, claims, results)

    def score_references(
        self,
        references: ReferenceSet,
        reviews: Sequence[str],
        *,
        progress: Callable[[Stage], None] = _ignore,
    ) -> list[ReviewScore]:
        """Score reviews against pseudo-references made before.

        Raises:
            EncoderError: the encoder cannot be loaded.
        """
        return self.score_each([(references, reviews)], progress=progress)[0]

    def score_each(
        self,
        changes: Sequence[tuple[ReferenceSet, Sequence[str]]],
        *,
        progress: Callable[[Stage], None] = _ignore,
    ) -> list[list[ReviewScore]]:
        """As `score_references`, for many changes: every distinct text is encoded once.

        Raises:
            EncoderError: the encoder cannot be loaded.
        """
        clean = [[whole_text(review) for review in reviews] for _, reviews in changes]
        split = [[split_sentences(review) for review in reviews] for reviews in clean]
        texts = [[one.text for one in given.pseudo_references] for given, _ in changes]
        pairs = list(zip(texts, split, strict=True))
        comparisons = self._compare(pairs, progress)
        return [
            self._scores(references, reviews, sentences, compared)
            for (references, _), reviews, sentences, compared in zip(
                changes, clean, split, comparisons, strict=True
            )
        ]

    def _compare(
        self,
        changes: Sequence[tuple[Sequence[str], Sequence[Sequence[str]]]],
        progress: Callable[[Stage], None],
    ) -> list[list[Comparison]]:
        if not any(texts and any(split) for texts, split in changes):
            return [
                [Comparison.nothing(len(texts), len(sentences)) for sentences in split]
                for texts, split in changes
            ]
        progress(Stage.ENCODER)
        encoder = self._load_encoder()
        progress(Stage.SIMILARITY)
        return compare_each(encoder, changes)

    def _scores(
        self,
        references: ReferenceSet,
        reviews: Sequence[str],
        split: Sequence[tuple[str, ...]],
        comparisons: Sequence[Comparison],
    ) -> list[ReviewScore]:
        signature = Signature(
            self._encoder_name,
            references.claims,
            analyzer_versions(references.analyzers),
            self.tau,
            package_version(),
            getattr(self._encoder, "precision", Precision.FLOAT32),
        )
        return [
            ReviewScore(
                review,
                references,
                sentences,
                comparison.similarity,
                signature,
                _warnings(references, sentences, comparison),
            )
            for review, sentences, comparison in zip(reviews, split, comparisons, strict=True)
        ]

    def _load_encoder(self) -> Encoder:
        if isinstance(self._encoder, str):
            self._encoder = load_encoder(self._encoder)
        return self._encoder


def _warnings(
    references: ReferenceSet, sentences: Sequence[str], comparison: Comparison
) -> tuple[str, ...]:
    """What a person should know about the score of one review."""
    warnings = list(references.warnings)
    if not references.pseudo_references:
        warnings.append("cannot be scored: the change gives no pseudo-references")
    if not sentences:
        warnings.append("cannot be scored: the review is empty")
    for what, truncated in (
        ("pseudo-reference", comparison.truncated_references),
        ("sentence", comparison.truncated_sentences),
    ):
        if truncated:
            numbers = ", ".join(str(index + 1) for index in truncated[:5])
            warnings.append(
                f"{len(truncated)} {what}(s) are longer than the encoder reads, "
                f"and were cut: {numbers}"
            )
    repeated = len(sentences) - len(set(sentences))
    if repeated:
        warnings.append(
            f"{repeated} sentence(s) of the review repeat others; "
            "repeating one that is on topic raises conciseness"
        )
    return tuple(warnings)
