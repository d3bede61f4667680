"""Files of a language model on this machine, and the packages and device that it needs."""

import os.path
import threading
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from crscore_core.caches import folder_digest, remembered_sha256
from crscore_core.claims.options import Availability, ClaimOptions
from crscore_core.errors import (
    InputError,
    UnavailableError,
)
from crscore_core.hub import HubError, downloaded_folder, local_folder
from crscore_core.text import capital

DEFAULT_DEVICE = "cuda"
DEFAULT_MODEL = "ise-uiuc/Magicoder-S-DS-6.7B"
"""The model that wrote the claims of the paper after fine-tuning (section 3.2)."""

_PACKAGES = ("transformers", "accelerate", "bitsandbytes")
_FILES = ("*.json", "*.jinja", "*.model", "*.safetensors")
_DOWNLOAD = "13.5 GB"
"""Size of Magicoder's files: 6.7 billion parameters of 2 bytes."""


@dataclass(frozen=True, slots=True)
class Weights:
    """The folder of a model.

    `identity` is the model's name and commit, or the name of its folder and a digest of the files.
    """

    folder: Path
    identity: str


def require_device(device: str) -> None:
    """Check that the device is available; there is no fallback.

    Raises:
        UnavailableError: it is `cuda`, and PyTorch cannot use it.
    """
    if device != "cuda":
        return
    import torch

    if not torch.cuda.is_available():
        raise UnavailableError(
            "this machine has no GPU with CUDA; use the symbolic backend, an endpoint, or the "
            "device cpu for a small model"
        )


def _require_packages() -> None:
    missing = [name for name in _PACKAGES if find_spec(name) is None]
    if missing:
        raise UnavailableError(
            f"a language model on this machine needs {', '.join(missing)}; install with "
            "`pip install 'crscore-dashboard[llm]'`"
        )


def find_weights(
    model: str, revision: str | None, device: str, stopping: threading.Event
) -> Weights:
    """Return the files in a folder, or of a hub model, downloaded if necessary.

    Nothing is downloaded for a device that is unavailable. Setting `stopping` stops a download
    soon; the next one resumes it. Whether the files can be used shows when they are loaded.

    Raises:
        UnavailableError: a package that runs models is not installed.
        UnavailableError: the files are unavailable.
        UnavailableError: they would be downloaded for a GPU, and there is none.
    """
    _require_packages()
    folder = _local_files(model, revision)
    if folder is None:
        require_device(device)
        try:
            folder = downloaded_folder(model, revision, _FILES, stopping)
        except HubError as error:
            raise UnavailableError(
                f"model {model[:80]!r} is unavailable: {error}; download it on a machine with "
                "network access and give its folder as the model, or use the symbolic backend or "
                "an endpoint"
            ) from error
    if not os.path.isdir(model):
        return Weights(folder, f"{model}@{folder.name}")
    paths = sorted({path for form in _FILES for path in folder.glob(form) if path.is_file()})
    try:
        digest = folder_digest(folder, paths, remembered_sha256)
    except OSError as error:
        raise UnavailableError(f"model {folder.name[:80]!r} cannot be read: {error}") from error
    return Weights(folder, f"{folder.resolve().name}@sha256:{digest[:32]}")


def _local_files(model: str, revision: str | None) -> Path | None:
    """Return the folder of a model on this machine; None if it is not here."""
    if not os.path.isdir(model):
        try:
            return local_folder(model, revision, _FILES)
        except HubError as error:
            raise UnavailableError(f"model {model[:80]!r} is unavailable: {error}") from error
    if revision is not None:
        raise UnavailableError("a folder has no revisions; remove the revision")
    return Path(model)


def unusable(what: str, error: Exception) -> UnavailableError:
    """Return one line for any error of transformers about the files of a model."""
    line = str(error).strip().partition("\n")[0][:200].rstrip(" .:") or type(error).__name__
    return UnavailableError(
        f"{what} cannot be loaded: {line}; download it again, or choose a causal language model "
        "with safetensors"
    )


def availability(options: ClaimOptions) -> Availability:
    """Check for packages, GPU and files, without loading a model or using the network."""
    model = DEFAULT_MODEL if options.model is None else options.model
    device = options.device or DEFAULT_DEVICE
    try:
        _require_packages()
        require_device(device)
        folder = _local_files(model, options.revision)
    except InputError as error:
        return Availability(is_available=False, reason=f"{capital(str(error))}.")
    if folder is not None:
        name = folder.resolve().name if os.path.isdir(model) else model
        where = "the GPU" if device == "cuda" else "the CPU, slowly"
        reason = f"The files of {name} are on this machine; it runs on {where}."
        return Availability(is_available=True, reason=reason)
    from huggingface_hub import constants

    if constants.is_offline_mode():
        return Availability(
            is_available=False,
            reason=f"The files of {model[:80]} are not on this machine, and the model hub is "
            "turned off (HF_HUB_OFFLINE). Download them elsewhere and give their folder.",
        )
    size = f" ({_DOWNLOAD})" if model == DEFAULT_MODEL else ""
    reason = f"The files of {model[:80]}{size} will first be downloaded from the model hub."
    return Availability(is_available=True, reason=reason)
