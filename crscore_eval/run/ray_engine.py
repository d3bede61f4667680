"""The engine `ray`: Ray's workers score the parts of a run, on this machine or on a cluster."""

import logging
import os
import pickle
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pyarrow as pa

from crscore_core.errors import InputError, require_packages
from crscore_eval.run.parts import BatchOptions, Parts, score_part


class _Scorer:
    """An actor that holds the encoder; it receives and returns each part as bytes."""

    def __init__(self, options: BatchOptions) -> None:
        self._options = options
        self._setup: Any = None

    def __call__(self, batch: dict[str, Any]) -> dict[str, Any]:
        (number,), (part,) = batch["number"], batch["part"]
        reviews, changes = pickle.loads(part)  # noqa: S301 - our own process wrote it
        try:
            self._setup = self._setup or self._options.setup()
            result: Any = score_part(reviews, changes, self._setup)
        except InputError as error:
            result = error
        return {"number": [number], "part": [pickle.dumps(result)]}


def score_with_ray(options: BatchOptions, parts: Parts) -> Parts:
    """Score parts in any order, with one actor of Ray Data per GPU, or per core without GPUs.

    Parts wait in Ray's object store, which spills to disk. The environment variable `RAY_ADDRESS`
    names a cluster; without it Ray starts on this machine. Every node needs this package, its
    models, and `OPENAI_API_KEY` if claims come from a server.

    Raises:
        InputError: Ray is not installed, there is no cluster, or a worker fails.
    """
    with _connected() as ray:
        stored_parts = [
            ray.put(pa.table({"number": [number], "part": [pickle.dumps(part)]}))
            for number, part in parts
        ]
        n_gpus = int(ray.cluster_resources().get("GPU", 0))
        n_actors = n_gpus or int(ray.cluster_resources()["CPU"])
        scored_parts = ray.data.from_arrow_refs(stored_parts).map_batches(
            _Scorer,
            fn_constructor_args=(options,),
            batch_size=1,
            concurrency=min(n_actors, len(stored_parts)),
            num_gpus=1 if n_gpus else None,
        )
        try:
            for batch in scored_parts.iter_batches(batch_size=1, prefetch_batches=0):
                result = pickle.loads(batch["part"][0])  # noqa: S301 - our own worker wrote it
                if isinstance(result, InputError):
                    raise result
                yield int(batch["number"][0]), result
        except ray.exceptions.RayError as error:
            raise InputError(f"Ray's workers failed: {str(error)[:300]}") from error


@contextmanager
def _connected() -> Iterator[Any]:
    """Connect to the cluster at `RAY_ADDRESS`, or start Ray on this machine; disconnect at exit."""
    require_packages("the engine ray", "ray", "ray")
    import ray
    import ray.data

    address = os.environ.get("RAY_ADDRESS") or "local"
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR)
    except Exception as error:  # Ray raises no narrower class
        raise InputError(f"Ray cannot start or be reached at {address[:80]!r}: {error}") from error
    ray.data.DataContext.get_current().enable_progress_bars = False
    try:
        yield ray
    finally:
        ray.shutdown()
