"""A corpus as values: changes, the reviews that systems wrote of them, and people's ratings."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from crscore_core.claims import Claim
from crscore_core.scoring.references import PseudoReference

DIMENSIONS = ("conciseness", "comprehensiveness", "relevance")
"""Dimensions that the metric measures and people rate, in the order of `Ratings`."""

GROUND_TRUTH = "msg"
"""The "system" whose reviews are the reference reviews of a data set; CodeReviewer's name."""


@dataclass(frozen=True, slots=True)
class Ratings:
    """People's ratings of a review, each from 1 (worst) to 5 (best); None where nobody rated."""

    conciseness: float | None = None
    comprehensiveness: float | None = None
    relevance: float | None = None


UNRATED = Ratings()
"""Ratings of a review that nobody rated."""


@dataclass(frozen=True, slots=True)
class CorpusReview:
    """A review of a change; `id` is its own in the corpus, and `system` names its author.

    `labels` are further judgements by their names, of people or of outcomes, any finite number
    each; a label that nobody gave is not among them. `reference` is the reference review that its
    own row named, empty where that is known of the change alone. `row` is its number in the file
    or table that it came from, 0 where it came from none.
    """

    id: str
    system: str
    text: str
    ratings: Ratings = UNRATED
    labels: Mapping[str, float] = field(default_factory=dict, hash=False)
    reference: str = ""
    row: int = 0


@dataclass(frozen=True, slots=True)
class CorpusChange:
    """A change and its reviews.

    `id` is its own in the corpus; `title` is a name for people, empty where there is none.
    `language` is a name that `normalise_language` returned, None where only the diff can tell.
    `claims` came with the change, None where claims are to be made; so did `references`, claims
    and smells together, in which case neither is made. `new_file` is the whole new text of the one
    file that it changes, where that is known.
    """

    id: str
    language: str | None
    diff: str
    reviews: tuple[CorpusReview, ...]
    title: str = ""
    claims: tuple[Claim, ...] | None = None
    references: tuple[PseudoReference, ...] | None = None
    new_file: str | None = None


@dataclass(frozen=True, slots=True)
class Corpus:
    """Changes with reviews, under a name for people.

    `claims` names where claims that came with the changes are from, empty for those that nobody
    named. `remarks` say what a reader should know of the whole corpus.
    """

    name: str
    changes: tuple[CorpusChange, ...]
    claims: str = ""
    remarks: tuple[str, ...] = ()
