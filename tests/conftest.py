"""What tests of several packages share."""

import os
from collections.abc import Iterator
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


@pytest.fixture(scope="session", autouse=True)
def _caches_of_the_tests(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Nothing of this user's caches is read or written; what one test has encoded costs no other.

    Processes that run tests side by side share what they encode.
    """
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(shared / "caches"))
        yield
