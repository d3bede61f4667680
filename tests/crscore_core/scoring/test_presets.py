"""Thresholds: presets and numbers."""

import pytest

from crscore_core.errors import InputError
from crscore_core.scoring import DEFAULT_ENCODER, resolve_tau

PAPERS = "mixedbread-ai/mxbai-embed-large-v1"


@pytest.mark.parametrize(
    ("tau", "encoder", "claims", "expected"),
    [
        (None, DEFAULT_ENCODER, "", 0.331),
        ("tau_gt", DEFAULT_ENCODER, "", 0.331),
        ("tau_best", DEFAULT_ENCODER, "", 0.484),
        (None, DEFAULT_ENCODER, "symbolic", 0.301),
        ("tau_best", DEFAULT_ENCODER, "symbolic", 0.432),
        (None, DEFAULT_ENCODER, "magicoder", 0.331),
        (None, PAPERS, "", 0.6576),
        ("tau_best", PAPERS, "", 0.7314),
        (None, DEFAULT_ENCODER, "symbolic+edited-0123456789ab", 0.301),
        (0.5, "anything", "", 0.5),
        ("0.25", "anything", "", 0.25),
        (0, "anything", "", 0.0),
        (-1, "anything", "", -1.0),
    ],
)
def test_a_threshold_is_a_number_or_a_preset(
    tau: float | str | None, encoder: str, claims: str, expected: float
) -> None:
    assert resolve_tau(tau, encoder, claims) == expected


@pytest.mark.parametrize("tau", ["high", "", 1.01, -1.01, "nan", float("nan"), float("inf"), "2"])
def test_rejects_a_similarity_outside_minus_1_to_1(tau: float | str) -> None:
    with pytest.raises(InputError, match="tau"):
        resolve_tau(tau, DEFAULT_ENCODER)


@pytest.mark.parametrize("tau", [None, "tau_best", "tau_gt"])
def test_an_encoder_without_preset_needs_a_number(tau: str | None) -> None:
    with pytest.raises(InputError, match="no preset"):
        resolve_tau(tau, "some/other-encoder")
