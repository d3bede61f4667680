"""Other number formats than float32: where they are faster, and only where they say the same."""

from pathlib import Path

import numpy as np
import pytest
import torch

from crscore_core.sts import DEFAULT_ENCODER, Precision, fastest_precision, load_encoder
from crscore_core.sts import precision_choice as choice
from crscore_core.sts.encoder import SentenceTransformerEncoder
from crscore_core.sts.precision import computes_bfloat16
from crscore_core.sts.registry import open_encoder
from tests.crscore_core.sts.tiny_model import write_tiny_model


@pytest.fixture
def model(tmp_path: Path) -> str:
    write_tiny_model(tmp_path / "model", seed=1)
    return str(tmp_path / "model")


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[Precision]:
    """What a machine that computes in bfloat16 opens, in which precision."""
    found: list[Precision] = []

    def noting(name: str, precision: Precision) -> SentenceTransformerEncoder:
        found.append(precision)
        return open_encoder(name, precision)

    monkeypatch.setattr(choice, "open_encoder", noting)
    monkeypatch.setattr(choice, "computes_bfloat16", lambda: True)
    return found


def test_bfloat16_says_the_same_as_float32_up_to_the_limit() -> None:
    exact, fast = (open_encoder(DEFAULT_ENCODER, precision) for precision in Precision)
    assert 0 < choice.largest_difference(exact, fast) <= choice.MOST_DIFFERENCE
    vectors = fast.encode(["a null check is added"]).vectors
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors) == pytest.approx(1, abs=1e-6)


@pytest.mark.parametrize("precision", Precision)
def test_an_encoder_computes_in_the_precision_asked_for(model: str, precision: Precision) -> None:
    encoder = load_encoder(model, precision)
    assert encoder.precision is encoder.unfiltered().precision is precision
    assert {str(one.dtype) for one in encoder._model.parameters()} == {f"torch.{precision}"}
    assert load_encoder(model, precision) is encoder


@pytest.mark.parametrize(
    ("limit", "expected"), [(2.0, Precision.BFLOAT16), (0.0, Precision.FLOAT32)]
)
def test_bfloat16_is_chosen_where_cosines_hardly_differ(
    model: str,
    opened: list[Precision],
    monkeypatch: pytest.MonkeyPatch,
    limit: float,
    expected: Precision,
) -> None:
    monkeypatch.setattr(choice, "MOST_DIFFERENCE", limit)
    assert fastest_precision(model) is expected
    assert fastest_precision(model) is expected
    assert opened == [Precision.FLOAT32, Precision.BFLOAT16]


def test_other_weights_are_another_choice(model: str, opened: list[Precision]) -> None:
    fastest_precision(model)
    write_tiny_model(Path(model), seed=2)
    fastest_precision(model)
    assert len(opened) == 4


def test_the_choice_takes_no_encoder_its_place_in_memory(
    model: str, opened: list[Precision], tmp_path: Path
) -> None:
    others = [str(tmp_path / str(seed)) for seed in (2, 3)]
    for seed, other in enumerate(others, start=2):
        write_tiny_model(Path(other), seed)
    loaded = [load_encoder(other) for other in others]
    fastest_precision(model)
    assert len(opened) == 2
    assert all(load_encoder(one.name) is one for one in loaded)


def test_nothing_is_opened_where_bfloat16_would_be_emulated(
    opened: list[Precision], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(choice, "computes_bfloat16", lambda: False)
    assert fastest_precision(DEFAULT_ENCODER) is Precision.FLOAT32
    assert opened == []


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
    assert computes_bfloat16() is expected


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
    assert computes_bfloat16() is is_supported
    assert asked == [False]
