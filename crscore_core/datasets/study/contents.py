"""How much a study, or a part of one, holds: what its statistics will rest on."""

from collections.abc import Mapping
from dataclasses import dataclass

from crscore_core.corpus.model import GROUND_TRUTH
from crscore_core.datasets.study.model import STUDY_LANGUAGES, HumanStudy, StudyChange

__all__ = ["LanguageContents", "StudyContents", "study_contents"]


@dataclass(frozen=True, slots=True)
class LanguageContents:
    """Numbers of changes, of those with rated reviews, and of claims that people coded."""

    changes: int
    rated_changes: int
    coded_claims: int


@dataclass(frozen=True, slots=True)
class StudyContents:
    """Numbers of what a study holds; `languages` has every key of `STUDY_LANGUAGES`.

    `ratings` counts rated reviews. A pair is a rated review and a pseudo-reference of its change;
    see `study_contents`. `double_ratings` counts reviews that two people rated.
    """

    languages: Mapping[str, LanguageContents]
    ratings: int
    ratings_without_ground_truth: int
    addressed_pairs: int
    not_addressed_pairs: int
    double_ratings: int
    context_files: int
    missing_context_files: int


def study_contents(study: HumanStudy) -> StudyContents:
    """Count what a study holds.

    Pairs are of rated reviews other than the ground truth for which people noted at least one
    pseudo-reference that they address; with every pseudo-reference of the change, unnecessary
    ones included. Numbers beyond the last one add no pair.
    """
    rated = [review for change in study.changes for review in change.reviews if review.rating]
    pairs = [pair for change in study.changes for pair in _pairs(change)]
    context = {
        path for change in study.changes for path in (change.old_file, change.new_file) if path
    }
    return StudyContents(
        {language: _of_language(study, language) for language in STUDY_LANGUAGES},
        len(rated),
        sum(review.system != GROUND_TRUTH for review in rated),
        sum(pairs),
        len(pairs) - sum(pairs),
        len(study.double_ratings),
        len(context),
        len(study.missing),
    )


def _of_language(study: HumanStudy, language: str) -> LanguageContents:
    changes = [change for change in study.changes if change.language == language]
    return LanguageContents(
        len(changes),
        sum(change.is_rated for change in changes),
        sum(claim.code is not None for change in changes for claim in change.coded_claims),
    )


def _pairs(change: StudyChange) -> list[bool]:
    """Whether each pair of a change is one of a review and what it addresses."""
    return [
        number in review.addressed
        for review in change.reviews_with_addressed
        for number in range(1, len(change.references) + 1)
    ]
