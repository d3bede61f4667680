"""Embeddings kept on disk: equal to the encoder's, its own weights', and never in the way."""

import itertools
import shutil
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from crscore_core.errors import EncoderError
from crscore_core.scoring import (
    CachedEncoder,
    Embeddings,
    Precision,
    cached,
    encoder_digest,
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


class Counting:
    """An encoder that notes what it is asked."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.asked: list[list[str]] = []

    def encode(self, texts: Sequence[str]) -> Embeddings:
        self.asked.append(list(texts))
        return load_encoder(self.name).encode(texts)


@pytest.fixture
def counting(model: str, monkeypatch: pytest.MonkeyPatch) -> Counting:
    counting = Counting(model)
    monkeypatch.setattr(cached, "load_encoder", lambda *_: counting)
    return counting


def refuse_to_load(*_: str) -> None:
    raise AssertionError("the model is not needed")


def assert_equal(found: Embeddings, expected: Embeddings) -> None:
    np.testing.assert_allclose(found.vectors, expected.vectors, atol=1e-6)
    assert found.vectors.dtype == np.float32
    assert found.truncated.dtype == np.bool_
    assert found.truncated.tolist() == expected.truncated.tolist()


@pytest.mark.parametrize("is_usable", [True, False])
def test_results_are_those_of_the_encoder(model: str, kept: Path, is_usable: bool) -> None:
    if not is_usable:
        kept.write_bytes(b"no folder")
    expected = load_encoder(model).encode(TEXTS)
    assert expected.truncated.tolist() == [False, False, False, True, False, False]
    encoder = CachedEncoder(model, kept)
    assert encoder.name == model
    assert_equal(encoder.encode(TEXTS), expected)
    assert_equal(encoder.encode(TEXTS), expected)
    assert_equal(
        CachedEncoder(model, kept).encode(TEXTS[::-1]), load_encoder(model).encode(TEXTS[::-1])
    )


def test_no_model_is_loaded_for_what_is_known_of_an_equal_one(
    model: str, tmp_path: Path, kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = CachedEncoder(model, kept).encode(TEXTS)
    monkeypatch.setattr(cached, "load_encoder", refuse_to_load)
    shutil.copytree(model, tmp_path / "moved")
    for place in (model, str(tmp_path / "moved")):
        again = CachedEncoder(place, kept).encode(TEXTS[:3])
        assert np.array_equal(again.vectors, first.vectors[:3])
    nothing = CachedEncoder(model, kept).encode([])
    assert (nothing.vectors.shape[0], nothing.vectors.ndim, nothing.truncated.size) == (0, 2, 0)
    with pytest.raises(AssertionError, match="not needed"):
        CachedEncoder(model, kept).encode([*TEXTS, "null"])


def test_what_is_kept_of_one_precision_or_pooling_is_not_given_for_another(
    model: str, kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kinds = list(itertools.product(Precision, (True, False)))
    expected = [
        (encoder if drops else encoder.unfiltered()).encode(TEXTS)
        for encoder, drops in (
            (load_encoder(model, precision), drops) for precision, drops in kinds
        )
    ]
    for _ in range(2):  # new, then kept
        for (precision, drops), embeddings in zip(kinds, expected, strict=True):
            found = CachedEncoder(model, kept, precision=precision, drop_stop_words=drops)
            assert (found.name, found.precision) == (model, precision)
            assert_equal(found.encode(TEXTS), embeddings)
        monkeypatch.setattr(cached, "load_encoder", refuse_to_load)
    for one, other in itertools.combinations(expected, 2):  # more than `assert_equal` lets pass
        assert np.abs(one.vectors - other.vectors).max() > 5e-6


def test_only_new_texts_are_encoded_and_each_once(
    model: str, kept: Path, counting: Counting
) -> None:
    encoder = CachedEncoder(model, kept)
    encoder.encode(["cache", "null", "cache"])
    both = encoder.encode(["check", "null", "check", "cache"])
    assert counting.asked == [["cache", "null"], ["check"]]
    assert np.array_equal(both.vectors[0], both.vectors[2])


def test_texts_that_look_alike_are_told_apart(model: str, kept: Path) -> None:
    class Numbering(Counting):
        def encode(self, texts: Sequence[str]) -> Embeddings:
            self.asked.append(list(texts))
            vectors = np.arange(1, len(texts) + 1, dtype=np.float32)[:, np.newaxis]
            return Embeddings(vectors, np.zeros(len(texts), np.bool_))

    texts = ["a", "a ", " a", "A", "a\n", "a\0", "á", "a\u0301", "\ud800", "\udfff", "\ufffd", "?"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cached, "load_encoder", lambda *_: Numbering(model))
        CachedEncoder(model, kept).encode(texts)
        patch.setattr(cached, "load_encoder", refuse_to_load)
        found = CachedEncoder(model, kept).encode(texts).vectors
    assert found[:, 0].tolist() == list(range(1, len(texts) + 1))


def test_other_weights_under_the_same_name_share_nothing(
    models: tuple[Path, Path], tmp_path: Path, kept: Path
) -> None:
    place = tmp_path / "model"
    shutil.copytree(models[0], place)
    in_use = CachedEncoder(str(place), kept)
    one = CachedEncoder(str(place), kept).encode(["cache null"]).vectors
    shutil.rmtree(place)
    shutil.copytree(models[1], place)
    other = CachedEncoder(str(place), kept).encode(["cache null"]).vectors
    assert not np.allclose(one, other, atol=0.01)
    expected = load_encoder(str(models[1])).encode(["cache null"]).vectors
    np.testing.assert_allclose(other, expected, atol=1e-6)
    with pytest.raises(EncoderError, match="changed while it was in use"):
        in_use.encode(["null"])


@pytest.mark.parametrize("file", ["model.safetensors", "tokenizer.json", "modules.json"])
def test_the_digest_is_that_of_every_file_of_the_model(
    models: tuple[Path, Path], tmp_path: Path, file: str
) -> None:
    place = tmp_path / "model"
    shutil.copytree(models[0], place)
    before = encoder_digest(str(place))
    assert before == encoder_digest(str(models[0])) != encoder_digest(str(models[1]))
    (place / "README.md").write_text("words about it", encoding="utf-8")
    (place / "folder.json").mkdir()
    assert encoder_digest(str(place)) == before
    content = (place / file).read_bytes()
    (place / file).write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    assert encoder_digest(str(place)) != before


def test_no_such_encoder_is_one_clear_error(kept: Path) -> None:
    with pytest.raises(EncoderError, match="neither a folder nor"):
        CachedEncoder("../no such folder", kept)
    assert not kept.exists()


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
