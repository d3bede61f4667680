"""In how many bits a model is kept and computed."""

from enum import StrEnum

__all__ = ["Precision"]


class Precision(StrEnum):
    """How weights are kept in memory, and in which type is computed."""

    NF4 = "nf4"
    """4-bit NormalFloat, its scales quantised too, computed in bfloat16 (QLoRA, section 3)."""

    BFLOAT16 = "bfloat16"
    """As most models are published: four times the memory, for comparison."""

    FLOAT32 = "float32"
    """For tests: sums differ so little that a batch changes no answer."""
