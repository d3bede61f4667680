"""What tests of several packages share."""

import os
from pathlib import Path

import pytest

_ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="session")
def study_dir() -> Path:
    """The human study, which is no part of this project: beside it, or where CRSCORE_STUDY says."""
    named = os.environ.get("CRSCORE_STUDY")
    folder = Path(named) if named else _ROOT.parent / "shared" / "study"
    if not (folder / "human_study").is_dir():
        pytest.skip(f"the human study is not at {folder}; name its folder in CRSCORE_STUDY")
    return folder
