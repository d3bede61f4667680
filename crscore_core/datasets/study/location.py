"""Where the human study lies when nobody says otherwise."""

import os
from pathlib import Path

from platformdirs import user_data_path

from crscore_core.errors import StudyError

__all__ = ["check_folder", "default_study_folder"]


def default_study_folder() -> Path:
    """The folder that `CRSCORE_STUDY` names, or one among this user's data."""
    named = os.environ.get("CRSCORE_STUDY")
    return Path(named) if named else user_data_path("crscore") / "study"


def check_folder(folder: Path) -> Path:
    """`folder` with a home in place of `~`; it need not exist.

    Raises:
        StudyError: no folder can have this name.
    """
    try:
        place = folder.expanduser()
        is_name = b"\0" not in os.fsencode(place)
    except (RuntimeError, ValueError):  # nobody's home, or what the file system cannot spell
        is_name = False
    if not is_name:
        raise StudyError(f"no folder can be called {str(folder)[:80]!r}")
    return place
