"""Models with random weights, created once."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from crscore_core.claims import ClaimOptions, Progress, silent
from crscore_core.claims.llm.magicoder import Magicoder, Precision
from tests.tiny_llama import build_tiny_llama

SAYS = "Naïve—日🎉"


def magicoder(
    model: Path | str | None = None,
    max_tokens: int | None = None,
    batch_tokens: int | None = None,
    precision: Precision = Precision.NF4,
    waiting: Progress = silent,
    *,
    revision: str | None = None,
    device: str | None = "cpu",
) -> Magicoder:
    name = None if model is None else str(model)
    options = ClaimOptions(name, revision, device, max_tokens=max_tokens)
    return Magicoder(options, waiting, precision=precision, batch_tokens=batch_tokens)


def edit(folder: Path, name: str, **changes: object) -> None:
    """Change values of a JSON file."""
    data = json.loads((folder / name).read_bytes())
    (folder / name).write_text(json.dumps(data | changes), encoding="utf-8")


@pytest.fixture(scope="module", autouse=True)
def one_thread() -> Iterator[None]:
    """The computation is so small that threads would mostly wait for each other."""
    import torch

    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


@pytest.fixture(scope="session")
def random_llama(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model that generates endless nonsense."""
    return build_tiny_llama(tmp_path_factory.mktemp("models") / "random")


@pytest.fixture(scope="session")
def taught_llama(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model that generates `SAYS` and stops."""
    return build_tiny_llama(tmp_path_factory.mktemp("models") / "taught", says=SAYS)


@pytest.fixture
def own_llama(random_llama: Path, tmp_path: Path) -> Path:
    """A copy of the random one, to damage."""
    return Path(shutil.copytree(random_llama, tmp_path / "own"))


@pytest.fixture(autouse=True)
def own_caches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Isolate tests from this user's caches and the model hub."""
    monkeypatch.setattr("crscore_core.caches.user_cache_path", lambda _: tmp_path / "caches")
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "hub"))
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
