"""Whether it could run now, and what people are told."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from crscore_core.claims import ClaimOptions
from crscore_core.claims.llm.magicoder import Limits, Magicoder, availability

MODULE = "crscore_core.claims.llm.magicoder"
GIB = 2**30


@pytest.fixture
def gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    """A GPU with 8 GiB of free memory, as far as anybody asks."""
    monkeypatch.setattr("torch.cuda.is_available", lambda: True)
    monkeypatch.setattr("torch.cuda.mem_get_info", lambda: (8 * GIB, 16 * GIB))
    monkeypatch.setattr(f"{MODULE}.available.is_held", lambda _: False)


@pytest.fixture
def hub_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", False)


def disk(monkeypatch: pytest.MonkeyPatch, free: int) -> None:
    monkeypatch.setattr("shutil.disk_usage", lambda _: SimpleNamespace(free=free))


def test_a_model_that_is_here_runs_on_the_cpu_on_request(random_llama: Path) -> None:
    found = availability(ClaimOptions(model=str(random_llama), device="cpu"))
    assert found.is_available
    assert found.reason == "The files of random are here; it runs on the CPU, slowly."


def test_without_a_gpu_it_says_the_ways_out(
    random_llama: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    found = availability(ClaimOptions(model=str(random_llama)))
    assert not found.is_available
    assert "There is no GPU with CUDA here." in found.reason
    assert all(way in found.reason for way in ("symbolic", "endpoint", "the device cpu"))


@pytest.mark.usefixtures("gpu")
def test_with_a_gpu_a_folder_runs_there(random_llama: Path) -> None:
    found = availability(ClaimOptions(model=str(random_llama)))
    assert found.is_available
    assert found.reason == "The files of random are here; it runs on the GPU."


@pytest.mark.usefixtures("gpu", "hub_on")
def test_what_would_be_downloaded_is_said_with_its_size(monkeypatch: pytest.MonkeyPatch) -> None:
    disk(monkeypatch, 14 * 10**9)
    found = availability(ClaimOptions())
    assert found.is_available
    assert "Magicoder-S-DS-6.7B (13.5 GB) are downloaded from the model hub first" in found.reason


@pytest.mark.usefixtures("gpu", "hub_on")
def test_a_disk_without_room_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    disk(monkeypatch, 13 * 10**9)
    found = availability(ClaimOptions())
    assert not found.is_available
    assert "no room" in found.reason


@pytest.mark.usefixtures("gpu")
def test_a_hub_that_is_switched_off_is_said() -> None:
    found = availability(ClaimOptions())
    assert not found.is_available
    assert "switched off (HF_HUB_OFFLINE)" in found.reason


@pytest.mark.usefixtures("gpu", "hub_on")
def test_a_gpu_that_is_too_full_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("torch.cuda.mem_get_info", lambda: (5 * GIB, 16 * GIB))
    found = availability(ClaimOptions())
    assert not found.is_available
    assert found.reason.startswith("The GPU has 5.0 GiB free, and 6 are needed")
    monkeypatch.setattr(f"{MODULE}.available.is_held", lambda _: True)
    disk(monkeypatch, 14 * 10**9)
    assert availability(ClaimOptions()).is_available


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (ClaimOptions(device="tpu"), "No device called 'tpu'; there are `cuda` and `cpu`."),
        (ClaimOptions(device="cpu", model="a b"), "No such model 'a b': neither a folder nor"),
        (ClaimOptions(device="cpu", model=""), "No such model '': neither a folder nor"),
    ],
)
def test_options_that_mean_nothing_are_said(options: ClaimOptions, reason: str) -> None:
    found = availability(options)
    assert not found.is_available
    assert found.reason.startswith(reason)


def test_a_damaged_folder_is_said(own_llama: Path) -> None:
    (own_llama / "tokenizer.json").unlink()
    found = availability(ClaimOptions(device="cpu", model=str(own_llama)))
    assert not found.is_available
    assert "tokenizer.json is missing" in found.reason


def test_missing_packages_are_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        f"{MODULE}.weights.find_spec", lambda name: None if name == "bitsandbytes" else object()
    )
    found = availability(ClaimOptions(device="cpu"))
    assert not found.is_available
    assert found.reason == (
        "Missing: bitsandbytes. Install with `pip install 'crscore-dashboard[llm]'`."
    )


def test_it_reads_no_weights(own_llama: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: object) -> None:
        raise AssertionError("hashing 13.5 GB takes a minute")

    monkeypatch.setattr("crscore_core.caches.sha256_of", refuse)
    assert availability(ClaimOptions(model=str(own_llama), device="cpu")).is_available


def test_what_it_says_is_so(random_llama: Path) -> None:
    options = ClaimOptions(model=str(random_llama), device="cpu")
    assert availability(options).is_available
    assert len(list(Magicoder(options.model, None, "cpu", limits=Limits(2)).answers(["x"]))) == 1
