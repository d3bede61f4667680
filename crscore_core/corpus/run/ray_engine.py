"""The engine that has Ray's workers score parts, on this machine or on a cluster."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from crscore_core.corpus.part import Part, ScoredPart
from crscore_core.corpus.run.engine import Note, PartScorer
from crscore_core.corpus.run.ray_cluster import actor_share, connected, nodes_of
from crscore_core.corpus.run.recipe import Recipe
from crscore_core.errors import BatchError, CRScoreError

_LANGUAGE_MODEL = "magicoder"
_READ_AHEAD = 2
"""Parts that wait for each worker: few, as they are held in memory."""

_TRIES = 5


@contextmanager
def ray_engine(
    recipe: Recipe, address: str | None = None, workers: int | None = None
) -> Iterator["RayEngine"]:
    """Make an engine on the Ray cluster at `address`, or else on this machine's cores and GPUs.

    The run's files stay on this machine. All others need the same version of this package, the same
    model files that `recipe` names, the analyzers' programs, and what an endpoint's options leave
    to the environment.

    Args:
        recipe: how the scores are made.
        address: HOST:PORT, or `auto` for the cluster that this machine belongs to.
        workers: how many actors score parts; see `actor_share`.

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
    """Hands parts to a few actors, which have the CPU cores and the GPUs to themselves.

    Each loads its models once. A language model takes a GPU alone, encoders share them. A part
    whose actor is lost is done again.
    """

    workers: int | None = None

    def results(
        self,
        scorer: PartScorer,
        read: Callable[[int], Part],
        numbers: Sequence[int],
        note: Note,  # noqa: ARG002 - several parts are at work
    ) -> Iterator[ScoredPart]:
        """See `Engine.results`.

        Raises:
            BatchError: Ray cannot go on.
        """
        import ray
        from ray.exceptions import RayError

        if not numbers:
            return
        recipe = scorer.recipe
        alone = recipe.claims == _LANGUAGE_MODEL and recipe.claim_options.device != "cpu"
        share = actor_share(nodes_of(ray.nodes()), len(numbers), self.workers, alone=alone)  # type: ignore[no-untyped-call]
        actor = ray.remote(
            num_cpus=share.cpus, num_gpus=share.gpus, max_restarts=_TRIES, max_task_retries=_TRIES
        )(_Actor)
        actors: list[Any] = [actor.remote(scorer) for _ in range(share.actors)]
        left = iter(numbers)
        waiting: dict[Any, Any] = {}  # a worker by what it has been asked
        try:
            for worker in actors * _READ_AHEAD:
                for number in _next(left):
                    waiting[worker.score.remote(read(number))] = worker
            while waiting:
                (done,), _ = ray.wait(list(waiting))
                worker = waiting.pop(done)
                result = ray.get(done)
                if isinstance(result, CRScoreError):
                    raise result
                yield result
                for number in _next(left):
                    waiting[worker.score.remote(read(number))] = worker
        except RayError as error:
            reason = str(error).strip().partition("\n")[0]
            raise BatchError(
                f"Ray's workers cannot go on ({type(error).__name__}: {reason[:300]}); nothing "
                "that was done is lost: go on with --resume, with fewer --workers where memory "
                "was short"
            ) from error
        finally:
            for worker in actors:
                ray.kill(worker)


def _next(left: Iterator[int]) -> Iterator[int]:
    """The next number, if any is left."""
    number = next(left, None)
    if number is not None:
        yield number


class _Actor:
    """A worker's process, which keeps its models."""

    def __init__(self, scorer: PartScorer) -> None:
        self._scorer = scorer
        self._score: Callable[[Part, Note], ScoredPart] | None = None

    def score(self, part: Part) -> ScoredPart | CRScoreError:
        """Score a part; an error of ours comes in place of a result."""
        try:
            if self._score is None:
                self._score = self._scorer.ready()
            return self._score(part, lambda _: None)
        except CRScoreError as error:
            return error
