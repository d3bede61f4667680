"""The engine that has Ray's workers do the work, on this machine or on a cluster."""

import pickle
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from socket import gethostname
from typing import Any

from crscore_core.claims import ClaimGenerator
from crscore_core.corpus.run.engine import (
    ClaimedBlock,
    EmbeddedPart,
    add_references,
    claim_block,
    embed_part,
    score_part,
)
from crscore_core.corpus.run.ray_cluster import ActorShare, actor_share, connected, nodes_of
from crscore_core.corpus.run.recipe import Recipe
from crscore_core.corpus.run.units import Block, ChangeReferences, Part, ScoredPart
from crscore_core.corpus.run.work import Work
from crscore_core.errors import BatchError, CRScoreError, EncoderError
from crscore_core.scoring import CachedEncoder
from crscore_core.scoring.registry import encoder_digest

_LANGUAGE_MODEL = "magicoder"
_READERS = 2
_NODE = "ray.io/node-id"
_CONTENT = "content"

Row = dict[str, Any]
"""A unit of work between two stages: one column, whose value is pickled."""


@contextmanager
def ray_engine(
    recipe: Recipe, address: str | None = None, workers: int | None = None
) -> Iterator["RayEngine"]:
    """Make an engine on the Ray cluster at `address`, or else on this machine's cores and GPUs.

    The run's files stay on this machine, which has to be one of the cluster's. All others need
    the same version of this package, the same model files that `recipe` names, the analyzers'
    programs, and what an endpoint's options leave to the environment.

    Args:
        recipe: how the scores are made.
        address: HOST:PORT, or `auto` for the cluster that this machine belongs to.
        workers: how many actors make claims, and then embeddings; see `actor_share`.

    Raises:
        BatchError: Ray is not installed, there is no cluster at `address`, or `recipe` holds a
            key, which Ray would write down.
    """
    if recipe.claim_options.api_key is not None:
        raise BatchError(
            "the engine ray takes no key from an option, as Ray may write it to disk; set "
            "OPENAI_API_KEY in the environment of every machine that makes claims"
        )
    with connected(address):
        yield RayEngine(recipe, workers)


@dataclass(frozen=True, slots=True)
class RayEngine:
    """Streams units through stages of Ray Data, in a process that is connected to a cluster.

    Each stage is a few actors, which load a model once, or tasks. The actors have the CPU cores
    to themselves, as many threads as cores, and the tasks beside them claim none, so that neither
    has to wait for the other. Where there are GPUs, a language model takes one, and the encoders
    share them. A unit whose worker is lost is done again by another.
    """

    recipe: Recipe
    workers: int | None = None

    def references(
        self, work: Work, blocks: Sequence[int]
    ) -> Iterator[list[tuple[int, ChangeReferences]]]:
        """See `Engine.references`.

        Raises:
            BatchError: Ray's workers cannot go on.
        """
        is_model = self.recipe.claims == _LANGUAGE_MODEL
        on_gpu = is_model and self.recipe.claim_options.device != "cpu"
        share = self._share(len(blocks), on_gpu=on_gpu, alone=is_model)
        read = partial(_read, work.path, Work.block)
        make = partial(_make_references, self.recipe)
        yield from self._results(blocks, share, read, ClaimBlock, make)

    def scores(self, work: Work, parts: Sequence[int]) -> Iterator[ScoredPart]:
        """See `Engine.scores`.

        Raises:
            BatchError: Ray's workers cannot go on.
        """
        share = self._share(len(parts), on_gpu=True)
        read = partial(_read, work.path, Work.part)
        make = partial(score_part, tau=self.recipe.tau)
        yield from self._results(parts, share, read, EmbedPart, make)

    def _share(self, units: int, *, on_gpu: bool, alone: bool = False) -> ActorShare:
        import ray

        nodes = nodes_of(ray.nodes())  # type: ignore[no-untyped-call]
        return actor_share(nodes, max(units, 1), self.workers, on_gpu=on_gpu, alone=alone)

    def _results(
        self,
        numbers: Sequence[int],
        share: ActorShare,
        read: Callable[[int], object],
        actor: type["ClaimBlock | EmbedPart"],
        make: Callable[[Any], object],
    ) -> Iterator[Any]:
        """Read each unit here, have an actor work on it, and a task make the result of that.

        Results come in any order.

        Raises:
            CRScoreError: one that a stage raised.
            BatchError: Ray cannot go on.
        """
        import ray
        from ray.data import ActorPoolStrategy, from_items
        from ray.data.exceptions import ExecutionTimeoutError
        from ray.exceptions import RayError, UserCodeException

        if not numbers:
            return
        here = ray.get_runtime_context().get_node_id()  # where the files of the run are
        units = (
            # Each unit is a block of its own, and so a task of its own.
            from_items([packed(number) for number in numbers], override_num_blocks=len(numbers))
            .map(
                partial(handed_on, read),
                **_tasks(min(_READERS, len(numbers))),
                label_selector={_NODE: here},
            )
            .map(
                actor,  # type: ignore[arg-type] # Ray's word for it leaves classes out
                fn_constructor_args=(self.recipe, encoder_digest(self.recipe.encoder)),
                compute=ActorPoolStrategy(size=share.actors),
                num_cpus=share.cpus,
                num_gpus=share.gpus,
            )
            .map(partial(handed_on, make), **_tasks(share.actors))
        )
        try:
            for row in units.iter_rows():
                yield unpacked(row)
        except UserCodeException:
            raise
        except (RayError, ExecutionTimeoutError) as error:
            reason = str(error).strip().partition("\n")[0]
            raise BatchError(
                f"Ray's workers cannot go on ({type(error).__name__}: {reason[:300]}); nothing "
                "that was done is lost: go on with --resume, with fewer --workers where memory "
                "was short"
            ) from error


class _Actor:
    """A stage whose model is loaded once.

    `digest` is the encoder's where the run was begun: another machine may have another.
    """

    def __init__(self, recipe: Recipe, digest: str) -> None:
        self._recipe = recipe
        self._digest = digest

    def __call__(self, row: Row) -> Row:
        """Work on what a row holds."""
        return handed_on(self._worked_on, row)

    def _worked_on(self, unit: Any) -> object:  # noqa: ANN401 - each stage knows what it is handed
        raise NotImplementedError


class ClaimBlock(_Actor):
    """A block -> the same with claims; see `claim_block`."""

    @cached_property
    def _generator(self) -> ClaimGenerator:
        return self._recipe.claim_generator()

    def _worked_on(self, unit: Block) -> ClaimedBlock:
        return claim_block(unit, self._generator)


class EmbedPart(_Actor):
    """A part -> the same with the vectors of its texts; see `embed_part`."""

    @cached_property
    def _encoder(self) -> CachedEncoder:
        name = self._recipe.encoder
        if encoder_digest(name) != self._digest:
            raise EncoderError(
                f"encoder {name[:80]!r} is another on {gethostname()} than where the run was "
                "begun; put the same files on every machine of the cluster"
            )
        return self._recipe.cached_encoder()

    def _worked_on(self, unit: Part) -> EmbeddedPart:
        return embed_part(unit, self._encoder)


def packed(content: object) -> Row:
    """Return a row that holds `content`."""
    return {_CONTENT: pickle.dumps(content)}


def unpacked(row: Row) -> Any:  # noqa: ANN401 - each stage knows what it is handed
    """Return what a row holds.

    Raises:
        CRScoreError: the row holds an error of ours, handed on in place of a result.
    """
    content = pickle.loads(row[_CONTENT])  # noqa: S301 - packed by ourselves
    if isinstance(content, CRScoreError):
        raise content
    return content


def handed_on(step: Callable[[Any], object], row: Row) -> Row:
    """Return a row with what `step` makes of another row; an error passes every step."""
    try:
        return packed(step(unpacked(row)))
    except CRScoreError as error:
        return packed(error)


def _read(path: Path, read: Callable[[Work, int], Block | Part], number: int) -> Block | Part:
    with closing(Work(path)) as work:
        return read(work, number)


def _make_references(recipe: Recipe, block: ClaimedBlock) -> list[tuple[int, ChangeReferences]]:
    return add_references(block, recipe.chosen_analyzers())


def _tasks(most: int) -> dict[str, Any]:
    """Options of a stage of tasks, which Ray does again if lost."""
    from ray.data import TaskPoolStrategy

    return {"compute": TaskPoolStrategy(size=most), "num_cpus": 0}
