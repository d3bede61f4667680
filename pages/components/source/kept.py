"""Sources made once for everybody, and values computed of them."""

import threading
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar
from weakref import WeakKeyDictionary

import streamlit as st
from cachetools import LRUCache

from crscore_core.corpus.progress import CorpusProgress, Note
from pages.components.source.model import Source

ValueT = TypeVar("ValueT")


class KeptSources:
    """The `most` sources used last, by what they were made from."""

    def __init__(self, most: int) -> None:
        self._kept: LRUCache[Hashable, Source] = LRUCache(most)
        self._making: dict[Hashable, threading.Lock] = {}
        self._lock = threading.Lock()

    def get(self, key: Hashable, make: Callable[[Note], Source]) -> Source:
        """Return the source of `key`, made now if there is none.

        While it is made a bar shows how far it is, and only those wait who want the same one. A
        person who leaves the page ends it; whoever asks next goes on with what was encoded by
        then.
        """
        with self._lock:
            if key in self._kept:
                return self._kept[key]
            making = self._making.setdefault(key, threading.Lock())
        bar = st.progress(0.0, "Looking what is there …")
        try:
            with making:
                with self._lock:
                    source = self._kept.get(key)
                if source is None:
                    source = make(lambda progress: _show(bar, progress))
                    with self._lock:
                        self._kept[key] = source
                        self._making.pop(key, None)
        finally:
            bar.empty()
        return source


def _show(bar: "st.delta_generator.DeltaGenerator", progress: CorpusProgress) -> None:
    text = f"{progress.stage.value}: {progress.done:,} of {progress.total:,}"
    bar.progress(progress.done / max(1, progress.total), text)


class KeptBeside(Generic[ValueT]):
    """Values computed of sources, each kept as long as anybody has its source.

    So an imported file leaves nothing behind when its session ends. A value may hold parts of its
    source, but not the source itself, which would then never go.
    """

    def __init__(self) -> None:
        self._kept: WeakKeyDictionary[Source, ValueT] = WeakKeyDictionary()
        self._lock = threading.Lock()

    def get(self, source: Source, make: Callable[[], ValueT]) -> ValueT:
        """Return the value of `source`, made now if there is none.

        Nobody waits for what another one makes: of two that are made at once, one is kept.
        """
        with self._lock:
            known = self._kept.get(source)
        if known is None:
            made = make()
            with self._lock:
                known = self._kept.setdefault(source, made)
        return known
