"""How the actors of a run share the processors of a cluster."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

__all__ = ["ActorShare", "Node", "actor_share", "nodes_of"]

_CORES_AN_ACTOR = 4


@dataclass(frozen=True, slots=True)
class Node:
    """A machine of a cluster: how many CPU cores and GPUs it lends."""

    cpus: int
    gpus: int


@dataclass(frozen=True, slots=True)
class ActorShare:
    """So many actors, each with so many CPU cores, its threads, and so much of a GPU."""

    actors: int
    cpus: int
    gpus: float


def nodes_of(described: Iterable[Mapping[str, Any]]) -> list[Node]:
    """The machines that are up, as `ray.nodes` describes them."""
    return [
        Node(int(node["Resources"].get("CPU", 0)), int(node["Resources"].get("GPU", 0)))
        for node in described
        if node["Alive"]
    ]


def actor_share(
    nodes: Iterable[Node], units: int, workers: int | None, *, on_gpu: bool, alone: bool = False
) -> ActorShare:
    """What each actor gets, so that all find room.

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
    cores = sum(node.cpus for node in lent)
    actors = min(workers or gpus or max(cores // _CORES_AN_ACTOR, 1), units)
    if gpus and alone:
        actors = min(actors, gpus)
    return ActorShare(
        actors,
        _cores_each([node.cpus for node in lent], actors),
        1 / math.ceil(actors / gpus) if gpus else 0,
    )


def _cores_each(cores: list[int], actors: int) -> int:
    """The most cores that each of `actors` can have on the machines with `cores`, at least one."""
    fitting = (
        share
        for share in range(max(cores, default=0), 0, -1)
        if sum(one // share for one in cores) >= actors
    )
    return next(fitting, 1)
