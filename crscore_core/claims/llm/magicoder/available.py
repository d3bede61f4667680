"""Check whether Magicoder could run now: its packages, a GPU, disk space."""

import os.path
import shutil
from pathlib import Path

from crscore_core.claims.llm.magicoder.runtime import is_held
from crscore_core.claims.llm.magicoder.weights import (
    DEFAULT_MODEL,
    NO_CUDA,
    checked_device,
    local_files,
    missing_packages,
)
from crscore_core.claims.options import Availability, ClaimOptions
from crscore_core.errors import ClaimsError

_GIB = 2**30
_DOWNLOAD_BYTES = 13_500_000_000
"""Size of Magicoder's files: 6.7 billion parameters of 2 bytes."""

_NEEDED_BYTES = 6 * _GIB
"""Free GPU memory that Magicoder needs.

Its 6.48 billion linear weights take 4.13 bits each with their scales, the 0.26 billion of the
embeddings and output layer 16: 3.6 GiB. Keys and values for 4,000 tokens of prompt and answer take
2.0 GiB; the rest is for activations.
"""


def availability(options: ClaimOptions) -> Availability:
    """Check for packages, GPU and files, without loading a model or using the network."""
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
        is_available=True, reason=f"The files of {name} are on this machine; it runs on {where}."
    )


def _missing_of_gpu(model: str) -> str | None:
    """Return what the GPU lacks; a model that this process has loaded there can be replaced."""
    import torch

    if not torch.cuda.is_available():
        return NO_CUDA
    if model != DEFAULT_MODEL or is_held("cuda"):
        return None
    free = torch.cuda.mem_get_info()[0]
    if free >= _NEEDED_BYTES:
        return None
    return (
        f"The GPU has {free / _GIB:.1f} GiB free but {_NEEDED_BYTES / _GIB:.0f} GiB are needed: "
        "stop other programs that use it, or use an endpoint."
    )


def _of_download(model: str) -> Availability:
    from huggingface_hub import constants

    is_default = model == DEFAULT_MODEL
    size = f" ({_DOWNLOAD_BYTES / 1e9:.1f} GB)" if is_default else ""
    if constants.is_offline_mode():
        return Availability(
            is_available=False,
            reason=f"The files of {model[:80]} are not on this machine, and the model hub is "
            "turned off (HF_HUB_OFFLINE). Download them elsewhere and give their folder.",
        )
    if is_default and _free_disk(Path(constants.HF_HUB_CACHE)) < _DOWNLOAD_BYTES:
        return Availability(
            is_available=False,
            reason=f"The files of {model}{size} are not on this machine, and its disk is too full "
            "for them: free some space, or set another folder in HF_HOME.",
        )
    return Availability(
        is_available=True,
        reason=f"The files of {model[:80]}{size} will first be downloaded from the model hub.",
    )


def _free_disk(folder: Path) -> int:
    """Return the free bytes on the disk of `folder`, which may not exist yet."""
    there = next(path for path in (folder, *folder.parents) if path.is_dir())
    return shutil.disk_usage(there).free
