"""What a model runs on: a GPU with CUDA unless the CPU is asked for, never one for the other."""

import os
import shutil
import subprocess
import sys
from functools import partial
from importlib.metadata import version

from crscore_core.errors import ClaimsError, MissingCudaError

__all__ = ["NO_CUDA", "checked_device", "free_gpu_bytes", "has_cuda", "require_device"]

NO_CUDA = (
    "There is no GPU with CUDA here. Use the symbolic backend, an endpoint, or the device cpu "
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
    """Free bytes of the first GPU that PyTorch may use, asked of the driver.

    Importing PyTorch takes seconds. The driver numbers GPUs by their place in the machine, and
    PyTorch by speed unless CUDA_DEVICE_ORDER says otherwise, which matters for unlike GPUs only.
    """
    command = shutil.which("nvidia-smi")
    if command is None or version("torch").endswith("+cpu"):
        return 0
    question = [command, "--query-gpu=index,uuid,memory.free", "--format=csv,noheader,nounits"]
    try:
        answer = subprocess.run(  # noqa: S603 - our own words
            question, capture_output=True, text=True, timeout=_SECONDS, check=True
        ).stdout
    except (OSError, subprocess.SubprocessError):
        return 0
    wanted = os.environ.get("CUDA_VISIBLE_DEVICES", "0").partition(",")[0].strip()
    return next((free for free in map(partial(_free, wanted), answer.splitlines()) if free), 0)


def _free(wanted: str, line: str) -> int:
    """Free bytes of the GPU that a line is about, 0 where it is not the one that is wanted.

    A part of a GPU (MIG) is on no line, and any GPU may be the whole of it.
    """
    index, _, rest = line.partition(", ")
    uuid, _, free = rest.partition(", ")
    is_meant = wanted == index or (wanted and uuid.startswith(wanted)) or wanted.startswith("MIG-")
    return int(free) * 2**20 if is_meant and free.isdecimal() else 0
