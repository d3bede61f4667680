"""Stages between rows, without Ray."""

from pathlib import Path

import pytest

from crscore_core.corpus.run.ray_stages import EmbedPart, packed, read_part, unpacked
from crscore_core.corpus.run.recipe import Recipe
from crscore_core.corpus.run.units import Part
from crscore_core.errors import BatchError, EncoderError, EndpointError


def test_an_error_passes_every_stage(tmp_path: Path) -> None:
    row = read_part(packed(EndpointError("no answer")), tmp_path / "none.sqlite")
    with pytest.raises(EndpointError, match=r"^no answer$"):
        unpacked(row)
    assert not (tmp_path / "none.sqlite").exists()


def test_an_error_of_a_stage_takes_the_place_of_its_result(tmp_path: Path) -> None:
    row = read_part(packed(0), tmp_path / "no folder" / "work.sqlite")
    with pytest.raises(BatchError, match="cannot use its file"):
        unpacked(row)


def test_another_encoder_of_that_name_is_refused(encoder: Path) -> None:
    embed = EmbedPart(Recipe(0.5, encoder=str(encoder)), "0" * 64)
    with pytest.raises(EncoderError, match=r"is another on .* than where the run was begun"):
        unpacked(embed(packed(Part(0, (), {}))))
