"""Fixtures that tests of runs share."""

from pathlib import Path
from typing import Any

import pytest

from crscore_core.corpus.run import BatchJob
from tests.crscore_core.corpus.run.corpora import JobOf, job_over, write_rows
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
def job_of(tmp_path: Path, encoder: Path) -> JobOf:
    """A job over rows, written to `corpus.jsonl`, into the folder `out.parquet` or another."""

    def make(rows: list[Any], folder: str = "out", **others: Any) -> BatchJob:  # noqa: ANN401
        corpus = write_rows(tmp_path / "corpus.jsonl", rows)
        return job_over(corpus, tmp_path / f"{folder}.parquet", encoder, **others)

    return make


@pytest.fixture
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """Parts of six reviews, whose texts are embedded four at a time."""
    monkeypatch.setattr("crscore_core.corpus.part.REVIEWS_AT_ONCE", 6)
    monkeypatch.setattr("crscore_core.corpus.part._TEXTS_AT_ONCE", 4)
