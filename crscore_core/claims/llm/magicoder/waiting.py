"""Waiting for what takes long, so that whoever waits can stop."""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, wait
from contextlib import contextmanager
from typing import TypeVar

__all__ = ["held", "result_of"]

_Result = TypeVar("_Result")
_BEAT = 0.5  # seconds


def result_of(work: Callable[[threading.Event], _Result], beat: Callable[[], None]) -> _Result:
    """What `work` gives, done in a thread of its own; `beat` is called now and then meanwhile.

    What `beat` raises is passed on at once. The event that `work` was given is set then; it goes
    on, unheard, until it looks at it.
    """
    stopping = threading.Event()
    outcome: Future[_Result] = Future()

    def run() -> None:
        try:
            outcome.set_result(work(stopping))
        except BaseException as error:  # noqa: BLE001 - it is raised where it is waited for
            outcome.set_exception(error)

    threading.Thread(target=run, name="crscore-files", daemon=True).start()
    try:
        while not wait([outcome], timeout=_BEAT).done:
            beat()
    except BaseException:
        stopping.set()
        raise
    return outcome.result()


@contextmanager
def held(lock: threading.Lock, beat: Callable[[], None]) -> Iterator[None]:
    """Hold `lock`; `beat` is called now and then before, and what it raises ends the waiting."""
    while not lock.acquire(timeout=_BEAT):
        beat()
    try:
        yield
    finally:
        lock.release()
