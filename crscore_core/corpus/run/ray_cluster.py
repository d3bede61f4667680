"""Getting hold of a Ray cluster, or of one that is this machine alone, and letting go of it."""

import logging
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from crscore_core.errors import BatchError

__all__ = ["connected"]

_SECONDS_TO_ANSWER = 10
_SECONDS_WITHOUT_A_RESULT = 24 * 3600
_ENVIRONMENT = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_BACKEND_LOG_LEVEL": "fatal",
    "RAY_task_oom_retries": "5",
}
"""Ray tells nobody that it is used, says little, and gives up a unit that takes all memory."""


@contextmanager
def connected(address: str | None) -> Iterator[None]:
    """Be connected to the cluster at `address`, or to one of this machine that ends with this.

    `address` is HOST:PORT, or `auto` for the cluster that this machine belongs to. A process that
    is connected already stays so.

    Raises:
        BatchError: Ray is not installed, or there is no cluster at `address`.
    """
    try:
        import ray
    except ImportError as error:
        raise BatchError(
            "the engine ray needs packages that are not installed; install them by: "
            'pip install "crscore-dashboard[ray]"'
        ) from error
    if address is not None:
        _check_answer(address)
    if ray.is_initialized():
        with _calm():
            yield
        return
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
        with _calm():
            yield
    finally:
        ray.shutdown()


@contextmanager
def _calm() -> Iterator[None]:
    """Have Ray Data draw and log nothing where people look, and give slow models their time."""
    from ray.data import DataContext

    context = DataContext.get_current().copy()
    context.enable_progress_bars = False
    context.print_on_execution_start = False
    context.execution_no_progress_timeout_s = _SECONDS_WITHOUT_A_RESULT
    logger = logging.getLogger("ray.data")
    level = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        with DataContext.current(context):
            yield
    finally:
        logger.setLevel(level)


@contextmanager
def _no_standard_error() -> Iterator[None]:
    """Nothing that this process writes there, in whatever language, is seen meanwhile."""
    kept = os.dup(2)
    try:
        with Path(os.devnull).open("wb") as nowhere:
            os.dup2(nowhere.fileno(), 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)


def _check_answer(address: str) -> None:
    """See that something answers at an address: Ray itself would go on asking for minutes."""
    if address == "auto":
        return
    host, _, port = address.rpartition(":")
    if not host or "/" in host or not port.isdecimal():
        raise BatchError(
            f"Ray's address {address[:80]!r} is not of the form HOST:PORT, nor auto; "
            "start the run on a machine of the cluster"
        )
    try:
        socket.create_connection((host, int(port)), _SECONDS_TO_ANSWER).close()
    except (OSError, OverflowError, UnicodeError) as error:
        raise _no_cluster(address, str(error)) from error


def _no_cluster(address: str | None, reason: str) -> BatchError:
    where = "on this machine" if address is None else f"at {address[:80]!r}"
    return BatchError(f"there is no Ray cluster {where}: {reason.strip().partition(chr(10))[0]}")
