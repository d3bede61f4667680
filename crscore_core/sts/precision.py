"""In which numbers an encoder computes."""

from enum import StrEnum

import numpy as np

from crscore_core.sts.encoder import Encoder

__all__ = ["MOST_DIFFERENCE", "Precision", "computes_bfloat16", "largest_difference"]

MOST_DIFFERENCE = 0.004
"""By how much a cosine may differ from that of float32 where another precision is chosen."""

_TEXTS = (
    "The loop now stops before the last element.",
    "Why is the lock released before the file is written?",
    "`parse` returns None when the header is missing, and no caller looks for that.",
    "Nice cleanup!",
    "Rename `tmp` to what it holds.",
    "A timeout of zero used to mean forever, and now it fails at once.",
    "The method `close` of class `Pool` is removed.",
    "This line is too long (112 > 100)",
    "Can we have a test for an empty list?",
    "The retry count is read from the environment, so a typo there would only show at run time.",
    "else",
    "Both branches do the same; the condition can go.",
    "The value of `limit` is changed from 10 to 25.",
    "I would expect the cache to be cleared when the user logs out, otherwise the next one sees "
    "what the last one had open, doesn't he?",
    "The return type of the function is `Optional[int]`.",
    "Please squash the commits",
)


class Precision(StrEnum):
    """Number formats, by torch's names."""

    FLOAT32 = "float32"
    BFLOAT16 = "bfloat16"


def computes_bfloat16() -> bool:
    """Whether this machine's GPU, or else its CPU, computes in bfloat16 and does not emulate it."""
    import torch

    if torch.cuda.is_available():
        return torch.cuda.is_bf16_supported(including_emulation=False)
    able = torch.cpu.get_capabilities()
    return any(able.get(name) for name in ("amx_bf16", "avx512_bf16", "arm_bf16", "bf16"))


def largest_difference(one: Encoder, other: Encoder) -> float:
    """By how much cosines of two encoders differ at most, over pairs of sentences of reviews."""
    vectors = (encoder.encode(_TEXTS).vectors for encoder in (one, other))
    first, second = (rows @ rows.T for rows in vectors)
    return float(np.abs(first - second).max())
