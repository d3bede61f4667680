"""What tests of runs share."""

from pathlib import Path

import pytest

from tests.crscore_core.scoring.tiny_model import write_tiny_model


@pytest.fixture(scope="session")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a tiny embedding model."""
    folder = tmp_path_factory.mktemp("encoder")
    write_tiny_model(folder, seed=7)
    return folder


@pytest.fixture(autouse=True)
def own_caches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each test begins without anything encoded."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "caches"))


@pytest.fixture
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks of four changes and parts of six reviews."""
    monkeypatch.setattr("crscore_core.corpus.run.work.CHANGES_AT_ONCE", 4)
    monkeypatch.setattr("crscore_core.corpus.run.work.REVIEWS_AT_ONCE", 6)
