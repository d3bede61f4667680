"""What is computed of a source once, for all who look at it, and goes with it."""

import threading
from collections.abc import Callable
from typing import Generic, TypeVar
from weakref import WeakKeyDictionary

from pages.components.source.model import Source

__all__ = ["KeptBeside"]

ValueT = TypeVar("ValueT")


class KeptBeside(Generic[ValueT]):
    """Values by the source that they are of, each kept as long as anybody has the source.

    So an imported file leaves nothing behind when its session ends. A value may hold parts of its
    source, but not the source itself, which would then never go.
    """

    def __init__(self) -> None:
        self._kept: WeakKeyDictionary[Source, ValueT] = WeakKeyDictionary()
        self._lock = threading.Lock()

    def get(self, source: Source, make: Callable[[], ValueT]) -> ValueT:
        """The value of `source`, made now if it is not there.

        Nobody waits for what another one makes: of two that are made at once, one is kept.
        """
        with self._lock:
            known = self._kept.get(source)
        if known is None:
            made = make()
            with self._lock:
                known = self._kept.setdefault(source, made)
        return known
