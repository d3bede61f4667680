"""Which precision an encoder is fastest in without saying anything else."""

import functools

import numpy as np

from crscore_core.scoring.encoder import Encoder
from crscore_core.scoring.precision import Precision, computes_bfloat16
from crscore_core.scoring.registry import encoder_digest, load_encoder

__all__ = ["MOST_DIFFERENCE", "fastest_precision", "largest_difference"]

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
    (
        "I would expect the cache to be cleared when the user logs out, otherwise the next one "
        "sees what the last one had open, doesn't he?"
    ),
    "The return type of the function is `Optional[int]`.",
    "Please squash the commits",
)


def fastest_precision(name: str) -> Precision:
    """The precision to load an encoder in: bfloat16 where it is faster here and as good.

    As good is an encoder whose cosines differ by `MOST_DIFFERENCE` at most. What was found is
    remembered as long as the encoder's files stay the same.

    Raises:
        EncoderError: no such model, or it cannot be loaded.
    """
    if not computes_bfloat16():
        return Precision.FLOAT32
    return _measured(name, encoder_digest(name))


def largest_difference(one: Encoder, other: Encoder) -> float:
    """By how much cosines of two encoders differ at most, over pairs of sentences of reviews."""
    first, second = (
        rows @ rows.T for rows in (encoder.encode(_TEXTS).vectors for encoder in (one, other))
    )
    return float(np.abs(first - second).max())


@functools.cache
def _measured(name: str, digest: str) -> Precision:  # noqa: ARG001 - a key
    exact = load_encoder(name)
    is_good = largest_difference(exact, exact.in_precision(Precision.BFLOAT16)) <= MOST_DIFFERENCE
    return Precision.BFLOAT16 if is_good else Precision.FLOAT32
