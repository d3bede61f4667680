"""Actors share processors: all find room, and no processor is left over."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crscore_core.corpus.run.ray_engine import ActorShare, Node, actor_share, nodes_of

LAPTOP = [Node(8, 0)]
SERVERS = [Node(6, 0), Node(6, 0), Node(6, 0)]
GPUS = [Node(16, 0), Node(16, 2), Node(16, 2)]


@pytest.mark.parametrize(
    ("nodes", "units", "workers", "expected"),
    [
        (LAPTOP, 100, None, ActorShare(2, 4, 0)),  # 8 cores / 4
        (LAPTOP, 100, 3, ActorShare(3, 2, 0)),  # 3 x 3 cores are more than 8
        (LAPTOP, 100, 20, ActorShare(20, 1, 0)),
        (LAPTOP, 1, None, ActorShare(1, 8, 0)),
        ([Node(2, 0)], 100, None, ActorShare(1, 2, 0)),
        ([], 100, None, ActorShare(1, 1, 0)),
        (SERVERS, 100, None, ActorShare(4, 3, 0)),  # 18 cores / 4; 6 // 4 gives 3 actors room
        (SERVERS, 100, 1, ActorShare(1, 6, 0)),  # an actor is on one machine
        (GPUS, 100, None, ActorShare(4, 8, 1.0)),  # two on each machine that has GPUs
        (GPUS, 100, 8, ActorShare(8, 4, 0.5)),
        (GPUS, 100, 5, ActorShare(5, 5, 0.5)),  # 16 // 5 gives 3 each
        (GPUS, 2, None, ActorShare(2, 16, 1.0)),
    ],
)
def test_actors_share_what_there_is(
    nodes: list[Node], units: int, workers: int | None, expected: ActorShare
) -> None:
    assert actor_share(nodes, units, workers, on_gpu=True) == expected


def test_a_language_model_has_a_gpu_for_itself_and_what_needs_none_takes_none() -> None:
    assert actor_share(GPUS, 100, 8, on_gpu=True, alone=True) == ActorShare(4, 8, 1.0)
    assert actor_share(LAPTOP, 100, 8, on_gpu=True, alone=True) == ActorShare(8, 1, 0)
    assert actor_share(GPUS, 100, None, on_gpu=False) == ActorShare(12, 4, 0)


@given(
    st.lists(st.builds(Node, st.integers(1, 64), st.integers(0, 8)), min_size=1, max_size=8),
    st.integers(1, 200),
    st.integers(1, 64) | st.none(),
)
def test_all_actors_find_room_where_there_is_a_core_for_each(
    nodes: list[Node], units: int, workers: int | None
) -> None:
    share = actor_share(nodes, units, workers, on_gpu=True)
    assert 1 <= share.actors <= units
    gpus = sum(node.gpus for node in nodes)
    if gpus:
        assert gpus * int(1 / share.gpus) >= share.actors
    lent = [node.cpus for node in nodes if node.gpus or not gpus]
    if sum(lent) >= share.actors:
        assert sum(cpus // share.cpus for cpus in lent) >= share.actors


def test_machines_that_are_down_lend_nothing() -> None:
    described = [
        {"Alive": True, "Resources": {"CPU": 4.0, "GPU": 1.0, "memory": 1e9}},
        {"Alive": False, "Resources": {"CPU": 8.0}},
        {"Alive": True, "Resources": {"memory": 1e9}},
    ]
    assert nodes_of(described) == [Node(4, 1), Node(0, 0)]
