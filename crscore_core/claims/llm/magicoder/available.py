"""Whether Magicoder could run now."""

import os.path
import shutil
from pathlib import Path

from crscore_core.claims.availability import Availability
from crscore_core.claims.llm.magicoder.device import (
    NO_CUDA,
    checked_device,
    free_gpu_bytes,
    has_cuda,
)
from crscore_core.claims.llm.magicoder.loaded import is_held
from crscore_core.claims.llm.magicoder.packages import missing_packages
from crscore_core.claims.llm.magicoder.weights import (
    DEFAULT_MODEL,
    DOWNLOAD_BYTES,
    local_files,
)
from crscore_core.claims.options import ClaimOptions
from crscore_core.errors import ClaimsError

__all__ = ["NEEDED_BYTES", "availability"]

NEEDED_BYTES = 6 * 2**30
"""Free memory of a GPU that Magicoder needs, in bytes.

Its 6.48 billion weights of linear layers take 4.13 bits each with their scales, its 0.26 billion
of embeddings and output 16: 3.6 GiB. Keys and values of 4,000 tokens of prompt and answer take
2.0 GiB; the rest is what is computed on the way.
"""

_GIB = 2**30


def availability(options: ClaimOptions) -> Availability:
    """Whether packages, GPU and files are there; loads nothing and asks no server.

    Where PyTorch is not loaded yet, the driver is asked instead, as importing it takes seconds.
    """
    model = DEFAULT_MODEL if options.model is None else options.model
    try:
        device = checked_device(options.device)
        missing = missing_packages() or (_missing_of_gpu(model) if device == "cuda" else None)
        folder = None if missing else local_files(model, options.revision)
    except ClaimsError as error:
        reason = str(error)
        missing = f"{reason[0].upper()}{reason[1:]}."
    if missing:
        return Availability(is_available=False, reason=missing)
    if folder is None:
        return _of_download(model)
    name = folder.resolve().name if os.path.isdir(model) else model
    where = "the GPU" if device == "cuda" else "the CPU, slowly"
    return Availability(
        is_available=True, reason=f"The files of {name} are here; it runs on {where}."
    )


def _missing_of_gpu(model: str) -> str | None:
    """What the GPU lacks; a model of ours that is on it would make room."""
    if not has_cuda():
        return NO_CUDA
    if model != DEFAULT_MODEL or is_held("cuda"):
        return None
    free = free_gpu_bytes()
    if free >= NEEDED_BYTES:
        return None
    return (
        f"The GPU has {free / _GIB:.1f} GiB free, and {NEEDED_BYTES / _GIB:.0f} are needed: end "
        "other programs that use it, or use an endpoint."
    )


def _of_download(model: str) -> Availability:
    from huggingface_hub import constants

    is_default = model == DEFAULT_MODEL
    size = f" ({DOWNLOAD_BYTES / 1e9:.1f} GB)" if is_default else ""
    if constants.is_offline_mode():
        return Availability(
            is_available=False,
            reason=f"The files of {model[:80]} are not on this machine, and the model hub is "
            "switched off (HF_HUB_OFFLINE). Download them elsewhere and name their folder.",
        )
    if is_default and _free_disk(Path(constants.HF_HUB_CACHE)) < DOWNLOAD_BYTES:
        return Availability(
            is_available=False,
            reason=f"The files of {model}{size} are not on this machine, and its disk has no room "
            "for them: free some, or name another folder in HF_HOME.",
        )
    return Availability(
        is_available=True,
        reason=f"The files of {model[:80]}{size} are downloaded from the model hub first.",
    )


def _free_disk(folder: Path) -> int:
    """Free bytes where `folder` is or would be made."""
    there = next(path for path in (folder, *folder.parents) if path.is_dir())
    return shutil.disk_usage(there).free
