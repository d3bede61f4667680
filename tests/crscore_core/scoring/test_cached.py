"""Embeddings kept on disk: equal to the encoder's, its own weights', and never in the way."""

import shutil
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from crscore_core.scoring import (
    CachedEncoder,
    Embeddings,
    cached,
    load_encoder,
)
from tests.crscore_core.scoring.tiny_model import write_tiny_model

ROOT = Path(__file__).resolve().parents[3]
TEXTS = ["cache null", "retry the check", "session of the cache", "long " * 40, "", "cache null"]


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Two models that differ in their weights only."""
    folder = tmp_path_factory.mktemp("models")
    for seed in (1, 2):
        write_tiny_model(folder / str(seed), seed)
    return folder / "1", folder / "2"


@pytest.fixture
def model(models: tuple[Path, Path]) -> str:
    return str(models[0])


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    return tmp_path / "kept"


class Numbering:
    """A model whose vectors number its texts; it notes what it is asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def encode(self, texts: Sequence[str]) -> Embeddings:
        numbers = np.arange(len(self.asked), len(self.asked) + len(texts), dtype=np.float32)
        self.asked += texts
        return Embeddings(numbers[:, np.newaxis], np.zeros(len(texts), np.bool_))


@pytest.fixture
def numbering(monkeypatch: pytest.MonkeyPatch) -> Numbering:
    """The model that is loaded for any name."""
    numbering = Numbering()
    monkeypatch.setattr(cached, "load_encoder", lambda *_: numbering)
    return numbering


def assert_equal(found: Embeddings, expected: Embeddings) -> None:
    np.testing.assert_allclose(found.vectors, expected.vectors, atol=1e-6)
    assert found.vectors.dtype == np.float32
    assert found.truncated.dtype == np.bool_
    assert found.truncated.tolist() == expected.truncated.tolist()


@pytest.mark.parametrize("is_usable", [True, False])
def test_results_are_those_of_the_encoder(model: str, kept: Path, is_usable: bool) -> None:
    if not is_usable:
        kept.write_bytes(b"no folder")
    encoder = load_encoder(model)
    expected = encoder.encode(TEXTS)
    assert expected.truncated.tolist() == [False, False, False, True, False, False]
    for _ in range(2):  # new, then kept
        found = CachedEncoder(model, kept)
        assert found.name == model
        assert_equal(found.encode(TEXTS), expected)


def test_only_new_texts_are_encoded_and_each_once(
    model: str, kept: Path, numbering: Numbering
) -> None:
    texts = ["a", "a ", " a", "A", "a\n", "a\0", "á", "a\u0301", "\ufffd", "?"]
    encoder = CachedEncoder(model, kept)
    encoder.encode(["?", "a", "?"])
    assert numbering.asked == ["?", "a"]
    both = encoder.encode([*texts, "A"]).vectors[:, 0].tolist()
    assert sorted(numbering.asked) == sorted(texts)
    assert [numbering.asked[int(number)] for number in both] == [*texts, "A"]
    nothing = encoder.encode([])
    assert (nothing.vectors.shape[0], nothing.vectors.ndim, nothing.truncated.size) == (0, 2, 0)


def test_other_weights_under_the_same_name_share_nothing(
    models: tuple[Path, Path], tmp_path: Path, kept: Path
) -> None:
    place = tmp_path / "model"
    shutil.copytree(models[0], place)
    one = CachedEncoder(str(place), kept).encode(["cache null"]).vectors
    shutil.rmtree(place)
    shutil.copytree(models[1], place)
    other = CachedEncoder(str(place), kept).encode(["cache null"]).vectors
    assert not np.allclose(one, other, atol=0.01)
    expected = load_encoder(str(models[1])).encode(["cache null"]).vectors
    np.testing.assert_allclose(other, expected, atol=1e-6)


def test_what_is_known_needs_no_torch(model: str, kept: Path) -> None:
    CachedEncoder(model, kept).encode(["cache null"])
    program = (
        "import sys; from pathlib import Path; from crscore_core.scoring import CachedEncoder\n"
        "CachedEncoder(sys.argv[1], Path(sys.argv[2])).encode(['cache null'])\n"
        "print(*{'torch', 'transformers', 'scipy', 'pandas'} & set(sys.modules), 'none else')"
    )
    output = subprocess.run(
        [sys.executable, "-c", program, model, str(kept)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert output.split() == ["none", "else"]


def test_threads_share_one(model: str, kept: Path) -> None:
    encoder = CachedEncoder(model, kept)
    groups = [[f"cache {number % 30}" for number in range(at, at + 12)] for at in range(0, 30, 3)]
    with ThreadPoolExecutor(len(groups)) as pool:
        for group, result in zip(groups, pool.map(encoder.encode, groups), strict=True):
            assert_equal(result, load_encoder(model).encode(group))


def test_no_text_is_kept(model: str, kept: Path) -> None:
    CachedEncoder(model, kept).encode(["cache of a secret session"])
    stored = b"".join(path.read_bytes() for path in kept.rglob("*") if path.is_file())
    assert len(stored) > 1000
    assert b"secret" not in stored
