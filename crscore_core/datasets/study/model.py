"""The human study as values: changes, codes of claims, rated reviews, and how many there are.

The study is that of the paper's sections 4.1 to 4.3: two phases on the same changes. The first
phase codes claims, the second rates reviews on three scales from 1 to 5.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path

from crscore_core.corpus.model import GROUND_TRUTH, Ratings
from crscore_core.scoring.references import ReferenceKind

STUDY_LANGUAGES = {"py": "python", "java": "java", "js": "javascript"}
"""Languages by the study's short names, in the study's order; the values are our names."""

SYSTEMS = {
    "knn": "BM-25 retriever",
    "lstm": "LSTM",
    "codereviewer": "CodeReviewer",
    "stable_code": "Stable-Code-3B",
    "deepseekcoder": "DeepSeekCoder-6.7B-Instruct",
    "magicoder": "Magicoder-S-DS-6.7B",
    "llama3": "LLaMA-3-8B-Instruct",
    "codellama_13b": "CodeLLaMA-13B",
    "gpt3.5": "GPT-3.5",
    GROUND_TRUTH: "Ground Truth",
}
"""The rated systems in the order of the paper's Table 10, with their names there."""


class ClaimCode(IntEnum):
    """An annotator's verdict on a claim of the first phase (paper, section 4.1 and Table 8)."""

    AMBIGUOUS = 2
    CORRECT = 1
    INCORRECT = 0
    UNVERIFIABLE = -1
    INCOMPLETE = -2


@dataclass(frozen=True, slots=True)
class CodedClaim:
    """A claim as it was generated; `code` is None if nobody coded it."""

    text: str
    code: ClaimCode | None


@dataclass(frozen=True, slots=True)
class StudyReference:
    """A pseudo-reference as an annotator edited it for the second phase.

    `kind` is claim or smell: the study does not tell implications from claims. `is_necessary` is
    False if the annotator called the pseudo-reference redundant; ratings then leave it out.
    """

    text: str
    kind: ReferenceKind
    is_necessary: bool


@dataclass(frozen=True, slots=True)
class StudyReview:
    """One system's review of a change.

    `system` is a key of `SYSTEMS`, `rating` None if nobody rated the review. `addressed` holds
    the numbers of the change's pseudo-references that the review addresses, as the annotator
    wrote them: counted from 1, unnecessary pseudo-references included, perhaps larger than the
    last one, empty if none was noted.
    """

    system: str
    text: str
    rating: Ratings | None
    addressed: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class StudyChange:
    """One change of the study.

    `index` is the change's number in the test set of CodeReviewer, as text; `language` a key of
    `STUDY_LANGUAGES`. `coded_claims` (the generated claims) and `added_claims` (claims that the
    annotator missed among them) are of the first phase, `references` and `reviews` of the second.
    `old_file` and `new_file` are the whole file before and after, None if the folder lacks it.
    """

    index: str
    language: str
    diff: str
    coded_claims: tuple[CodedClaim, ...]
    added_claims: tuple[str, ...]
    references: tuple[StudyReference, ...]
    reviews: tuple[StudyReview, ...]
    old_file: Path | None
    new_file: Path | None

    @property
    def is_rated(self) -> bool:
        """Return True if any of the reviews is rated."""
        return any(review.rating for review in self.reviews)

    @property
    def reviews_with_addressed(self) -> tuple[StudyReview, ...]:
        """Rated reviews, ground truth excluded, with a note on what they address.

        Each makes a pair with every pseudo-reference of the change (paper, section 4.3).
        """
        return tuple(
            review
            for review in self.reviews
            if review.rating and review.system != GROUND_TRUTH and review.addressed
        )


@dataclass(frozen=True, slots=True)
class SharedRating:
    """Ratings of one review by two raters or more, to measure agreement (paper, section 4.2).

    `change` is a number of the review's change, from 0.
    """

    change: int
    ratings: tuple[Ratings, ...]


@dataclass(frozen=True, slots=True)
class HumanStudy:
    """The whole study, or the part of it in a folder.

    `changes` are in the order of the files, Python before Java before JavaScript. `missing`
    names files of the full release that the folder lacks, such as context files. `oddities` are
    lines about meaningless cells, such as a claim code that does not exist; such a cell is read
    as empty.
    """

    changes: tuple[StudyChange, ...]
    double_ratings: tuple[SharedRating, ...]
    missing: tuple[str, ...]
    oddities: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LanguageContents:
    """Numbers of changes, of changes with rated reviews, and of coded claims."""

    changes: int
    rated_changes: int
    coded_claims: int


@dataclass(frozen=True, slots=True)
class StudyContents:
    """Numbers of the things in a study; `languages` has every key of `STUDY_LANGUAGES`.

    `ratings` counts rated reviews, `double_ratings` reviews that both annotators rated. `pairs`,
    `addressed` and `not_addressed`, are of a rated review and a pseudo-reference of its change;
    see `study_contents`. `context_files` are `present` and `missing`.
    """

    languages: Mapping[str, LanguageContents]
    ratings: int
    ratings_without_ground_truth: int
    pairs: Mapping[str, int]
    double_ratings: int
    context_files: Mapping[str, int]


def study_contents(study: HumanStudy) -> StudyContents:
    """Count changes, ratings, pairs and context files of a study.

    Every review of `reviews_with_addressed` makes a pair with every pseudo-reference of its
    change, unnecessary ones included. Numbers beyond the last pseudo-reference add no pair.
    """
    rated = [review for change in study.changes for review in change.reviews if review.rating]
    is_addressed = [
        number in review.addressed
        for change in study.changes
        for review in change.reviews_with_addressed
        for number in range(1, len(change.references) + 1)
    ]
    context_files = {
        path for change in study.changes for path in (change.old_file, change.new_file) if path
    }
    return StudyContents(
        languages={language: _of_language(study, language) for language in STUDY_LANGUAGES},
        ratings=len(rated),
        ratings_without_ground_truth=sum(review.system != GROUND_TRUTH for review in rated),
        pairs={
            "addressed": sum(is_addressed),
            "not_addressed": len(is_addressed) - sum(is_addressed),
        },
        double_ratings=len(study.double_ratings),
        context_files={"present": len(context_files), "missing": len(study.missing)},
    )


def _of_language(study: HumanStudy, language: str) -> LanguageContents:
    changes = [change for change in study.changes if change.language == language]
    return LanguageContents(
        len(changes),
        sum(change.is_rated for change in changes),
        sum(claim.code is not None for change in changes for claim in change.coded_claims),
    )
