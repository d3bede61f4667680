"""The engine that has Ray's workers do the work, on this machine or on a cluster."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from crscore_core.corpus.run.change_references import ChangeReferences
from crscore_core.corpus.run.ray_cluster import connected
from crscore_core.corpus.run.ray_shares import ActorShare, actor_share, nodes_of
from crscore_core.corpus.run.ray_stages import (
    ClaimBlock,
    EmbedPart,
    make_references,
    make_scores,
    packed,
    read_block,
    read_part,
    unpacked,
)
from crscore_core.corpus.run.recipe import Recipe
from crscore_core.corpus.run.units import ScoredPart
from crscore_core.corpus.run.work import Work
from crscore_core.errors import BatchError
from crscore_core.scoring.registry import encoder_digest

if TYPE_CHECKING:
    from ray.data import Dataset

__all__ = ["RayEngine", "ray_engine"]

_LANGUAGE_MODEL = "magicoder"
_READERS = 2
_NODE = "ray.io/node-id"


@contextmanager
def ray_engine(
    recipe: Recipe, address: str | None = None, workers: int | None = None
) -> Iterator["RayEngine"]:
    """An engine on the Ray cluster at `address`, or else on this machine's cores and GPUs.

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
        if not blocks:
            return
        recipe = self.recipe
        is_model = recipe.claims == _LANGUAGE_MODEL
        share = self._share(
            len(blocks), on_gpu=is_model and recipe.claim_options.device != "cpu", alone=is_model
        )
        units = (
            _dataset(blocks)
            .map(partial(read_block, work=work.path), **_tasks_here(len(blocks)))
            .map(
                ClaimBlock,  # type: ignore[arg-type] # Ray's word for it leaves classes out
                fn_constructor_args=(recipe,),
                **_actors(share),
            )
            .map(partial(make_references, recipe=recipe), **_tasks(share.actors))
        )
        yield from _results(units)

    def scores(self, work: Work, parts: Sequence[int]) -> Iterator[ScoredPart]:
        """See `Engine.scores`.

        Raises:
            BatchError: Ray's workers cannot go on.
        """
        if not parts:
            return
        share = self._share(len(parts), on_gpu=True)
        units = (
            _dataset(parts)
            .map(partial(read_part, work=work.path), **_tasks_here(len(parts)))
            .map(
                EmbedPart,  # type: ignore[arg-type] # as above
                fn_constructor_args=(self.recipe, encoder_digest(self.recipe.encoder)),
                **_actors(share),
            )
            .map(partial(make_scores, recipe=self.recipe), **_tasks(share.actors))
        )
        yield from _results(units)

    def _share(self, units: int, *, on_gpu: bool, alone: bool = False) -> ActorShare:
        import ray

        nodes = nodes_of(ray.nodes())  # type: ignore[no-untyped-call]
        return actor_share(nodes, units, self.workers, on_gpu=on_gpu, alone=alone)


def _dataset(numbers: Sequence[int]) -> "Dataset":
    """Units of work by their numbers, each in a block and so in a task of its own."""
    from ray.data import from_items

    return from_items([packed(number) for number in numbers], override_num_blocks=len(numbers))


def _actors(share: ActorShare) -> dict[str, Any]:
    """Options of a stage of actors, which Ray restarts, and gives their units again, if lost."""
    from ray.data import ActorPoolStrategy

    pool = ActorPoolStrategy(size=share.actors)
    return {"compute": pool, "num_cpus": share.cpus, "num_gpus": share.gpus}


def _tasks(most: int) -> dict[str, Any]:
    """Options of a stage of tasks, which Ray does again if lost."""
    from ray.data import TaskPoolStrategy

    return {"compute": TaskPoolStrategy(size=most), "num_cpus": 0}


def _tasks_here(units: int) -> dict[str, Any]:
    """Options of tasks on this machine, where the files of the run are."""
    import ray

    here = ray.get_runtime_context().get_node_id()
    return _tasks(min(_READERS, units)) | {"label_selector": {_NODE: here}}


def _results(units: "Dataset") -> Iterator[Any]:
    """What the last stage made of each unit, in any order, as it comes.

    Raises:
        CRScoreError: one that a stage raised.
        BatchError: Ray cannot go on.
    """
    from ray.data.exceptions import ExecutionTimeoutError
    from ray.exceptions import RayError, UserCodeException

    try:
        for row in units.iter_rows():
            yield unpacked(row)
    except UserCodeException:
        raise
    except (RayError, ExecutionTimeoutError) as error:
        reason = str(error).strip().partition("\n")[0]
        raise BatchError(
            f"Ray's workers cannot go on ({type(error).__name__}: {reason[:300]}); nothing that "
            "was done is lost: go on with --resume, with fewer --workers where memory was short"
        ) from error
