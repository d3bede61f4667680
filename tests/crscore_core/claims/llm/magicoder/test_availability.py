"""Availability of Magicoder, and the sentence shown to users."""

from pathlib import Path

import pytest

from crscore_core.claims import ClaimOptions
from crscore_core.claims.llm.weights import availability


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
