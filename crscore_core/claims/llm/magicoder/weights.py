"""Check the packages, device and files of a model, and identify the files."""

import json
import os.path
import threading
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from crscore_core.caches import folder_digest, remembered_sha256
from crscore_core.errors import (
    ClaimsError,
    MissingCudaError,
    MissingPackageError,
    MissingWeightsError,
)
from crscore_core.hub import HubError, UnknownModelError, downloaded_folder, local_folder

DEFAULT_MODEL = "ise-uiuc/Magicoder-S-DS-6.7B"
"""The model that wrote the claims of the paper after fine-tuning (section 3.2)."""

NO_CUDA = (
    "This machine has no GPU with CUDA. Use the symbolic backend, an endpoint, or the device cpu "
    "for a small model."
)
_PACKAGES = ("transformers", "accelerate", "bitsandbytes")
_FILES = ("*.json", "*.jinja", "*.model", "*.safetensors")
_INDEX = "model.safetensors.index.json"
_CAUSAL = ("ForCausalLM", "LMHeadModel")
_WAY_OUT = (
    "download it on a machine with network access and give its folder as the model, "
    "or use the symbolic backend or an endpoint"
)


def missing_packages() -> str | None:
    """Return which packages are missing and how to install them; None if none is."""
    missing = [name for name in _PACKAGES if find_spec(name) is None]
    if not missing:
        return None
    return f"Missing: {', '.join(missing)}. Install with `pip install 'crscore-dashboard[llm]'`."


def checked_device(device: str | None) -> str:
    """Return the device, by default `cuda`.

    Raises:
        ClaimsError: it is neither `cuda` nor `cpu`.
    """
    if device not in (None, "cuda", "cpu"):
        raise ClaimsError(f"unknown device {device[:40]!r}; use `cuda` or `cpu`")
    return device or "cuda"


def require_device(device: str) -> None:
    """Check that the device is available; there is no fallback.

    Raises:
        MissingCudaError: it is `cuda`, and PyTorch cannot use it.
    """
    import torch

    if device == "cuda" and not torch.cuda.is_available():
        raise MissingCudaError(f"this model needs a GPU. {NO_CUDA}")


def require_packages() -> None:
    """Check that the packages are installed.

    Raises:
        MissingPackageError: one is missing.
    """
    missing = missing_packages()
    if missing is not None:
        raise MissingPackageError(
            f"running a language model on this machine needs packages. {missing}"
        )


@dataclass(frozen=True, slots=True)
class Weights:
    """Files of a model that exist and look usable.

    `identity` is the model's name and commit, or the name of its folder and a digest of the files.
    `most_tokens` limits prompt and answer together; None if the config does not state it.
    """

    folder: Path
    identity: str
    most_tokens: int | None


def find_weights(
    model: str, revision: str | None, device: str, stopping: threading.Event | None = None
) -> Weights:
    """Return the files in a folder, or of a hub model, downloaded if necessary.

    Nothing is downloaded for a device that is unavailable. Setting `stopping` stops a download
    soon; the next one resumes it.

    Raises:
        MissingWeightsError: the files are unavailable or unusable.
        MissingCudaError: they would be downloaded for a GPU, and there is none.
    """
    folder = local_files(model, revision)
    if folder is None:
        require_device(device)
        try:
            folder = downloaded_folder(model, revision, _FILES, stopping)
        except UnknownModelError as error:
            raise MissingWeightsError(f"unknown model {model[:80]!r}: {error}") from error
        except HubError as error:
            raise MissingWeightsError(
                f"model {model[:80]!r} is unavailable: {error}; {_WAY_OUT}"
            ) from error
    most_tokens = _checked(folder)
    is_local = os.path.isdir(model)
    identity = _digest(folder) if is_local else f"{model}@{folder.name}"
    return Weights(folder, identity, most_tokens)


def local_files(model: str, revision: str | None) -> Path | None:
    """Return the folder of files on this machine that look usable; None if there are none.

    This is fast, since no weights are read.

    Raises:
        MissingWeightsError: the model is unknown, or its files are unusable.
    """
    if os.path.isdir(model):
        if revision is not None:
            raise MissingWeightsError("a folder has no revisions; remove the revision")
        folder: Path | None = Path(model)
    else:
        try:
            folder = local_folder(model, revision, _FILES)
        except UnknownModelError as error:
            raise MissingWeightsError(f"unknown model {model[:80]!r}: {error}") from error
        except HubError as error:
            raise MissingWeightsError(f"model {model[:80]!r} is unavailable: {error}") from error
    if folder is not None:
        _checked(folder)
    return folder


def _digest(folder: Path) -> str:
    """Return the name of a folder and a digest of its files."""
    paths = sorted({path for form in _FILES for path in folder.glob(form) if path.is_file()})
    try:
        digest = folder_digest(folder, paths, remembered_sha256)
    except OSError as error:
        raise MissingWeightsError(f"model {folder.name[:80]!r} cannot be read: {error}") from error
    return f"{folder.resolve().name}@sha256:{digest[:32]}"


def _checked(folder: Path) -> int | None:
    """Check a folder without reading any weights; return the model's token limit.

    Raises:
        MissingWeightsError: a file is missing, or the model is not a causal language model.
    """
    what = f"the folder of model {folder.name[:80]!r}"
    if not (folder / "config.json").is_file():
        adapter = (folder / "adapter_config.json").is_file()
        hint = "; it contains only an adapter: merge it into a model" if adapter else ""
        raise MissingWeightsError(f"{what} has no config.json{hint}")
    config = _json(folder / "config.json", what)
    architectures = config.get("architectures")
    if not isinstance(architectures, list) or not architectures:
        raise MissingWeightsError(f"{what} does not name its model class: no `architectures`")
    if not any(str(name).endswith(_CAUSAL) for name in architectures):
        raise MissingWeightsError(
            f"{what} contains {str(architectures[0])[:80]}, which is not a causal language model"
        )
    if not (folder / "tokenizer.json").is_file():
        raise MissingWeightsError(f"{what} has no tokenizer: tokenizer.json is missing")
    _check_tensors(folder, what)
    most_tokens = config.get("max_position_embeddings")
    return most_tokens if isinstance(most_tokens, int) else None


def _check_tensors(folder: Path, what: str) -> None:
    if (folder / _INDEX).is_file():
        shards = _json(folder / _INDEX, what).get("weight_map")
        if not isinstance(shards, dict):
            raise MissingWeightsError(f"{what} has a damaged {_INDEX}")
        names = sorted({str(name) for name in shards.values()})
        missing = [name for name in names if not (folder / name).is_file()]
        if missing:
            raise MissingWeightsError(
                f"{what} lacks {len(missing)} of {len(names)} weight files, "
                f"first {missing[0][:80]}; download it again"
            )
    elif not (folder / "model.safetensors").is_file():
        is_pickled = any(folder.glob("pytorch_model*.bin"))
        reason = (
            "has weights only as pickles (pytorch_model.bin), which are not read because they "
            "can run code; save them as safetensors"
            if is_pickled
            else "has no weights: model.safetensors is missing"
        )
        raise MissingWeightsError(f"{what} {reason}")


def _json(path: Path, what: str) -> dict[str, object]:
    try:
        data = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError) as error:
        raise MissingWeightsError(f"{what} has a damaged {path.name}: {error}") from error
    if not isinstance(data, dict):
        raise MissingWeightsError(f"{what} has a damaged {path.name}: not a JSON object")
    return data
