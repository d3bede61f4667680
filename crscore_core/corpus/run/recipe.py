"""How the parts of a run are scored, and the check that a resumed run keeps its settings."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from socket import gethostname
from typing import Protocol

from analyzers import Analyzer
from crscore_core.caches import sha256_of
from crscore_core.claims import (
    CLAIM_BACKENDS,
    DEFAULT_CLAIMS,
    ClaimGenerator,
    ClaimOptions,
    Progress,
    claim_generator,
    silent,
)
from crscore_core.corpus.part import Part, ScoredPart, score_part
from crscore_core.corpus.run.sources import source_file
from crscore_core.errors import InputError, UnavailableError
from crscore_core.scoring import (
    DEFAULT_ENCODER,
    CachedEncoder,
    Encoder,
    canonical_name,
)
from crscore_core.scoring.pipeline import Tools
from crscore_core.scoring.registry import encoder_digest
from crscore_core.scoring.signature import package_version
from crscore_core.scoring.smells import choose_analyzers

_WORDS = {"input_sha256": "the corpus, by its digest,", "encoder_digest": "the encoder's digest"}
"""Words for settings whose names do not explain themselves."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """Makes pseudo-references and scores; it can be sent to another process.

    Args:
        tau: similarity threshold.
        claims: a backend, for changes without claims of their own.
        claim_options: what that backend is made with.
        analyzers: whether smells are pseudo-references too.
        pmd_rulesets, jshint: how strict analyzers are; see `choose_analyzers`.
        encoder: name or folder of an embedding model.
    """

    tau: float
    claims: str = DEFAULT_CLAIMS
    claim_options: ClaimOptions = field(default_factory=ClaimOptions)
    analyzers: bool = True
    pmd_rulesets: tuple[str, ...] = ()
    jshint: str = "modern"
    encoder: str = DEFAULT_ENCODER

    def claim_generator(self, progress: Progress = silent) -> ClaimGenerator:
        """Make the claims backend.

        Raises:
            InputError: there is none of that name.
            InputError: an option that it does not take, or it cannot be had.
        """
        if self.claims not in CLAIM_BACKENDS:
            raise InputError(
                f"claims {self.claims[:80]!r} are no backend; choose {', '.join(CLAIM_BACKENDS)}, "
                "and give claims that you have in a column `claims` of the corpus"
            )
        return claim_generator(self.claims, self.claim_options, progress)

    def chosen_analyzers(self) -> Mapping[str, Sequence[Analyzer]]:
        """Return the analyzers by language, none where smells are not wanted.

        Raises:
            InputError: there are no such rules.
        """
        return choose_analyzers(self.pmd_rulesets, self.jshint) if self.analyzers else {}

    def tools(self, digest: str, progress: Progress = silent) -> Tools:
        """Make what scores a part. `digest` is the encoder's where the run was begun.

        Raises:
            InputError, InputError, UnavailableError: one of them cannot be had, or the encoder is
                another one here.
        """
        if encoder_digest(self.encoder) != digest:
            raise UnavailableError(
                f"encoder {self.encoder[:80]!r} is another on {gethostname()} than where the run "
                "was begun; put the same files on every machine of the cluster"
            )
        return Tools(
            self.claim_generator(progress),
            self.cached_encoder(),
            self.tau,
            self.chosen_analyzers(),
        )

    def cached_encoder(self) -> Encoder:
        """Make the encoder, which keeps on disk what it has encoded.

        Raises:
            UnavailableError: there is none of that name.
        """
        return CachedEncoder(self.encoder)


def settings_of(
    corpus: Path, columns: Mapping[str, str], labels: Sequence[str] | None, recipe: Recipe
) -> dict[str, object]:
    """Return everything that the results of a run over a corpus depend on, by name.

    Raises:
        InputError: the corpus, the encoder, the claims backend or an analyzer's rules cannot be
            had.
    """
    encoder = canonical_name(recipe.encoder)
    recipe.chosen_analyzers()  # report wrong rules before the corpus is read
    return {
        "input_sha256": _digest(corpus),
        "columns": dict(columns),
        "labels": list(labels or ()),
        "claims": recipe.claim_generator().name,
        "analyzers": recipe.analyzers,
        "pmd_rulesets": list(recipe.pmd_rulesets),
        "jshint": recipe.jshint,
        "encoder": encoder,
        "encoder_digest": encoder_digest(encoder),
        "precision": "float32",
        "tau": recipe.tau,
        "version": package_version(),
    }


def check_input(corpus: Path, settings: Mapping[str, object]) -> None:
    """Check that the corpus, once it is read, is still the one whose digest was taken.

    Raises:
        InputError: it changed meanwhile, or cannot be read any more.
    """
    if _digest(corpus) != settings["input_sha256"]:
        raise InputError(f"{str(corpus)!r} changed while it was read; give one that stays")


def check_same(before: Mapping[str, object], now: Mapping[str, object]) -> None:
    """Check that a run is gone on with by the settings that it was begun with.

    Raises:
        InputError: a setting is another by now.
    """
    changed = [
        f"{_WORDS.get(name, name)} was {before.get(name)!r} and is {value!r}"
        for name, value in now.items()
        if before.get(name) != value
    ]
    if changed:
        raise InputError(
            f"the run was begun with other settings: {'; '.join(changed)}. Give the same, or "
            "another folder; what is there stays. (`crscore rescore` scores a finished run at "
            "another tau.)"
        )


def _digest(corpus: Path) -> str:
    try:
        return sha256_of(source_file(corpus))
    except OSError as error:
        raise InputError(f"{str(corpus)!r} cannot be read: {error.strerror}") from error


Note = Callable[[float], None]


@dataclass(frozen=True, slots=True)
class PartScorer:
    """The recipe by which every part of a run is scored; it can be sent to another process.

    `digest` is the encoder's where the run was begun: another machine may have another. `labels`
    names those of the whole run.
    """

    recipe: Recipe
    digest: str
    labels: Sequence[str] = ()

    def ready(self, progress: Progress = silent) -> Callable[[Part, Note], ScoredPart]:
        """Make the claims backend, the analyzers and the encoder, and return what uses them.

        Raises:
            InputError, InputError, UnavailableError: one of them cannot be had, or the encoder is
                another than `digest` says.
        """
        tools = self.recipe.tools(self.digest, progress)
        return lambda part, note: score_part(part, tools, self.labels, note)


class Engine(Protocol):
    """Scores parts."""

    def results(
        self, scorer: PartScorer, read: Callable[[int], Part], numbers: Sequence[int], note: Note
    ) -> Iterator[ScoredPart]:
        """Yield the result of each part, in any order; write nothing.

        `read` gives the part of a number. `note` is told which share of a part is done, where one
        part at a time is at work.

        Raises:
            InputError: any that scoring raises.
        """


class LocalEngine:
    """Does one part after the other in this process; `progress` hears what a model writes."""

    def __init__(self, progress: Progress = silent) -> None:
        self._progress = progress

    def results(
        self, scorer: PartScorer, read: Callable[[int], Part], numbers: Sequence[int], note: Note
    ) -> Iterator[ScoredPart]:
        """See `Engine.results`."""
        if not numbers:
            return
        score = scorer.ready(self._progress)
        for number in numbers:
            yield score(read(number), note)
