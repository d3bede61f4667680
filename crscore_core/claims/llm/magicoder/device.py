"""What a model runs on: a GPU with CUDA unless the CPU is asked for, never one for the other."""

import shutil
import subprocess
import sys
from importlib.metadata import version

from crscore_core.errors import ClaimsError, MissingCudaError

__all__ = ["NO_CUDA", "checked_device", "free_gpu_bytes", "has_cuda", "require_device"]

NO_CUDA = (
    "There is no GPU with CUDA here. Use the symbolic backend, an endpoint, or `--device cpu` "
    "for a small model."
)
_SECONDS = 5


def checked_device(device: str | None) -> str:
    """The device meant: `cuda` where none is named.

    Raises:
        ClaimsError: it is neither `cuda` nor `cpu`.
    """
    if device not in (None, "cuda", "cpu"):
        raise ClaimsError(f"no device called {device[:40]!r}; there are `cuda` and `cpu`")
    return device or "cuda"


def require_device(device: str) -> None:
    """Check that the device is there.

    Raises:
        MissingCudaError: it is `cuda`, and PyTorch can use none.
    """
    if device == "cuda" and not _torch_has_cuda():
        raise MissingCudaError(f"this model is to run on a GPU. {NO_CUDA}")


def has_cuda() -> bool:
    """Whether there is a GPU for PyTorch; where PyTorch is not loaded, as the driver tells."""
    return _torch_has_cuda() if "torch" in sys.modules else bool(_free_by_driver())


def free_gpu_bytes() -> int:
    """Free memory of the GPU that would be used, 0 where there is none."""
    if "torch" not in sys.modules:
        return _free_by_driver()
    import torch

    return torch.cuda.mem_get_info()[0] if _torch_has_cuda() else 0


def _torch_has_cuda() -> bool:
    import torch

    return torch.cuda.is_available()


def _free_by_driver() -> int:
    """Free bytes of the freest GPU, asked of the driver: importing PyTorch takes seconds."""
    command = shutil.which("nvidia-smi")
    if command is None or version("torch").endswith("+cpu"):
        return 0
    question = [command, "--query-gpu=memory.free", "--format=csv,noheader,nounits"]
    try:
        answer = subprocess.run(  # noqa: S603 - our own words
            question, capture_output=True, text=True, timeout=_SECONDS, check=True
        ).stdout
    except (OSError, subprocess.SubprocessError):
        return 0
    return max((int(line) for line in answer.split() if line.isdecimal()), default=0) * 2**20
