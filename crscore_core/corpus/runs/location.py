"""Where saved runs lie."""

import os
from pathlib import Path

from platformdirs import user_data_path

__all__ = ["runs_folder"]


def runs_folder() -> Path:
    """The folder that `CRSCORE_RUNS` names, or one among this user's data."""
    named = os.environ.get("CRSCORE_RUNS")
    return Path(named) if named else user_data_path("crscore") / "runs"
