"""Full new texts of changed files, read from a working tree."""

import os
from collections.abc import Mapping
from pathlib import Path

from crscore_core.change import CodeChange, FileStatus, Side, other_side
from crscore_core.errors import InputError, WholeFileError
from crscore_core.scoring.smells import whole_files
from crscore_core.text import text_of_file

_MOST_BYTES = 10_000_000


def files_of_tree(
    change: CodeChange, folder: Path, given: Mapping[str, str]
) -> tuple[dict[str, str], tuple[str, ...]]:
    """Read the changed files that a working tree holds; return them by new path, and warnings.

    The files in `given` are kept as they are. Only regular files inside `folder` are read, links
    resolved. A file that is missing, cannot be read or disagrees with the diff is a warning; files
    that no analyzer could read, or that the diff shows whole, are passed over.

    Raises:
        WholeFileError: `folder` is no folder, or a file in `given` does not fit.
    """
    root = Path(os.path.realpath(folder))
    if not root.is_dir():
        raise WholeFileError(f"working tree {str(folder)[:200]!r} is no folder")
    known = whole_files(change, given)
    texts: dict[str, str] = {}
    warnings: dict[str, str] = {}
    for index, file in enumerate(change.files):
        path = file.new_path
        is_asked = file.language and file.hunks and file.status is not FileStatus.DELETED
        if path is None or index in known or not is_asked or path in texts or path in warnings:
            continue
        try:
            text = text_of_file(_content(root, path), "it")
            other_side(file, text, Side.NEW)
            texts[path] = text
        except (InputError, OSError, ValueError) as error:
            reason = (error.strerror if isinstance(error, OSError) else None) or error
            warnings[path] = f"{path}: its file in the working tree is not used: {reason}"
    return {**texts, **given}, tuple(warnings.values())


def _content(root: Path, path: str) -> bytes:
    place = Path(os.path.realpath(root / path))
    if not place.is_relative_to(root):
        raise WholeFileError("it is outside the working tree")
    if not place.is_file():
        raise WholeFileError("it is missing, or no regular file")
    with place.open("rb") as file:
        content = file.read(_MOST_BYTES + 1)
    if len(content) > _MOST_BYTES:
        raise WholeFileError(f"it is larger than {_MOST_BYTES:,} bytes")
    return content
