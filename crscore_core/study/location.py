"""Where the human study lies when nobody says otherwise."""

import os
from pathlib import Path

from platformdirs import user_data_path

__all__ = ["default_study_folder"]


def default_study_folder() -> Path:
    """The folder that `CRSCORE_STUDY` names, or one among this user's data."""
    named = os.environ.get("CRSCORE_STUDY")
    return Path(named) if named else user_data_path("crscore") / "study"
