"""Finished runs without a corpus or an encoder: reviews by hand as a run keeps them."""

from pathlib import Path

import numpy as np

from crscore_core.corpus.model import CorpusChange, CorpusReview
from crscore_core.corpus.part import ScoredPart
from crscore_core.corpus.reading import RejectedRow
from crscore_core.corpus.reviews import Reviews
from crscore_core.corpus.run.finished import FinishedRun
from crscore_core.corpus.run.folder import RunDocument, RunFolder
from crscore_core.corpus.table import ChangeResult, ReviewResult, changes_table, reviews_table
from crscore_core.scoring import DEFAULT_ENCODER
from crscore_core.scoring.signature import Signature

_REVIEWS_A_PART = 3


def made_run(path: Path, comparison: Reviews, tau: float = 0.5) -> FinishedRun:
    """Write reviews, and two that have no scores, as a batch run at `tau`.

    Of those two the change of one gives no pseudo-references, and that of the other was left out.
    """
    folder = RunFolder(path)
    with folder.held(resume=False):
        folder.write_rejects([RejectedRow(1_000_000, "the diff is empty", "{}")])
        reviews, changes = _reviews(comparison, tau), changes_table(_changes(comparison))
        parts = [
            folder.write_part(
                ScoredPart(
                    number,
                    changes if number == 0 else changes.slice(len(changes)),
                    reviews_table(reviews[at : at + _REVIEWS_A_PART], tau, comparison.labels),
                )
            )
            for number, at in enumerate(range(0, len(reviews), _REVIEWS_A_PART))
        ]
        settings = {
            "claims": "by hand",
            "encoder": DEFAULT_ENCODER,
            "precision": comparison.precision,
            "analyzers": comparison.analyzers,
            "tau": tau,
            "version": "0",
        }
        files = tuple(part.reviews for part in parts), tuple(part.changes for part in parts)
        n_changes, labels = len(changes), comparison.labels
        folder.finish(RunDocument(settings, n_changes, 1, files[0], files[1], labels=labels))
    return FinishedRun.open(path)


def _changes(comparison: Reviews) -> list[ChangeResult]:
    bare = (
        ("bare", "-a\n", "it gives no pseudo-references"),
        ("left out", "-b\n", "it is no diff"),
    )
    return [
        *(
            ChangeResult(number, CorpusChange(name, None, diff, ()), "", left_out=reason)
            for number, (name, diff, reason) in enumerate(bare)
        ),
        *(
            ChangeResult(
                number,
                CorpusChange(one.id, None, one.diff, (), one.title),
                one.language,
                one.references,
            )
            for number, one in enumerate(comparison.changes, start=2)
        ),
    ]


def _reviews(comparison: Reviews, tau: float) -> list[ReviewResult]:
    signature = str(Signature(DEFAULT_ENCODER, "by hand", (("lizard", "1.0"),), tau, "0"))
    nothing = np.zeros((0, 1), dtype=np.float32)
    bare = CorpusReview("bare", "a", "Bare.", row=1)
    left_out = CorpusReview("left out", "b", "No.", row=1_000)
    return [
        ReviewResult(bare, 0, "", ["Bare."], nothing, ["bare"], signature),
        *(
            ReviewResult(
                CorpusReview(one.id, one.system, one.text, one.ratings, one.labels, row=row),
                one.change + 2,
                comparison.changes[one.change].language,
                one.sentences,
                one.similarity,
                one.warnings,
                signature,
            )
            for row, one in enumerate(comparison, start=2)
        ),
        ReviewResult(left_out, 1, "", ["No."], nothing, ["cannot be scored: it is no diff"]),
    ]
