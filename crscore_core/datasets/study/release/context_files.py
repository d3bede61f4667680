"""The whole files before and after a change: names in the spreadsheets -> paths."""

import os
from pathlib import Path, PurePosixPath, PureWindowsPath

from crscore_core.datasets.study.release.layout import CONTEXT_FOLDER
from crscore_core.datasets.study.release.tables import Row

__all__ = ["context_file_name", "context_path"]


def context_file_name(row: Row, column: str) -> str | None:
    """The file name in a cell; None where it is empty.

    Raises:
        StudyError: it is a path and not a name. Names come from a download: they must not lead
            out of the study's own folder.
    """
    name = row[column].strip()
    is_plain = name == PurePosixPath(name).name == PureWindowsPath(name).name and name != ".."
    if name and not (is_plain and name.isprintable()):
        raise row.bad_cell(column, "a plain file name without folders")
    return name or None


def context_path(release: Path, name: str) -> Path | None:
    """Where a context file lies; None where the folder does not have it."""
    path = release / CONTEXT_FOLDER / name
    # os.path.isfile is False for what can be no name; Path.is_file raises.
    return path if os.path.isfile(path) else None
