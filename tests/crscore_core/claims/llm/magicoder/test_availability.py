"""Availability of Magicoder, and the sentence shown to users."""

from pathlib import Path

import pytest

from crscore_core.claims import ClaimOptions
from crscore_core.claims.llm.magicoder import Limits, Magicoder, availability


def test_a_local_model_runs_on_the_chosen_device(
    random_llama: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = str(random_llama)
    for is_there, device, words in (
        (True, "cpu", "The files of random are on this machine; it runs on the CPU, slowly."),
        (True, None, "The files of random are on this machine; it runs on the GPU."),
        (False, None, "This machine has no GPU with CUDA; use the symbolic backend, an endpoint,"),
    ):
        monkeypatch.setattr("torch.cuda.is_available", lambda is_there=is_there: is_there)
        found = availability(ClaimOptions(model=folder, device=device))
        assert found.is_available == is_there
        assert words in found.reason
    assert len(list(Magicoder(folder, None, "cpu", limits=Limits(2)).answers(["x"]))) == 1


@pytest.mark.parametrize(
    ("is_hub_on", "words"),
    [(True, "7B (13.5 GB) will first be downloaded"), (False, "turned off (HF_HUB_OFFLINE)")],
)
def test_files_that_are_not_here_are_reported(
    monkeypatch: pytest.MonkeyPatch, is_hub_on: bool, words: str
) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", not is_hub_on)
    found = availability(ClaimOptions(device="cpu"))
    assert found.is_available == is_hub_on
    assert words in found.reason


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (ClaimOptions(device="tpu"), "Unknown device 'tpu'; use `cuda` or `cpu`."),
        (ClaimOptions(device="cpu", model="a b"), "Unknown model 'a b': neither a folder nor"),
        (ClaimOptions(device="cpu", model=""), "Unknown model '': neither a folder nor"),
    ],
)
def test_invalid_options_are_reported(options: ClaimOptions, reason: str) -> None:
    found = availability(options)
    assert not found.is_available
    assert found.reason.startswith(reason)


def test_it_reads_no_weights(own_llama: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: object) -> None:
        raise AssertionError("hashing 13.5 GB takes a minute")

    monkeypatch.setattr("crscore_core.caches.sha256_of", refuse)
    assert availability(ClaimOptions(model=str(own_llama), device="cpu")).is_available
