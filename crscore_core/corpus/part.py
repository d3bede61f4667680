"""A part, whole changes with all their reviews: the unit that is scored, here or elsewhere."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from crscore_core.claims import ClaimSet
from crscore_core.corpus.model import Corpus, CorpusChange, CorpusReview
from crscore_core.corpus.table import ChangeResult, ReviewResult, changes_table, reviews_table
from crscore_core.scoring import Embeddings, Encoder, split_sentences
from crscore_core.scoring.pipeline import ChangeInput, ScoredChange, Tools, score_changes
from crscore_core.scoring.review_score import ReviewScore

if TYPE_CHECKING:
    import pyarrow as pa

REVIEWS_AT_ONCE = 1000
"""Reviews that are scored together: the texts of many make full batches for an encoder."""

NO_REFERENCES = "it gives no pseudo-references"
"""Reason why a change is left out that was read, and about which there is nothing to say."""

_MOST_CHARACTERS = 8_000_000
_TEXTS_AT_ONCE = 512
_A_SENTENCE = 400
"""Memory of a sentence beside its text, mostly its vector, counted in characters."""
_CLAIMING = 0.3
"""Share of the work on a part that claims and smells take, as progress counts it."""


@dataclass(frozen=True, slots=True)
class Part:
    """Changes with their reviews, numbered from `first` on; `number` is the part's own.

    A change with more reviews than a part can hold goes on in the next one: `continues` says that
    the first change is in the part before already.
    """

    number: int
    first: int
    changes: tuple[CorpusChange, ...]
    continues: bool = False

    @property
    def reviews(self) -> int:
        """Number of reviews."""
        return sum(len(change.reviews) for change in self.changes)


@dataclass(frozen=True, slots=True)
class ScoredPart:
    """A scored part: its number, and its rows of the two tables (see `corpus.table`)."""

    number: int
    changes: "pa.Table"
    reviews: "pa.Table"


class Cutting:
    """Cuts changes and their reviews, one after the other, into parts that fit into memory.

    Sizes are in characters, as of `review_size`. A change is cut only where it alone is too large.
    """

    def __init__(self) -> None:
        self._reviews = self._characters = 0

    def begins_part(self, reviews: int, size: int) -> bool:
        """Return True if what comes next, so many reviews of a size, begins a new part."""
        is_full = (
            self._reviews + reviews > REVIEWS_AT_ONCE or self._characters + size > _MOST_CHARACTERS
        )
        begins = bool(self._reviews) and is_full
        if begins:
            self._reviews = self._characters = 0
        return begins

    def take(self, size: int) -> None:
        """Put a review, with its change if that is new, into the part."""
        self._reviews += 1
        self._characters += size


def review_size(text: str) -> int:
    """Return the memory that scoring a review takes, in characters."""
    return len(text) + _A_SENTENCE * len(split_sentences(text))


def parts_of(corpus: Corpus) -> Iterator[Part]:
    """Cut a corpus into parts; its reviews are rows from 1 on, in their order."""
    cutting, part, row = Cutting(), Part(0, 0, ()), 0
    for number, change in enumerate(corpus.changes):
        sizes = [review_size(review.text) for review in change.reviews]
        numbered = [
            replace(review, row=row + at) for at, review in enumerate(change.reviews, start=1)
        ]
        row += len(numbered)
        at = 0
        if part.changes and cutting.begins_part(len(sizes), len(change.diff) + sum(sizes)):
            yield part
            part = Part(part.number + 1, number, ())
        for place, size in enumerate(sizes):
            if place and cutting.begins_part(1, size):
                yield _with(part, replace(change, reviews=tuple(numbered[at:place])))
                part = Part(part.number + 1, number, (), continues=True)
                at = place
            cutting.take(size if place else size + len(change.diff))
        part = _with(part, replace(change, reviews=tuple(numbered[at:])))
    if part.changes:
        yield part


def _with(part: Part, change: CorpusChange) -> Part:
    return replace(part, changes=(*part.changes, change))


def score_part(
    part: Part,
    tools: Tools,
    labels: Sequence[str] = (),
    note: Callable[[float], None] = lambda _: None,
) -> ScoredPart:
    """Score the reviews of a part: the one way from a corpus to scores.

    `labels` names those of the whole corpus. In the first part nothing shows yet that the claims
    backend works: a failure is its own. `note` is told which share is done.

    Raises:
        InputError: the backend cannot be had, or fails; see `claim_changes`.
        UnavailableError: the encoder cannot be loaded.
    """
    encoder = _NotedEncoder(tools.encoder, lambda share: note(_CLAIMING + share * (1 - _CLAIMING)))
    scored = score_changes(
        [_input(change) for change in part.changes],
        replace(tools, encoder=encoder),
        is_first=part.number == 0,
        note=lambda done: note(_CLAIMING * done / len(part.changes)),
    )
    numbered = list(zip(range(part.first, part.first + len(scored)), part.changes, scored,
                        strict=True))  # fmt: skip
    reviews = [row for one in numbered for row in _review_rows(*one)]
    return ScoredPart(
        part.number,
        changes_table([_change_row(*one) for one in numbered[part.continues :]]),
        reviews_table(reviews, tools.tau, labels),
    )


def _input(change: CorpusChange) -> ChangeInput:
    return ChangeInput(
        change.diff,
        tuple(review.text for review in change.reviews),
        change.language,
        None if change.claims is None else ClaimSet(change.claims),
        change.references,
        change.new_file,
    )


def _change_row(number: int, change: CorpusChange, scored: ScoredChange) -> ChangeResult:
    made = scored.references
    if made is None:
        return ChangeResult(number, change, scored.language, left_out=scored.left_out)
    return ChangeResult(
        number,
        change,
        scored.language,
        made.pseudo_references,
        made.warnings,
        None if made.pseudo_references else NO_REFERENCES,
    )


def _review_rows(number: int, change: CorpusChange, scored: ScoredChange) -> Iterator[ReviewResult]:
    for at, review in enumerate(change.reviews):
        if scored.references is None:
            sentences = split_sentences(review.text)
            nothing = np.zeros((0, len(sentences)), dtype=np.float32)
            warnings = [f"cannot be scored: {scored.left_out}"]
            yield ReviewResult(review, number, scored.language, sentences, nothing, warnings)
        else:
            yield _scored_row(review, number, scored.language, scored.scores[at])


def _scored_row(
    review: CorpusReview, number: int, language: str, score: ReviewScore
) -> ReviewResult:
    return ReviewResult(
        review,
        number,
        language,
        score.sentence_texts,
        score.similarity,
        [*score.warnings, *score.not_analysed],
        str(score.signature),
    )


class _NotedEncoder:
    """An encoder that tells which share of the texts is embedded."""

    def __init__(self, encoder: Encoder, note: Callable[[float], None]) -> None:
        self.name = encoder.name
        self._encoder = encoder
        self._note = note

    def encode(self, texts: Sequence[str]) -> Embeddings:
        """Embed `texts`, some at once; see `Encoder.encode`."""
        parts = []
        for start in range(0, len(texts), _TEXTS_AT_ONCE):
            self._note(start / len(texts))
            parts.append(self._encoder.encode(texts[start : start + _TEXTS_AT_ONCE]))
        return Embeddings(
            np.concatenate([part.vectors for part in parts]),
            np.concatenate([part.truncated for part in parts]),
        )
