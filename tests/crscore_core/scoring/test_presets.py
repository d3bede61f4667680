"""Thresholds: presets and numbers."""

import pytest

from crscore_core.errors import InputError
from crscore_core.scoring import DEFAULT_ENCODER, resolve_tau

PAPERS = "mixedbread-ai/mxbai-embed-large-v1"


@pytest.mark.parametrize(("tau", "encoder", "claims", "expected"), [
    (None, DEFAULT_ENCODER, "symbolic", 0.330),
    ("tau_gt", DEFAULT_ENCODER, "magicoder", 0.330),
    ("tau_best", DEFAULT_ENCODER, "", 0.483),
    (None, PAPERS, "study", 0.6576),
    ("tau_best", PAPERS, "", 0.7314),
    ("0.25", "anything", "", 0.25),
    (-1, "anything", "", -1.0),
])  # fmt: skip
def test_a_threshold_is_a_number_or_a_preset(
    tau: float | str | None, encoder: str, claims: str, expected: float
) -> None:
    assert resolve_tau(tau, encoder, claims) == expected


@pytest.mark.parametrize("tau", ["high", "", 1.01, -1.01, "nan", float("nan"), float("inf"), "2"])
def test_rejects_a_similarity_outside_minus_1_to_1(tau: float | str) -> None:
    with pytest.raises(InputError, match="tau"):
        resolve_tau(tau, DEFAULT_ENCODER)


@pytest.mark.parametrize("tau", [None, "tau_best", "tau_gt"])
@pytest.mark.parametrize(("encoder", "claims", "option"), [
    ("some/other-encoder", "", "study"),
    ("some/other-encoder", "symbolic", "symbolic"),
    ("some/other-encoder", "given", "study"),
    (PAPERS, "symbolic", "symbolic"),  # 0.6576 belongs to the paper's own claims
    (PAPERS, "symbolic+given", "symbolic"),
])  # fmt: skip
def test_without_a_preset_the_commands_that_compute_one_are_named(
    tau: str | None, encoder: str, claims: str, option: str
) -> None:
    with pytest.raises(InputError, match="no preset") as raised:
        resolve_tau(tau, encoder, claims)
    command = f"`crscore validity --encoder {encoder} --claims {option} --tau"
    assert f"{command} tau_gt`" in str(raised.value)
    assert f"{command} tau_best`" in str(raised.value)
