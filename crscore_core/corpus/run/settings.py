"""What a run was begun with, so that it is not gone on with otherwise."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path

from crscore_core.caches import sha256_of
from crscore_core.corpus.run.recipe import Recipe
from crscore_core.errors import BatchError
from crscore_core.scoring import canonical_name
from crscore_core.scoring.registry import encoder_digest
from crscore_core.scoring.signature import package_version

__all__ = ["RunSettings", "settings_of"]

_WORDS = {"input_sha256": "the corpus, by its digest,", "encoder_digest": "the encoder's digest"}
"""What people call a setting whose name does not tell."""


@dataclass(frozen=True, slots=True)
class RunSettings:
    """Everything that the results of a run depend on.

    `input_sha256` and `encoder_digest` are digests of what the corpus and the encoder hold;
    `columns` are those that somebody chose, by field; `claims` identifies the backend.
    """

    input_sha256: str
    columns: Mapping[str, str]
    claims: str
    analyzers: bool
    pmd_rulesets: tuple[str, ...]
    jshint: str
    encoder: str
    encoder_digest: str
    precision: str
    tau: float
    matrices: bool
    version: str

    def as_json(self) -> dict[str, object]:
        """As a document."""
        return asdict(self) | {"pmd_rulesets": list(self.pmd_rulesets)}

    def check_input(self, corpus: Path) -> None:
        """See that the corpus, once it is read, is still the one whose digest was taken.

        Raises:
            BatchError: it changed meanwhile, or cannot be read any more.
        """
        if _digest(corpus) != self.input_sha256:
            raise BatchError(f"{str(corpus)!r} changed while it was read; give one that stays")

    def check_same(self, before: Mapping[str, object]) -> None:
        """See that a run that was begun as the document `before` says is gone on with as begun.

        Raises:
            BatchError: something is another by now.
        """
        now = self.as_json()
        changed = [
            f"{_WORDS.get(field.name, field.name)} was {before.get(field.name)!r} and is "
            f"{now[field.name]!r}"
            for field in fields(self)
            if before.get(field.name) != now[field.name]
        ]
        if changed:
            raise BatchError(
                f"the run was begun with other settings: {'; '.join(changed)}. Give the same, or "
                "another folder; what is there stays. (`crscore rescore` scores a finished run at "
                "another tau.)"
            )


def settings_of(corpus: Path, columns: Mapping[str, str], recipe: Recipe) -> RunSettings:
    """The settings of a run of `recipe` over a corpus.

    Raises:
        InputError: the corpus, the encoder, the claims backend or an analyzer's rules cannot be
            had.
    """
    encoder = canonical_name(recipe.encoder)
    recipe.chosen_analyzers()  # wrong rules are told now, and not once all is read
    return RunSettings(
        _digest(corpus),
        dict(columns),
        recipe.claim_generator().name,
        recipe.analyzers,
        recipe.pmd_rulesets,
        recipe.jshint,
        encoder,
        encoder_digest(encoder),
        recipe.precision.value,
        recipe.tau,
        recipe.matrices,
        package_version(),
    )


def _digest(corpus: Path) -> str:
    try:
        return sha256_of(corpus)
    except OSError as error:
        raise BatchError(f"{str(corpus)!r} cannot be read: {error.strerror}") from error
