"""`CRScorer`: score reviews of changes."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from crscore_core.analyzers import ANALYZERS, Analyzer
from crscore_core.change import CodeChange
from crscore_core.claims import DEFAULT_CLAIMS, Claims, ClaimSet, claims_from_items, make_backend
from crscore_core.errors import InputError
from crscore_core.scoring.encoder import Encoder
from crscore_core.scoring.load_encoder import DEFAULT_ENCODER, canonical_name, load_encoder
from crscore_core.scoring.pipeline import ChangeInput, ScoringSetup, score_changes
from crscore_core.scoring.presets import resolve_tau
from crscore_core.scoring.review_score import ReviewScore

MAX_REVIEW = 1_000_000
"""Size limit of one review in characters."""

Diff = str | bytes | CodeChange
"""A change."""


class CRScorer:
    """Scores reviews of changes without reference reviews (paper, section 3).

    Args:
        claims: a backend, its name, a file with claims, or claims, which may be texts.
        encoder: an embedding model, its name on the hub, or its folder; loaded on first use.
        tau: a number, `tau_best` or `tau_gt`; None means `tau_gt`.
        analyzers: static analyzers by language; None means `analyzers.ANALYZERS`.

    Raises:
        InputError: the backend does not exist, the file has no claims, tau is not from -1 to 1,
            or the encoder has no preset.
    """

    def __init__(
        self,
        *,
        claims: Claims = DEFAULT_CLAIMS,
        encoder: str | Encoder = DEFAULT_ENCODER,
        tau: float | str | None = None,
        analyzers: Mapping[str, Sequence[Analyzer]] | None = None,
    ) -> None:
        self._claims = make_backend(claims)
        self._encoder = encoder
        self._analyzers = ANALYZERS if analyzers is None else analyzers
        name = canonical_name(encoder) if isinstance(encoder, str) else encoder.name
        self.tau = resolve_tau(tau, name, self._claims.name)

    def score(
        self,
        diff: Diff,
        review: str,
        *,
        language: str | None = None,
        new_files: Mapping[str, str] | None = None,
    ) -> ReviewScore:
        """Score one review; see `score_many`."""
        return self.score_many(diff, [review], language=language, new_files=new_files)[0]

    def score_many(
        self,
        diff: Diff,
        reviews: Iterable[str],
        *,
        language: str | None = None,
        new_files: Mapping[str, str] | None = None,
    ) -> list[ReviewScore]:
        """Score several reviews of one change; its pseudo-references are made once.

        `language` applies to hunks without a file name in a diff given as text. `new_files` has the
        full new text of changed files by path. The scores of an empty review are None.

        Raises:
            InputError: there is no review, a review is too long, the change cannot be read, or
                the claims backend fails.
        """
        texts = _checked_reviews(reviews)
        if not texts:
            raise InputError("`reviews` must be a non-empty list of texts")
        change = ChangeInput(diff, texts, language, new_files=new_files)
        (scored,) = score_changes([change], self._setup())
        if scored.error:
            raise scored.error
        return list(scored.scores)

    def score_changes(
        self, changes: Iterable[ChangeInput | tuple[Diff, Sequence[str]]]
    ) -> list[list[ReviewScore]]:
        """Score the reviews of many changes: analyzers start once, texts are embedded together.

        A change is a pair of its diff and its reviews, or a `ChangeInput`, which also has its
        language, complete file or claims. The scores of a change that cannot be scored are None,
        and the warnings of its reviews have the reason.

        Raises:
            InputError: a change has another form, a review is too long, or the claims backend or
                the encoder is unavailable.
        """
        inputs = []
        for number, change in enumerate(changes, start=1):
            try:
                inputs.append(_change_input(change))
            except InputError as error:
                raise error.within(f"change {number}") from error
        return [list(scored.scores) for scored in score_changes(inputs, self._setup())]

    def _setup(self) -> ScoringSetup:
        encoder = load_encoder(self._encoder) if isinstance(self._encoder, str) else self._encoder
        return ScoringSetup(self._claims, encoder, self.tau, self._analyzers)


def _change_input(change: ChangeInput | tuple[Diff, Sequence[str]]) -> ChangeInput:
    if isinstance(change, tuple) and len(change) == 2:
        change = ChangeInput(*change)
    if not isinstance(change, ChangeInput) or not isinstance(change.diff, Diff):
        raise InputError("it is neither a ChangeInput nor a pair of a diff and its reviews")
    claims = change.claims
    if claims is not None and not isinstance(claims, ClaimSet):
        claims = ClaimSet(claims_from_items(claims))
    return replace(change, reviews=_checked_reviews(change.reviews), claims=claims)


def _checked_reviews(reviews: Iterable[str]) -> tuple[str, ...]:
    """Return the reviews of a change; raise an InputError for one that is no text or too long."""
    texts = () if reviews is None else tuple(reviews)
    if isinstance(reviews, str) or not all(isinstance(text, str) for text in texts):
        raise InputError("`reviews` must be a list of texts")
    for number, text in enumerate(texts, start=1):
        if len(text) > MAX_REVIEW:
            raise InputError(f"review {number} is longer than {MAX_REVIEW:,} characters")
    return texts
