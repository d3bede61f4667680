"""The engine that has Ray's workers score parts, on this machine or on a cluster."""

import logging
import os
import pickle
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from crscore_core.errors import InputError
from crscore_eval.run.scoring import score_part

if TYPE_CHECKING:
    import pandas as pd

    from crscore_eval.run.settings import Frames, Settings

_CORES_PER_ACTOR = 4
_SECONDS_TO_ANSWER = 10


class _Scorer:
    """An actor that holds the encoder; a part comes and goes as one cell of bytes."""

    def __init__(self, settings: "Settings") -> None:
        self._settings = settings
        self._tools: Any = None

    def __call__(self, batch: dict[str, Any]) -> dict[str, Any]:
        (number,), (part,) = batch["number"], batch["part"]
        changes, reviews = pickle.loads(part)  # noqa: S301 - our own process wrote it
        try:
            self._tools = self._tools or self._settings.tools()
            scored: Any = score_part(changes, reviews, self._tools, is_first=number == 0)
        except InputError as error:
            scored = str(error)
        return {"number": [number], "part": [pickle.dumps(scored)]}


def score_with_ray(
    settings: "Settings", parts: "Iterator[tuple[int, Frames]]"
) -> "Iterator[tuple[int, pd.DataFrame, pd.DataFrame]]":
    """Score parts with actors of Ray Data, in any order.

    Parts wait in Ray's object store, which spills to disk. The environment variable `RAY_ADDRESS`
    names a cluster; without it Ray starts on this machine. Every node needs this package, its
    models, and `OPENAI_API_KEY` if claims come from a server.

    Raises:
        InputError: Ray is not installed, there is no cluster, or a worker fails.
    """
    with _connected() as ray:
        import pyarrow as pa

        stored = [
            ray.put(pa.table({"number": [number], "part": [pickle.dumps(part)]}))
            for number, part in parts
        ]
        scored = ray.data.from_arrow_refs(stored).map_batches(
            _Scorer, fn_constructor_args=(settings,), batch_size=1, **_share(ray, len(stored))
        )
        try:
            for batch in scored.iter_batches(batch_size=1, prefetch_batches=0):
                part = pickle.loads(batch["part"][0])  # noqa: S301 - our own worker wrote it
                if isinstance(part, str):
                    raise InputError(part)
                yield int(batch["number"][0]), *part
        except ray.exceptions.RayError as error:
            reason = str(error).strip().partition("\n")[0][:300]
            raise InputError(
                f"Ray's workers failed ({reason}). Finished parts are kept: go on with --resume"
            ) from error


def _share(ray: Any, n_parts: int) -> dict[str, Any]:  # noqa: ANN401 - an optional module
    """Return how many actors share the nodes: one a GPU, or one for every four cores."""
    resources = [node["Resources"] for node in ray.nodes() if node["Alive"]]
    if gpus := int(sum(node.get("GPU", 0) for node in resources)):
        return {"concurrency": min(gpus, n_parts), "num_gpus": 1}
    cores = [int(node["CPU"]) for node in resources if node.get("CPU", 0) >= 1]
    each = min([_CORES_PER_ACTOR, *cores])
    n_actors = sum(of_node // each for of_node in cores)
    return {"concurrency": max(1, min(n_actors, n_parts)), "num_cpus": each}


@contextmanager
def _connected() -> Iterator[Any]:
    """Connect to the cluster of `RAY_ADDRESS`, or start one here that ends with the context."""
    try:
        import ray
        import ray.data
    except ImportError as error:
        raise InputError(
            'the engine ray needs a package: pip install "crscore-dashboard[ray]"'
        ) from error
    address = os.environ.get("RAY_ADDRESS") or "local"
    is_ours = not ray.is_initialized()
    if is_ours:
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        try:
            host, _, port = address.rpartition(":")
            if host and port.isdecimal() and "/" not in host:  # else Ray asks on for minutes
                socket.create_connection((host, int(port)), _SECONDS_TO_ANSWER).close()
            ray.init(
                address=address,
                include_dashboard=False if address == "local" else None,
                log_to_driver=False,
                logging_level=logging.ERROR,
            )
        except Exception as error:  # Ray raises this class itself
            reason = str(error).strip().partition("\n")[0]
            raise InputError(f"there is no Ray cluster at {address[:80]!r}: {reason}") from error
    context = ray.data.DataContext.get_current()
    context.enable_progress_bars = False
    try:
        yield ray
    finally:
        if is_ours:
            ray.shutdown()
