"""What takes long to make and serves everybody: made once, with its progress on the page."""

import threading
from collections.abc import Callable, Hashable

import streamlit as st
from cachetools import LRUCache

from crscore_core.corpus.progress import CorpusProgress, Note
from pages.components.source.model import Source

__all__ = ["KeptSources"]


class KeptSources:
    """Sources by what they were made from, those used last; at most `most` of them."""

    def __init__(self, most: int) -> None:
        self._kept: LRUCache[Hashable, Source] = LRUCache(most)
        self._making: dict[Hashable, threading.Lock] = {}
        self._lock = threading.Lock()

    def get(self, key: Hashable, make: Callable[[Note], Source]) -> Source:
        """The source of `key`, made now if it is not there.

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
