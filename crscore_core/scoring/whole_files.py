"""Full texts that a caller gives -> both sides of the files they belong to."""

from collections.abc import Mapping
from dataclasses import dataclass

from crscore_core.change import CodeChange, FileChange, FileStatus, Side, other_side
from crscore_core.errors import WholeFileError

__all__ = ["WholeFile", "patched_files", "whole_files"]


@dataclass(frozen=True, slots=True)
class WholeFile:
    """A file after the change and before it; `old` is empty for a file that was not there."""

    new: str
    old: str


def whole_files(change: CodeChange, new_files: Mapping[str, str]) -> dict[int, WholeFile]:
    """Match full new texts, by path, with the files of `change`; the result is by their index.

    The old side of each follows from the hunks. A new file that its one hunk shows from the
    first line on needs no text. The end of a path will do where it fits one file alone, and a
    lone file without a name takes any.

    Raises:
        WholeFileError: a text belongs to no file of the change, or disagrees with a hunk.
    """
    matched: dict[int, WholeFile] = {}
    for index, file in enumerate(change.files):
        shown = _shown_whole(file)
        if shown is not None:
            matched[index] = WholeFile(shown, "")
    for path, text in new_files.items():
        index = _index(change, path, Side.NEW)
        matched[index] = WholeFile(text, other_side(change.files[index], text, Side.NEW))
    return matched


def patched_files(change: CodeChange, old_files: Mapping[str, str]) -> dict[str, str]:
    """Apply `change` to full old texts, by their old path: the new ones, by their new path.

    Raises:
        WholeFileError: as `whole_files` does.
    """
    patched: dict[str, str] = {}
    for path, text in old_files.items():
        file = change.files[_index(change, path, Side.OLD)]
        if file.status is FileStatus.DELETED:
            continue  # nothing is left of it to analyse
        patched[file.new_path or path] = other_side(file, text, Side.OLD)
    return patched


def _index(change: CodeChange, path: str, side: Side) -> int:
    """The file called `path`, or the only one whose name ends in it."""
    names = [file.new_path if side is Side.NEW else file.old_path for file in change.files]
    if path in names:
        return names.index(path)
    if len(change.files) == 1 and change.files[0].path is None:
        return 0
    ends = [index for index, name in enumerate(names) if name and name.endswith(f"/{path}")]
    if path and len(ends) == 1:
        return ends[0]
    known = ", ".join(name for name in names if name) or "none with a name"
    what = "more than one changed file ends in" if ends else "no changed file is called"
    raise WholeFileError(f"{what} {path[:80]!r}; the change has: {known}")


def _shown_whole(file: FileChange) -> str | None:
    """The full text of a new file, which its one hunk shows from the first line on."""
    if file.status is not FileStatus.ADDED or len(file.hunks) != 1:
        return None
    (hunk,) = file.hunks
    return hunk.new_fragment.text if hunk.new_start == 1 else None
