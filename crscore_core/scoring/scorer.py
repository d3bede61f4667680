"""`CRScorer`: a change and its reviews in, scores out."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from analyzers import ANALYZERS, Analyzer
from crscore_core.change import CodeChange, parse_change
from crscore_core.claims import DEFAULT_CLAIMS, ClaimGenerator, claim_generator
from crscore_core.errors import InputError
from crscore_core.scoring.encoder import Embeddings, Encoder
from crscore_core.scoring.pipeline import (
    ChangeInput,
    ClaimedChange,
    Unusable,
    add_smells,
    claim_changes,
    score_reviews,
)
from crscore_core.scoring.presets import resolve_tau
from crscore_core.scoring.registry import DEFAULT_ENCODER, canonical_name, load_encoder
from crscore_core.scoring.review_score import ReviewScore
from crscore_core.scoring.smells import whole_files

LONGEST_REVIEW = 1_000_000
"""Size limit of one review in characters."""


@dataclass(frozen=True, slots=True, eq=False)
class Question:
    """A change with its claims and whole files, and reviews of it."""

    change: ClaimedChange
    reviews: tuple[str, ...]


class CRScorer:
    """Scores reviews of changes without reference reviews (paper, section 3).

    Args:
        claims: a backend, its name, or the name of a file with claims.
        encoder: an embedding model, its name on the hub, or a folder that holds one; loaded
            when it is first needed.
        tau: a number, `tau_best` or `tau_gt`; None for the encoder's preset.
        analyzers: static analyzers by language; None for those of `analyzers.ANALYZERS`.

    Raises:
        InputError: no such backend, a file without claims, tau is not a cosine, or there is no
            preset for the encoder.
    """

    def __init__(
        self,
        *,
        claims: str | ClaimGenerator = DEFAULT_CLAIMS,
        encoder: str | Encoder = DEFAULT_ENCODER,
        tau: float | str | None = None,
        analyzers: Mapping[str, Sequence[Analyzer]] | None = None,
    ) -> None:
        self._claims = claim_generator(claims) if isinstance(claims, str) else claims
        self._encoder: Encoder = (
            _NamedEncoder(canonical_name(encoder)) if isinstance(encoder, str) else encoder
        )
        self._analyzers = ANALYZERS if analyzers is None else analyzers
        self.tau = resolve_tau(tau, self._encoder.name, self._claims.name)

    def score(
        self,
        diff: str | bytes | CodeChange,
        review: str,
        *,
        language: str | None = None,
        new_files: Mapping[str, str] | None = None,
    ) -> ReviewScore:
        """Score one review; see `score_many`."""
        return self.score_many(diff, [review], language=language, new_files=new_files)[0]

    def score_many(
        self,
        diff: str | bytes | CodeChange,
        reviews: Iterable[str],
        *,
        language: str | None = None,
        new_files: Mapping[str, str] | None = None,
    ) -> list[ReviewScore]:
        """Score several reviews of one change, whose pseudo-references are made once.

        `language` is that of hunks without file names. `new_files` has the full new text of changed
        files by path, for the analyzers. An empty review has None for its scores, and a warning.

        Raises:
            InputError: there is no review, a review is too long, the change cannot be read, or
                the claims backend fails.
        """
        question = self.question(diff, reviews, language=language, new_files=new_files)
        return self.answers([question])[0]

    def question(
        self,
        diff: str | bytes | CodeChange,
        reviews: Iterable[str],
        *,
        language: str | None = None,
        new_files: Mapping[str, str] | None = None,
    ) -> Question:
        """Check what `score_many` takes, and make claims about the change.

        Raises:
            InputError: as `score_many` does.
        """
        if isinstance(reviews, str) or not (reviews := tuple(reviews)):
            raise InputError("give a list of reviews, and at least one")
        for number, review in enumerate(reviews, start=1):
            if len(review) > LONGEST_REVIEW:
                raise InputError(
                    f"review {number} is longer than the limit of {LONGEST_REVIEW:,} characters"
                )
        change = diff if isinstance(diff, CodeChange) else parse_change(diff, language=language)
        if new_files:
            whole_files(change, new_files)  # a file that does not fit is an error here
        (claimed,) = claim_changes([ChangeInput(change, new_files=new_files)], self._claims)
        if isinstance(claimed, Unusable):
            raise InputError(claimed.reason)
        return Question(claimed, reviews)

    def answers(self, questions: Sequence[Question]) -> list[list[ReviewScore]]:
        """Score the reviews of each question; each analyzer starts once for all of them.

        Raises:
            UnavailableError: the encoder cannot be loaded.
        """
        sets = add_smells([one.change for one in questions], self._analyzers)
        reviews = [one.reviews for one in questions]
        return score_reviews(list(zip(sets, reviews, strict=True)), self._encoder, self.tau)


class _NamedEncoder:
    """An encoder by its name, loaded when the first text is embedded."""

    def __init__(self, name: str) -> None:
        self.name = name

    @cached_property
    def _model(self) -> Encoder:
        return load_encoder(self.name)

    def encode(self, texts: Sequence[str]) -> Embeddings:
        """Embed `texts`; see `Encoder.encode`."""
        return self._model.encode(texts)
