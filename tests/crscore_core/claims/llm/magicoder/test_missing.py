"""Availability; and missing and damaged files and packages, each with one clear error."""

import json
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from crscore_core.claims import ClaimOptions
from crscore_core.claims.llm.magicoder import Precision, held_model
from crscore_core.claims.llm.weights import availability, find_weights
from crscore_core.errors import (
    ModelError,
    UnavailableError,
)
from tests.crscore_core.claims.llm.magicoder.conftest import edit, magicoder


def answer(folder: Path | str, device: str = "cpu", revision: str | None = None) -> None:
    list(magicoder(folder, 2, device=device, revision=revision).answers(["x"]))


def shards(folder: Path) -> None:
    (folder / "model.safetensors").unlink()
    parts = {"model.norm.weight": "model-00002-of-00002.safetensors"}
    index = {"metadata": {}, "weight_map": parts}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index))


def pickle_only(folder: Path) -> None:
    """The same weights, undamaged, as a pickle."""
    import torch
    from safetensors.torch import load_file

    torch.save(load_file(folder / "model.safetensors"), folder / "pytorch_model.bin")
    (folder / "model.safetensors").unlink()


def lacking_tensors(folder: Path) -> None:
    from safetensors.torch import load_file, save_file

    tensors = load_file(folder / "model.safetensors")
    del tensors["model.norm.weight"]
    save_file(tensors, folder / "model.safetensors", metadata={"format": "pt"})


def writes(name: str, content: str) -> Callable[[Path], object]:
    return lambda folder: (folder / name).write_text(content)


def sets(**changes: object) -> Callable[[Path], object]:
    return lambda folder: edit(folder, "config.json", **changes)


def lacks(name: str) -> Callable[[Path], object]:
    return lambda folder: (folder / name).unlink()


OWN = {"AutoConfig": "own.Config", "AutoModelForCausalLM": "own.Model"}
# fmt: off
DAMAGES: dict[str, tuple[Callable[[Path], object], str]] = {
    "no config": (lacks("config.json"), "cannot be loaded: .*config.json"),
    "an encoder and decoder": (sets(model_type="t5"), "T5Config.* choose a causal language model"),
    "code of its own": (sets(model_type="own", auto_map=OWN), "cannot be loaded: .*custom code"),
    "no tokenizer": (lacks("tokenizer.json"), "the tokenizer of model 'own' cannot be loaded"),
    "no weights": (lacks("model.safetensors"), "cannot be loaded: .*model.safetensors"),
    "pickle only": (pickle_only, "choose .* with safetensors"),
    "half downloaded": (shards, "cannot be loaded: .*model-00002-of-00002.safetensors"),
    "corrupt weights": (writes("model.safetensors", "garbage" * 100), "cannot be loaded"),
    "lacking tensors": (lacking_tensors, "its files lack model.norm.weight"),
}
# fmt: on


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_folder_is_one_clear_error(own_llama: Path, damage: str) -> None:
    spoil, message = DAMAGES[damage]
    spoil(own_llama)
    with pytest.raises(UnavailableError, match=message) as raised:
        answer(own_llama)
    assert "\n" not in str(raised.value)


def test_pickles_are_not_read_beside_safetensors_either(own_llama: Path) -> None:
    (own_llama / "pytorch_model.bin").write_bytes(b"\x80\x04N.")
    answer(own_llama)


def test_a_download_can_be_stopped_while_it_hangs(monkeypatch: pytest.MonkeyPatch) -> None:
    is_stopped = threading.Event()

    def download(_model: str, _revision: str | None, _files: object, stop: threading.Event) -> None:
        assert stop.wait(30)
        is_stopped.set()

    def refuse(index: int, text: str) -> None:
        assert (index, text) == (0, "")
        raise KeyboardInterrupt

    monkeypatch.setattr("crscore_core.claims.llm.weights.downloaded_folder", download)
    with pytest.raises(KeyboardInterrupt):
        _ = magicoder("nobody/nothing", waiting=refuse).name
    assert is_stopped.wait(30)


def test_waiting_for_the_model_can_be_stopped(random_llama: Path) -> None:
    weights = find_weights(str(random_llama), None, "cpu", threading.Event())

    def refuse(index: int, text: str) -> None:
        assert (index, text) == (0, "")
        raise KeyboardInterrupt

    with (
        held_model(weights, "cpu", Precision.NF4),
        pytest.raises(KeyboardInterrupt),
    ):
        list(magicoder(random_llama).answers(["x"], refuse))
    answer(random_llama)


def test_unavailable_models_are_reported_with_the_reason(random_llama: Path) -> None:
    for name, revision in (("a b/c", None), ("a/b", "../x")):
        with pytest.raises(UnavailableError, match="is unavailable: "):
            answer(name, revision=revision)
    with pytest.raises(UnavailableError, match="no revisions"):
        answer(random_llama, revision="main")
    with pytest.raises(UnavailableError, match=r"hub cannot be reached.*as the model.*symbolic"):
        answer("nobody/no-such-model")


def test_without_a_gpu_there_is_no_fallback_and_no_download(
    random_llama: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    for device in ("cuda", None):
        model = magicoder(random_llama, device=device)
        with pytest.raises(UnavailableError, match=r"symbolic.*endpoint.*the device cpu"):
            list(model.answers(["x"]))
    with pytest.raises(UnavailableError):
        _ = magicoder(device=None).name


@pytest.mark.parametrize("package", ["bitsandbytes", "accelerate"])
def test_a_missing_package_says_how_to_install_it(
    random_llama: Path, monkeypatch: pytest.MonkeyPatch, package: str
) -> None:
    monkeypatch.setattr(
        "crscore_core.claims.llm.weights.find_spec",
        lambda name: None if name == package else object(),
    )
    model = magicoder(random_llama)
    for act in (lambda: list(model.answers(["x"])), lambda: model.name):
        with pytest.raises(UnavailableError, match=rf"{package}.*crscore-dashboard\[llm\]"):
            act()
    found = availability(ClaimOptions(device="cpu"))
    assert not found.is_available
    assert package in found.reason


@pytest.mark.parametrize(
    "error",
    [
        MemoryError(),
        RuntimeError("DefaultCPUAllocator: can't allocate memory: you tried to allocate 9 bytes"),
        RuntimeError("DefaultCPUAllocator: not enough memory: you tried to allocate 9 bytes"),
        RuntimeError("CUDA out of memory."),
    ],
)
def test_a_model_that_does_not_fit_is_one_clear_error(
    own_llama: Path, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    from transformers import LlamaForCausalLM

    def fail(*_: object, **__: object) -> None:
        raise error

    edit(own_llama, "config.json", rms_norm_eps=1e-5)  # so that no other test has loaded it
    monkeypatch.setattr(LlamaForCausalLM, "from_pretrained", fail)
    with pytest.raises(ModelError, match=r"own@sha256:.* does not fit in memory: stop"):
        answer(own_llama)


def test_models_and_settings_have_distinct_names(own_llama: Path, random_llama: Path) -> None:
    def name(folder: Path, max_tokens: int | None = None) -> str:
        return magicoder(folder, max_tokens).name

    before = name(own_llama)
    assert before == name(own_llama)
    assert before.startswith("own@sha256:")
    assert before.partition("@")[2] == name(random_llama).partition("@")[2]
    assert str(own_llama.parent) not in before
    assert all(word in before for word in ("nf4", "cpu", "700", "transformers 5", "bitsandbytes 0"))
    assert name(own_llama, 5) != before
    edit(own_llama, "generation_config.json", eos_token_id=[1, 2])
    assert name(own_llama) != before


def test_a_model_of_the_hub_that_was_downloaded_is_named_after_its_commit(
    random_llama: Path, tmp_path: Path
) -> None:
    commit = "0123456789abcdef0123456789abcdef01234567"
    store = tmp_path / "hub" / "models--someone--tuned"
    (store / "snapshots").mkdir(parents=True)
    (store / "snapshots" / commit).symlink_to(random_llama)
    (store / "refs").mkdir()
    (store / "refs" / "main").write_text(commit)
    for revision in (None, "main", commit):
        model = magicoder("someone/tuned", 2, revision=revision)
        assert model.name.startswith(f"someone/tuned@{commit} (nf4, ")
        assert len(list(model.answers(["x"]))) == 1
    with pytest.raises(UnavailableError):
        _ = magicoder("someone/tuned", revision="other").name


def test_large_files_are_read_once(own_llama: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []

    def noting(path: Path) -> str:
        read.append(path.name)
        return "ab" * 32

    monkeypatch.setattr("crscore_core.caches.sha256_of", noting)
    for _ in range(2):
        _ = magicoder(own_llama).name
    assert read.count("model.safetensors") == 1
    (own_llama / "model.safetensors").touch()
    _ = magicoder(own_llama).name
    assert read.count("model.safetensors") == 2
    assert read.count("config.json") == 1


@pytest.mark.parametrize(
    ("options", "has_gpu", "is_hub_on", "is_available", "words"),
    [
        ({"model": "{folder}", "device": "cpu"}, True, False, True, "it runs on the CPU, slowly"),
        (
            {"model": "{folder}"},
            True,
            False,
            True,
            "this machine; it runs on the GPU",
        ),
        ({"model": "{folder}"}, False, False, False, "no GPU with CUDA; use the symbolic backend"),
        ({"device": "cpu"}, False, True, True, "7B (13.5 GB) will first be downloaded"),
        ({"device": "cpu"}, False, False, False, "turned off (HF_HUB_OFFLINE)"),
        (
            {"device": "cpu", "model": "a b"},
            False,
            False,
            False,
            "Model 'a b' is unavailable: it is neither",
        ),
        (
            {"device": "cpu", "model": ""},
            False,
            False,
            False,
            "Model '' is unavailable: it is neither",
        ),
    ],
)
def test_it_says_what_is_there_without_reading_weights(
    random_llama: Path,
    monkeypatch: pytest.MonkeyPatch,
    *,
    options: dict[str, str],
    has_gpu: bool,
    is_hub_on: bool,
    is_available: bool,
    words: str,
) -> None:
    def refuse(_: object) -> None:
        raise AssertionError("hashing 13.5 GB takes a minute")

    monkeypatch.setattr("crscore_core.caches.sha256_of", refuse)
    monkeypatch.setattr("torch.cuda.is_available", lambda: has_gpu)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", not is_hub_on)
    given = {name: value.format(folder=random_llama) for name, value in options.items()}
    found = availability(ClaimOptions(**given))  # type: ignore[arg-type]
    assert found.is_available == is_available
    assert words in found.reason
