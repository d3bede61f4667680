"""The engine `ray`: Ray's workers score the parts of a run, on this machine or on a cluster."""

import logging
import os
from typing import Any

from crscore_core.errors import InputError, quoted, require_packages
from crscore_eval.run.parts import BatchOptions, Part, Parts, score_part


class _Scorer:
    """An actor that holds the encoder."""

    def __init__(self, options: BatchOptions) -> None:
        self._options = options
        self._scorer: Any = None

    def score(self, number: int, part: Part) -> tuple[int, Part]:
        self._scorer = self._scorer or self._options.scorer()
        return number, score_part(*part, self._scorer)


def score_with_ray(options: BatchOptions, parts: Parts) -> Parts:
    """Score parts in any order, with one Ray actor per GPU, or per core without GPUs.

    Each actor has one part at a time, so memory does not grow with their number. The environment
    variable `RAY_ADDRESS` names a cluster; without it Ray starts on this machine. Every node needs
    this package, its models, and `OPENAI_API_KEY` if claims come from a server.

    Raises:
        InputError: Ray is not installed, there is no cluster, or a worker fails.
    """
    require_packages("the engine ray", "ray", "ray")
    import ray
    from ray.util import ActorPool

    address = os.environ.get("RAY_ADDRESS") or "local"
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR)
    except Exception as error:  # Ray raises no narrower class
        raise InputError(f"cannot start or reach Ray at {quoted(address)}: {error}") from error
    try:
        n_gpus = int(ray.cluster_resources().get("GPU", 0))
        n_actors = n_gpus or int(ray.cluster_resources()["CPU"])
        scorer = ray.remote(num_gpus=1 if n_gpus else 0, num_cpus=1)(_Scorer)
        pool = ActorPool([scorer.remote(options) for _ in range(n_actors)])
        for number, part in parts:
            if not pool.has_free():
                yield pool.get_next_unordered()
            pool.submit(lambda actor, values: actor.score.remote(*values), (number, part))
        while pool.has_next():
            yield pool.get_next_unordered()
    except ray.exceptions.RayError as error:
        if isinstance(cause := getattr(error, "cause", None), InputError):
            raise cause from error
        raise InputError(f"Ray's workers failed: {str(error)[:300]}") from error
    finally:
        ray.shutdown()
