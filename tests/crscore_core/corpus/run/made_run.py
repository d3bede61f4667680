"""Finished runs without a corpus or an encoder: a comparison's similarities as a run keeps them."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from crscore_core.corpus.comparison import CorpusComparison
from crscore_core.corpus.model import UNRATED
from crscore_core.corpus.run.finished import FinishedRun
from crscore_core.corpus.run.folder import RunFolder, part_name
from crscore_core.corpus.run.recipe import Recipe
from crscore_core.corpus.run.run_document import RunDocument
from crscore_core.corpus.run.settings import RunSettings
from crscore_core.corpus.run.stages import ScoredReview
from crscore_core.corpus.run.table import scored_part
from crscore_core.corpus.run.units import Reject, StoredReview, WrittenPart
from crscore_core.scoring import DEFAULT_ENCODER
from crscore_core.scoring.references import PseudoReference, ReferenceSet
from crscore_core.scoring.review_score import ReviewScore
from crscore_core.scoring.signature import Signature

__all__ = ["made_run"]

_REVIEWS_A_PART = 3


def made_run(
    path: Path, comparison: CorpusComparison, tau: float = 0.5, *, matrices: bool = False
) -> FinishedRun:
    """The reviews of a comparison, and two that have no scores, as a run at `tau`.

    Of those two the change of one gives no pseudo-references, and that of the other was left out.
    """
    recipe = Recipe(tau, "by hand", matrices=matrices)
    folder = RunFolder(path)
    with folder.held(resume=False):
        folder.write_rejects([Reject(1_000_000, "the diff is empty", "{}")])
        reviews = _scored(comparison, tau)
        cuts = range(0, len(reviews), _REVIEWS_A_PART)
        parts = [
            _written(folder, number, reviews[at : at + _REVIEWS_A_PART], recipe)
            for number, at in enumerate(cuts)
        ]
        settings = RunSettings(
            "0" * 64, {}, "by hand", True, (), "modern", DEFAULT_ENCODER, "0" * 64, "float32",
            tau, matrices, "0",
        )  # fmt: skip
        document = RunDocument(settings.as_json(), len(comparison.changes) + 2, 1, tuple(parts))
        folder.finish(document.as_json())
    return FinishedRun.open(path)


def _written(
    folder: RunFolder, number: int, reviews: Sequence[ScoredReview], recipe: Recipe
) -> WrittenPart:
    part = scored_part(number, reviews, recipe)
    checksum = folder.write(part_name(number), [part.content])
    return WrittenPart(number, part.rows, part.unscored, checksum)


def _scored(comparison: CorpusComparison, tau: float) -> list[ScoredReview]:
    signature = Signature(DEFAULT_ENCODER, "by hand", (("lizard", "1.0"),), tau, "0")
    nothing = np.zeros((0, 1), dtype=np.float32)
    bare = ReviewScore("Bare.", _references(()), ("Bare.",), nothing, signature, ("bare",))
    return [
        ScoredReview(StoredReview(1, 0, "bare", "a", "Bare.", UNRATED), "", bare),
        *(
            ScoredReview(
                StoredReview(row, one.change + 2, one.id, one.system, one.text, one.ratings),
                comparison.changes[one.change].language,
                ReviewScore(
                    one.text,
                    _references(comparison.changes[one.change].references),
                    one.sentences,
                    one.similarity,
                    signature,
                    (),
                ),
            )
            for row, one in enumerate(comparison.reviews, start=2)
        ),
        ScoredReview(
            StoredReview(1_000, 1, "left out", "b", "No.", UNRATED), "", None, "it is no diff"
        ),
    ]


def _references(references: tuple[PseudoReference, ...]) -> ReferenceSet:
    return ReferenceSet(references, "by hand", (), ())
