"""Finished runs without a corpus or an encoder: a comparison's similarities as a run keeps them."""

from pathlib import Path

import numpy as np

from crscore_core.corpus.comparison import CorpusComparison
from crscore_core.corpus.model import UNRATED
from crscore_core.corpus.reading import RejectedRow
from crscore_core.corpus.run.document import RunDocument
from crscore_core.corpus.run.finished import FinishedRun
from crscore_core.corpus.run.folder import RunFolder, part_name
from crscore_core.corpus.run.table import RunChange, RunReview, reviews_part
from crscore_core.scoring import DEFAULT_ENCODER
from crscore_core.scoring.signature import Signature

_REVIEWS_A_PART = 3


def made_run(path: Path, comparison: CorpusComparison, tau: float = 0.5) -> FinishedRun:
    """Write the reviews of a comparison, and two that have no scores, as a batch run at `tau`.

    Of those two the change of one gives no pseudo-references, and that of the other was left out.
    """
    folder = RunFolder(path)
    with folder.held(resume=False):
        folder.write_rejects([RejectedRow(1_000_000, "the diff is empty", "{}")])
        reviews = _reviews(comparison, tau)
        cuts = range(0, len(reviews), _REVIEWS_A_PART)
        parts = [
            folder.write_part(
                part_name(number), reviews_part(number, reviews[at : at + _REVIEWS_A_PART], tau)
            )
            for number, at in enumerate(cuts)
        ]
        settings = {
            "claims": "by hand",
            "encoder": DEFAULT_ENCODER,
            "precision": comparison.precision.value,
            "analyzers": comparison.analyzers,
            "tau": tau,
            "version": "0",
        }
        changes = folder.write_changes(_changes(comparison))
        n_changes = len(comparison.changes) + 2
        folder.finish(RunDocument(settings, n_changes, 1, tuple(parts), changes))
    return FinishedRun.open(path)


def _changes(comparison: CorpusComparison) -> list[RunChange]:
    return [
        RunChange(0, "bare", "", "", "-a\n", left_out="it gives no pseudo-references"),
        RunChange(1, "left out", "", "", "-b\n", left_out="it is no diff"),
        *(
            RunChange(number, one.id, one.language, one.title, one.diff, one.references)
            for number, one in enumerate(comparison.changes, start=2)
        ),
    ]


def _reviews(comparison: CorpusComparison, tau: float) -> list[RunReview]:
    signature = str(Signature(DEFAULT_ENCODER, "by hand", (("lizard", "1.0"),), tau, "0"))
    nothing = np.zeros((0, 1), dtype=np.float32)
    return [
        RunReview(
            1, 0, "bare", "a", "", "Bare.", UNRATED, ["Bare."], nothing, ["bare"],
            signature=signature,
        ),
        *(
            RunReview(
                row, one.change + 2, one.id, one.system, comparison.changes[one.change].language,
                one.text, one.ratings, one.sentences, one.similarity, signature=signature,
            )
            for row, one in enumerate(comparison.reviews, start=2)
        ),
        RunReview(
            1_000, 1, "left out", "b", "", "No.", UNRATED, ["No."], nothing,
            ["cannot be scored: it is no diff"],
        ),
    ]  # fmt: skip
