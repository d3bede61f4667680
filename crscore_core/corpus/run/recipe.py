"""How the scores of a run are made: everything but the reviews."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from analyzers import Analyzer
from crscore_core.claims import (
    CLAIM_BACKENDS,
    DEFAULT_CLAIMS,
    ClaimGenerator,
    ClaimOptions,
    Progress,
    claim_generator,
    silent,
)
from crscore_core.errors import BatchError
from crscore_core.scoring import DEFAULT_ENCODER, CachedEncoder, Precision
from crscore_core.scoring.smells import choose_analyzers

__all__ = ["Recipe"]


@dataclass(frozen=True, slots=True)
class Recipe:
    """What makes pseudo-references and scores; it can be sent to another process.

    Args:
        tau: similarity threshold.
        claims: a backend, for changes without claims of their own.
        claim_options: what that backend is made with.
        analyzers: whether smells are pseudo-references too.
        pmd_rulesets, jshint: how strict analyzers are; see `choose_analyzers`.
        encoder: name or folder of an embedding model.
        precision: of which it computes in.
        matrices: whether similarity matrices and the texts of their rows and columns are kept.
    """

    tau: float
    claims: str = DEFAULT_CLAIMS
    claim_options: ClaimOptions = field(default_factory=ClaimOptions)
    analyzers: bool = True
    pmd_rulesets: tuple[str, ...] = ()
    jshint: str = "modern"
    encoder: str = DEFAULT_ENCODER
    precision: Precision = Precision.FLOAT32
    matrices: bool = False

    def claim_generator(self, progress: Progress = silent) -> ClaimGenerator:
        """The backend of claims.

        Raises:
            BatchError: there is none of that name.
            ClaimsError: an option that it does not take, or it cannot be had.
        """
        if self.claims not in CLAIM_BACKENDS:
            raise BatchError(
                f"claims {self.claims[:80]!r} are no backend; choose {', '.join(CLAIM_BACKENDS)}, "
                "and give claims that you have in a column `claims` of the corpus"
            )
        return claim_generator(self.claims, self.claim_options, progress)

    def chosen_analyzers(self) -> Mapping[str, Sequence[Analyzer]]:
        """The analyzers by language, none where smells are not wanted.

        Raises:
            AnalyzerError: there are no such rules.
        """
        return choose_analyzers(self.pmd_rulesets, self.jshint) if self.analyzers else {}

    def cached_encoder(self) -> CachedEncoder:
        """The encoder, which keeps on disk what it has encoded.

        Raises:
            EncoderError: there is none of that name.
        """
        return CachedEncoder(self.encoder, precision=self.precision)
