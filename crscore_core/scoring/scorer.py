"""`CRScorer`: score reviews of one change."""

from collections.abc import Iterable, Mapping, Sequence

from crscore_core.analyzers import ANALYZERS, Analyzer
from crscore_core.change import CodeChange, parse_change
from crscore_core.claims import DEFAULT_CLAIMS, ClaimBackend, claim_backend
from crscore_core.errors import InputError
from crscore_core.scoring.encoder import Encoder
from crscore_core.scoring.load_encoder import DEFAULT_ENCODER, canonical_name, load_encoder
from crscore_core.scoring.pipeline import ChangeInput, ParsedChange, ScoringSetup, score_changes
from crscore_core.scoring.presets import resolve_tau
from crscore_core.scoring.review_score import ReviewScore
from crscore_core.scoring.smells import source_files

MAX_REVIEW = 1_000_000
"""Size limit of one review in characters."""


class CRScorer:
    """Scores reviews of changes without reference reviews (paper, section 3).

    Args:
        claims: a backend, its name, or the path of a file with claims.
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
        claims: str | ClaimBackend = DEFAULT_CLAIMS,
        encoder: str | Encoder = DEFAULT_ENCODER,
        tau: float | str | None = None,
        analyzers: Mapping[str, Sequence[Analyzer]] | None = None,
    ) -> None:
        self._claims = claim_backend(claims) if isinstance(claims, str) else claims
        self._encoder = encoder
        self._analyzers = ANALYZERS if analyzers is None else analyzers
        name = canonical_name(encoder) if isinstance(encoder, str) else encoder.name
        self.tau = resolve_tau(tau, name, self._claims.name)

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
        """Score several reviews of one change; its pseudo-references are made once.

        `language` applies to hunks without a file name in a diff given as text. `new_files` has the
        full new text of changed files by path. The scores of an empty review are None.

        Raises:
            InputError: there is no review, a review is too long, the change cannot be read, or
                the claims backend fails.
        """
        reviews = () if isinstance(reviews, str) else tuple(reviews or ())
        if not reviews or not all(isinstance(review, str) for review in reviews):
            raise InputError("`reviews` must be a non-empty list of texts")
        for number, review in enumerate(reviews, start=1):
            if len(review) > MAX_REVIEW:
                raise InputError(f"review {number} is longer than {MAX_REVIEW:,} characters")
        change = diff if isinstance(diff, CodeChange) else parse_change(diff, language=language)
        parsed = ParsedChange(change, source_files(change, new_files))
        encoder = load_encoder(self._encoder) if isinstance(self._encoder, str) else self._encoder
        setup = ScoringSetup(self._claims, encoder, self.tau, self._analyzers)
        (scored,) = score_changes([ChangeInput(parsed, reviews)], setup)
        if scored.error:
            raise scored.error
        return list(scored.scores)
