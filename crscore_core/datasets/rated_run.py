"""A run that people rate: what a rater is asked next, and what raters said, as the study keeps it.

The questions are those of the study (paper, sections 4.1 and 4.2, appendix D), and two of our own
that no pseudo-reference answers: a rater sees a change with its pseudo-references, codes the claims
if that is wanted, rates every review of the change, and says whether it is right and worth saying.
Order is shuffled for each rater, and a rater learns neither system nor score.
"""

import hashlib
import itertools
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import median

from crscore_core.corpus.measures import measured_values
from crscore_core.corpus.model import DIMENSIONS, Ratings
from crscore_core.corpus.reviews import ComparedChange
from crscore_core.corpus.run.answers import (
    CANNOT_TELL,
    QUESTIONS,
    RIGHT,
    Answer,
    RatingPlan,
    RunAnswers,
)
from crscore_core.corpus.run.finished import FinishedRun
from crscore_core.datasets.study.model import (
    STUDY_LANGUAGES,
    ClaimCode,
    CodedClaim,
    StudyChange,
    StudyReference,
    StudyReview,
)
from crscore_core.errors import InputError
from crscore_core.scoring.references import ReferenceKind

CLAIM = "claim"
"""Question about a pseudo-reference: a `ClaimCode`, or `UNNECESSARY`."""

UNNECESSARY = 3
"""Code of a pseudo-reference that is right, and that no review has to address."""

MOST_CHANGES = 2_000
"""Most changes of a run that are rated; of more, as many are drawn."""

_SHORT = {name: short for short, name in STUDY_LANGUAGES.items()}
_LONGEST_PAUSE = 600.0
_Said = Mapping[tuple[str, int], int]  # of one change: value by question and item
_LEFT_OUT = {ClaimCode.INCORRECT, ClaimCode.UNVERIFIABLE, UNNECESSARY}


@dataclass(frozen=True, slots=True)
class RatedReview:
    """A review to rate; `row` is its number in the tables of the run.

    `relevance`, from 0 to 1, is at the run's tau.
    """

    row: int
    system: str
    text: str
    relevance: float


@dataclass(frozen=True, slots=True)
class RatedChange:
    """A change to rate; `number` is its position in the run's comparison."""

    number: int
    change: ComparedChange
    reviews: tuple[RatedReview, ...]

    def claims_to_code(self) -> list[int]:
        """Positions of the pseudo-references that no analyzer made (section 4.1)."""
        return [
            place
            for place, reference in enumerate(self.change.references)
            if reference.kind is not ReferenceKind.SMELL
        ]


@dataclass(frozen=True, slots=True)
class Question:
    """The next thing that a rater is asked of a change.

    `name` is `CLAIM`, of the pseudo-reference at `item`; or one of `QUESTIONS`, of `review`,
    whose row `item` is. `left_out` are the pseudo-references that do not count for this rater,
    `given` the rater's values of the review so far, by question.
    """

    of: RatedChange
    name: str
    item: int
    review: RatedReview | None
    left_out: frozenset[int]
    given: Mapping[str, int]

    @property
    def values(self) -> range:
        """Values of an answer; relevance lies between the other two of `DIMENSIONS`."""
        if self.name == CLAIM:
            return range(min(ClaimCode), UNNECESSARY + 1)
        if self.name == RIGHT:
            return range(CANNOT_TELL, 2)
        if self.name != DIMENSIONS[-1]:
            return range(1, 6)
        low, high = sorted(self.given[name] for name in DIMENSIONS[:-1])
        return range(low, high + 1)


@dataclass(frozen=True, slots=True)
class RaterProgress:
    """Numbers of reviews: rated by a rater, and in that rater's share, the rated ones included.

    `seconds` is the median time of a review, None before the second; pauses of over ten minutes
    do not count.
    """

    rated: int
    share: int
    seconds: float | None


class RatedRun:
    """The changes of a run that people rate, and the answers so far.

    `came_rated` counts the reviews with ratings of another origin, if nobody had rated the run
    when it was opened.

    Raises:
        InputError: a part is damaged, or no review has pseudo-references.
    """

    def __init__(self, run: FinishedRun) -> None:
        comparison = run.reviews()
        rows = comparison.rows.tolist()
        reviews: dict[int, list[RatedReview]] = {}
        relevance = measured_values(comparison, "relevance", run.tau).tolist()
        for row, review, value in zip(rows, comparison, relevance, strict=True):
            if review.sentences:
                rated = RatedReview(row, review.system, review.text, value)
                reviews.setdefault(review.change, []).append(rated)
        if not reviews:
            raise InputError("this run has no review to rate")
        drawn = sorted(reviews, key=lambda number: _shuffled(comparison.changes[number].id))
        self.answers: RunAnswers = run.answers
        is_rated = comparison.is_judged_in("relevance")
        self.came_rated = 0 if self.answers.list() else int(is_rated.sum())
        self.changes: tuple[RatedChange, ...] = tuple(
            RatedChange(number, comparison.changes[number], tuple(reviews[number]))
            for number in drawn[:MOST_CHANGES]
        )

    def question(self, rater: str, given: Sequence[Answer], plan: RatingPlan) -> Question | None:
        """Return what a rater is asked next, None where nothing is left.

        First comes the change that the rater has begun, then those that everybody gets, in one
        order, so that two who stop early share reviews; then those of which nobody else has
        rated a review, last those of others.
        """
        mine = _answers_of(rater, given)
        of_others = _rated_by_others(rater, given)
        common = {one.number: place for place, one in enumerate(self._common(plan))}
        order = sorted(
            self.changes,
            key=lambda one: (
                one.number not in mine,
                common.get(one.number, len(common)),
                one.number in of_others,
                _shuffled(rater, one.change.id),
            ),
        )
        questions = (_open_question(one, rater, mine.get(one.number, {}), plan) for one in order)
        return next(filter(None, questions), None)

    def progress(self, rater: str, given: Sequence[Answer], plan: RatingPlan) -> RaterProgress:
        """Count the reviews that a rater has rated and those of the rater's share."""
        mine = _answers_of(rater, given)
        left = _rated_by_others(rater, given) - {one.number for one in self._common(plan)}
        share = [one for one in self.changes if one.number in mine or one.number not in left]
        last = [one.time for one in given if one.rater == rater and one.question == QUESTIONS[-1]]
        times = [later - earlier for earlier, later in itertools.pairwise(sorted(last))]
        counted = [seconds for seconds in times if seconds < _LONGEST_PAUSE]
        return RaterProgress(
            sum(name == QUESTIONS[-1] for said in mine.values() for name, _ in said),
            sum(len(one.reviews) for one in share),
            median(counted) if counted else None,
        )

    def missing(self, rater: str, number: int) -> tuple[str, ...]:
        """Return the claims that a rater misses in a change."""
        return self.answers.missing().get((rater, number), ())

    def shared(self, given: Sequence[Answer], question: str) -> list[tuple[int, list[int]]]:
        """Return change and answers of each item of which two raters or more answered a question.

        `CANNOT_TELL` is no answer. Codes of claims are `ClaimCode`.
        """
        answers: dict[tuple[int, int], list[int]] = {}
        for one in given:
            if one.question == question and (question, one.value) != (RIGHT, CANNOT_TELL):
                value = _code(one.value) if question == CLAIM else one.value
                answers.setdefault((one.change, one.item), []).append(value)
        return [(change, values) for (change, _), values in answers.items() if len(values) > 1]

    def study_changes(self, rater: str, given: Sequence[Answer]) -> tuple[StudyChange, ...]:
        """Return what a rater said, as the study keeps it: codes, edited references, ratings.

        Changes of which the rater said nothing are left out, and so are ratings that lack one of
        `DIMENSIONS`. The language is one of `STUDY_LANGUAGES`, else our own name of it.
        """
        mine = _answers_of(rater, given)
        missing = self.answers.missing()
        return tuple(
            _study_change(one, mine.get(one.number, {}), missing.get((rater, one.number), ()))
            for one in self.changes
            if one.number in mine or (rater, one.number) in missing
        )

    def coded_changes(self, given: Sequence[Answer]) -> tuple[StudyChange, ...]:
        """Return the changes with coded claims, each with the codes of all its raters."""
        changes: dict[str, StudyChange] = {}
        for rater in raters_of(one for one in given if one.question == CLAIM):
            for change in self.study_changes(rater, given):
                before = changes.get(
                    change.index, replace(change, coded_claims=(), added_claims=())
                )
                changes[change.index] = replace(
                    before,
                    coded_claims=before.coded_claims + change.coded_claims,
                    added_claims=before.added_claims + change.added_claims,
                )
        return tuple(changes.values())

    def _common(self, plan: RatingPlan) -> tuple[RatedChange, ...]:
        """The changes that everybody gets; `changes` are in an order that nobody chose."""
        return self.changes[: math.ceil(plan.overlap * len(self.changes))]


def raters_of(given: Iterable[Answer]) -> tuple[str, ...]:
    """Return the raters in the order of their first answers."""
    return tuple(dict.fromkeys(one.rater for one in given))


def _answers_of(rater: str, given: Iterable[Answer]) -> dict[int, _Said]:
    """Return what a rater said of each change that the rater has begun."""
    mine: dict[int, dict[tuple[str, int], int]] = {}
    for one in given:
        if one.rater == rater:
            mine.setdefault(one.change, {})[one.question, one.item] = one.value
    return {**mine}


def _rated_by_others(rater: str, given: Iterable[Answer]) -> set[int]:
    """Return the changes of which another rater has answered all questions about a review."""
    last = QUESTIONS[-1]
    return {one.change for one in given if one.question == last and one.rater != rater}


def _code(value: int) -> ClaimCode:
    """Return the code of the study: whether a claim is necessary is a question of its own there."""
    return ClaimCode.CORRECT if value == UNNECESSARY else ClaimCode(value)


def _open_question(of: RatedChange, rater: str, said: _Said, plan: RatingPlan) -> Question | None:
    """Return the first question of a change that a rater, who `said` this of it, has left open.

    Claims are coded before the first rating of their change, and not after it.
    """
    codes = {item: code for (name, item), code in said.items() if name == CLAIM}
    left_out = frozenset(item for item, code in codes.items() if code in _LEFT_OUT)
    is_rated = len(said) > len(codes)
    for place in of.claims_to_code() if plan.codes_claims and not is_rated else ():
        if place not in codes:
            return Question(of, CLAIM, place, None, left_out, {})
    for review in sorted(of.reviews, key=lambda one: _shuffled(rater, str(one.row))):
        given = {name: said[name, review.row] for name in QUESTIONS if (name, review.row) in said}
        for name in QUESTIONS:
            if name not in given:
                return Question(of, name, review.row, review, left_out, given)
    return None


def _rating(said: _Said, row: int) -> Ratings | None:
    """Return a whole rating, None where one of `DIMENSIONS` lacks."""
    values = [said.get((name, row)) for name in DIMENSIONS]
    return None if None in values else Ratings(*values)


def _study_change(of: RatedChange, said: _Said, missing: tuple[str, ...]) -> StudyChange:
    change = of.change
    coded, references = [], []
    for place, reference in enumerate(change.references):
        code = said.get((CLAIM, place))
        is_smell = reference.kind is ReferenceKind.SMELL
        if not is_smell:
            coded.append(CodedClaim(reference.text, None if code is None else _code(code)))
        if code == UNNECESSARY or code not in _LEFT_OUT:
            kind = ReferenceKind.SMELL if is_smell else ReferenceKind.CLAIM
            references.append(StudyReference(reference.text, kind, code != UNNECESSARY))
    references += [StudyReference(text, ReferenceKind.CLAIM, is_necessary=True) for text in missing]
    reviews = tuple(
        StudyReview(review.system, review.text, _rating(said, review.row), ())
        for review in of.reviews
    )
    return StudyChange(
        change.id, _SHORT.get(change.language, change.language), change.diff, tuple(coded),
        missing, tuple(references), reviews, None, None,
    )  # fmt: skip


def _shuffled(*names: str) -> bytes:
    """A key that sorts names in an order of chance, the same whenever it is asked for."""
    return hashlib.blake2b(repr(names).encode("utf-8", "surrogatepass"), digest_size=8).digest()
