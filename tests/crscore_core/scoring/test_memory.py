"""A GPU without room for a batch: it comes in parts, with the same vectors."""

from pathlib import Path

import numpy as np
import pytest
import torch

from crscore_core.errors import UnavailableError
from crscore_core.scoring import load_encoder
from crscore_core.scoring.encoder import SentenceTransformerEncoder
from tests.crscore_core.scoring.tiny_model import write_tiny_model

TEXTS = ["cache null", "retry the check of the session now", "null", "long " * 9] * 8


@pytest.fixture
def encoder(tmp_path: Path) -> SentenceTransformerEncoder:
    write_tiny_model(tmp_path / "model", seed=1)
    return load_encoder(str(tmp_path / "model"))


def limit_rows(encoder: SentenceTransformerEncoder, most: int) -> list[int]:
    """Let the model run out of memory above so many rows; the rows of each batch it is given."""
    given: list[int] = []

    def refuse(_: torch.nn.Module, args: tuple[dict[str, torch.Tensor], ...]) -> None:
        given.append(len(args[0]["input_ids"]))
        if given[-1] > most:
            raise torch.OutOfMemoryError("no room")

    encoder._model[0].register_forward_pre_hook(refuse)
    return given


@pytest.mark.parametrize("most", [1, 3, 7])
def test_vectors_and_tokens_are_those_of_a_gpu_with_room(
    encoder: SentenceTransformerEncoder, most: int
) -> None:
    expected, expected_tokens = encoder.encode(TEXTS), encoder.tokens(TEXTS)
    given = limit_rows(encoder, most)
    found = encoder.encode(TEXTS)
    assert max(given) > most
    assert np.array_equal(found.vectors, expected.vectors)
    assert np.array_equal(found.truncated, expected.truncated)
    for one, other in zip(encoder.tokens(TEXTS), expected_tokens, strict=True):
        assert one.pieces == other.pieces
        assert np.array_equal(one.vectors, other.vectors)


def test_no_batch_after_one_without_room_is_larger_than_its_half(
    encoder: SentenceTransformerEncoder,
) -> None:
    given = limit_rows(encoder, 3)
    encoder.encode(["cache null"] * 16 + ["retry the check of the session"] * 2)
    # 16, 8 and 4 rows of 4 tokens are too many; 2 of them leave room for 1 row of 8
    assert given == [16, 8, 4] + [2] * 8 + [1] * 2
    given.clear()
    encoder.encode(["null cache"] * 4)
    assert given == [2, 2]


def test_a_text_that_has_no_room_alone_is_one_clear_error(
    encoder: SentenceTransformerEncoder,
) -> None:
    limit_rows(encoder, 0)
    with pytest.raises(UnavailableError, match="no room on the GPU for a text of 8 tokens; free"):
        encoder.encode(["retry the check of the session"] * 3)
