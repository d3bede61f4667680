"""A fresh folder that holds the texts to analyse under names of our own."""

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Workspace", "workspace"]


@dataclass(frozen=True, slots=True)
class Workspace:
    """`names[i]` is the file in `folder` that holds the i-th text."""

    folder: Path
    names: tuple[str, ...]


@contextmanager
def workspace(texts: Sequence[str], suffix: str) -> Iterator[Workspace]:
    """Write `texts` into a new folder, which is gone with all it holds at the end.

    The names come from a counter and `suffix` alone: nothing of a change becomes a path.
    What UTF-8 cannot hold (a lone surrogate) is written as a question mark.
    """
    with tempfile.TemporaryDirectory(prefix="analysis-", ignore_cleanup_errors=True) as folder:
        root = Path(folder)
        names = tuple(f"source{index}{suffix}" for index in range(len(texts)))
        for name, text in zip(names, texts, strict=True):
            (root / name).write_bytes(text.encode("utf-8", "replace"))
        yield Workspace(root, names)
