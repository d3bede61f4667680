"""The one way from changes and reviews to scores.

change -> claims -> smells -> pseudo-references \
    review -> sentences ------------------------------> vectors -> similarities -> scores
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from analyzers import ANALYZERS, Analyzer
from crscore_core.change import CodeChange, parse_change
from crscore_core.claims import ClaimGenerator, ClaimSet, claims_of_each
from crscore_core.errors import InputError
from crscore_core.rendered import LONGEST_RENDERED, rendered
from crscore_core.scoring.encoder import Encoder
from crscore_core.scoring.references import PseudoReference, ReferenceSet, combine
from crscore_core.scoring.review_score import ReviewScore
from crscore_core.scoring.signature import Signature, analyzer_versions, package_version
from crscore_core.scoring.similarity import MOST_SENTENCES, Comparison, compare, split_sentences
from crscore_core.scoring.smells import find_smells_of_each, whole_files
from crscore_core.text import is_english, whole_text

CHANGES_AT_ONCE = 100
"""Changes that the analyzers see together: each tool starts once for them."""

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
class Unusable:
    """A change without pseudo-references, and why: it cannot be read, or has no claims."""

    reason: str


@dataclass(frozen=True, slots=True)
class ClaimedChange:
    """A change that was read, with its claims and its whole files.

    `claims_from` names the backend, or is `given`. `language` is empty if unknown. `warnings` are
    about reading the change.
    """

    code: CodeChange
    language: str
    new_files: Mapping[str, str]
    claims: ClaimSet
    claims_from: str
    warnings: tuple[str, ...]


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


def score_changes(
    changes: Sequence[ChangeInput],
    tools: Tools,
    *,
    is_first: bool = True,
    note: Callable[[int], None] = lambda _: None,
) -> list[ScoredChange]:
    """Score the reviews of each change; every distinct text is embedded once.

    A change that cannot be read, or about which the backend has no claims, is left out. `is_first`
    is that of `claim_changes`. `note` receives the number of changes with pseudo-references.

    Raises:
        InputError: the backend is unavailable or fails; see `claim_changes`.
        UnavailableError: the encoder cannot be loaded.
    """
    made: list[tuple[str, ReferenceSet] | Unusable] = []
    for start in range(0, len(changes), CHANGES_AT_ONCE):
        some = changes[start : start + CHANGES_AT_ONCE]
        made += _references_of(some, tools, is_first=is_first and not start)
        note(len(made))
    scored = iter(
        score_reviews(
            [
                (found[1], change.reviews)
                for change, found in zip(changes, made, strict=True)
                if not isinstance(found, Unusable)
            ],
            tools.encoder,
            tools.tau,
        )
    )
    return [
        ScoredChange("", None, (), found.reason)
        if isinstance(found, Unusable)
        else ScoredChange(*found, tuple(next(scored)))
        for found in made
    ]


def _references_of(
    changes: Sequence[ChangeInput], tools: Tools, *, is_first: bool
) -> list[tuple[str, ReferenceSet] | Unusable]:
    """Make the pseudo-references of changes that bring none, and name their languages."""
    bare = [index for index, change in enumerate(changes) if change.references is None]
    read = claim_changes([changes[index] for index in bare], tools.generator, is_first=is_first)
    claimed = [one for one in read if isinstance(one, ClaimedChange)]
    made = iter(add_smells(claimed, tools.analyzers))
    found: dict[int, tuple[str, ReferenceSet] | Unusable] = {
        index: one if isinstance(one, Unusable) else (one.language, next(made))
        for index, one in zip(bare, read, strict=True)
    }
    for index, change in enumerate(changes):
        if change.references is not None:
            given = ReferenceSet(change.references, _GIVEN, (), ())
            found[index] = (change.language or "", given)
    return [found[index] for index in range(len(changes))]


def claim_changes(
    changes: Sequence[ChangeInput], generator: ClaimGenerator | None, *, is_first: bool = True
) -> list[ClaimedChange | Unusable]:
    """Read each change; take the claims that came with it, or have the backend make claims.

    `is_first` means that no earlier change has shown the backend to work. A change that cannot be
    read, or about which the backend has no claims, is `Unusable`. A whole file that disagrees with
    its diff is not used, and a warning says so.

    Raises:
        InputError: the backend fails for all changes that need it, which are the first or many:
            then the fault is the backend's.
    """
    claimed = [_read(change) for change in changes]
    without = {
        index: read
        for index, read in enumerate(claimed)
        if isinstance(read, ClaimedChange) and changes[index].claims is None
    }
    if not without or generator is None:
        return claimed
    answers = claims_of_each(generator, [read.code for read in without.values()])
    errors = [answer for answer in answers if isinstance(answer, InputError)]
    if len(errors) == len(answers) and (is_first or len(answers) >= _MANY):
        raise errors[0]
    for (index, read), answer in zip(without.items(), answers, strict=True):
        claimed[index] = (
            Unusable(str(answer))
            if isinstance(answer, InputError)
            else replace(read, claims=answer, claims_from=generator.name)
        )
    return claimed


def add_smells(
    changes: Sequence[ClaimedChange], analyzers: Mapping[str, Sequence[Analyzer]] = ANALYZERS
) -> list[ReferenceSet]:
    """Analyse the changes, all at once, and put claims and smells together.

    Without `analyzers` there are neither smells nor results.
    """
    files = [(change.code, change.new_files) for change in changes]
    smells = find_smells_of_each(files, analyzers) if analyzers else [[] for _ in files]
    sets = []
    for change, results in zip(changes, smells, strict=True):
        combined = combine(change.code, change.claims_from, change.claims, results)
        sets.append(replace(combined, warnings=(*change.warnings, *combined.warnings)))
    return sets


def score_reviews(
    changes: Sequence[tuple[ReferenceSet, Sequence[str]]], encoder: Encoder, tau: float
) -> list[list[ReviewScore]]:
    """Score reviews against the pseudo-references of their change.

    Raises:
        UnavailableError: the encoder cannot be loaded.
    """
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
                    (*shared, *review_warnings(review, split, comparison)),
                )
                for review, split, comparison in zip(*of_change, strict=True)
            ]
        )
    return scores


def _read(change: ChangeInput) -> ClaimedChange | Unusable:
    """Read a change with the claims that came with it, if any."""
    try:
        code = (
            change.diff
            if isinstance(change.diff, CodeChange)
            else parse_change(change.diff, language=change.language)
        )
    except InputError as error:
        return Unusable(str(error))
    language = change.language or code.files[0].language or ""
    read = ClaimedChange(code, language, {}, change.claims or ClaimSet(()), _GIVEN, ())
    if change.new_files is None:
        return read
    new_files = change.new_files
    if isinstance(new_files, str):
        new_files = {next((file.path for file in code.files if file.path), ""): new_files}
    try:
        whole_files(code, new_files)
    except InputError as error:
        return replace(read, warnings=(f"its whole file is not used: {error}",))
    return replace(read, new_files=new_files)


def review_warnings(
    review: str, sentences: Sequence[str], comparison: Comparison
) -> tuple[str, ...]:
    """Collect what a person should know about one review and its score."""
    warnings = []
    if not sentences:
        warnings.append("cannot be scored: the review is empty")
    if not is_english(review):
        warnings.append("the review does not look English, which is what the encoder was made for")
    if len(review) > LONGEST_RENDERED:
        warnings.append(f"only the first {LONGEST_RENDERED:,} characters of the review count")
    if len(sentences) >= MOST_SENTENCES:
        warnings.append(f"only the first {MOST_SENTENCES:,} sentences of the review count")
    for kind, truncated in (
        ("pseudo-reference", comparison.truncated_references),
        ("sentence", comparison.truncated_sentences),
    ):
        if truncated:
            numbers = ", ".join(str(index + 1) for index in truncated[:5])
            warnings.append(
                f"{len(truncated)} {kind}(s) are longer than the encoder reads, "
                f"and were cut: {numbers}"
            )
    if hidden := rendered(review).hidden:
        warnings.append(
            f"{len(hidden)} passage(s) of the review are hidden from its readers and do not count: "
            f"{' '.join(hidden[0].split())[:_EXCERPT]!r}"
        )
    repeated = len(sentences) - len(set(sentences))
    if repeated:
        warnings.append(
            f"{repeated} sentence(s) of the review repeat others; "
            "repeating one that matches raises conciseness"
        )
    return tuple(warnings)
