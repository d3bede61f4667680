"""Which prompts are answered together."""

from collections.abc import Sequence
from dataclasses import dataclass

from crscore_core.claims.llm.language_model import MAX_TOKENS

__all__ = ["MOST_ROWS", "Limits", "next_batch"]

MOST_ROWS = 64
"""More prompts at once hardly make more tokens a second, and each waits longer."""

_UNLIKE = 2


@dataclass(frozen=True, slots=True)
class Limits:
    """How long answers may be, and how much is answered at once.

    Args:
        new_tokens: tokens of an answer.
        batch_tokens: tokens of all prompts and answers of a batch, padding included; None
            for as many as half of the free memory of the GPU holds.
    """

    new_tokens: int = MAX_TOKENS
    batch_tokens: int | None = None


def next_batch(
    pending: Sequence[int], lengths: Sequence[int], new_tokens: int, batch_tokens: int, rows: int
) -> list[int]:
    """The first of `pending`, indices by falling length, that go into one batch.

    At least one, at most `rows`; none shorter than half of the first, as it would mostly be
    padding.
    """
    longest = lengths[pending[0]]
    fitting = max(1, min(rows, batch_tokens // (longest + new_tokens)))
    return [index for index in pending[:fitting] if lengths[index] * _UNLIKE >= longest]
