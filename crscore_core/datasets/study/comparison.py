"""Every rated review of the study against the pseudo-references of its change."""

from crscore_core.corpus.comparison import ComparedChange, CorpusComparison, compare_corpus
from crscore_core.corpus.model import GROUND_TRUTH, CorpusReview, Ratings
from crscore_core.datasets.study.model import STUDY_LANGUAGES, Rating, StudyChange
from crscore_core.datasets.study.pseudo_references import StudyReferences
from crscore_core.errors import StudyError
from crscore_core.scoring import Encoder

__all__ = ["compare_study"]


def compare_study(references: StudyReferences, encoder: Encoder) -> CorpusComparison:
    """Compare every rated review with its change's pseudo-references.

    Every distinct text of the study is encoded once.

    Raises:
        StudyError: no rated change has pseudo-references, or nothing but the ground truth is rated.
    """
    pairs = list(zip(references.changes, references.of_changes, strict=True))
    if not any(found for _, found in pairs):
        raise StudyError("no rated change of the study has pseudo-references to compare with")
    if not any(
        review.rating and review.system != GROUND_TRUTH
        for change, found in pairs
        for review in change.reviews
        if found
    ):
        raise StudyError("people rated no review of the study but the ground truth")
    return compare_corpus(
        references.claims,
        [
            (
                ComparedChange(change.index, STUDY_LANGUAGES[change.language], change.diff, found),
                _rated_reviews(change),
            )
            for change, found in pairs
        ],
        encoder,
        warnings=references.warnings,
    )


def _rated_reviews(change: StudyChange) -> list[CorpusReview]:
    return [
        CorpusReview(
            f"{change.index}/{review.system}", review.system, review.text, _ratings(review.rating)
        )
        for review in change.reviews
        if review.rating
    ]


def _ratings(rating: Rating) -> Ratings:
    return Ratings(rating.conciseness, rating.comprehensiveness, rating.relevance)
