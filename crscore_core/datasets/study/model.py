"""The human study as values: changes, what people said of their claims, rated reviews.

The study is that of the paper's sections 4.1 to 4.3: two phases on the same changes, one that
codes claims, one that rates reviews on three scales from 1 to 5.
"""

from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path

from crscore_core.corpus.model import GROUND_TRUTH
from crscore_core.scoring.references import ReferenceKind

__all__ = [
    "STUDY_LANGUAGES",
    "SYSTEMS",
    "ClaimCode",
    "CodedClaim",
    "DoubleRating",
    "HumanStudy",
    "Rating",
    "StudyChange",
    "StudyReference",
    "StudyReview",
]

STUDY_LANGUAGES = {"py": "python", "java": "java", "js": "javascript"}
"""The study's languages in its own order: its short names, and those of this package."""

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
"""The systems that were rated, in the order of the paper's Table 10, and their names there."""


class ClaimCode(IntEnum):
    """What a person says of a claim of the first phase (paper, section 4.1 and Table 8)."""

    AMBIGUOUS = 2
    CORRECT = 1
    INCORRECT = 0
    UNVERIFIABLE = -1
    INCOMPLETE = -2


@dataclass(frozen=True, slots=True)
class CodedClaim:
    """A claim as it was generated; `code` is None where nobody coded it."""

    text: str
    code: ClaimCode | None


@dataclass(frozen=True, slots=True)
class StudyReference:
    """A pseudo-reference as people edited it for the second phase.

    `kind` is that of a claim or of a smell: the study does not tell implications apart.
    `is_necessary` is False where people called it redundant; ratings then leave it out.
    """

    text: str
    kind: ReferenceKind
    is_necessary: bool


@dataclass(frozen=True, slots=True)
class Rating:
    """How good a person finds a review, each from 1 (worst) to 5 (best)."""

    conciseness: int
    comprehensiveness: int
    relevance: int


@dataclass(frozen=True, slots=True)
class StudyReview:
    """The review that one system wrote of a change.

    `system` is a key of `SYSTEMS`. `addressed` numbers the change's pseudo-references from 1
    in their order, unnecessary ones included, as people wrote them down: a number may be larger
    than the last of them. Empty where none was noted. `rating` is None where nobody rated it.
    """

    system: str
    text: str
    rating: Rating | None
    addressed: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class StudyChange:
    """One change of the study.

    `index` is its number in the test set of CodeReviewer, as text; `language` a key of
    `STUDY_LANGUAGES`. `coded_claims` and `added_claims` are of the first phase: the claims as
    generated, and those that people missed. `references` and `reviews` are of the second.
    `old_file` and `new_file` are the whole file before and after, None where the folder
    does not have it.
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
        """Whether people rated its reviews."""
        return any(review.rating for review in self.reviews)

    @property
    def reviews_with_addressed(self) -> tuple[StudyReview, ...]:
        """The rated reviews but the ground truth for which people noted what they address.

        Each makes a pair with every pseudo-reference of the change (paper, section 4.3).
        """
        return tuple(
            review
            for review in self.reviews
            if review.rating and review.system != GROUND_TRUTH and review.addressed
        )


@dataclass(frozen=True, slots=True)
class DoubleRating:
    """Two people's ratings of one review, for their agreement (paper, section 4.2).

    `change` says which of the doubly rated changes the review is of, from 0 in their order.
    """

    change: int
    first: Rating
    second: Rating


@dataclass(frozen=True, slots=True)
class HumanStudy:
    """The whole study, or the part of it that a folder holds.

    `changes` are in the order of the files, Python before Java before JavaScript. `missing`
    names files that a full release has and this folder does not, such as context files.
    `oddities` are lines about what people wrote where it means nothing, such as a code that is
    none; it is read as if it were not there.
    """

    changes: tuple[StudyChange, ...]
    double_ratings: tuple[DoubleRating, ...]
    missing: tuple[str, ...]
    oddities: tuple[str, ...] = ()
