"""The one way from changes and reviews to scores.

change -> claims -> smells -> pseudo-references \
    review -> sentences ------------------------------> vectors -> similarities -> scores
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from analyzers import ANALYZERS, Analyzer, SourceFile
from crscore_core.change import CodeChange, parse_change
from crscore_core.claims import ClaimGenerator, ClaimSet, claims_of_each
from crscore_core.errors import InputError
from crscore_core.rendered import LONGEST_RENDERED, rendered
from crscore_core.scoring.encoder import Encoder
from crscore_core.scoring.references import PseudoReference, ReferenceSet, combine
from crscore_core.scoring.review_score import ReviewScore
from crscore_core.scoring.signature import Signature, analyzer_versions, package_version
from crscore_core.scoring.similarity import MOST_SENTENCES, Comparison, compare, split_sentences
from crscore_core.scoring.smells import find_smells_of_each, source_files
from crscore_core.text import is_english, whole_text

_MANY = 10
_EXCERPT = 60
_GIVEN = "given"


@dataclass(frozen=True, slots=True)
class ChangeInput:
    """A change and reviews of it.

    `language` is that of hunks without file names, if it is known. `claims` came with the change;
    None for those of a backend. `references`, if given, are its pseudo-references: nothing is
    made, and the diff is not read. `new_files` are full new texts of changed files by path; a bare
    text belongs to the first file.
    """

    diff: str | bytes | CodeChange
    reviews: tuple[str, ...] = ()
    language: str | None = None
    claims: ClaimSet | None = None
    references: tuple[PseudoReference, ...] | None = None
    new_files: Mapping[str, str] | str | None = None


@dataclass(frozen=True, slots=True)
class ScoredChange:
    """A change with its pseudo-references and the scores of its reviews, in their order.

    `language` is empty if unknown. A change that is `left_out`, for the reason given, has neither
    pseudo-references nor scores.
    """

    language: str
    references: ReferenceSet | None
    scores: tuple[ReviewScore, ...]
    left_out: str | None = None


@dataclass(frozen=True, slots=True)
class Tools:
    """The claims backend, encoder, tau and analyzers by language that scores are made with.

    `generator` may be None if every change has its claims.
    """

    generator: ClaimGenerator | None
    encoder: Encoder
    tau: float
    analyzers: Mapping[str, Sequence[Analyzer]] = field(default_factory=lambda: ANALYZERS)


class _Read(NamedTuple):
    """A change that was read, its files for the analyzers, and warnings about them."""

    code: CodeChange
    files: Sequence[SourceFile]
    warnings: tuple[str, ...] = ()


def score_changes(
    changes: Sequence[ChangeInput], tools: Tools, *, is_first: bool = True
) -> list[ScoredChange]:
    """Score the reviews of each change; every distinct text is embedded once.

    A change that cannot be read, or about which the backend has no claims, is left out. A whole
    file that disagrees with its diff is not used, and a warning says so. `is_first` means that no
    earlier change has shown the backend to work.

    Raises:
        InputError: the backend is unavailable, or fails for all changes that need it, which are
            the first or many: then the fault is the backend's.
        UnavailableError: the encoder cannot be loaded.
    """
    made = _with_references(changes, tools, is_first=is_first)
    pairs = zip(made, changes, strict=True)
    scores = iter(
        _score_reviews(
            [(one.references, change.reviews) for one, change in pairs if one.references],
            tools.encoder,
            tools.tau,
        )
    )
    return [replace(one, scores=tuple(next(scores))) if one.references else one for one in made]


def _with_references(
    changes: Sequence[ChangeInput], tools: Tools, *, is_first: bool
) -> list[ScoredChange]:
    """Make the pseudo-references of changes, unless they are given."""
    made: dict[int, ScoredChange] = {}
    read: dict[int, _Read] = {}
    claims: dict[int, ClaimSet | InputError] = {}
    for index, change in enumerate(changes):
        if change.references is not None:
            given = ReferenceSet(change.references, _GIVEN, (), ())
            made[index] = ScoredChange(change.language or "", given, ())
            continue
        try:
            read[index] = _read(change)
        except InputError as error:
            made[index] = ScoredChange("", None, (), str(error))
        else:
            if change.claims or tools.generator is None:
                claims[index] = change.claims or ClaimSet(())
    asked = {index: one.code for index, one in read.items() if index not in claims}
    if asked and tools.generator is not None:
        answers = claims_of_each(tools.generator, list(asked.values()))
        errors = [answer for answer in answers if isinstance(answer, InputError)]
        if len(errors) == len(answers) and (is_first or len(answers) >= _MANY):
            raise errors[0]
        claims |= zip(asked, answers, strict=True)
    files = [one.files for one in read.values()]
    smells = find_smells_of_each(files, tools.analyzers) if tools.analyzers else [[]] * len(files)
    for (index, one), results in zip(read.items(), smells, strict=True):
        found = claims[index]
        if isinstance(found, InputError):
            made[index] = ScoredChange("", None, (), str(found))
            continue
        source = tools.generator.name if tools.generator and index in asked else _GIVEN
        references = combine(one.code, source, found, results)
        references = replace(references, warnings=(*one.warnings, *references.warnings))
        language = changes[index].language or one.code.files[0].language or ""
        made[index] = ScoredChange(language, references, ())
    return [made[index] for index in range(len(changes))]


def _read(change: ChangeInput) -> _Read:
    """Read a change.

    Raises:
        InputError: the diff cannot be read.
    """
    code, new_files = change.diff, change.new_files or {}
    if not isinstance(code, CodeChange):
        code = parse_change(code, language=change.language)
    if isinstance(new_files, str):
        new_files = {next((file.path for file in code.files if file.path), ""): new_files}
    try:
        return _Read(code, source_files(code, new_files))
    except InputError as error:
        warning = f"its whole file is not used: {error}"
        return _Read(code, source_files(code), (warning,))


def _score_reviews(
    changes: Sequence[tuple[ReferenceSet, Sequence[str]]], encoder: Encoder, tau: float
) -> list[list[ReviewScore]]:
    """Score reviews against the pseudo-references of their change."""
    clean = [[whole_text(review) for review in reviews] for _, reviews in changes]
    sentences = [[split_sentences(review) for review in reviews] for reviews in clean]
    compared = compare(
        encoder,
        [
            (made.pseudo_references, split)
            for (made, _), split in zip(changes, sentences, strict=True)
        ],
    )
    scores = []
    for (references, _), *of_change in zip(changes, clean, sentences, compared, strict=True):
        signature = Signature(
            encoder.name,
            references.claims,
            analyzer_versions(references.analyzers),
            tau,
            package_version(),
        )
        of_none = ("cannot be scored: the change gives no pseudo-references",)
        shared = references.warnings + (() if references.pseudo_references else of_none)
        scores.append(
            [
                ReviewScore(
                    review,
                    references,
                    split,
                    comparison.similarity,
                    signature,
                    (*shared, *_review_warnings(review, split, comparison)),
                )
                for review, split, comparison in zip(*of_change, strict=True)
            ]
        )
    return scores


def _review_warnings(review: str, sentences: Sequence[str], comparison: Comparison) -> list[str]:
    """Collect what a person should know about one review and its score."""
    hidden = rendered(review).hidden
    warnings = {
        "cannot be scored: the review is empty": not sentences,
        "the review does not look English, which is what the encoder was made for": (
            not is_english(review)
        ),
        f"only the first {LONGEST_RENDERED:,} characters of the review count": (
            len(review) > LONGEST_RENDERED
        ),
        f"only the first {MOST_SENTENCES:,} sentences of the review count": (
            len(sentences) >= MOST_SENTENCES
        ),
        f"{comparison.n_truncated} text(s) are longer than the encoder reads, and were cut": (
            comparison.n_truncated
        ),
        f"{len(hidden)} passage(s) of the review are hidden from its readers and do not count: "
        f"{' '.join(''.join(hidden[:1]).split())[:_EXCERPT]!r}": hidden,
        "sentences of the review repeat others; repeating one that matches raises conciseness": (
            len(set(sentences)) < len(sentences)
        ),
    }
    return [warning for warning, applies in warnings.items() if applies]
