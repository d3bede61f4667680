"""Other number formats than float32: where they are faster, and only where they say the same."""

from pathlib import Path

import numpy as np
import pytest
import torch

from crscore_core.scoring import DEFAULT_ENCODER, Precision, fastest_precision, load_encoder
from crscore_core.scoring import registry as choice
from crscore_core.scoring.encoder import SentenceTransformerEncoder
from tests.crscore_core.scoring.tiny_model import write_tiny_model


@pytest.fixture
def model(tmp_path: Path) -> str:
    write_tiny_model(tmp_path / "model", seed=1)
    return str(tmp_path / "model")


@pytest.fixture
def measured(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Encoders that a machine that computes in bfloat16 measures."""
    found: list[str] = []
    measure = choice.largest_difference

    def noting(one: SentenceTransformerEncoder, other: SentenceTransformerEncoder) -> float:
        assert (one.precision, other.precision) == tuple(Precision)
        found.append(one.name)
        return measure(one, other)

    monkeypatch.setattr(choice, "largest_difference", noting)
    monkeypatch.setattr(choice, "computes_bfloat16", lambda: True)
    return found


def test_bfloat16_says_the_same_as_float32_up_to_the_limit() -> None:
    exact, fast = (load_encoder(DEFAULT_ENCODER, precision) for precision in Precision)
    assert 0 < choice.largest_difference(exact, fast) <= choice.MOST_DIFFERENCE
    vectors = fast.encode(["a null check is added"]).vectors
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors) == pytest.approx(1, abs=1e-6)


@pytest.mark.parametrize("precision", Precision)
def test_an_encoder_computes_in_the_precision_asked_for(model: str, precision: Precision) -> None:
    encoder = load_encoder(model, precision)
    assert encoder.precision is encoder.unfiltered().precision is precision
    exact = load_encoder(model)
    assert encoder._model is exact._model
    differs = choice.largest_difference(encoder, exact) > 0
    assert differs is (precision is Precision.BFLOAT16)


@pytest.mark.parametrize(
    ("limit", "expected"), [(2.0, Precision.BFLOAT16), (0.0, Precision.FLOAT32)]
)
def test_bfloat16_is_chosen_where_cosines_hardly_differ(
    model: str,
    measured: list[str],
    monkeypatch: pytest.MonkeyPatch,
    limit: float,
    expected: Precision,
) -> None:
    monkeypatch.setattr(choice, "MOST_DIFFERENCE", limit)
    assert fastest_precision(model) is expected
    assert fastest_precision(model) is expected
    assert measured == [model]


def test_other_weights_are_another_choice(model: str, measured: list[str]) -> None:
    fastest_precision(model)
    write_tiny_model(Path(model), seed=2)
    fastest_precision(model)
    assert measured == [model, model]


def test_nothing_is_measured_where_bfloat16_would_be_emulated(
    measured: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(choice, "computes_bfloat16", lambda: False)
    assert fastest_precision(DEFAULT_ENCODER) is Precision.FLOAT32
    assert measured == []


@pytest.mark.parametrize(
    ("able", "expected"),
    [
        ({"avx2": True, "avx512_bf16": False, "amx_bf16": False}, False),
        ({"avx512_f": True, "avx512_bf16": True, "amx_bf16": False}, True),
        ({"avx512_bf16": False, "amx_bf16": True}, True),
        ({"neon": True, "bf16": True}, True),
        ({"neon": True, "bf16": False}, False),
        ({}, False),
    ],
)
def test_without_a_gpu_the_cpu_decides(
    monkeypatch: pytest.MonkeyPatch, able: dict[str, bool], expected: bool
) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    monkeypatch.setattr(torch.cpu, "get_capabilities", lambda: able)
    assert choice.computes_bfloat16() is expected


def test_the_names_asked_for_are_those_that_torch_gives() -> None:
    able = torch.cpu.get_capabilities()
    expected = {"x86_64": {"amx_bf16", "avx512_bf16"}, "arm64": {"bf16"}}
    assert expected[able["architecture"]] <= able.keys()


@pytest.mark.parametrize("is_supported", [True, False])
def test_a_gpu_decides_where_there_is_one(
    monkeypatch: pytest.MonkeyPatch, is_supported: bool
) -> None:
    asked: list[bool] = []

    def supports(*, including_emulation: bool) -> bool:
        asked.append(including_emulation)
        return is_supported

    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "is_bf16_supported", supports)
    monkeypatch.setattr(torch.cpu, "get_capabilities", lambda: {"avx512_bf16": not is_supported})
    assert choice.computes_bfloat16() is is_supported
    assert asked == [False]
