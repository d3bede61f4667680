"""Stages that make the results of a run, and the engine that takes them one after the other here.

`ray_engine` spreads the same stages over many processes.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from socket import gethostname
from typing import Any, Protocol, TypeVar

import numpy as np

from analyzers import Analyzer, Status
from crscore_core.claims import ClaimGenerator, Progress, silent
from crscore_core.corpus.progress import CorpusProgress
from crscore_core.corpus.reading.review_row import read_change
from crscore_core.corpus.run.recipe import Recipe
from crscore_core.corpus.run.table import RunReview, ScoredPart, reviews_part
from crscore_core.corpus.run.work import Block, ChangeReferences, Part, StoredReview, Work
from crscore_core.corpus.score import NotedEncoder, change_input
from crscore_core.errors import EncoderError
from crscore_core.scoring import Encoder, split_sentences
from crscore_core.scoring.pipeline import (
    ClaimedChange,
    Unusable,
    add_smells,
    claim_changes,
    score_reviews,
)
from crscore_core.scoring.references import ReferenceSet
from crscore_core.scoring.registry import encoder_digest
from crscore_core.scoring.review_score import ReviewScore
from crscore_core.scoring.similarity import (
    SplitReviews,
    TextVectors,
    distinct_texts,
    embed,
    split_reviews,
)

_LANGUAGE_MODEL = "magicoder"

ResultT_co = TypeVar("ResultT_co", covariant=True)
NumberedReferences = list[tuple[int, ChangeReferences]]


class Stage(Protocol[ResultT_co]):
    """Three steps from a unit of work to its result; each may run in another process.

    `on_gpu` says that the model of the second step uses a GPU where there is one, `alone` that it
    needs all of it.
    """

    on_gpu: bool
    alone: bool

    def read(self, work: Work, number: int) -> Any:  # noqa: ANN401 - each knows its own units
        """Read the unit of this number."""

    def with_model(self, unit: Any) -> Any:  # noqa: ANN401
        """Do what takes a model, which is loaded once for all units."""

    def finish(self, made: Any) -> ResultT_co:  # noqa: ANN401
        """Make the result of what the model made."""


class Engine(Protocol):
    """Takes units through a stage."""

    @property
    def progress(self) -> Progress:
        """A function that is told what a language model writes."""

    def results(
        self, stage: Stage[ResultT_co], work: Work, numbers: Sequence[int]
    ) -> Iterator[ResultT_co]:
        """Yield the result of each unit, in any order; write nothing.

        Raises:
            CRScoreError: any that the stage raises.
        """


class LocalEngine:
    """Does one unit after the other in this process."""

    def __init__(self, progress: Progress = silent) -> None:
        self.progress = progress

    def results(
        self, stage: Stage[ResultT_co], work: Work, numbers: Sequence[int]
    ) -> Iterator[ResultT_co]:
        """See `Engine.results`."""
        for number in numbers:
            yield stage.finish(stage.with_model(stage.read(work, number)))


class ReferenceStage:
    """Makes the pseudo-references of a block of changes, by the changes' numbers."""

    def __init__(self, recipe: Recipe, progress: Progress = silent) -> None:
        self._recipe = recipe
        self._progress = progress
        self.alone = recipe.claims == _LANGUAGE_MODEL
        self.on_gpu = self.alone and recipe.claim_options.device != "cpu"

    @cached_property
    def _generator(self) -> ClaimGenerator:
        return self._recipe.claim_generator(self._progress)

    @cached_property
    def _analyzers(self) -> Mapping[str, Sequence[Analyzer]]:
        return self._recipe.chosen_analyzers()

    def read(self, work: Work, number: int) -> Block:
        """Read the changes."""
        return work.block(number)

    def with_model(self, unit: Block) -> list[tuple[int, ClaimedChange | Unusable]]:
        """Take the claims that changes bring, and have the backend make the others.

        In the first block of a run nothing shows yet that the backend works: a failure is its own.

        Raises:
            ClaimsError: the backend cannot be had, or fails; see `claim_changes`.
        """
        inputs = [change_input(read_change(cells)) for _, cells in unit.changes]
        claimed = claim_changes(inputs, self._generator, is_first=unit.number == 0)
        return list(zip((number for number, _ in unit.changes), claimed, strict=True))

    def finish(self, made: list[tuple[int, ClaimedChange | Unusable]]) -> NumberedReferences:
        """Ask the analyzers about all changes at once."""
        sets = add_smells([change for _, change in made], self._analyzers)
        numbered = []
        for (number, change), references in zip(made, sets, strict=True):
            if isinstance(references, Unusable):
                numbered.append((number, ChangeReferences("", None, references.reason)))
            elif isinstance(change, ClaimedChange):
                numbered.append((number, ChangeReferences(change.language, references)))
        return numbered


@dataclass(frozen=True, slots=True)
class EmbeddedPart:
    """A part with the vectors of its texts.

    `split` are the reviews of each change that has pseudo-references, by the change's number.
    """

    part: Part
    split: dict[int, tuple[ReferenceSet, SplitReviews]]
    vectors: TextVectors


def _ignore(_: int) -> None:
    """Ignore the progress of a language model; unlike a lambda, it can be pickled."""


class ScoreStage:
    """Scores a part of the reviews; the same reviews give the same bytes.

    `digest` is the encoder's where the run was begun: another machine may have another. `labels`
    names those of the whole run. `within` hears how many reviews of the part at work are done.
    """

    on_gpu = True
    alone = False

    def __init__(self, recipe: Recipe, digest: str, labels: Sequence[str] = ()) -> None:
        self._recipe = recipe
        self._digest = digest
        self._labels = labels
        self.within: Callable[[int], None] = _ignore

    @cached_property
    def _encoder(self) -> Encoder:
        name = self._recipe.encoder
        if encoder_digest(name) != self._digest:
            raise EncoderError(
                f"encoder {name[:80]!r} is another on {gethostname()} than where the run was "
                "begun; put the same files on every machine of the cluster"
            )
        return self._recipe.cached_encoder()

    def read(self, work: Work, number: int) -> Part:
        """Read the reviews, with the pseudo-references of their changes."""
        return work.part(number)

    def with_model(self, unit: Part) -> EmbeddedPart:
        """Embed every text of a part, each once.

        Raises:
            EncoderError: the encoder cannot be loaded, or is another than `digest` says.
        """
        texts: dict[int, list[str]] = {}
        for review in unit.reviews:
            texts.setdefault(review.change, []).append(review.text)
        split = {}
        for number, reviews in texts.items():
            if references := unit.references[number].references:
                split[number] = (
                    references,
                    split_reviews(references.pseudo_references, reviews),
                )
        distinct = distinct_texts(reviews for _, reviews in split.values())
        n_reviews = len(unit.reviews)

        def note(texts: CorpusProgress) -> None:
            self.within(n_reviews * texts.done // max(1, texts.total))

        return EmbeddedPart(unit, split, embed(NotedEncoder(self._encoder, note), distinct))

    def finish(self, made: EmbeddedPart) -> ScoredPart:
        """Score the reviews, in their order."""
        scores = score_reviews(list(made.split.values()), made.vectors, self._recipe.tau)
        of_change = {
            number: iter(scored) for number, scored in zip(made.split, scores, strict=True)
        }
        rows = []
        for review in made.part.reviews:
            score = next(of_change[review.change]) if review.change in of_change else None
            rows.append(_row(review, made.part.references[review.change], score))
        return reviews_part(made.part.number, rows, self._recipe.tau, self._labels)


def _row(review: StoredReview, change: ChangeReferences, score: ReviewScore | None) -> RunReview:
    if score is None:
        sentences: Sequence[str] = split_sentences(review.text)
        similarity = np.zeros((0, len(sentences)), dtype=np.float32)
        warnings = [f"cannot be scored: {change.left_out}"]
    else:
        sentences, similarity = score.sentence_texts, score.similarity
        # Smells may be missing among the pseudo-references.
        unseen = (
            f"{result.path or 'a hunk'} was not analysed ({result.name}: {result.reason})"
            for result in score.references.analyzers
            if result.status is Status.NOT_ANALYSED
        )
        warnings = [*score.warnings, *unseen]
    return RunReview(
        review.row,
        review.change,
        review.id,
        review.system,
        change.language,
        review.text,
        review.ratings,
        sentences,
        similarity,
        warnings,
        str(score.signature) if score else None,
        labels=review.labels,
    )
