"""Number formats in which an encoder computes."""

from enum import StrEnum


class Precision(StrEnum):
    """Number formats, by torch's names."""

    FLOAT32 = "float32"
    BFLOAT16 = "bfloat16"


def computes_bfloat16() -> bool:
    """Return True if the GPU, or else the CPU, computes in bfloat16 without emulation."""
    import torch

    if torch.cuda.is_available():
        return bool(torch.cuda.is_bf16_supported(including_emulation=False))
    able = torch.cpu.get_capabilities()
    return any(able.get(name, False) for name in ("amx_bf16", "avx512_bf16", "bf16"))
