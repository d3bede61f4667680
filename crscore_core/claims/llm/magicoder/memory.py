"""Telling "out of memory" from other failures, and giving memory back."""

import gc

from crscore_core.errors import ModelMemoryError

__all__ = ["is_out_of_memory", "memory_error", "release_memory"]

_SIGNS = (
    "allocate memory",  # PyTorch's allocator for the CPU, on Linux
    "not enough memory",  # the same on macOS and Windows
    "out of memory",  # CUDA's own words, from libraries that bypass PyTorch
    "alloc_failed",  # cuBLAS and its like
)


def is_out_of_memory(error: BaseException) -> bool:
    """Whether memory is what failed."""
    import torch

    if isinstance(error, (MemoryError, torch.OutOfMemoryError)):
        return True
    text = str(error).casefold()
    return isinstance(error, RuntimeError) and any(sign in text for sign in _SIGNS)


def release_memory() -> None:
    """Give back what nobody holds any more, to the GPU too."""
    import torch

    gc.collect()
    if torch.cuda.is_available():
        torch.cuda.empty_cache()


def memory_error(what: str, device: str) -> ModelMemoryError:
    """An error that says what did not fit where, and the ways out."""
    where = "the GPU's memory" if device == "cuda" else "memory"
    return ModelMemoryError(
        f"{what} does not fit into {where}: end other programs that use it, choose a smaller "
        "model, or use an endpoint or the symbolic backend"
    )
