"""float32 unless bfloat16 is asked for, which differs a little and says so."""

from pathlib import Path

import numpy as np
import pytest

from crscore_core.scoring import DEFAULT_ENCODER, Encoder, Precision, load_encoder
from tests.crscore_core.scoring.tiny_model import write_tiny_model

TEXTS = [
    "The loop now stops before the last element.",
    "Why is the lock released before the file is written?",
    "Nice cleanup!",
    "else",
    "The value of `limit` is changed from 10 to 25.",
]


def largest_difference(one: Encoder, other: Encoder) -> float:
    """Largest difference between cosines of two encoders, over pairs of texts."""
    first, second = (
        rows @ rows.T for rows in (encoder.encode(TEXTS).vectors for encoder in (one, other))
    )
    return float(np.abs(first - second).max())


def test_bfloat16_moves_cosines_by_little() -> None:
    exact, fast = (load_encoder(DEFAULT_ENCODER, precision) for precision in Precision)
    assert 0 < largest_difference(exact, fast) <= 0.004
    vectors = fast.encode(["a null check is added"]).vectors
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors) == pytest.approx(1, abs=1e-6)


@pytest.mark.parametrize("precision", Precision)
def test_an_encoder_computes_in_the_precision_asked_for(
    tmp_path: Path, precision: Precision
) -> None:
    write_tiny_model(tmp_path / "model", seed=1)
    model = str(tmp_path / "model")
    encoder = load_encoder(model, precision)
    assert encoder.precision is encoder.unfiltered().precision is precision
    exact = load_encoder(model)
    assert encoder._model is exact._model
    assert (largest_difference(encoder, exact) > 0) is (precision is Precision.BFLOAT16)
