"""The engine that has Ray's workers do the work, on this machine or on a cluster."""

import pickle
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from crscore_core.claims import Progress, silent
from crscore_core.corpus.run.engine import ResultT_co, Stage
from crscore_core.corpus.run.ray_cluster import actor_share, connected, nodes_of
from crscore_core.corpus.run.recipe import Recipe
from crscore_core.corpus.run.work import Work
from crscore_core.errors import BatchError, CRScoreError

_READERS = 2
_NODE = "ray.io/node-id"
_CONTENT = "content"

Row = dict[str, Any]
"""A unit of work between two steps: one column, whose value is pickled."""


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
        yield RayEngine(workers)


@dataclass(frozen=True, slots=True)
class RayEngine:
    """Streams units through the steps of a stage, in a process that is connected to a cluster.

    A few actors load the model of the second step once; the other steps are tasks. The actors
    have the CPU cores to themselves, as many threads as cores, and the tasks beside them claim
    none, so that neither has to wait for the other. Where there are GPUs, a language model takes
    one, and the encoders share them. A unit whose worker is lost is done again by another.
    """

    workers: int | None = None
    progress: Progress = silent

    def results(
        self, stage: Stage[ResultT_co], work: Work, numbers: Sequence[int]
    ) -> Iterator[ResultT_co]:
        """See `Engine.results`.

        Raises:
            BatchError: Ray cannot go on.
        """
        import ray
        from ray.data import ActorPoolStrategy, from_items
        from ray.data.exceptions import ExecutionTimeoutError
        from ray.exceptions import RayError, UserCodeException

        if not numbers:
            return
        nodes = nodes_of(ray.nodes())  # type: ignore[no-untyped-call]
        share = actor_share(
            nodes, len(numbers), self.workers, on_gpu=stage.on_gpu, alone=stage.alone
        )
        here = ray.get_runtime_context().get_node_id()  # where the files of the run are
        units = (
            # Each unit is a block of its own, and so a task of its own.
            from_items([packed(number) for number in numbers], override_num_blocks=len(numbers))
            .map(
                partial(handed_on, partial(_read, stage, work.path)),
                **_tasks(min(_READERS, len(numbers))),
                label_selector={_NODE: here},
            )
            .map(
                WithModel,  # type: ignore[arg-type] # Ray's word for it leaves classes out
                fn_constructor_args=(stage,),
                compute=ActorPoolStrategy(size=share.actors),
                num_cpus=share.cpus,
                num_gpus=share.gpus,
            )
            .map(partial(handed_on, stage.finish), **_tasks(share.actors))
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


class WithModel:
    """An actor for the second step of a stage: it keeps the stage, and so the model."""

    def __init__(self, stage: Stage[Any]) -> None:
        self._stage = stage

    def __call__(self, row: Row) -> Row:
        """Work on what a row holds."""
        return handed_on(self._stage.with_model, row)


def packed(content: object) -> Row:
    """Return a row that holds `content`."""
    return {_CONTENT: pickle.dumps(content)}


def unpacked(row: Row) -> Any:  # noqa: ANN401 - each step knows what it is handed
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


def _read(stage: Stage[Any], path: Path, number: int) -> object:
    with closing(Work(path)) as work:
        return stage.read(work, number)


def _tasks(most: int) -> dict[str, Any]:
    """Options of a step of tasks, which Ray does again if lost."""
    from ray.data import TaskPoolStrategy

    return {"compute": TaskPoolStrategy(size=most), "num_cpus": 0}
