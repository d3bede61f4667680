"""The engine that has Ray's workers score parts, on this machine or on a cluster."""

import logging
import math
import os
import socket
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from crscore_core.corpus.part import Part, ScoredPart
from crscore_core.corpus.run.recipe import Note, PartScorer, Recipe
from crscore_core.errors import InputError

_CORES_AN_ACTOR = 4
_SECONDS_TO_ANSWER = 10
_ENVIRONMENT = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_BACKEND_LOG_LEVEL": "fatal",
    "RAY_task_oom_retries": "5",
}
"""Settings of Ray: no usage reports, few messages, five tries where memory ran out."""


@contextmanager
def connected(address: str | None) -> Iterator[None]:
    """Connect to the cluster at `address`, or start one here that ends with the context.

    `address` is HOST:PORT, or `auto` for the cluster that this machine belongs to. A process that
    is connected already stays so.

    Raises:
        InputError: Ray is not installed, or there is no cluster at `address`.
    """
    try:
        import ray
    except ImportError as error:
        raise InputError(
            "the engine ray needs packages that are not installed; install them by: "
            'pip install "crscore-dashboard[ray]"'
        ) from error
    if address is not None:
        _check_answer(address)
    is_ours = not ray.is_initialized()
    if is_ours:
        os.environ.update(_ENVIRONMENT)
        try:
            with _no_standard_error():
                ray.init(
                    address=address or "local",
                    include_dashboard=None if address else False,
                    log_to_driver=False,
                    logging_level=logging.ERROR,
                )
        except (OSError, RuntimeError, ValueError) as error:
            raise _no_cluster(address, str(error)) from error
    try:
        yield
    finally:
        if is_ours:
            ray.shutdown()


@dataclass(frozen=True, slots=True)
class Node:
    """A machine of a cluster: how many CPU cores and GPUs it lends."""

    cpus: int
    gpus: int


@dataclass(frozen=True, slots=True)
class ActorShare:
    """Number of actors, CPU cores of each (also its threads), and share of a GPU of each."""

    actors: int
    cpus: int
    gpus: float


def nodes_of(described: Iterable[Mapping[str, Any]]) -> list[Node]:
    """Return the machines that are up, as `ray.nodes` describes them."""
    return [
        Node(int(node["Resources"].get("CPU", 0)), int(node["Resources"].get("GPU", 0)))
        for node in described
        if node["Alive"]
    ]


def actor_share(
    nodes: Iterable[Node],
    units: int,
    workers: int | None,
    *,
    on_gpu: bool = True,
    alone: bool = False,
) -> ActorShare:
    """Share the processors so that all actors find room.

    Where `workers` does not say how many, there is one a GPU, or one for every four CPU cores;
    never more than `units` of work.

    Args:
        nodes: the machines of the cluster.
        units: how much there is to do.
        workers: how many actors are wanted.
        on_gpu: whether actors run on GPUs where there are any.
        alone: whether each needs such a GPU for itself.
    """
    lent = list(nodes)
    gpus = sum(node.gpus for node in lent) if on_gpu else 0
    if gpus:
        lent = [node for node in lent if node.gpus]
    cores = [node.cpus for node in lent]
    actors = min(workers or gpus or max(sum(cores) // _CORES_AN_ACTOR, 1), units)
    if gpus and alone:
        actors = min(actors, gpus)
    fitting = (
        share
        for share in range(max(cores, default=0), 0, -1)
        if sum(of_node // share for of_node in cores) >= actors
    )
    return ActorShare(actors, next(fitting, 1), 1 / math.ceil(actors / gpus) if gpus else 0)


@contextmanager
def _no_standard_error() -> Iterator[None]:
    """Hide what this process writes on standard error meanwhile, in whatever language."""
    kept = os.dup(2)
    try:
        with Path(os.devnull).open("wb") as nowhere:
            os.dup2(nowhere.fileno(), 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)


def _check_answer(address: str) -> None:
    """Check that something answers at an address: Ray itself would go on asking for minutes."""
    if address == "auto":
        return
    host, _, port = address.rpartition(":")
    if not host or "/" in host or not port.isdecimal():
        raise InputError(
            f"Ray's address {address[:80]!r} is not of the form HOST:PORT, nor auto; "
            "start the run on a machine of the cluster"
        )
    try:
        socket.create_connection((host, int(port)), _SECONDS_TO_ANSWER).close()
    except (OSError, OverflowError, UnicodeError) as error:
        raise _no_cluster(address, str(error)) from error


def _no_cluster(address: str | None, reason: str) -> InputError:
    where = "on this machine" if address is None else f"at {address[:80]!r}"
    return InputError(f"there is no Ray cluster {where}: {reason.strip().partition(chr(10))[0]}")


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
        InputError: Ray is not installed, there is no cluster at `address`, or `recipe` holds a
            key, which Ray would write down.
    """
    if recipe.claim_options.api_key is not None:
        raise InputError(
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
            InputError: Ray cannot go on.
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
                if isinstance(result, InputError):
                    raise result
                yield result
                for number in _next(left):
                    waiting[worker.score.remote(read(number))] = worker
        except RayError as error:
            reason = str(error).strip().partition("\n")[0]
            raise InputError(
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

    def score(self, part: Part) -> ScoredPart | InputError:
        """Score a part; an error of ours comes in place of a result."""
        try:
            if self._score is None:
                self._score = self._scorer.ready()
            return self._score(part, lambda _: None)
        except InputError as error:
            return error
