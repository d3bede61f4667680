"""Which texts go through a model together, and how long they are made for it."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crscore_core.scoring.encoder import batches_by_length, padded_length

LENGTHS = st.lists(st.sampled_from([4, 8, 12, 16, 64, 80, 256]), max_size=60)


@given(LENGTHS, st.integers(1, 600))
def test_every_row_is_in_one_full_batch_of_its_length(lengths: list[int], most: int) -> None:
    batches = list(batches_by_length(lengths, most))
    assert sorted(row for _, rows in batches for row in rows) == list(range(len(lengths)))
    assert all(lengths[row] == length for length, rows in batches for row in rows)
    assert all(len(rows) == 1 or len(rows) * length <= most for length, rows in batches)
    for (length, rows), (next_length, _) in itertools.pairwise(batches):
        assert next_length > length or (next_length == length and (len(rows) + 1) * length > most)


@pytest.mark.parametrize(
    ("tokens", "most", "expected"),
    [
        (1, 256, 4),
        (4, 256, 4),
        (5, 256, 8),
        (64, 256, 64),
        (65, 256, 80),
        (241, 256, 256),
        (250, 254, 254),
        (300, 256, 300),
    ],
)
def test_a_length_is_padded_to_the_next_step_or_to_what_the_encoder_reads(
    tokens: int, most: int, expected: int
) -> None:
    assert padded_length(tokens, most) == expected


@given(st.integers(1, 600), st.integers(64, 600))
def test_a_padded_length_holds_the_text_and_is_a_multiple_of_four(tokens: int, most: int) -> None:
    padded = padded_length(tokens, most)
    assert tokens <= padded <= max(tokens, most)
    assert padded % 4 == 0 or padded == max(tokens, most)
    assert padded - tokens < (4 if tokens <= 64 else 16)
